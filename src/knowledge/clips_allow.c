// clips_allow: what a rules file may use of CLIPS, and what is done in another way here.
//
// Everything that is not on the list is refused where the file is read, and does nothing if it is
// called in spite of that, by name for instance: reading and writing files, other programs, what
// changes the rules while they run, what depends on the clock or on chance, objects, and `format`,
// which does not check the width it is given.
#include "knowledge/clips_parts.h"

#include <string.h>

static const char *const allowed[] = {
    "!=",
    "*",
    "**",
    "+",
    "-",
    "/",
    "<",
    "<=",
    "<>",
    "=",
    ">",
    ">=",
    "abs",
    "acos",
    "acosh",
    "acot",
    "acoth",
    "acsc",
    "acsch",
    "and",
    "any-factp",
    "asec",
    "asech",
    "asin",
    "asinh",
    "assert",
    "atan",
    "atanh",
    "bind",
    "break",
    "cos",
    "cosh",
    "cot",
    "coth",
    "create$",
    "csc",
    "csch",
    "deg-grad",
    "deg-rad",
    "delayed-do-for-all-facts",
    "delete$",
    "delete-member$",
    "div",
    "do-for-all-facts",
    "do-for-fact",
    "duplicate",
    "eq",
    "evenp",
    "exp",
    "expand$",
    "explode$",
    "fact-existp",
    "fact-index",
    "fact-relation",
    "fact-slot-names",
    "fact-slot-value",
    "find-all-facts",
    "find-fact",
    "first$",
    "float",
    "floatp",
    "focus",
    "foreach",
    "funcall",
    "get-focus",
    "grad-deg",
    "halt",
    "if",
    "implode$",
    "insert$",
    "integer",
    "integerp",
    "length",
    "length$",
    "lexemep",
    "log",
    "log10",
    "loop-for-count",
    "lowcase",
    "max",
    "member",
    "member$",
    "min",
    "mod",
    "modify",
    "multifieldp",
    "neq",
    "not",
    "nth",
    "nth$",
    "numberp",
    "oddp",
    "or",
    "pi",
    "pop-focus",
    "printout",
    "progn",
    "progn$",
    "rad-deg",
    "replace$",
    "replace-member$",
    "rest$",
    "retract",
    "return",
    "round",
    "sec",
    "sech",
    "sin",
    "sinh",
    "sort",
    "sqrt",
    "str-cat",
    "str-compare",
    "str-index",
    "str-length",
    "stringp",
    "string-to-field",
    "sub-string",
    "subseq$",
    "subset",
    "subsetp",
    "switch",
    "sym-cat",
    "symbolp",
    "tan",
    "tanh",
    "upcase",
    "while",
    "wordp",
};

static const char *const constructs[] = {
    "deffacts", "deffunction", "defglobal", "defmodule", "defrule", "deftemplate",
};

static bool is_one_of(const char *word, const char *const *words, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}
#define IS_ONE_OF(word, words) is_one_of((word), (words), sizeof(words) / sizeof *(words))

// --- refusing ---

static void say_refused(void *env, const char *name) {
    PrintErrorID(env, "LUDENS", 1, TRUE);
    EnvPrintRouter(env, WERROR, name);
    EnvPrintRouter(env, WERROR, " is not available to rules about a game.\n");
}

static struct expr *refuse_in_file(void *env, struct expr *top, const char *source) {
    (void)source;
    say_refused(env, ValueToString(((struct FunctionDefinition *)top->value)->callFunctionName));
    ReturnExpression(env, top);
    return NULL;
}

static void refuse_call(void *env) {
    const struct FunctionDefinition *f = EvaluationData(env)->CurrentExpression->value;
    say_refused(env, ValueToString(f->callFunctionName));
    SetHaltExecution(env, TRUE);
    SetEvaluationError(env, TRUE);
}

static int refuse_construct(void *env, const char *source) {
    (void)source;
    PrintErrorID(env, "LUDENS", 2, TRUE);
    EnvPrintRouter(env, WERROR, "Rules about a game have no objects and no generic functions.\n");
    SetPPBufferStatus(env, ON);
    SavePPBuffer(env, " "); // what CLIPS prints next
    return TRUE;            // an error
}

static void refuse_the_rest(void *env) {
    for (struct FunctionDefinition *f = GetFunctionList(env); f; f = f->next) {
        const char *name = ValueToString(f->callFunctionName);
        if (name[0] == '(' || IS_ONE_OF(name, allowed)) // "(…": what parsers put into expressions
            continue;
        f->parser = refuse_in_file;
        f->functionPointer = (int (*)(void))(void (*)(void))refuse_call;
        f->returnValueType = 'v';
        f->environmentAware = TRUE;
    }
    for (struct construct *one = ConstructData(env)->ListOfConstructs; one; one = one->next)
        if (!IS_ONE_OF(one->constructName, constructs))
            one->parseFunction = refuse_construct;
}

// --- done in another way ---

// Of a `worth` each counts, also if there is the same already: two rules that find 3 make 6.
static void assert_fact(void *env, DATA_OBJECT_PTR result) {
    Clips *c = GetEnvironmentContext(env);
    const struct expr *first = EvaluationData(env)->CurrentExpression->argList;
    bool worth = strcmp(EnvGetDeftemplateName(env, first->value), "worth") == 0;
    if (worth && ++c->worths > CLIPS_WORTHS)
        clips_heap_stop("the rules assert too many facts `worth`");
    intBool before = EnvGetFactDuplication(env);
    EnvSetFactDuplication(env, worth);
    AssertCommand(env, result);
    EnvSetFactDuplication(env, before);
}

// The smallest number divided by -1 is no number: the processor would end the program.
static long long quotient(long long a, long long b) {
    return b == -1 ? (long long)(0 - (unsigned long long)a) : a / b;
}

static bool number_of(void *env, const char *function, int i, DATA_OBJECT *argument, bool *whole) {
    if (!EnvArgTypeCheck(env, function, i, INTEGER_OR_FLOAT, argument))
        return false;
    *whole = argument->type == INTEGER;
    return true;
}

// Floats as integers, where they have one.
static long long whole_part(const DATA_OBJECT *argument) {
    if (argument->type == INTEGER)
        return ValueToLong(argument->value);
    double x = ValueToDouble(argument->value);
    return x > -9e18 && x < 9e18 ? (long long)x : 0;
}

static bool divisor_is_zero(void *env, const char *function, bool zero) {
    if (!zero)
        return false;
    DivideByZeroErrorMessage(env, function);
    SetHaltExecution(env, TRUE);
    SetEvaluationError(env, TRUE);
    return true;
}

static long long divide(void *env) {
    DATA_OBJECT argument;
    bool whole;
    long long total = 1;
    int n = EnvRtnArgCount(env);
    for (int i = 1; i <= n; i++) {
        if (!number_of(env, "div", i, &argument, &whole))
            return 1;
        long long x = whole_part(&argument);
        if (i > 1 && divisor_is_zero(env, "div", x == 0))
            return 1;
        total = i > 1 ? quotient(total, x) : x;
    }
    return total;
}

static void remainder_of(void *env, DATA_OBJECT_PTR result) {
    DATA_OBJECT a, b;
    bool whole_a, whole_b;
    result->type = INTEGER;
    result->value = EnvAddLong(env, 0);
    if (EnvArgCountCheck(env, "mod", EXACTLY, 2) == -1 || !number_of(env, "mod", 1, &a, &whole_a) ||
        !number_of(env, "mod", 2, &b, &whole_b))
        return;
    if (whole_a && whole_b) {
        long long x = ValueToLong(a.value), y = ValueToLong(b.value);
        if (!divisor_is_zero(env, "mod", y == 0))
            result->value = EnvAddLong(env, y == -1 ? 0 : x % y);
        return;
    }
    double x = CoerceToDouble(a.type, a.value), y = CoerceToDouble(b.type, b.value);
    if (divisor_is_zero(env, "mod", y == 0))
        return;
    double times = x / y;
    double cut = times > -9e15 && times < 9e15 ? (double)(long long)times : times;
    result->type = FLOAT;
    result->value = EnvAddDouble(env, x - cut * y);
}

// By a function that takes values. Others, as `assert` and `switch`, take what their parsers make
// of the text, and would read the values as that.
static void sort_by(void *env, DATA_OBJECT_PTR result) {
    DATA_OBJECT by;
    result->type = SYMBOL;
    result->value = EnvFalseSymbol(env);
    if (!EnvArgTypeCheck(env, "sort", 1, SYMBOL, &by))
        return;
    const struct FunctionDefinition *f = FindFunction(env, ValueToString(by.value));
    if (!f || !f->parser) {
        SortFunction(env, result);
        return;
    }
    ExpectedTypeError1(env, "sort", 1, "function that compares two values");
    SetHaltExecution(env, TRUE);
    SetEvaluationError(env, TRUE);
}

static void change(void *env, const char *name, void (*to)(void)) {
    struct FunctionDefinition *f = FindFunction(env, name);
    if (f)
        f->functionPointer = (int (*)(void))to;
}

void clips_restrict(void *env) {
    void *initial =
        EnvFindDefinstances(env, "initial-object"); // would make an object at each reset
    if (initial)
        EnvUndefinstances(env, initial);
    EnvDeleteInstance(env, NULL); // all
    refuse_the_rest(env);
    change(env, "assert", (void (*)(void))assert_fact);
    change(env, "div", (void (*)(void))divide);
    change(env, "mod", (void (*)(void))remainder_of);
    change(env, "sort", (void (*)(void))sort_by);
}
