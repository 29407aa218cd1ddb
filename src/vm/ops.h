// ops: the instructions of the machine, one row each; the enumeration, the dispatch table and the
// disassembler are made from it.
//
// X(name, operands, meaning). Operands are the letters of a, b, c and, after a blank, those of the
// extra word that follows:
//     r number register   s set register (board->words of them)   j jump   i signed number
//     o offset in a state   f field   t table view   l list of planes   p site   v variable
//     h attribute   q requirement or fault   d procedure   - unused
// A name that ends in _N works on sets of any number of words, its namesake without on one word
// (boards of up to 64 cells, and masks). Loops and choices keep the members left in registers
// a .. and the member itself in the register behind them.
#ifndef LUDENS_VM_OPS_H
#define LUDENS_VM_OPS_H

#define VM_OPS(X)                                                                                  \
    /* control */                                                                                  \
    X(HALT, "---", "all runs are done")                                                            \
    X(FAIL, "---", "go back to the last choice")                                                   \
    X(JUMP, "--j", "")                                                                             \
    X(BACK, "--j", "jump to an earlier place")                                                     \
    X(SWITCH, "ri-", "to the a-th of the b jumps that follow")                                     \
    X(RETURN, "r--", "end of the program with value a")                                            \
    X(CALL, "d--", "run procedure a")                                                              \
    X(LEAVE, "---", "back behind the call")                                                        \
    X(FAULT, "q--", "the rules fail, as requirement a says")                                       \
    X(NOTE, "i--", "note a was reached")                                                           \
    X(EXT, "---", "extra word, never executed")                                                    \
    X(JZ, "r-j", "a == 0")                                                                         \
    X(JNZ, "r-j", "a != 0")                                                                        \
    X(JEQ, "rrj", "a == b")                                                                        \
    X(JNE, "rrj", "a != b")                                                                        \
    X(JLT, "rrj", "a < b")                                                                         \
    X(JLE, "rrj", "a <= b")                                                                        \
    X(JBIT, "srj", "b in a")                                                                       \
    X(JNBIT, "srj", "b not in a")                                                                  \
    X(JBIT_N, "srj", "")                                                                           \
    X(JNBIT_N, "srj", "")                                                                          \
    X(JSOME_N, "s-j", "a has a member")                                                            \
    X(JNONE_N, "s-j", "a has none")                                                                \
    X(JSAME_N, "ssj", "a == b")                                                                    \
    X(JDIFFER_N, "ssj", "a != b")                                                                  \
    X(JMEET, "ssj", "some a & b")                                                                  \
    X(JAPART, "ssj", "no a & b")                                                                   \
    X(JMEET_N, "ssj", "")                                                                          \
    X(JAPART_N, "ssj", "")                                                                         \
    X(JWITHIN, "ssj", "a within b")                                                                \
    X(JBEYOND, "ssj", "a not within b")                                                            \
    X(JWITHIN_N, "ssj", "")                                                                        \
    X(JBEYOND_N, "ssj", "")                                                                        \
    X(JLINE, "rsj", "some line through a is within b")                                             \
    X(JNLINE, "rsj", "no line through a is within b")                                              \
    X(JLINE_N, "rsj", "")                                                                          \
    X(JNLINE_N, "rsj", "")                                                                         \
    X(JLINES, "s-j", "some line is within a")                                                      \
    X(JNLINES, "s-j", "no line is within a")                                                       \
    X(JLINES_N, "s-j", "")                                                                         \
    X(JNLINES_N, "s-j", "")                                                                        \
    /* values */                                                                                   \
    X(MOVE, "rr-", "a = b")                                                                        \
    X(MOVE_N, "ss-", "")                                                                           \
    X(INT, "ri-", "a = b")                                                                         \
    X(ZERO_N, "s--", "a is empty")                                                                 \
    X(LOAD_U8, "ro-", "a = state[b]")                                                              \
    X(LOAD_I8, "ro-", "")                                                                          \
    X(LOAD_U16, "ro-", "")                                                                         \
    X(LOAD_I16, "ro-", "")                                                                         \
    X(LOAD_I32, "ro-", "")                                                                         \
    X(LOAD_64, "ro-", "")                                                                          \
    X(LOAD_N, "so-", "")                                                                           \
    X(LOADX_U8, "rrf", "a = state field c [b]; 0 outside")                                         \
    X(LOADX_I8, "rrf", "")                                                                         \
    X(LOADX_U16, "rrf", "")                                                                        \
    X(LOADX_I16, "rrf", "")                                                                        \
    X(LOADX_I32, "rrf", "")                                                                        \
    X(LOADX_64, "rrf", "")                                                                         \
    X(LOADX_N, "srf", "")                                                                          \
    X(BITX, "rro", "a = whether b is in the set at c of the state")                                \
    X(TABLE, "rrt", "a = c[b]; 0 outside")                                                         \
    X(TABLE2, "rrr t--", "a = t[b, c]; 0 outside")                                                 \
    X(SETS, "srt", "a = c[b]; empty outside")                                                      \
    X(SETS_N, "srt", "")                                                                           \
    X(SETS2, "srr t--", "a = t[b, c]; empty outside; any number of words")                         \
    X(ADD, "rrr", "")                                                                              \
    X(SUB, "rrr", "")                                                                              \
    X(MUL, "rrr", "")                                                                              \
    X(DIV, "rrr", "")                                                                              \
    X(MOD, "rrr", "")                                                                              \
    X(NEG, "rr-", "")                                                                              \
    X(WRAP, "rr-", "a = b in 32 bits")                                                             \
    X(ABS, "rr-", "")                                                                              \
    X(LOWER, "rrr", "")                                                                            \
    X(HIGHER, "rrr", "")                                                                           \
    X(INC, "r--", "a += 1")                                                                        \
    /* what stands where */                                                                        \
    X(OCCUPIED, "s--", "")                                                                         \
    X(OCCUPIED_N, "s--", "")                                                                       \
    X(EMPTY, "s--", "")                                                                            \
    X(EMPTY_N, "s--", "")                                                                          \
    X(LIST, "sl-", "a = union of the planes of list b; any number of words")                       \
    X(PLANEX, "srl", "a = the only plane of list c + b, or empty")                                 \
    X(LISTX, "srl", "a = union of the planes of list c + b; any number of words")                  \
    X(KIND_AT, "rr-", "")                                                                          \
    X(OWNER_AT, "rr-", "")                                                                         \
    X(KIND_IN, "rrr", "a = kind on cell b at level c")                                             \
    X(OWNER_IN, "rrr", "")                                                                         \
    X(HEIGHT, "rr-", "")                                                                           \
    /* sets */                                                                                     \
    X(AND, "sss", "")                                                                              \
    X(OR, "sss", "")                                                                               \
    X(ANDN, "sss", "a = b - c")                                                                    \
    X(AND_N, "sss", "")                                                                            \
    X(OR_N, "sss", "")                                                                             \
    X(ANDN_N, "sss", "")                                                                           \
    X(SINGLE, "sri", "a = {b}, empty if b is not below c")                                         \
    X(SINGLE_N, "sri", "")                                                                         \
    X(ADDBIT, "sr-", "a = a | {b}")                                                                \
    X(ADDBIT_N, "sr-", "")                                                                         \
    X(COUNT, "rs-", "")                                                                            \
    X(COUNT_N, "rs-", "")                                                                          \
    X(FIRST, "rsi", "a = first of b, or c")                                                        \
    X(FIRST_N, "rsi", "")                                                                          \
    X(IMAGE, "sst", "a = union of c[x] for x in b")                                                \
    X(IMAGE_N, "sst", "")                                                                          \
    X(STEPS, "ssr t--", "a = {t[x, c] for x in b} - {none}; any number of words")                  \
    X(SHIFT, "ssr", "a = b one step in direction c, a word")                                       \
    X(UNSHIFT, "ssr", "a = cells whose step in direction c is in b")                               \
    X(RAY_WHILE, "srr s--", "from b in direction c while in s")                                    \
    X(RAY_UNTIL, "srr s--", "")                                                                    \
    X(PAST, "rrr s--", "")                                                                         \
    X(SHIFTS, "ssr", "a = union of b one step in each direction of mask c")                        \
    X(HOPS, "sss r--", "a = union over d in mask r of step(step(b, d) & c, d)")                    \
    X(SLIDE, "srr si-", "a = union over d in mask c of rays from b: until s, or i: while s")       \
    X(FLOOD, "sss", "a = flood from b through c")                                                  \
    /* loops */                                                                                    \
    X(EACH, "ssj", "begin with the first of b; jump if there is none")                             \
    X(NEXT, "s-j", "go on with the next, if there is one")                                         \
    X(EACH_N, "ssj", "")                                                                           \
    X(NEXT_N, "s-j", "")                                                                           \
    X(NEXT_INT, "r-j", "the number behind a is below a: count it up and jump")                     \
    X(LINES, "rrj", "begin with the first line through b")                                         \
    X(NEXT_LINE, "r-j", "")                                                                        \
    X(ZERO_W, "ri-", "a .. of b words are empty")                                                  \
    X(ADDBIT_W, "rri", "a .. of c words gets bit b")                                               \
    X(NEXT_W, "rij", "the lowest bit of a .. of b words, taken out, is behind them: jump")         \
    X(ROUND, "r-j", "a == 0: jump; else a -= 1")                                                   \
    /* effects */                                                                                  \
    X(FORK, "---", "own copy of the state, if a choice still needs this one")                      \
    X(STORE_8, "ro-", "state[b] = a")                                                              \
    X(STORE_16, "ro-", "")                                                                         \
    X(STORE_32, "ro-", "")                                                                         \
    X(STORE_64, "ro-", "")                                                                         \
    X(STORE_N, "so-", "")                                                                          \
    X(STOREX, "rrf", "state field c [b] = a")                                                      \
    X(CHECK, "rv-", "a must be in the range of variable b")                                        \
    X(SET_ATTR, "rrh", "attribute c of cell b = a")                                                \
    X(PLANE_OF, "rrr", "a = plane of kind b and owner c; must exist")                              \
    X(PLACE_1, "rr-", "plane b on cell a: one word, no stacks, no attributes")                     \
    X(MOVE_1, "rr-", "cell a to cell b, likewise")                                                 \
    X(REMOVE_1, "r--", "")                                                                         \
    X(CHANGE_1, "rr-", "")                                                                         \
    X(PLACE_SET_1, "sr-", "")                                                                      \
    X(CHANGE_SET_1, "sr-", "")                                                                     \
    X(REMOVE_SET_1, "s--", "")                                                                     \
    X(PLACE, "rr-", "plane b on cell a")                                                           \
    X(PLACE_SET, "sr-", "")                                                                        \
    X(CHANGE, "rr-", "what stands on a becomes plane b")                                           \
    X(CHANGE_SET, "sr-", "")                                                                       \
    X(REMOVE, "r--", "")                                                                           \
    X(REMOVE_SET, "s--", "")                                                                       \
    X(CLEAR, "r--", "")                                                                            \
    X(CLEAR_SET, "s--", "")                                                                        \
    X(MOVE_PIECE, "rr-", "")                                                                       \
    X(MOVE_STACK, "rrr", "levels c and up of a to b")                                              \
    X(MOVE_TOP, "rr-", "")                                                                         \
    X(SCATTER, "srr r--", "b pieces of plane c on cells of a, seed d")                             \
    /* choices, when moves are generated */                                                        \
    X(CHOOSE, "ssp", "the first of b; then go past the word after this")                           \
    X(CHOOSE_NEXT, "s-p", "resumed here: the next")                                                \
    X(CHOOSE_N, "ssp", "")                                                                         \
    X(CHOOSE_NEXT_N, "s-p", "")                                                                    \
    X(CHOOSE_INT, "r-p", "from the number behind a up to a")                                       \
    X(CHOOSE_NEXT_INT, "r-p", "")                                                                  \
    X(CHOOSE_LINE, "rrp", "lines through b")                                                       \
    X(CHOOSE_NEXT_LINE, "r-p", "")                                                                 \
    X(BRANCH, "pij", "branch b of a; resume at the jump's end")                                    \
    X(BRANCH_NEXT, "pij", "resumed here")                                                          \
    X(BRANCH_LAST, "pi-", "resumed here, nothing left behind it")                                  \
    X(BRANCH_ONLY, "pi-", "no other branch")                                                       \
    X(EMIT, "---", "a complete move; go back")                                                     \
    X(EMIT_SET, "s-p", "a complete move for each of a")                                            \
    X(EMIT_SET_N, "s-p", "")                                                                       \
    X(EMIT_INT, "rrp", "for each of a .. b")                                                       \
    /* choices, when a given move is followed */                                                   \
    X(READ, "r-p", "a = the next choice")                                                          \
    X(NAME, "r-p", "a stands in the text of the move, though nothing was chosen")                  \
    X(REFUSE, "--p", "not in the domain; find out why")                                            \
    X(PROBE, "-ip", "probe b refused; -1: unknown")                                                \
    X(UNMET, "q--", "a requirement refused")                                                       \
    X(TURN_END, "---", "the turn is complete")                                                     \
    /* results: end of the program */                                                              \
    X(WINS, "r--", "")                                                                             \
    X(LOSES, "r--", "")                                                                            \
    X(DRAW, "---", "")                                                                             \
    X(SCORE, "rir", "player b has a; c and the two behind it keep who leads")                      \
    X(LEADER, "r--", "who leads alone wins")

#endif
