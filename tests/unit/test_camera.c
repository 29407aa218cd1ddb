// Cameras: pictures, folders and films in place of one; functions; what is said of devices that are
// not there.
#define _XOPEN_SOURCE 600 // posix_openpt
#include "base/file.h"
#include "base/mem.h"
#include "vision/camera.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/ludens-camera-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static const char *path_of(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void assert_says(const Text *why, const char *words) {
    if (!strstr(text_c(why), words))
        fail_msg("`%s` does not say `%s`", text_c(why), words);
}

static void save(const char *name, int grey) {
    Picture p = {0};
    Text why = {0};
    assert_true(picture_size(&p, 4, 3));
    memset(p.pixel, grey, 4 * 3 * 3);
    assert_true(picture_save(&p, path_of(name), &why));
    picture_free(&p);
}

static void write_file(const char *name, const char *bytes, size_t size) {
    Text why = {0};
    assert_true(file_write_atomic(path_of(name), bytes, size, &why));
}

static void expect(Camera *c, int grey) {
    Picture p = {0};
    Text why = {0};
    assert_true(camera_take(c, &p, 1, &why));
    assert_int_equal(p.pixel[0], grey);
    picture_free(&p);
}

static void test_files(void **state) {
    (void)state;
    Text why = {0};
    save("frame10.ppm", 30);
    save("frame9.ppm", 20);
    save("frame1.png", 10);
    write_file("notes.txt", "x", 1);
    Camera *c = camera_open(folder, 0, 0, NULL, &why);
    assert_non_null(c);
    for (int i = 0; i < 5; i++)
        expect(c, i < 2 ? 10 + 10 * i : 30);
    camera_close(c);
    c = camera_open(path_of("frame9.ppm"), 0, 0, NULL, &why);
    assert_non_null(c);
    for (int i = 0; i < 3; i++)
        expect(c, 20);
    camera_close(c);
    c = camera_open(path_of("frame9.ppm"), 0, 0, NULL, &why);
    for (int i = 0; i < 3; i++) {
        expect(c, 20 + i);
        save("frame9.ppm", 21 + i);
    }
    Picture none = {0};
    assert_int_equal(unlink(path_of("frame9.ppm")), 0);
    assert_false(camera_take(c, &none, 1, &why)); // as a camera that was pulled out
    assert_says(&why, "No such file");
    camera_close(c);
    text_free(&why);
    save("frame9.ppm", 20);
    static const char film[] = "YUV4MPEG2 W2 H1 Cmono XCOLORRANGE=FULL\nFRAME\n\x01\x01"
                               "FRAME\n\x02\x02";
    write_file("film.y4m", film, sizeof film - 1);
    c = camera_open(path_of("film.y4m"), 0, 0, NULL, &why);
    assert_non_null(c);
    for (int i = 0; i < 4; i++)
        expect(c, i < 1 ? 1 : 2);
    camera_close(c);
    assert_int_equal(why.n, 0);
}

static void refused(const char *where, const char *says) {
    Text why = {0};
    assert_null(camera_open(where, 640, 480, NULL, &why));
    assert_says(&why, says);
    text_free(&why);
}

static void test_refused(void **state) {
    (void)state;
    refused("/dev/video-none", "there is no camera `/dev/video-none`: is it plugged in?");
    refused(path_of("none.png"), "there is no file or folder");
    refused("/dev/null", "`/dev/null` is no camera");
    refused("/dev/tty-none/x", "there is no camera");
    write_file("bad.png", "\x89PNG\r\n\x1a\n", 8);
    refused(path_of("bad.png"), "PNG picture is damaged");
    write_file("text.txt", "hello", 5);
    refused(path_of("text.txt"), "no PNG, JPEG or PPM");
    write_file("bad.y4m", "YUV4MPEG2 W0 H1\n", 16);
    refused(path_of("bad.y4m"), "bad.y4m`: the film's width");
    assert_int_equal(mkdir(path_of("empty"), 0777), 0);
    refused(path_of("empty"), "there is no PNG, JPEG or PPM picture in this folder");
    char name[400];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = 0;
    refused(name, "File name too long");
}

// A device of our own that nobody may open, not even root when it acts for somebody else.
static void test_no_permission(void **state) {
    (void)state;
    int fd = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(fd >= 0 && grantpt(fd) == 0 && unlockpt(fd) == 0);
    const char *path = ptsname(fd);
    refused(path, "is no camera");
    assert_int_equal(chmod(path, 0), 0);
    if (geteuid() == 0)
        assert_int_equal(seteuid(65534), 0);
    refused(path, "add yourself to its group, usually video");
    assert_int_equal(seteuid(getuid()), 0);
    close(fd);
}

static void *write_often(void *end) {
    for (int grey = 1; !atomic_load((atomic_bool *)end); grey = grey % 250 + 1) {
        usleep(20000);
        save("live.ppm", grey);
    }
    return NULL;
}

// A picture that another program keeps writing is a new one each time; when that ends, the last one
// comes at once.
static void test_written_anew(void **state) {
    (void)state;
    Text why = {0};
    Picture p = {0};
    save("live.ppm", 0);
    Camera *c = camera_open(path_of("live.ppm"), 0, 0, NULL, &why);
    assert_non_null(c);
    for (int i = 0; i < 3; i++) { // nobody writes: nothing is waited for
        assert_true(camera_take(c, &p, 60, &why));
        assert_int_equal(p.pixel[0], 0);
    }
    atomic_bool end;
    atomic_init(&end, false);
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_often, &end), 0);
    while (p.pixel[0] == 0)
        assert_true(camera_take(c, &p, 60, &why));
    for (int i = 0; i < 8; i++) {
        int before = p.pixel[0];
        assert_true(camera_take(c, &p, 60, &why));
        assert_int_not_equal(p.pixel[0], before);
    }
    atomic_store(&end, true);
    pthread_join(writer, NULL);
    assert_true(camera_take(c, &p, 0, &why));
    int last = p.pixel[0];
    assert_true(camera_take(c, &p, 0.01, &why));
    assert_int_equal(p.pixel[0], last);
    camera_close(c);
    picture_free(&p);
}

static void *write_late(void *unused) {
    usleep(100000);
    save("half.ppm", 9);
    return unused;
}

// Whoever writes the picture may be in the middle of it.
static void test_half_written(void **state) {
    (void)state;
    Text why = {0};
    Picture p = {0};
    pthread_t writer;
    save("half.ppm", 1);
    Camera *c = camera_open(path_of("half.ppm"), 0, 0, NULL, &why);
    assert_non_null(c);
    assert_true(camera_take(c, &p, 0, &why));
    write_file("half.ppm", "P6\n4 4\n255\nabc", 14);
    assert_int_equal(pthread_create(&writer, NULL, write_late, NULL), 0);
    assert_true(camera_take(c, &p, 60, &why));
    assert_int_equal(p.pixel[0], 9);
    pthread_join(writer, NULL);
    write_file("half.ppm", "P6\n4 4\n255\nabc", 14);
    assert_false(camera_take(c, &p, 0.05, &why));
    assert_says(&why, "cut short");
    assert_int_equal(remove(path_of("half.ppm")), 0);
    assert_false(camera_take(c, &p, 0.05, &why));
    assert_says(&why, "No such file");
    assert_int_equal(pthread_create(&writer, NULL, write_late, NULL), 0);
    assert_true(camera_take(c, &p, 60, &why));
    pthread_join(writer, NULL);
    camera_close(c);
    picture_free(&p);
    text_free(&why);
}

static void test_damaged_later(void **state) {
    (void)state;
    Text why = {0};
    Picture p = {0};
    static const char film[] = "YUV4MPEG2 W2 H1 Cmono\nFRAME\n\x01\x01"
                               "FRAME\n\x02";
    write_file("short.y4m", film, sizeof film - 1);
    Camera *c = camera_open(path_of("short.y4m"), 0, 0, NULL, &why);
    assert_non_null(c);
    assert_true(camera_take(c, &p, 1, &why));
    assert_false(camera_take(c, &p, 1, &why));
    assert_says(&why, "ends in the middle of frame 2");
    camera_close(c);
    write_file("none.y4m", film, 22);
    c = camera_open(path_of("none.y4m"), 0, 0, NULL, &why);
    assert_non_null(c);
    assert_false(camera_take(c, &p, 1, &why));
    assert_says(&why, "no frames");
    camera_close(c);
    picture_free(&p);
    text_free(&why);
}

static bool grey_of(void *with, Picture *picture, Text *why) {
    int *grey = with;
    if (*grey > 2) {
        text_add(why, "no more");
        return false;
    }
    if (!picture_size(picture, 2, 2))
        return false;
    memset(picture->pixel, (*grey)++, 12);
    return true;
}

static void test_function(void **state) {
    (void)state;
    int grey = 0;
    Text why = {0};
    Picture p = {0};
    Camera *c = camera_of(grey_of, &grey);
    for (int i = 0; i < 3; i++)
        expect(c, i);
    assert_false(camera_take(c, &p, 1, &why));
    assert_string_equal(text_c(&why), "no more");
    camera_close(c);
    text_free(&why);
    for (long n = 1; n <= 2; n++) {
        mem_fail_at(n);
        assert_null(camera_of(grey_of, &grey));
    }
    mem_fail_at(0);
}

// Each allocation of opening and taking fails in turn.
static void test_out_of_memory(void **state) {
    (void)state;
    static const char *const names[] = {"few", "frame9.ppm", "film.y4m"};
    assert_int_equal(mkdir(path_of("few"), 0777), 0);
    save("few/a.ppm", 1);
    save("few/b.ppm", 2);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool whole = false;
        for (long n = 1; !whole; n++) {
            Text why = {0};
            Picture p = {0};
            char path[128];
            strcpy(path, path_of(names[i]));
            assert_true(n < 100);
            mem_fail_at(n);
            Camera *c = camera_open(path, 0, 0, NULL, &why);
            bool taken = c && camera_take(c, &p, 1, &why);
            whole = mem_fail_at(0) > 0;
            assert_true(taken || !whole);
            camera_close(c);
            picture_free(&p);
            text_free(&why);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),         cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_permission), cmocka_unit_test(test_written_anew),
        cmocka_unit_test(test_half_written),  cmocka_unit_test(test_damaged_later),
        cmocka_unit_test(test_function),      cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
