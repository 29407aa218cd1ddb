// table_talk: what is said at the table and what people type there, and the key that stops the arm.
//
// A thread of its own reads the keyboard. While the arm moves, Space, Enter and Ctrl-C stop it at
// once; otherwise Ctrl-C is as everywhere (cli_interrupted, or a search that ends), and what is
// typed makes lines. Lines for people are printed and, with a voice, spoken
// by another program, which nobody waits for.
#ifndef LUDENS_TABLE_TALK_H
#define LUDENS_TABLE_TALK_H

#include "robot/controller.h"

typedef struct Talk Talk;

typedef enum TalkWhere {
    TALK_OUT,       // to standard output
    TALK_ERROR,     // to standard error: the other is for results
    TALK_QUESTIONS, // there, too, but only what has to be answered
} TalkWhere;

// `voice`: espeak-ng, if it is installed (`why` says that it is not; that is no failure). NULL with
// the reason.
Talk *talk_open(bool voice, TalkWhere where, Text *why);
void talk_close(Talk *t);
void talk_show(Talk *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void talk_say(Talk *t, const char *line); // the same, also aloud
// From now on keys stop this controller; NULL: none moves.
void talk_moving(Talk *t, Controller *c);
// The same while it is woken: afterwards nobody is asked whether it shall go on, so Ctrl-C also
// ends the program.
void talk_waking(Talk *t, Controller *c);
// The same while it stands at home and the camera looks: only Ctrl-C stops, the rest is typing.
void talk_looking(Talk *t, Controller *c);
// A question whose answer may let the arm move. On a terminal what was typed before it is dropped,
// also half a line: it was no answer to what could not be read yet. Lines of a pipe stay.
void talk_ask(Talk *t, const char *question);
// The next line that was typed, of at most `seconds` waiting. False: there is none; see talk_over.
bool talk_line(Talk *t, double seconds, Text *line);
bool talk_over(Talk *t); // nobody will type anything any more

#endif
