// printer: what print.c, print_expr.c and print_knowledge.c share; others see ir.h.
#ifndef LUDENS_PRINTER_H
#define LUDENS_PRINTER_H

#include "ir/ir.h"

typedef struct Printer {
    const IrGame *g;
    const IrFrame *frame; // what names the locals; may be NULL
    Text *out;
    int indent;
} Printer;

// Longer sets and lists are cut short.
#define SHOWN_MEMBERS 16

void printer_value(const Printer *p, IrType type, int64_t value);
void printer_set(const Printer *p, const uint64_t *set);
void printer_local(const Printer *p, int slot);
void printer_function(const Printer *p, int id); // its name
void printer_plane(const Printer *p, int plane);
void printer_expr(const Printer *p, const IrExpr *e);
void printer_operand(const Printer *p, const IrExpr *e);  // in parentheses where needed
void printer_domain(const Printer *p, const IrDomain *d); // x in D where C
// name(a, b), with the two characters of `brackets`; arguments that are NULL are left out.
void printer_arguments(const Printer *p, const char *name, IrExpr *const *args, int n,
                       const char *brackets);

// What a line says to people, if anything, and the end of the line.
void printer_sentence(const Printer *p, const char *sentence);

void printer_knowledge(Printer *p);   // print_knowledge.c
void printer_table(const Printer *p); // print_table.c

#endif
