// playout: random games with the public library.
//
//     playout GAME [parameter=value ...]        e.g.  playout domineering rows=4 columns=4
//
// cc playout.c $(pkg-config --cflags --libs ludens)
#include <ludens.h>

#include <stdio.h>
#include <stdlib.h>

#define GAMES 10
#define PLIES 1000 // games without an end rule for repetition may go on for ever

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: playout GAME [parameter=value ...]\n");
        return 2;
    }
    char *error;
    LudensGame *game = ludens_load(argv[1], (const char *const *)argv + 2, argc - 2, &error);
    if (!game) {
        fprintf(stderr, "%s", error ? error : "out of memory\n");
        ludens_free_text(error);
        return 1;
    }
    LudensRunner *runner = ludens_runner_new(game);
    uint64_t state[LUDENS_STATE_MAX / sizeof(uint64_t)];
    ludens_start(game, state);
    for (int i = 1; runner && i <= GAMES; i++) {
        const LudensMove *moves;
        int count, ply = 0;
        ludens_start(game, state);
        while (ply < PLIES && (count = ludens_moves(runner, state, &moves)) > 0) {
            if (!ludens_apply(runner, state, moves[rand() % count], state))
                break;
            ply++;
        }
        char *result = ludens_result_text(game, ludens_result(runner, state));
        printf("game %d: %s after %d moves\n", i, result, ply);
        ludens_free_text(result);
    }
    char *board = ludens_board(game, state, 0), *text = ludens_state_text(game, state);
    printf("%s%s\n", board, text);
    ludens_free_text(board);
    ludens_free_text(text);
    ludens_runner_free(runner);
    ludens_free(game);
    return 0;
}
