// cli: what the commands of the program share.
//
// A command is a row of CLI_COMMANDS and a function cmd_NAME in cmd_NAME.c. The rows feed the
// dispatch, the help, the option parser and the near misses. A command gets a Cli, prints to
// standard output, reports to standard error, and returns the exit status:
//     0 all is well    1 something is wrong with the input: rules, parameters, moves, files
//     2 wrong use of the command line                    130 stopped by Ctrl-C
#ifndef LUDENS_CLI_H
#define LUDENS_CLI_H

#include "game/draw.h"
#include "game/game.h"
#include "search/search.h"

enum { EXIT_OK = 0, EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

// X(constant, long name, letter or 0, name of the value or NULL, help)
#define CLI_OPTIONS(X)                                                                             \
    X(OPT_STATE, "state", 0, "TEXT", "the position to begin with, as `show` prints it")            \
    X(OPT_PLAYERS, "players", 0, "WHO,WHO", "each side: human, a player, or bot:COMMAND")          \
    X(OPT_PLAYER, "player", 0, "PLAYER", "who searches, such as `minimax:depth=4`")                \
    X(OPT_TRACE, "trace", 0, NULL, "show the tree that was walked")                                \
    X(OPT_FORMAT, "format", 0, "FORMAT",                                                           \
      "of a tree: text, json, dot; of games: csv, jsonl, pgn, records")                            \
    X(OPT_NODES, "nodes", 0, "N", "positions of the tree that are shown, 1000 by default")         \
    X(OPT_BEST, "best", 0, "K", "so many best moves with exact values, 3 by default")              \
    X(OPT_FIRST, "first", 0, "PLAYER", "who moves first, by name or number")                       \
    X(OPT_LOAD, "load", 0, "FILE", "go on with a saved game")                                      \
    X(OPT_DEPTH, "depth", 0, "N", "of the tree to count, over and over; else deeper and deeper")   \
    X(OPT_DIVIDE, "divide", 0, NULL, "also the count behind each first move")                      \
    X(OPT_MERGE, "merge", 0, NULL, "keep equal states once: deep counts become cheap")             \
    X(OPT_MEMORY, "memory", 0, "MB", "megabytes of memory that positions may take")                \
    X(OPT_GAMES, "games", 0, "N", "how many games to play")                                        \
    X(OPT_PLIES, "plies", 0, "N", "leave a game unfinished after so many moves")                   \
    X(OPT_SECONDS, "seconds", 0, "S", "how long to work")                                          \
    X(OPT_SEED, "seed", 0, "N", "of the random numbers: the same seed, the same games")            \
    X(OPT_BACKEND, "backend", 0, "HOW", "how the rules run: interp, native or auto")               \
    X(OPT_CODE, "code", 0, NULL, "the interpreter's code instead")                                 \
    X(OPT_FOLLOW, "follow", 0, NULL, "read moves, a line each; list those after each of them")     \
    X(OPT_S3_FROGS, "s3-frogs", 0, NULL, "solve Frogs over and over, as was done with S3Games")    \
    X(OPT_SEARCH, "search", 0, NULL, "how fast players search, beside the rules alone")            \
    X(OPT_KNOWLEDGE, "knowledge", 0, "FILE", "facts and rules of a file, or of the library")       \
    X(OPT_ALL, "all", 0, NULL, "leave nothing out")                                                \
    X(OPT_DEEP, "deep", 0, NULL, "reasons down to the facts, and more of them")                    \
    X(OPT_CHECK, "check", 0, NULL, "only tell whether anything would change")                      \
    X(OPT_WRITE, "write", 'w', NULL, "change the files in place")                                  \
    X(OPT_GAME, "game", 0, "GAME", "what is played in a tournament of players given here")         \
    X(OPT_ROUND_ROBIN, "round-robin", 0, NULL, "everybody plays everybody")                        \
    X(OPT_GAUNTLET, "gauntlet", 0, NULL, "the first plays all others")                             \
    X(OPT_KNOCKOUT, "knockout", 0, NULL, "who loses is out")                                       \
    X(OPT_SWISS, "swiss", 0, NULL, "in each round, those with equal points play")                  \
    X(OPT_ROUNDS, "rounds", 0, "N", "of a Swiss tournament")                                       \
    X(OPT_SWAP, "swap", 0, NULL, "each opening twice, with changed seats (usual)")                 \
    X(OPT_NO_SWAP, "no-swap", 0, NULL, "every game has its own opening; seats stay")               \
    X(OPT_OPENINGS, "openings", 0, "N", "random moves at the beginning, 2 by default")             \
    X(OPT_TIME, "time", 0, "TIME", "`0.5s` for each move, `5m+3s` for a game, nodes=, depth=")     \
    X(OPT_SPRT, "sprt", 0, "E0,E1", "stop when it is clear which difference in Elo holds")         \
    X(OPT_JOBS, "jobs", 0, "N", "games at a time; as many as there are processors")                \
    X(OPT_DB, "db", 0, "FILE", "the database that keeps the games")                                \
    X(OPT_OUTPUT, "output", 'o', "FILE", "write to this file, or folder, instead")                 \
    X(OPT_NUMBER, "number", 0, "N", "only the game with this number")                              \
    X(OPT_HTML, "html", 0, "FILE", "also write a page for a browser")                              \
    X(OPT_LANG, "lang", 0, "LANGUAGE", "of a new bot: c, python or js")                            \
    X(OPT_PORT, "port", 0, "N", "where the page is; 0 is any that is free")                        \
    X(OPT_HOST, "host", 0, "ADDRESS",                                                              \
      "be there for others, too: 0.0.0.0 is for the whole network")                                \
    X(OPT_OPEN, "open", 0, NULL, "open the page in a browser")                                     \
    X(OPT_STORE, "store", 0, "FILE", "where games are kept")                                       \
    X(OPT_WEB, "web", 0, "DIR", "files of the page to use instead of those in the program")        \
    X(OPT_SAVE, "save", 0, "DIR", "where the workshop may save rules")                             \
    X(OPT_ARCHIVE, "archive", 0, "FILE", "a database of contests to be watched; any number")       \
    X(OPT_ALLOW_NATIVE, "allow-native", 0, NULL, "make machine code of rules from pages, too")     \
    X(OPT_ALLOW_BOTS, "allow-bots", 0, NULL, "let pages start programs as bots")                   \
    X(OPT_ASCII, "ascii", 0, NULL, "draw with ASCII characters only")                              \
    X(OPT_NO_COLOUR, "no-colour", 0, NULL, "no colours (also when NO_COLOR is set)")               \
    X(OPT_LAYOUT, "layout", 0, NULL, "print all that a program needs to draw the game, as JSON")   \
    X(OPT_JSON, "json", 0, NULL, "print JSON")

// The same for what has to do with an arm and a camera. A table of its own, since a command says
// in 64 bits which options of a table it has.
#define CLI_ARM_OPTIONS(X)                                                                         \
    X(OPT_ARM, "arm", 0, "PORT", "the serial line of the arm's controller, such as /dev/ttyUSB0")  \
    X(OPT_CAMERA, "camera", 0, "DEVICE", "a camera such as /dev/video0, pictures or a film")       \
    X(OPT_SIM, "sim", 0, NULL, "arm, camera and persons are simulated")                            \
    X(OPT_BAUD, "baud", 0, "N", "speed of the serial line, 9600 by default")                       \
    X(OPT_ARM_FILE, "arm-file", 0, "FILE", "measures of the arm; else those of an AL5D")           \
    X(OPT_REAL, "real", 0, "FILE", "measures that a simulated arm really has; else the same")      \
    X(OPT_TABLE_FILE, "table-file", 0, "FILE", "what was taught: places, colours, corners")        \
    X(OPT_ASK, "ask", 0, "WHEN", "before the arm moves: each, first (three times) or free")        \
    X(OPT_RATE, "rate", 0, "N", "how much faster than real a simulation is")                       \
    X(OPT_NOISE, "noise", 0, "N", "of a simulated camera, of 255")                                 \
    X(OPT_FAULTS, "faults", 0, "LIST", "what goes wrong in a simulation: all, or drop,miss,...")   \
    X(OPT_LINK, "link", 0, "FILE",                                                                 \
      "a symbolic link to the port of a simulated arm, kept up to date")                           \
    X(OPT_EVERY, "every", 0, "S",                                                                  \
      "seconds between two pictures of a simulated camera, 0.5 by default")                        \
    X(OPT_VOICE, "voice", 0, NULL, "also say aloud what a person has to do")                       \
    X(OPT_RECORD, "record", 0, "FILE", "save the game there when it is over")

typedef enum CliOption {
#define X(constant, name, letter, value, help) constant,
    CLI_OPTIONS(X) CLI_ARM_OPTIONS(X)
#undef X
        OPT_COUNT
} CliOption;
_Static_assert(OPT_ARM <= 64 && OPT_COUNT - OPT_ARM <= 64, "a bit for each option of a table");

#define OPT(name) ((uint64_t)1 << OPT_##name)
#define OPT_OF_ARM(name) ((uint64_t)1 << (OPT_##name - OPT_ARM))
#define OPT_BOTH(usual, of_arm) usual, of_arm
#define OPT_DRAWING (OPT(ASCII) | OPT(NO_COLOUR))

// X(function, name, arguments, help, options, more help with examples)
#define CLI_COMMANDS(X)                                                                            \
    X(play, "play", "GAME [NAME=VALUE...]", "Play in the terminal",                                \
      OPT(STATE) | OPT(PLAYERS) | OPT(KNOWLEDGE) | OPT(FIRST) | OPT(LOAD) | OPT(SEED) |            \
          OPT(BACKEND) | OPT_DRAWING,                                                              \
      "The first side is yours and the others are the player `auto`, unless --players says "       \
      "otherwise: `human`, a level such as `level=easy`, or any of `ludens players` with its "     \
      "parameters; `bot:COMMAND` is a program of yours. --knowledge gives them a rules file. "     \
      "While a player thinks, Ctrl-C makes it "                                                    \
      "move at once. While playing, `help` lists what can be typed. When "                         \
      "standard input is not a "                                                                   \
      "terminal, each of its lines is one move or command, nothing is asked, and the first "       \
      "illegal move stops the program.\n\n"                                                        \
      "  ludens play mill\n"                                                                       \
      "  ludens play domineering rows=6 columns=7 --players random,human\n"                        \
      "  ludens play connect-four --players human,table-alphabeta:time=2s,memory=128\n"            \
      "  ludens play mill --knowledge mine.rules --players rules,alphabeta:time=1s\n"              \
      "  ludens play --load saved.txt\n"                                                           \
      "  printf 'a1\\nb2\\n' | ludens play tic-tac-toe --players human,human")                     \
    X(table, "table", "GAME [NAME=VALUE...]", "Play on a real table, with an arm and a camera",    \
      OPT_BOTH(OPT(PLAYERS) | OPT(KNOWLEDGE) | OPT(STATE) | OPT(GAMES) | OPT(SEED) |               \
                   OPT(BACKEND) | OPT(JSON),                                                       \
               OPT_OF_ARM(ARM) | OPT_OF_ARM(CAMERA) | OPT_OF_ARM(SIM) | OPT_OF_ARM(BAUD) |         \
                   OPT_OF_ARM(ARM_FILE) | OPT_OF_ARM(REAL) | OPT_OF_ARM(TABLE_FILE) |              \
                   OPT_OF_ARM(ASK) | OPT_OF_ARM(RATE) | OPT_OF_ARM(NOISE) | OPT_OF_ARM(FAULTS) |   \
                   OPT_OF_ARM(VOICE) | OPT_OF_ARM(RECORD)),                                        \
      "The arm makes the moves of the players that are programs and looks whether they came out; " \
      "the camera sees what persons (`person` or `human` in --players) have played. Before the "   \
      "arm moves it asks, unless --ask free says otherwise. While it moves, Space, Enter and "     \
      "Ctrl-C stop it at once. A move may be typed instead: the arm makes it. With --sim arm, "    \
      "camera and persons are simulated, and every reading is compared with the truth. "           \
      "docs/robot.md leads from the box to the first game.\n\n"                                    \
      "  ludens table mill --arm /dev/ttyUSB0 --camera /dev/video0\n"                              \
      "  ludens table tic-tac-toe --arm /dev/ttyUSB0 --camera /dev/video0 --voice\n"               \
      "  ludens table frogs --sim --players bfs\n"                                                 \
      "  ludens table mill --sim --players person,random --faults all --json")                     \
    X(serve, "serve", "[GAME...] [NAME=VALUE...]", "Play, watch and learn in a browser",           \
      OPT_BOTH(OPT(PORT) | OPT(HOST) | OPT(OPEN) | OPT(STORE) | OPT(WEB) | OPT(SAVE) |             \
                   OPT(ARCHIVE) | OPT(ALLOW_NATIVE) | OPT(ALLOW_BOTS) | OPT(JSON),                 \
               OPT_OF_ARM(ARM) | OPT_OF_ARM(CAMERA) | OPT_OF_ARM(BAUD) | OPT_OF_ARM(ARM_FILE) |    \
                   OPT_OF_ARM(REAL) | OPT_OF_ARM(TABLE_FILE) | OPT_OF_ARM(RATE)),                  \
      "Prints the address of the page and serves it until Ctrl-C. With a game, the address leads " \
      "to it; rules files are offered beside the library, with their pictures. Only this machine " \
      "is served unless --host says otherwise: 0.0.0.0 is for everybody "                          \
      "in the network. Games are kept and go on after a new start. With --arm, a robot arm is "    \
      "moved and taught on the page; `sim` is one that is not there. docs/browser.md tells more, " \
      "also what others can do.\n\n"                                                               \
      "  ludens serve --open\n"                                                                    \
      "  ludens serve mill men=6 --open\n"                                                         \
      "  ludens serve --host 0.0.0.0 --port 8080\n"                                                \
      "  ludens serve --archive cup.db --save mygames\n"                                           \
      "  ludens serve mill --arm /dev/ttyUSB0\n"                                                   \
      "  ludens serve mill --arm sim")                                                             \
    X(robot, "robot", "WHAT [WORD...] [NAME=VALUE...]", "Simulate, check and move a robot arm",    \
      OPT_BOTH(OPT(SEED) | OPT(SECONDS) | OPT(OUTPUT) | OPT(JSON),                                 \
               OPT_OF_ARM(ARM) | OPT_OF_ARM(BAUD) | OPT_OF_ARM(ARM_FILE) | OPT_OF_ARM(CAMERA) |    \
                   OPT_OF_ARM(TABLE_FILE) | OPT_OF_ARM(RATE) | OPT_OF_ARM(NOISE) |                 \
                   OPT_OF_ARM(FAULTS) | OPT_OF_ARM(LINK) | OPT_OF_ARM(EVERY)),                     \
      "WHAT is one of\n"                                                                           \
      "  sim [GAME]          simulate an arm, and the table of a game, until Ctrl-C\n"             \
      "  check GAME          list the places of a game, and how the arm stands there\n"            \
      "  where               tell how the arm stands\n"                                            \
      "  wake                move for the first time, --seconds a joint\n"                         \
      "  move X Y Z          move the fingers to a point: cm from the arm's base\n"                \
      "  fingers open|close\n"                                                                     \
      "  stop                stop at once\n"                                                       \
      "  measures            print the file of the arm, or write it to the file of -o\n"           \
      "  fit GAME            measure the arm by the places taught in --table-file\n"               \
      "  point GAME          show three random places: is it measured well?\n\n"                   \
      "`fit` writes --arm-file anew, or the file of -o, and in --table-file what was taught as "   \
      "the measured arm has it. "                                                                  \
      "`where` to `stop` and `point` are for the arm at --arm. The simulated arm is at a port "    \
      "of its "                                                                                    \
      "own, whose name is printed; --camera is the picture, or the folder of pictures, that is "   \
      "written. Lines that are typed do meanwhile what a person does: `d2 d3` moves a piece, "     \
      "`drop`, `miss`, `stuck`, `lose` and `pull` make that happen, `repair` sets it right, "      \
      "`show` tells what stands where. `--` comes before numbers below 0.\n\n"                     \
      "  ludens robot check mill\n"                                                                \
      "  ludens robot sim mill --link arm --camera table.png\n"                                    \
      "  ludens robot move --arm arm -- -5 20 10\n"                                                \
      "  ludens robot fit mill --arm-file my.arm --table-file mill.table\n"                        \
      "  ludens robot point mill --arm arm --arm-file my.arm --table-file mill.table\n"            \
      "  ludens robot sim mill --rate 20 --faults drop,miss --noise 8")                            \
    X(camera, "camera", "WHAT [WORD...] [NAME=VALUE...]", "See what a camera sees of a board",     \
      OPT_BOTH(OPT(OUTPUT) | OPT(JSON),                                                            \
               OPT_OF_ARM(CAMERA) | OPT_OF_ARM(ARM_FILE) | OPT_OF_ARM(TABLE_FILE)),                \
      "WHAT is one of\n"                                                                           \
      "  tags                a page to print: the tags for the corners of the board\n"             \
      "  take FILE           one picture into a file\n"                                            \
      "  look GAME           tell what stands on each place; -o draws it\n"                        \
      "  learn GAME          learn the colours of the pieces into --table-file\n\n"                \
      "To learn, the pieces stand as the game begins. Where the board lies is found by its tags, " \
      "or comes from --table-file.\n\n"                                                            \
      "  ludens camera tags -o tags.svg\n"                                                         \
      "  ludens camera look mill --camera /dev/video0 -o seen.png\n"                               \
      "  ludens camera learn mill --camera /dev/video0 --table-file mill.table")                   \
    X(hint, "hint", "GAME [STATE] [NAME=VALUE...]", "Suggest a move",                              \
      OPT(STATE) | OPT(LOAD) | OPT(PLAYER) | OPT(KNOWLEDGE) | OPT(SEED) | OPT(BACKEND) |           \
          OPT(JSON),                                                                               \
      "The move that the usual player, or the one of --player, would play: in the position "       \
      "STATE, or at the end of a saved game.\n\n"                                                  \
      "  ludens hint tic-tac-toe 'X1O/3/3 n'\n"                                                    \
      "  ludens hint --load saved.txt --player table-alphabeta:time=5s")                           \
    X(search, "search", "GAME [STATE] [NAME=VALUE...]",                                            \
      "Search a position and show what was found",                                                 \
      OPT(STATE) | OPT(LOAD) | OPT(PLAYER) | OPT(KNOWLEDGE) | OPT(SEED) | OPT(TRACE) |             \
          OPT(FORMAT) | OPT(NODES) | OPT(BACKEND) | OPT(JSON),                                     \
      "Prints the best move, its value, the line that is expected and the work that was done. "    \
      "--trace adds the tree that the search walked, with windows, values and why branches were "  \
      "cut. Ctrl-C ends the search with the best move so far, a second one the program.\n\n"       \
      "  ludens search tic-tac-toe --player minimax\n"                                             \
      "  ludens search connect-four --player plain-alphabeta:depth=3 --trace\n"                    \
      "  ludens search frogs --player astar --trace --format dot | dot -Tsvg > f.svg")             \
    X(analyse, "analyse", "GAME [STATE] [NAME=VALUE...]", "Look at a position for longer",         \
      OPT(STATE) | OPT(LOAD) | OPT(PLAYER) | OPT(KNOWLEDGE) | OPT(SEED) | OPT(SECONDS) |           \
          OPT(BEST) | OPT(BACKEND) | OPT(JSON),                                                    \
      "Shows the best moves, each with its value and the line that is expected behind it, and "    \
      "what is new while it goes on. `alphabeta` knows the values of the --best K best moves; "    \
      "those of other moves are bounds. Ctrl-C, or --seconds, ends it with what was "              \
      "found last. When standard output is not a terminal, every piece of news is one line, and "  \
      "it ends after 5 seconds without --seconds.\n\n"                                             \
      "  ludens analyse mill\n"                                                                    \
      "  ludens analyse tic-tac-toe 'X1O/3/3 c' --seconds 2\n"                                     \
      "  ludens analyse reversi --best 5 --seconds 10\n"                                           \
      "  ludens analyse chess --player mcts --json")                                               \
    X(prove, "prove", "GAME [STATE] [NAME=VALUE...]", "Find out who wins with best play",          \
      OPT(STATE) | OPT(FIRST) | OPT(SECONDS) | OPT(MEMORY) | OPT(BACKEND) | OPT(JSON),             \
      "Searches to the end of the game until the value of the position is certain: `first` is "    \
      "the player who moves first in it. All others play against that player; a puzzle is won "    \
      "if its goal can be reached. Ctrl-C, or --seconds, ends the search with the bounds that "    \
      "are certain so far.\n\n"                                                                    \
      "  ludens prove tic-tac-toe\n"                                                               \
      "  ludens prove domineering rows=6 columns=6 --first Horizontal\n"                           \
      "  ludens prove connect-four width=6 height=5 --json")                                       \
    X(players, "players", "[PLAYER]", "List the players and their parameters, or describe one",    \
      OPT(JSON),                                                                                   \
      "A player is written with its parameters, `minimax:depth=4,heuristic=mobility`.\n\n"         \
      "  ludens players\n"                                                                         \
      "  ludens players mcts")                                                                     \
    X(games, "games", "[GAME]", "List the games of the library, or describe one", OPT(JSON),       \
      "  ludens games\n"                                                                           \
      "  ludens games mill")                                                                       \
    X(show, "show", "GAME [STATE] [NAME=VALUE...]", "Draw a position",                             \
      OPT(STATE) | OPT_DRAWING | OPT(LAYOUT) | OPT(JSON),                                          \
      "With --layout, an object with the `game`, the `position` and its `options`, the choices a " \
      "move can begin with, as the browser gets them: docs/web-protocol.md says what is in "       \
      "it.\n\n"                                                                                    \
      "  ludens show chess\n"                                                                      \
      "  ludens show hex size=5 --ascii\n"                                                         \
      "  ludens show mill --layout")                                                               \
    X(moves, "moves", "GAME [STATE] [NAME=VALUE...]", "List the legal moves of a position",        \
      OPT(STATE) | OPT(FOLLOW) | OPT(BACKEND) | OPT(JSON),                                         \
      "With --follow, standard input has a move, `restart` or `state TEXT` on each line, and "     \
      "the position after it is listed in the same way.\n\n"                                       \
      "  ludens moves mill flying=no\n"                                                            \
      "  printf 'd6\\nf4\\n' | ludens moves mill --follow")                                        \
    X(facts, "facts", "GAME [STATE] [NAME=VALUE...]", "Tell what the facts of a position are",     \
      OPT(STATE) | OPT(KNOWLEDGE) | OPT(ALL) | OPT(JSON),                                          \
      "Facts and the conclusions that the rules draw from them, in the words of the game's file "  \
      "or of the one that --knowledge names. Where they speak of `me`, that is the player on "     \
      "move. --all also lists what does not hold anywhere, and long lists in full.\n\n"            \
      "  ludens facts mill\n"                                                                      \
      "  ludens facts domineering rows=3 columns=3 --knowledge mine.rules --json")                 \
    X(explain, "explain", "GAME [STATE] [MOVE] [NAME=VALUE...]",                                   \
      "Tell what a position is worth, and why",                                                    \
      OPT(STATE) | OPT(LOAD) | OPT(KNOWLEDGE) | OPT(PLAYER) | OPT(SEED) | OPT(SECONDS) |           \
          OPT(DEEP) | OPT(BACKEND) | OPT(JSON),                                                    \
      "The value for each player by the game's facts and rules, or those of --knowledge: what "    \
      "counts, how often, and the facts under it. With a move: what it changes, which lines of "   \
      "`prefer` speak for it, and how the player of --player expects the game to go on.\n\n"       \
      "  ludens explain mill\n"                                                                    \
      "  ludens explain mill d2 --deep\n"                                                          \
      "  ludens explain --load saved.txt --player table-alphabeta:time=5s")                        \
    X(replay, "replay", "FILE", "Show a saved game move by move", OPT_DRAWING,                     \
      "On a terminal, Enter shows the next move and `q` leaves.\n\n"                               \
      "  ludens replay saved.txt")                                                                 \
    X(check, "check", "FILE... [NAME=VALUE...]", "Check rules, also by playing random games",      \
      OPT(GAMES) | OPT(SECONDS) | OPT(SEED) | OPT(JSON) | OPT(KNOWLEDGE),                          \
      "Reports what is wrong with the rules, or what was learnt about the game, and about the "    \
      "rules file that --knowledge puts beside it. Then random "                                   \
      "games are played to find faults that only show in play: numbers that leave their range, "   \
      "two moves with the same text, texts that do not read back, symmetries that do not hold. "   \
      "--games plays exactly so many, --seconds for so long (1 by default).\n\n"                   \
      "  ludens check mygame.game\n"                                                               \
      "  ludens check mill men=12\n"                                                               \
      "  ludens check mill --knowledge mine.rules")                                                \
    X(fmt, "fmt", "FILE...", "Lay out rules files in the usual way", OPT(CHECK) | OPT(WRITE),      \
      "Prints the result; `-` is standard input. Only blanks, indentation and empty lines "        \
      "change.\n\n"                                                                                \
      "  ludens fmt mygame.game\n"                                                                 \
      "  ludens fmt --write games/*.game")                                                         \
    X(perft, "perft", "GAME [NAME=VALUE...] DEPTH", "Count the positions after DEPTH moves",       \
      OPT(STATE) | OPT(DIVIDE) | OPT(MERGE) | OPT(MEMORY) | OPT(BACKEND) | OPT(JSON),              \
      "Counts sequences of moves, one for each way to reach a position; a game that is over "      \
      "earlier counts nothing. Draws by repetition are not seen: they depend on the way. "         \
      "--merge gives the same numbers: it keeps equal states once, with the number of ways "       \
      "that lead to them, and tells how many states there were.\n\n"                               \
      "  ludens perft mill 5\n"                                                                    \
      "  ludens perft chess 3 --divide\n"                                                          \
      "  ludens perft reversi size=4 12 --merge")                                                  \
    X(states, "states", "GAME [NAME=VALUE...] DEPTH", "Count the different positions",             \
      OPT(STATE) | OPT(MEMORY) | OPT(BACKEND) | OPT(JSON),                                         \
      "How many positions can be reached in that many moves but not in fewer, for each depth up "  \
      "to DEPTH. Positions are the same if the rules tell them apart by nothing but clocks. A "    \
      "search ends early when no position is new.\n\n"                                             \
      "  ludens states tic-tac-toe 9\n"                                                            \
      "  ludens states eight-puzzle 40 --json")                                                    \
    X(random, "random", "GAME [NAME=VALUE...]", "Play random games and tell how they went",        \
      OPT(GAMES) | OPT(PLIES) | OPT(SEED) | OPT(STATE) | OPT(BACKEND) | OPT(JSON),                 \
      "100 games if --games does not say otherwise.\n\n"                                           \
      "  ludens random reversi --games 1000 --seed 7")                                             \
    X(bench, "bench", "[GAME...] [NAME=VALUE...]", "Measure speed",                                \
      OPT(SECONDS) | OPT(DEPTH) | OPT(BACKEND) | OPT(SEARCH) | OPT(S3_FROGS) | OPT(GAMES) |        \
          OPT(KNOWLEDGE) | OPT(JSON),                                                              \
      "All games of the library unless some are named; as machine code unless --backend says "     \
      "otherwise. Random games do not look for repetition here. With --search: moves made in a "   \
      "second by a walk through all of the tree, beside the positions of alphabeta; random games " \
      "beside the playouts of mcts; one thread beside two, to the same depth; and how long a "     \
      "search that is stopped takes to return. With --s3-frogs, a puzzle is "                      \
      "solved --games times (10000 unless given) with its rules in two forms. With "               \
      "--knowledge, how many positions of one game a second its rule set judges, as machine "      \
      "code and by the reference evaluator; `own` stands for the rules in the game's file.\n\n"    \
      "  ludens bench\n"                                                                           \
      "  ludens bench mill chess --seconds 5\n"                                                    \
      "  ludens bench --search mill --seconds 3")                                                  \
    X(engine, "engine", "[GAME] [NAME=VALUE...]", "Play as an engine for other programs",          \
      OPT(PLAYER) | OPT(BACKEND),                                                                  \
      "Speaks the Universal Game Interface on standard input and output; docs/protocol.md has "    \
      "it. Without a game it is tic-tac-toe until the option `Game` names another.\n\n"            \
      "  ludens engine mill --player alphabeta\n"                                                  \
      "  printf 'position startpos\\ngo depth 3\\n' | ludens engine tic-tac-toe")                  \
    X(serve_rules, "serve-rules", "[GAME] [NAME=VALUE...]", "Tell bots what the rules allow", 0,   \
      "The same protocol without a search: legal moves, the positions behind them, whose turn "    \
      "it is, results. A bot that knows no rules finds this command in LUDENS_RULES.\n\n"          \
      "  printf 'position startpos\\nquery moves\\n' | ludens serve-rules tic-tac-toe")            \
    X(bot, "bot", "check COMMAND [GAME] | new NAME", "Check a bot, or begin one",                  \
      OPT(LANG) | OPT(JSON),                                                                       \
      "`check` starts a bot, plays a game with it and tells what it does right and wrong: "        \
      "handshake, options, legal moves, time, stop, nonsense, leaving. `new` makes a folder with " \
      "a bot that works. `bot:COMMAND` is a player in all commands; docs/protocol.md tells how "   \
      "to write one.\n\n"                                                                          \
      "  ludens bot new --lang python mybot\n"                                                     \
      "  ludens bot check ./mybot/bot.py mill\n"                                                   \
      "  ludens play mill --players human,bot:./mybot/bot.py")                                     \
    X(match, "match", "GAME [NAME=VALUE...] PLAYER PLAYER", "Play many games between players",     \
      OPT(GAMES) | OPT(SWAP) | OPT(NO_SWAP) | OPT(OPENINGS) | OPT(TIME) | OPT(PLIES) | OPT(SEED) | \
          OPT(SPRT) | OPT(JOBS) | OPT(DB) | OPT(BACKEND) | OPT(JSON),                              \
      "100 games if --games does not say otherwise. Games 1 and 2, 3 and 4 and so on begin with "  \
      "the same random moves and changed seats. Every game is in the database (`ludens.db`) "      \
      "before it counts; the same command again goes on where it was stopped. A player is any of " \
      "`ludens players`, or `bot:COMMAND`; games of more than two need as many players.\n\n"       \
      "  ludens match tic-tac-toe random greedy\n"                                                 \
      "  ludens match mill men=6 alphabeta bot:./mybot/bot.py --games 20 --time 0.5s\n"            \
      "  ludens match connect-four mcts alphabeta --sprt 0,20 --db try.db")                        \
    X(tournament, "tournament", "FILE | PLAYER...", "Play a tournament",                           \
      OPT(ROUND_ROBIN) | OPT(GAUNTLET) | OPT(KNOCKOUT) | OPT(SWISS) | OPT(GAME) | OPT(GAMES) |     \
          OPT(ROUNDS) | OPT(SWAP) | OPT(NO_SWAP) | OPT(OPENINGS) | OPT(TIME) | OPT(PLIES) |        \
          OPT(SEED) | OPT(JOBS) | OPT(DB) | OPT(BACKEND) | OPT(JSON),                              \
      "From a file, which docs/tournaments.md describes, or of the players given with "            \
      "--round-robin, --gauntlet, --knockout or --swiss and --game; then --games is how many a "   \
      "pair plays, 2 by default. Games are kept in a database, FILE with the ending `.db` or "     \
      "`ludens.db`; the same command again goes on where it was stopped. On several machines it "  \
      "is started with mpirun; then --jobs is for each of its ranks.\n\n"                          \
      "  ludens tournament cup.txt\n"                                                              \
      "  mpirun --hostfile machines ludens tournament cup.txt\n"                                   \
      "  ludens tournament --round-robin random greedy minimax --game tic-tac-toe")                \
    X(report, "report", "FILE", "Show the results of a match or tournament",                       \
      OPT(OUTPUT) | OPT(JSON),                                                                     \
      "The table of everybody against everybody of each contest in a database. With -o, a page "   \
      "for "                                                                                       \
      "a browser, also on a phone or on paper: the table, Elo with its errors, score by seat, "    \
      "lengths of games, time, openings, and the offences of bots with what is known about "       \
      "them.\n\n"                                                                                  \
      "  ludens report ludens.db\n"                                                                \
      "  ludens report cup.db -o cup.html")                                                        \
    X(export, "export", "FILE", "Write kept games for other programs",                             \
      OPT(FORMAT) | OPT(OUTPUT) | OPT(NUMBER),                                                     \
      "All games of a database: `csv` for spreadsheets, `jsonl` with everything that is known, "   \
      "`pgn` for programs that rate players, `records` that `ludens replay` shows, a file for "    \
      "each game in the folder of -o.\n\n"                                                         \
      "  ludens export ludens.db > games.csv\n"                                                    \
      "  ludens export ludens.db --format pgn -o games.pgn\n"                                      \
      "  ludens export ludens.db --format records --number 3 -o third.txt")                        \
    X(study, "study", "GAME [NAME=VALUE...]", "Find out whether a game is any good",               \
      OPT(GAMES) | OPT(SEED) | OPT(JOBS) | OPT(DB) | OPT(HTML) | OPT(JSON),                        \
      "Lets players of three strengths play, and equals play each other: how long games last, "    \
      "how much there is to choose, whether moving first helps, how often nobody wins, whether "   \
      "strength pays, whether one can come back, and which rules never mattered. 120 games if "    \
      "--games does not say otherwise. Ctrl-C shows what was found so far. With --db the games "   \
      "are kept, and the same command goes on.\n\n"                                                \
      "  ludens study tic-tac-toe\n"                                                               \
      "  ludens study chess --db chess.db --jobs 1\n"                                              \
      "  ludens study mygame.game size=7 --games 600 --html study.html")                           \
    X(convert, "convert", "FILE", "Write an S3 file as a `.game` file", OPT(JSON),                 \
      "Prints rules of the same game that people can read. Where the file has something that is "  \
      "not recognised, the reasons are listed and nothing is printed.\n\n"                         \
      "  ludens convert Frogs > frogs.game")                                                       \
    X(emit_c, "emit-c", "GAME [NAME=VALUE...]", "Print the rules as a C file", 0,                  \
      "One self-contained file for the game and its parameters: what --backend native "            \
      "compiles.\n\n"                                                                              \
      "  ludens emit-c mill > mill.c")                                                             \
    X(ir, "ir", "GAME [NAME=VALUE...]", "Print what the compiler made of the rules", OPT(CODE),    \
      "  ludens ir tic-tac-toe\n"                                                                  \
      "  ludens ir tic-tac-toe --code")

typedef struct Cli {
    const char *command;
    const char **words; // arguments that are neither options nor parameters
    int word_count;
    const char **params; // name=value
    int param_count;
    const char **archives; // of OPT_ARCHIVE, which may be given several times
    int archive_count;
    const char *option[OPT_COUNT]; // the value, "" for an option without, NULL if not given
    struct ContestRanks *ranks;    // others that mpirun started, for a contest; NULL: nobody
} Cli;

typedef struct CliCommand {
    const char *name;
    const char *arguments;
    const char *help;
    uint64_t options[2]; // of CLI_OPTIONS, of CLI_ARM_OPTIONS
    const char *more;
    int (*run)(const Cli *cli);
} CliCommand;

#define X(function, name, arguments, help, options, more) int cmd_##function(const Cli *cli);
CLI_COMMANDS(X)
#undef X

// --- options.c ---
// Reads the arguments of a command; argv[0] is its name. False if they are wrong: reported.
bool cli_parse(const CliCommand *command, int argc, char **argv, Cli *cli);
void cli_free(Cli *cli);
void cli_help(const CliCommand *command); // to standard output
bool cli_is_parameter(const char *word);  // name=value

// --- support.c ---
// A line on standard error, `ludens: ...`; returns EXIT_INPUT.
int cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same with a pointer to the help; returns EXIT_USAGE.
int cli_usage(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The number an option gives, `*value` left alone without it; false (reported) if it is wrong.
bool cli_number(const Cli *cli, CliOption option, int64_t low, int64_t high, int64_t *value);
bool cli_seconds(const Cli *cli, double *value); // of OPT_SECONDS
// The words of a command: a game and a depth of 0..most. An exit code.
int cli_depth(const Cli *cli, int most, int *depth);

// Writes what is in `t` to standard output and empties it.
void cli_print(Text *t);
// Prints what a load found, warnings only on request.
void cli_print_diags(const Diags *diags, bool warnings);

// A game and what is needed to play it, from the words of the command line.
typedef struct Desk {
    Game *game;
    Runner *runner;
    uint8_t *start; // of --state, or the usual one; owned
    Backend backend;
    double opened; // when, by now_seconds
    bool told;     // that there is no machine code
} Desk;
int cli_no_game(const Cli *cli, const char *name); // a rules file in place of a game is refused
// Takes the first word as the game; an exit status, 0 if all is well. Release in any case.
int desk_open(const Cli *cli, Desk *t);
int desk_open_game(const Cli *cli, const char *name, const char *const *params, int count, Desk *t);
void desk_close(Desk *t);
// Lets the player of --first, if there is one, move first in t->start; an exit status.
int desk_first(const Cli *cli, Desk *t);
// Says how the rules shall run, by --backend; `usual` without it. An exit status.
int desk_backend(const Cli *cli, Desk *t, Backend usual);
// Called now and then by long work: with BACKEND_AUTO, starts to compile the rules once the work
// has taken so long that it pays, and says once if that fails.
void desk_speed_up(Desk *t);

// The parts of a JSON object that several commands print: "game":..,"params":{..}
void cli_json_game(const Game *g, Text *out);
void cli_json_position(const Desk *t, Text *out); // the same, and of t->start "state", "player"
void cli_json_parameter(const IrParameter *p, Text *out); // its value

double cli_cpu(void); // seconds of this thread on a processor, from any beginning
bool cli_out_colour(const Cli *cli);
int cli_columns(void); // of the terminal; 120 if standard output is none
size_t cli_fitting(const char *line, int columns); // bytes of its first so many columns
DrawStyle cli_style(const Cli *cli);

// Ctrl-C while a search runs: the first one only sets the flag that is returned, which each call
// resets; the next one, also if it comes in a later search, is as usual. cli_end_search goes back
// to the usual.
const atomic_bool *cli_begin_search(void);
void cli_end_search(void);
void cli_forget_interrupt(void); // a person has typed since: the next Ctrl-C is a first one

// Ctrl-C: from this call on it only sets a flag, and waiting for input ends. SIGTERM and a terminal
// that is closed (SIGHUP, unless it was ignored) do the same.
void cli_catch_interrupt(void);
bool cli_interrupted(void);
// The same as a Ctrl-C that comes as a signal: for a terminal on which it is only a key.
void cli_interrupt(void);
// Waits until there is something to read, or the end; false when interrupted, also before.
bool cli_wait_for_input(int fd);

#endif
