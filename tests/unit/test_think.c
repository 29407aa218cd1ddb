// Tests of src/server/think*.c: tasks in threads, their order, their limits and their ends.
#include "server_fixture.h"

#include "base/now.h"
#include "server/parts.h"
#include "server/room_inside.h"
#include "server/think.h"

// A task that waits until it is told, or stopped.
typedef struct Job {
    atomic_bool started, go, ran;
    atomic_int *counter; // of those that began
    int place;           // among them
    bool ended, had_client;
} Job;

static void run_job(Task *task, void *with) {
    Job *j = with;
    j->place = j->counter ? atomic_fetch_add(j->counter, 1) : 0;
    atomic_store(&j->started, true);
    while (!atomic_load(&j->go) && !atomic_load(task_stop(task)))
        usleep(200);
    task_news(task, "\"part\":1");
    task_news(task, "\"part\":2");
    atomic_store(&j->ran, true);
}

static void end_job(Hub *hub, Task *task, void *with) {
    Job *j = with;
    (void)hub;
    j->ended = true;
    j->had_client = task_client(task) != NULL;
    task_done(task, "\"result\":7");
}

static Task *begin(Bench *b, Page *p, TaskRank rank, Job *j) {
    return task_begin(hub_think(b->hub), p ? p->client : NULL, rank, run_job, end_job, j);
}

static void wait_flag(Bench *b, const atomic_bool *flag) {
    for (double until = now_seconds() + WAIT_SECONDS; !atomic_load(flag); usleep(200)) {
        hub_tick(b->hub, now_seconds());
        assert_true(now_seconds() < until);
    }
}

static void wait_end(Bench *b, const Job *j) {
    for (double until = now_seconds() + WAIT_SECONDS; !j->ended; usleep(200)) {
        hub_tick(b->hub, now_seconds());
        assert_true(now_seconds() < until);
    }
}

static void test_a_task_tells_and_ends(void **state) {
    Bench b;
    Job j = {0};
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    Task *task = begin(&b, &p, TASK_ASKED, &j);
    assert_non_null(task);
    int64_t number = task_number(task);
    assert_ptr_equal(task_find(hub_think(b.hub), p.client, number), task);
    atomic_store(&j.go, true);
    cJSON *done = page_done(&b, &p, number);
    assert_int_equal((int)number_member(done, "result"), 7);
    assert_string_equal(text_member(done, "on"), "task");
    cJSON_Delete(done);
    assert_true(j.ended && j.had_client);
    // The newest news came before it; what it replaced may be lost.
    cJSON *news = page_wait(&b, &p, fits_news, &number);
    cJSON_Delete(news);
    assert_null(task_find(hub_think(b.hub), p.client, number));
    page_close(&p);
    bench_end(&b);
}

static void test_cancelling(void **state) {
    Bench b;
    Job running = {0}, waiting = {0};
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    Task *one = begin(&b, &p, TASK_ASKED, &running), *two = begin(&b, &p, TASK_ASKED, &waiting);
    wait_flag(&b, &running.started);
    task_cancel(two); // still waits: there is one thread
    wait_end(&b, &waiting);
    assert_false(atomic_load(&waiting.started));
    assert_false(running.ended);
    task_cancel(one);
    wait_end(&b, &running);
    assert_true(atomic_load(&running.ran));
    page_close(&p);
    bench_end(&b);
}

static void test_clients_take_turns(void **state) {
    Bench b;
    atomic_int counter = 0;
    Job jobs[5] = {0};
    (void)state;
    bench_begin(&b);
    Page one = page_open(&b), other = page_open(&b);
    for (int i = 0; i < 5; i++)
        jobs[i].counter = &counter;
    for (int i = 0; i < 4; i++)
        assert_non_null(begin(&b, &one, TASK_ASKED, &jobs[i]));
    wait_flag(&b, &jobs[0].started);
    assert_non_null(begin(&b, &other, TASK_ASKED, &jobs[4]));
    for (int i = 0; i < 5; i++)
        atomic_store(&jobs[i].go, true);
    for (int i = 0; i < 5; i++)
        wait_end(&b, &jobs[i]);
    assert_int_equal(jobs[0].place, 0);
    assert_int_equal(jobs[4].place, 1); // before those that came earlier
    for (int i = 1; i < 4; i++)
        assert_int_equal(jobs[i].place, i + 1);
    page_close(&one);
    page_close(&other);
    bench_end(&b);
}

static void test_limits(void **state) {
    Bench b;
    Job jobs[TASK_CLIENT + 1] = {0}, more = {0};
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b), other = page_open(&b);
    for (int i = 0; i < TASK_CLIENT; i++)
        assert_non_null(begin(&b, &p, TASK_ASKED, &jobs[i]));
    assert_null(begin(&b, &p, TASK_ASKED, &jobs[TASK_CLIENT]));
    assert_non_null(begin(&b, &other, TASK_ASKED, &more)); // others are not concerned
    for (int i = 0; i < TASK_CLIENT; i++)
        atomic_store(&jobs[i].go, true);
    atomic_store(&more.go, true);
    for (int i = 0; i < TASK_CLIENT; i++)
        wait_end(&b, &jobs[i]);
    assert_non_null(begin(&b, &p, TASK_ASKED, &jobs[TASK_CLIENT]));
    atomic_store(&jobs[TASK_CLIENT].go, true);
    wait_end(&b, &jobs[TASK_CLIENT]);
    wait_end(&b, &more);
    page_close(&p);
    page_close(&other);
    bench_end(&b);
}

// More connections are not more turns.
static void test_addresses_take_turns(void **state) {
    Bench b;
    atomic_int counter = 0;
    Job jobs[6] = {0};
    Page many[5];
    (void)state;
    bench_begin(&b);
    for (int i = 0; i < 6; i++)
        jobs[i].counter = &counter;
    for (int i = 0; i < 5; i++) {
        many[i] = page_from(&b, "127.0.0.2");
        assert_non_null(begin(&b, &many[i], TASK_ASKED, &jobs[i]));
        if (i == 0)
            wait_flag(&b, &jobs[0].started);
    }
    Page other = page_open(&b);
    assert_non_null(begin(&b, &other, TASK_ASKED, &jobs[5]));
    for (int i = 0; i < 6; i++)
        atomic_store(&jobs[i].go, true);
    for (int i = 0; i < 6; i++)
        wait_end(&b, &jobs[i]);
    assert_int_equal(jobs[5].place, 1); // before the four that came earlier
    for (int i = 0; i < 5; i++)
        page_close(&many[i]);
    page_close(&other);
    bench_end(&b);
}

static void test_an_address_leaves_places(void **state) {
    enum { CLIENTS = 256 / TASK_ADDRESS / TASK_CLIENT };
    Bench b;
    static Job jobs[CLIENTS * TASK_CLIENT + 1], other;
    Page many[CLIENTS + 1];
    (void)state;
    bench_begin(&b);
    for (int i = 0; i < CLIENTS; i++) {
        many[i] = page_from(&b, "127.0.0.2");
        for (int k = 0; k < TASK_CLIENT; k++)
            assert_non_null(begin(&b, &many[i], TASK_ASKED, &jobs[i * TASK_CLIENT + k]));
    }
    many[CLIENTS] = page_from(&b, "127.0.0.2");
    assert_null(begin(&b, &many[CLIENTS], TASK_ASKED, &jobs[CLIENTS * TASK_CLIENT]));
    Page stranger = page_open(&b);
    assert_non_null(begin(&b, &stranger, TASK_ASKED, &other));
    for (int i = 0; i <= CLIENTS; i++)
        page_close(&many[i]);
    atomic_store(&other.go, true);
    wait_end(&b, &other);
    page_close(&stranger);
    bench_end(&b);
}

// Who has both threads gives one back as soon as somebody else waits.
static void test_several_places_are_given_back(void **state) {
    Bench b;
    Job first = {0}, second = {0}, waits = {0};
    (void)state;
    bench_folder(&b);
    b.options.threads = 2;
    bench_start(&b);
    Page hog = page_open(&b), other = page_open(&b);
    begin(&b, &hog, TASK_ASKED, &first);
    begin(&b, &hog, TASK_ASKED, &second);
    wait_flag(&b, &first.started);
    wait_flag(&b, &second.started);
    begin(&b, &other, TASK_ASKED, &waits);
    think_tick(b.hub, now_seconds() + 3); // behind the shortest turn, before the whole one
    wait_flag(&b, &waits.started);
    think_tick(b.hub, now_seconds() + 3); // nobody waits any more
    usleep(20000);
    assert_true(atomic_load(&first.ran) != atomic_load(&second.ran)); // one of them goes on
    page_close(&hog);
    page_close(&other);
    bench_end(&b);
}

static void test_tournaments_outlive_their_client(void **state) {
    Bench b;
    Job j = {0};
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    TaskFor who = {client_address(p.client), client_number(p.client)};
    assert_non_null(task_begin_for(hub_think(b.hub), who, TASK_CONTEST, run_job, end_job, &j));
    wait_flag(&b, &j.started);
    page_close(&p);
    think_tick(b.hub, now_seconds() + 2 * TASK_SECONDS);
    usleep(20000);
    assert_false(atomic_load(&j.ran));
    atomic_store(&j.go, true);
    wait_end(&b, &j);
    assert_false(j.had_client);
    bench_end(&b);
}

// A player on move does not wait for analyses.
static void test_ranks_have_threads_of_their_own(void **state) {
    Bench b;
    Job asked = {0}, move = {0}, quick = {0}, study = {0};
    (void)state;
    bench_begin(&b);
    assert_non_null(begin(&b, NULL, TASK_ASKED, &asked));
    assert_non_null(begin(&b, NULL, TASK_LONG, &study));
    wait_flag(&b, &asked.started);
    wait_flag(&b, &study.started);
    assert_non_null(begin(&b, NULL, TASK_MOVE, &move));
    assert_non_null(begin(&b, NULL, TASK_QUICK, &quick));
    atomic_store(&move.go, true);
    atomic_store(&quick.go, true);
    wait_end(&b, &move);
    wait_end(&b, &quick);
    assert_false(asked.ended || study.ended);
    bench_end(&b); // with two that run
    assert_true(asked.ended && study.ended);
}

static void test_a_turn_is_over_when_others_wait(void **state) {
    Bench b;
    Job first = {0}, second = {0}, third = {0};
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b), other = page_open(&b);
    begin(&b, &p, TASK_ASKED, &first);
    wait_flag(&b, &first.started);
    begin(&b, &p, TASK_ASKED, &second); // of the same client: it may wait
    think_tick(b.hub, now_seconds() + 100);
    usleep(20000);
    assert_false(atomic_load(&first.ran));
    begin(&b, &other, TASK_ASKED, &third);
    think_tick(b.hub, now_seconds() + 1);
    usleep(20000);
    assert_false(atomic_load(&first.ran)); // its turn is not over
    think_tick(b.hub, now_seconds() + 100);
    wait_end(&b, &first);
    wait_flag(&b, &third.started); // now the other's
    think_tick(b.hub, now_seconds() + TASK_SECONDS + 1);
    wait_end(&b, &third); // however long it takes, it ends
    atomic_store(&second.go, true);
    wait_end(&b, &second);
    page_close(&p);
    page_close(&other);
    bench_end(&b);
}

static void test_a_client_leaves(void **state) {
    Bench b;
    Job running = {0}, waiting = {0}, other = {0};
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b), stays = page_open(&b);
    begin(&b, &p, TASK_ASKED, &running);
    wait_flag(&b, &running.started);
    begin(&b, &p, TASK_ASKED, &waiting);
    begin(&b, &stays, TASK_ASKED, &other);
    page_close(&p);
    wait_end(&b, &running);
    wait_end(&b, &waiting);
    assert_false(running.had_client || waiting.had_client);
    assert_false(atomic_load(&waiting.started));
    atomic_store(&other.go, true);
    wait_end(&b, &other);
    assert_true(other.had_client);
    page_close(&stays);
    bench_end(&b);
}

static void test_the_hub_goes_with_tasks(void **state) {
    Bench b;
    Job jobs[6] = {0};
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b), other = page_open(&b);
    for (int i = 0; i < 6; i++)
        assert_non_null(begin(&b, i % 2 ? &p : &other, TASK_ASKED, &jobs[i]));
    wait_flag(&b, &jobs[0].started);
    bench_end(&b); // and its clients
    for (int i = 0; i < 6; i++)
        assert_true(jobs[i].ended);
    cJSON_Delete(p.inbox);
    cJSON_Delete(other.inbox);
}

// --- players ---

static void check_player(Bench *b, const char *text, const char *safe) {
    Text out = {0}, why = {0};
    bool ok = think_player(b->hub, text, &out, &why);
    if (safe)
        assert_string_equal(text_c(&out), safe);
    else
        assert_true(!ok && why.n > 0 && !out.n);
    text_free(&out);
    text_free(&why);
}

static void test_players_that_pages_name(void **state) {
    Bench b;
    Text many = {0};
    (void)state;
    bench_begin(&b);
    check_player(&b, "auto:level=3", "auto:level=3");
    check_player(&b, "level=easy", "auto:level=3");
    check_player(&b, "random", "random");
    check_player(&b, "alphabeta:threads=64,memory=2GB,time=1s",
                 "alphabeta:time=1s,memory=64,threads=1");
    check_player(&b, "mcts:memory=16", "mcts:memory=16");
    check_player(&b, "rules:knowledge=/etc/passwd", NULL);
    check_player(&b, "rules:knowledge=../secret.rules", NULL);
    check_player(&b, "alphabeta:heuristic=own,knowledge=x.clp", NULL);
    check_player(&b, "bot:rm -rf /", NULL);
    check_player(&b, "alphabetta", NULL);
    check_player(&b, "alphabeta:depth=ten", NULL);
    check_player(&b, "", NULL);
    for (int i = 0; i < 400; i++)
        text_add(&many, "auto:level=3");
    check_player(&b, text_c(&many), NULL);
    text_free(&many);
    bench_end(&b);
    bench_folder(&b);
    b.options.bots = true;
    bench_start(&b);
    check_player(&b, "bot:./my-bot", "bot:./my-bot");
    bench_end(&b);
}

// --- computers on move ---

static void open_room(Bench *b, Page *p, const char *game, const char *first, const char *second,
                      char room[32]) {
    int64_t id = page_send(p,
                           "\"do\":\"open\",\"game\":\"%s\",\"seats\":[{\"kind\":\"computer\","
                           "\"player\":\"%s\"},{\"kind\":\"computer\",\"player\":\"%s\"}]",
                           game, first, second);
    cJSON *answer = page_answer(b, p, id);
    if (!cJSON_IsString(member(answer, "room")))
        fail_msg("%s: %s", game, cJSON_PrintUnformatted(answer));
    snprintf(room, 32, "%s", text_member(answer, "room"));
    cJSON_Delete(answer);
}

static bool fits_ended(const cJSON *m, const void *with) {
    return strcmp(text_member(m, "on"), "room") == 0 && strcmp(text_member(m, "room"), with) == 0 &&
           cJSON_IsObject(member(m, "ended"));
}

// Two computers play to the end; players keep what they know from move to move.
static void test_computers_play(void **state) {
    Bench b;
    char room[3][32];
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    open_room(&b, &p, "tic-tac-toe", "alphabeta:heuristic=plain,depth=9", "mcts:iterations=200",
              room[0]);
    open_room(&b, &p, "nim", "random", "alphabeta:heuristic=plain,time=20ms", room[1]);
    open_room(&b, &p, "tic-tac-toe", "auto:level=1", "random", room[2]);
    for (int i = 0; i < 3; i++) {
        page_send(&p, "\"do\":\"join\",\"room\":\"%s\"", room[i]);
        page_send(&p, "\"do\":\"pace\",\"room\":\"%s\",\"seconds\":0", room[i]);
    }
    for (int i = 0; i < 3; i++) {
        cJSON *end = page_wait(&b, &p, fits_ended, room[i]);
        assert_string_equal(text_member(member(end, "ended"), "by"), "rules");
        cJSON_Delete(end);
    }
    page_close(&p);
    bench_end(&b);
}

// Long thoughts end with the room, with the page and with the hub.
static void test_thoughts_are_forgotten(void **state) {
    Bench b;
    char room[2][32];
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    for (int i = 0; i < 2; i++) {
        open_room(&b, &p, "hex", "alphabeta:heuristic=none,time=50s", "random", room[i]);
        page_send(&p, "\"do\":\"join\",\"room\":\"%s\"", room[i]);
        page_send(&p, "\"do\":\"pace\",\"room\":\"%s\",\"seconds\":0", room[i]);
    }
    for (int i = 0; i < 20; i++) {
        page_look(&b, &p);
        usleep(1000);
    }
    page_send(&p, "\"do\":\"pace\",\"room\":\"%s\",\"seconds\":null", room[0]);
    page_look(&b, &p);
    page_close(&p);
    bench_end(&b);
}

static bool fits_moved(const cJSON *m, const void *with) {
    return strcmp(text_member(m, "on"), "room") == 0 && strcmp(text_member(m, "room"), with) == 0 &&
           number_member(m, "ply") > 0;
}

// A hundred rooms of one page do not keep another's computer from moving.
static void test_rooms_take_turns(void **state) {
    Bench b;
    char room[32];
    (void)state;
    bench_folder(&b);
    b.options.threads = 2;
    bench_start(&b);
    Page hog = page_open(&b), p = page_open(&b);
    for (int i = 0; i < 20; i++)
        open_room(&b, &hog, "hex", "alphabeta:heuristic=none,time=50s", "random", room);
    open_room(&b, &p, "nim", "random", "random", room);
    double begin = now_seconds();
    cJSON_Delete(page_wait(&b, &p, fits_moved, room));
    assert_true(now_seconds() - begin < 20); // 20 thoughts of 50 seconds for two threads are 500
    page_close(&hog);
    page_close(&p);
    bench_end(&b);
}

// A room that nobody looks at does not think; it goes on when somebody comes back.
static void test_thinking_stops_when_all_have_left(void **state) {
    Bench b;
    char name[32];
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b), watcher = page_open(&b);
    open_room(&b, &p, "hex", "alphabeta:heuristic=none,time=50s", "random", name);
    const Room *room = room_find(b.hub, name);
    cJSON_Delete(
        page_answer(&b, &watcher, page_send(&watcher, "\"do\":\"join\",\"room\":\"%s\"", name)));
    page_look(&b, &p);
    assert_int_equal(room->thinking, 0);
    page_close(&p);
    assert_int_equal(room->thinking, 0); // somebody still looks
    cJSON_Delete(
        page_answer(&b, &watcher, page_send(&watcher, "\"do\":\"leave\",\"room\":\"%s\"", name)));
    assert_int_equal(room->thinking, -1);
    page_look(&b, &watcher);
    assert_int_equal(room->thinking, -1);
    cJSON_Delete(
        page_answer(&b, &watcher, page_send(&watcher, "\"do\":\"join\",\"room\":\"%s\"", name)));
    assert_int_equal(room->thinking, 0);
    page_close(&watcher);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_task_tells_and_ends),
        cmocka_unit_test(test_cancelling),
        cmocka_unit_test(test_clients_take_turns),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_addresses_take_turns),
        cmocka_unit_test(test_an_address_leaves_places),
        cmocka_unit_test(test_several_places_are_given_back),
        cmocka_unit_test(test_tournaments_outlive_their_client),
        cmocka_unit_test(test_ranks_have_threads_of_their_own),
        cmocka_unit_test(test_a_turn_is_over_when_others_wait),
        cmocka_unit_test(test_a_client_leaves),
        cmocka_unit_test(test_the_hub_goes_with_tasks),
        cmocka_unit_test(test_players_that_pages_name),
        cmocka_unit_test(test_computers_play),
        cmocka_unit_test(test_thoughts_are_forgotten),
        cmocka_unit_test(test_rooms_take_turns),
        cmocka_unit_test(test_thinking_stops_when_all_have_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
