/* ludens_bot: see ludens_bot.h. */
#include "ludens_bot.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static FILE *to_rules, *from_rules;
static char line[BOT_LINE], answer[BOT_LINE], asked[BOT_LINE];
static bool stopped, left; /* `stop` or `quit` came while thinking */

double bot_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool read_line(void) { /* without a buffer, so that poll knows whether there is one */
    size_t n = 0;
    char c = 0;
    while (read(0, &c, 1) == 1 && c != '\n')
        if (n < sizeof line - 1 && c != '\r')
            line[n++] = c;
    line[n] = '\0';
    return n > 0 || c == '\n';
}

bool bot_over(const BotLimits *limits) {
    struct pollfd in = {.fd = 0, .events = POLLIN};
    while (!stopped && poll(&in, 1, 0) > 0) {
        left = !read_line() || strcmp(line, "quit") == 0;
        stopped = left || strcmp(line, "stop") == 0;
        if (strcmp(line, "isready") == 0)
            puts("readyok");
    }
    return stopped || bot_now() - limits->began >= limits->seconds;
}

static void start_rules(void) {
    const char *command = getenv("LUDENS_RULES");
    int in[2], out[2];
    if (pipe(in) == 0 && pipe(out) == 0 && fork() == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]);
        execl("/bin/sh", "sh", "-c", command ? command : "ludens serve-rules", (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_rules = fdopen(in[1], "w");
    from_rules = fdopen(out[0], "r");
}

static void ask(const char *position, const char *what) {
    if (strcmp(position, asked) != 0)
        fprintf(to_rules, "position %s\n", position);
    snprintf(asked, sizeof asked, "%s", position);
    fprintf(to_rules, "query %s\n", what);
    fflush(to_rules);
}

static bool hear(void) {
    if (!fgets(answer, sizeof answer, from_rules))
        exit(1);
    answer[strcspn(answer, "\n")] = '\0';
    return strncmp(answer, "response", 8) != 0;
}

const char *bot_ask(const char *position, const char *what) {
    ask(position, what);
    while (hear())
        ;
    return answer[8] ? answer + 9 : "";
}

int bot_successors(const char *position, BotSuccessor **out) {
    int n = 0, room = 0;
    *out = NULL;
    for (ask(position, "successors"); hear();) {
        BotSuccessor s;
        int at = 0;
        if (sscanf(answer, "info successor %255s %d %63s %n", s.move, &s.player, s.result, &at) < 3)
            continue;
        if (n == room)
            *out = realloc(*out, sizeof s * (size_t)(room = 2 * room + 16));
        s.position = malloc(strlen(answer + at) + 5);
        if (!*out || !s.position)
            exit(1);
        sprintf(s.position, "fen %s", answer + at);
        (*out)[n++] = s;
    }
    return n;
}

void bot_free_successors(BotSuccessor *s, int n) {
    for (int i = 0; i < n; i++)
        free(s[i].position);
    free(s);
}

static double number(const char *name, int player, double none) {
    char word[32];
    snprintf(word, sizeof word, name, player);
    const char *at = strstr(line, word);
    return at ? atof(at + strlen(word)) / 1000 : none;
}

static void go(const char *position, BotMove *move) {
    BotLimits limits = {.began = bot_now()};
    int player = atoi(bot_ask(position, "player"));
    limits.depth = (int)(number(" depth ", 0, 0) * 1000 + 0.5);
    limits.seconds = number(" p%dtime ", player, 25) / 25 + number(" p%dinc ", player, 0) / 2;
    limits.seconds = number(" movetime ", 0, strstr(line, " infinite") ? 1e9 : limits.seconds);
    char word[BOT_MOVE] = "none";
    stopped = false;
    move(position, &limits, word);
    while (limits.seconds > 1e8 && !bot_over(&limits))
        usleep(1000);
    printf("bestmove %s\n", word);
}

int bot_run(const char *name, BotMove *move) {
    static char position[BOT_LINE] = "startpos";
    setvbuf(stdout, NULL, _IOLBF, 0);
    start_rules();
    while (!left && read_line() && strcmp(line, "quit") != 0) {
        if (strcmp(line, "ugi") == 0)
            printf("id name %s\noption name Game type string default tic-tac-toe\n"
                   "option name Seed type spin default 0 min 0 max 2147483647\nugiok\n",
                   name);
        else if (strcmp(line, "isready") == 0)
            puts("readyok");
        else if (strncmp(line, "setoption name Game ", 20) == 0)
            fprintf(to_rules, "%s\n", line), asked[0] = '\0';
        else if (strncmp(line, "setoption name Seed value ", 26) == 0)
            srandom((unsigned)atoll(line + 26));
        else if (strncmp(line, "position ", 9) == 0)
            strcpy(position, line + 9);
        else if (strncmp(line, "go", 2) == 0)
            go(position, move);
    }
    return 0;
}
