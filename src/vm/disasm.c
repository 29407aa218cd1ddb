// disasm: the programs of a game as text.
#include "vm/code.h"

#include <string.h>

typedef struct Row {
    const char *name, *operands, *meaning;
} Row;

static const Row rows[] = {
#define X(op, operands, meaning) {#op, operands, meaning},
    VM_OPS(X)
#undef X
};

static void print_register(const VmProgram *p, int n, char kind, Text *out) {
    if (n == VM_ME)
        text_add(out, "me");
    else if (n == VM_AGAIN)
        text_add(out, "again");
    else if (n >= p->first_mine)
        text_f(out, "#mine%d", n - p->first_mine);
    else if (n < p->first_const)
        text_f(out, "%c%d", kind, n);
    else if (kind == 's')
        text_f(out, "#%llx", (unsigned long long)p->constant[n - p->first_const]);
    else
        text_f(out, "#%lld", (long long)p->constant[n - p->first_const]);
}

static void print_view(const VmProgram *p, int n, Text *out) {
    const IrGame *g = p->game;
    int id = p->view[n].id;
    text_f(out, "table %s",
           id >= 0 && id < g->tables && g->table[id]->name ? g->table[id]->name : "?");
}

static void print_operand(const VmProgram *p, int pc, char letter, int value, Text *out) {
    switch (letter) {
    case 'r':
    case 's': print_register(p, value, letter, out); break;
    case 'j': text_f(out, "-> %d", pc + 1 + (int16_t)value); break;
    case 'i': text_f(out, "%d", (int16_t)value); break;
    case 'o': text_f(out, "[%d]", value); break;
    case 'f': text_f(out, "field [%d]", p->field[value].offset); break;
    case 't': print_view(p, value, out); break;
    case 'l': text_f(out, "list %d", value); break;
    case 'p': text_f(out, "site %d %s", value, p->game->site[value].name); break;
    case 'v': text_add(out, p->game->var[value].name); break;
    case 'h': text_add(out, p->game->attr[value].name); break;
    case 'q': text_f(out, "requirement %d", value); break;
    case 'd': text_add(out, p->game->proc[value]->name); break;
    default: break;
    }
}

static void print_operands(const VmProgram *p, int pc, const char *letters, VmInsn i, bool *first,
                           Text *out) {
    uint16_t operand[3] = {i.a, i.b, i.c};
    for (int n = 0; n < 3; n++) {
        if (letters[n] == '-')
            continue;
        text_add(out, *first ? " " : ", ");
        print_operand(p, pc, letters[n], operand[n], out);
        *first = false;
    }
}

static void print_heading(const VmProgram *p, int pc, Text *out) {
    if (pc == p->generate)
        text_add(out, "generate:\n");
    else if (pc == p->apply)
        text_add(out, "apply:\n");
    else if (pc == p->setup)
        text_add(out, "setup:\n");
    else if (pc == p->stuck)
        text_add(out, "stuck:\n");
    else if (pc == p->all_stuck)
        text_add(out, "all stuck:\n");
    for (int n = 0; n < p->game->procs; n++)
        if (pc == p->proc[n].entry)
            text_f(out, "%s:\n", p->game->proc[n]->name);
}

void vm_print(const VmProgram *p, Text *out) {
    text_f(out, "%d instructions, %d registers, %d of them constants, %d saved by choices\n",
           p->count, p->regs, p->consts, p->save_count);
    for (int pc = 0; pc < p->count; pc++) {
        print_heading(p, pc, out);
        VmInsn i = p->code[pc];
        const char *letters = rows[i.op].operands;
        bool first = true;
        text_f(out, "%5d  %-15s", pc, rows[i.op].name);
        print_operands(p, pc, letters, i, &first, out);
        if (strlen(letters) > 3) {
            pc++;
            print_operands(p, pc, letters + 4, p->code[pc], &first, out);
        }
        text_char(out, '\n');
    }
}
