// check_expr: expressions of the rules language become typed IR, each by the file for its kind.
// See checker.h.

#include "lang/checker.h"

bool expr_descend(Checker *c, const Node *node, int below) {
    if (c->level + below >= CHECK_LEVELS) {
        diag_error(c->diags, node->span, "this is nested too deeply, with the definitions it uses");
        diag_help(c->diags, "expressions and definitions can nest %d deep", CHECK_LEVELS);
        return false;
    }
    if (c->level + below >= c->deepest)
        c->deepest = c->level + below + 1;
    return true;
}

static IrExpr *check_kind_of_expr(Checker *c, const Node *node) {
    switch (node->kind) {
    case N_INT: return expr_const(c, type_plain(TY_INT), node->number, node);
    case N_BOOL: return expr_const(c, type_plain(TY_BOOL), node->number, node);
    case N_NAME: return check_name(c, node);
    case N_CALL: return check_call(c, node);
    case N_INDEX: return check_index(c, node);
    case N_BINARY: return check_binary(c, node);
    case N_UNARY: return check_unary(c, node);
    case N_COND: return check_if(c, node);
    case N_WHERE: return check_where(c, node);
    case N_BRACES: return check_braces(c, node);
    case N_OF: return check_of(c, node);
    case N_LINES_THROUGH: return check_lines_through(c, node);
    case N_QUANT: return check_quantifier(c, node);
    case N_THE: return check_the(c, node);
    case N_RANGE:
        diag_error(c->diags, node->span, "a range can only stand after `in`");
        return NULL;
    case N_STRING: diag_error(c->diags, node->span, "a text cannot stand here"); return NULL;
    default: diag_error(c->diags, node->span, "this cannot stand in an expression"); return NULL;
    }
}

IrExpr *check_expr(Checker *c, const Node *node) {
    if (c->expressions > CHECK_EXPRESSIONS || !expr_descend(c, node, 0))
        return NULL;
    c->level++;
    IrExpr *e = check_kind_of_expr(c, node);
    c->level--;
    return e;
}
