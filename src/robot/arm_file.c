// arm_file: an arm as a text file.
//
//     # lengths in cm, angles in degrees, pulses in microseconds
//     name = AL5D
//     upper = 14.605
//     [elbow]
//     channel = 2
//
// Lines before the first heading are about the whole arm, those below a heading about that joint,
// below [tables] about how tables are laid out.
// What is not said stays as it was; nothing is said twice. Everything is checked before anything is
// taken over.
#include "robot/arm.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MOST 200 // bytes

typedef struct Key {
    const char *name;
    size_t at;
    bool whole; // an int, else a double
    double least, most;
} Key;

// Bounds are those of anything that could stand on a table.
static const Key arm_keys[] = {
    {"base_x", offsetof(Arm, base_x), false, -20, 20},
    {"base_y", offsetof(Arm, base_y), false, -20, 20},
    {"shoulder_height", offsetof(Arm, shoulder_height), false, -50, 200},
    {"upper", offsetof(Arm, upper), false, 0.1, 200},
    {"fore", offsetof(Arm, fore), false, 0.1, 200},
    {"hand", offsetof(Arm, hand), false, 0, 200},
    {"hover", offsetof(Arm, hover), false, 0.1, 100},
    {"hand_turn", offsetof(Arm, hand_turn), false, -180, 180},
    {"tilt", offsetof(Arm, tilt), false, 0, 90},
};
static const Key joint_keys[] = {
    {"channel", offsetof(ArmJoint, channel), true, 0, 31},
    {"low", offsetof(ArmJoint, low), false, -180, 180},
    {"high", offsetof(ArmJoint, high), false, -180, 180},
    {"zero", offsetof(ArmJoint, zero), false, 0, 4000},
    {"per_degree", offsetof(ArmJoint, per_degree), false, -50, 50},
    {"least", offsetof(ArmJoint, least), true, 500, 2500},
    {"most", offsetof(ArmJoint, most), true, 500, 2500},
    {"speed", offsetof(ArmJoint, speed), false, 6, 360}, // all round in the 60 s of a movement
    {"open", offsetof(ArmJoint, open), true, 500, 2500},
    {"close", offsetof(ArmJoint, close), true, 500, 2500},
};
#define OF_JOINT(name, joint)                                                                      \
    {name "_low", offsetof(ArmLaid, low[joint]), false, -180, 180}, {                              \
        name "_high", offsetof(ArmLaid, high[joint]), false, -180, 180                             \
    }
static const Key laid_keys[] = {
    {"shoulder_height", offsetof(ArmLaid, shoulder_height), false, -50, 200},
    {"upper", offsetof(ArmLaid, upper), false, 0.1, 200},
    {"fore", offsetof(ArmLaid, fore), false, 0.1, 200},
    {"hand", offsetof(ArmLaid, hand), false, 0, 200},
    OF_JOINT("base", ARM_BASE),
    OF_JOINT("shoulder", ARM_SHOULDER),
    OF_JOINT("elbow", ARM_ELBOW),
    OF_JOINT("wrist", ARM_WRIST),
    OF_JOINT("hand", ARM_HAND),
};
#define LAID "tables" // the heading of those
#define KEYS_MOST 16  // in a list, and `name` and `home`
_Static_assert(sizeof laid_keys / sizeof *laid_keys + 2 <= KEYS_MOST, "the longest list");
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

typedef struct Reading {
    Arm arm, usual; // as it becomes, and as it was
    Diags *diags;
    int joint;         // whose lines these are; or:
#define OF_ARM (-1)    // the whole arm
#define OF_NOBODY (-2) // whom we know
#define OF_TABLES (-3) // how tables are laid out
    bool tables;       //   was the heading of something
    Span span;         // of the line
    // In which line each key was said; 0: in none. The last two are those that are in no list.
    int said[ARM_SERVOS + 2][KEYS_MOST];
} Reading;

static char *trim(char *s) {
    s += strspn(s, " \t\r");
    size_t n = strlen(s);
    while (n > 0 && strchr(" \t\r", s[n - 1]))
        s[--n] = 0;
    return s;
}

static void heading(Reading *r, char *line) {
    char *end = strchr(line, ']');
    r->joint = OF_NOBODY;
    if (!end || end[1]) {
        diag_error(r->diags, r->span, "a heading is the name of a joint in brackets: `[elbow]`");
        return;
    }
    *end = 0;
    const char *name = trim(line + 1), *names[ARM_SERVOS];
    if (strcmp(name, LAID) == 0) {
        r->joint = OF_TABLES;
        if (!r->tables)
            r->arm.laid = arm_lay(&r->usual);
        r->tables = true;
        return;
    }
    for (int j = 0; j < ARM_SERVOS; j++) {
        names[j] = arm_joint_name(j);
        if (strcmp(names[j], name) == 0)
            r->joint = j;
    }
    if (r->joint >= 0)
        return;
    const char *meant = text_nearest(name, names, ARM_SERVOS);
    diag_error(r->diags, r->span, "an arm has no joint `%.40s`", name);
    if (meant)
        diag_help(r->diags, "did you mean `%s`?", meant);
    else
        diag_help(r->diags, "they are base, shoulder, elbow, wrist, hand and fingers");
}

static void unknown(Reading *r, const char *name, const Key *keys, int count) {
    const char *names[16];
    for (int i = 0; i < count; i++)
        names[i] = keys[i].name;
    const char *meant = text_nearest(name, names, count);
    diag_error(r->diags, r->span, "nothing is known about `%.40s` here", name);
    if (meant)
        diag_help(r->diags, "did you mean `%s`?", meant);
}

static void set_number(Reading *r, const Key *key, void *of, const char *value) {
    char *end;
    double number = strtod(value, &end);
    if (!*value || *end || !isfinite(number) || strpbrk(value, "xXpP")) {
        diag_error(r->diags, r->span, "`%s` is a number", key->name);
    } else if (number < key->least || number > key->most) {
        diag_error(r->diags, r->span, "`%s` can be %g to %g", key->name, key->least, key->most);
    } else if (key->whole && number != floor(number)) {
        diag_error(r->diags, r->span, "`%s` is a whole number", key->name);
    } else if (key->whole) {
        *(int *)(void *)((char *)of + key->at) = (int)number;
    } else {
        *(double *)(void *)((char *)of + key->at) = number;
    }
}

// An angle up to a comma or the end; false if there is none.
static bool read_angle(const char **at, double *angle) {
    char *end;
    size_t length = strcspn(*at, ",");
    *angle = strtod(*at, &end);
    bool ok = end != *at && fabs(*angle) <= 180 && strcspn(*at, "xX") >= length;
    end += strspn(end, " \t");
    ok = ok && end == *at + length;
    *at += length;
    return ok;
}

// `home = 0, 53, -60, -90, 13`: an angle for each joint.
static void set_home(Reading *r, const char *value) {
    Pose home = {0};
    int n = 0;
    do {
        double angle;
        if (!read_angle(&value, &angle)) {
            diag_error(r->diags, r->span, "angles of `home` are numbers from -180 to 180");
            return;
        }
        if (n < ARM_JOINTS)
            home.angle[n] = angle;
        n++;
    } while (*value++ == ',');
    if (n == ARM_JOINTS)
        r->arm.home = home;
    else
        diag_error(r->diags, r->span, "`home` is a list of %d angles, from the base to the hand",
                   ARM_JOINTS);
}

// Whether a key comes for the first time; the second would silently be the one that counts.
static bool is_new(Reading *r, int key, const char *name) {
    int section = r->joint >= 0 ? r->joint : r->joint == OF_TABLES ? ARM_SERVOS : ARM_SERVOS + 1;
    int *line = &r->said[section][key];
    if (*line > 0) {
        diag_error(r->diags, r->span, "`%s` was said already, in line %d", name, *line);
        return false;
    }
    *line = r->span.line;
    return true;
}

static void set_name(Reading *r, const char *value) {
    if (strlen(value) >= sizeof r->arm.name)
        diag_error(r->diags, r->span, "a name has at most %d bytes", (int)sizeof r->arm.name - 1);
    else
        snprintf(r->arm.name, sizeof r->arm.name, "%s", value);
}

// What is in no list of keys.
static bool is_of_arm(Reading *r, const char *name, const char *value) {
    if (strcmp(name, "name") == 0) {
        if (is_new(r, KEYS_MOST - 1, name))
            set_name(r, value);
        return true;
    }
    if (strcmp(name, "home") == 0) {
        if (is_new(r, KEYS_MOST - 2, name))
            set_home(r, value);
        return true;
    }
    return false;
}

static void setting(Reading *r, char *line) {
    char *equals = strchr(line, '=');
    if (!equals) {
        diag_error(r->diags, r->span, "a line is `name = value`, or a heading in brackets");
        return;
    }
    *equals = 0;
    const char *name = trim(line), *value = trim(equals + 1);
    if (r->joint == OF_ARM && is_of_arm(r, name, value))
        return;
    const Key *keys = arm_keys;
    int count = COUNT(arm_keys);
    void *of = &r->arm;
    if (r->joint == OF_TABLES) {
        keys = laid_keys;
        count = COUNT(laid_keys);
        of = &r->arm.laid;
    } else if (r->joint >= 0) {
        keys = joint_keys;
        count = COUNT(joint_keys);
        of = &r->arm.joint[r->joint];
    }
    for (int i = 0; i < count; i++) {
        if (strcmp(keys[i].name, name) == 0) {
            if (is_new(r, i, name))
                set_number(r, &keys[i], of, value);
            return;
        }
    }
    unknown(r, name, keys, count);
}

static void read_line(Reading *r, const char *text, size_t n) {
    char copy[LINE_MOST + 1];
    if (n > LINE_MOST || memchr(text, 0, n)) {
        diag_error(r->diags, r->span, "a line has at most %d bytes, all of text", LINE_MOST);
        return;
    }
    memcpy(copy, text, n);
    copy[n] = 0;
    copy[strcspn(copy, "#")] = 0;
    char *line = trim(copy);
    r->span.length = (int)n > 0 ? (int)n : 1;
    if (*line == '[')
        heading(r, line);
    else if (*line &&
             r->joint != OF_NOBODY) // lines of a joint that does not exist were told of already
        setting(r, line);
}

// What no single line can be wrong about.
static void check_whole(const Arm *arm, Diags *diags) {
    Span nowhere = {0};
    for (int j = 0; j < ARM_SERVOS; j++) {
        const ArmJoint *a = &arm->joint[j];
        const char *name = arm_joint_name(j);
        if (a->least >= a->most)
            diag_error(diags, nowhere, "[%s]: `least` is below `most`", name);
        for (int k = 0; k < j; k++)
            if (arm->joint[k].channel == a->channel)
                diag_error(diags, nowhere, "[%s] and [%s] have the same channel", arm_joint_name(k),
                           name);
        if (j == ARM_FINGERS) {
            if (a->open < a->least || a->open > a->most || a->close < a->least ||
                a->close > a->most)
                diag_error(diags, nowhere, "[%s]: `open` and `close` lie between %d and %d", name,
                           a->least, a->most);
            else if (a->open == a->close)
                diag_error(diags, nowhere, "[%s]: `open` and `close` are not the same", name);
            continue;
        }
        int pulse;
        if (a->low >= a->high)
            diag_error(diags, nowhere, "[%s]: `low` is below `high`", name);
        else if (fabs(a->per_degree) < 0.1)
            diag_error(diags, nowhere, "[%s]: `per_degree` is not that small", name);
        else if (!arm_pulse(arm, j, a->low, &pulse) || !arm_pulse(arm, j, a->high, &pulse))
            diag_error(diags, nowhere, "[%s]: its angles need pulses outside %d to %d", name,
                       a->least, a->most);
    }
    if (!(arm->hand_turn >= arm->joint[ARM_HAND].low &&
          arm->hand_turn <= arm->joint[ARM_HAND].high))
        diag_error(diags, nowhere, "`hand_turn` is not within the angles of [hand]");
}

bool arm_read(const Source *source, Arm *arm, Diags *diags) {
    int before = diags->errors;
    Reading r = {.arm = *arm, .usual = *arm, .diags = diags, .joint = OF_ARM};
    diags->source = source;
    const char *at = source->text, *end = source->text + source->size;
    for (int line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t n = (size_t)((stop ? stop : end) - at);
        r.span = (Span){line, 1, 1};
        read_line(&r, at, n);
        at += n + (stop ? 1 : 0);
    }
    if (diags->errors == before)
        check_whole(&r.arm, diags);
    if (diags->errors > before)
        return false;
    *arm = r.arm;
    return true;
}

static void write_keys(const Key *keys, int count, const void *of, Text *out) {
    for (int i = 0; i < count; i++) {
        const void *at = (const char *)of + keys[i].at;
        if (keys[i].whole)
            text_f(out, "%s = %d\n", keys[i].name, *(const int *)at);
        else
            text_f(out, "%s = %.10g\n", keys[i].name, *(const double *)at);
    }
}

void arm_write(const Arm *arm, Text *out) {
    text_add(out, "# lengths in cm, angles in degrees, pulses in microseconds\n");
    text_f(out, "name = %s\n", arm->name);
    write_keys(arm_keys, COUNT(arm_keys), arm, out);
    for (int j = 0; j < ARM_JOINTS; j++)
        text_f(out, "%s%.10g", j ? ", " : "home = ", arm->home.angle[j]);
    text_char(out, '\n');
    for (int j = 0; j < ARM_SERVOS; j++) {
        bool fingers = j == ARM_FINGERS;
        text_f(out, "\n[%s]\n", arm_joint_name(j));
        for (int i = 0; i < COUNT(joint_keys); i++) {
            bool of_fingers = joint_keys[i].at == offsetof(ArmJoint, open) ||
                              joint_keys[i].at == offsetof(ArmJoint, close);
            bool of_both = joint_keys[i].at == offsetof(ArmJoint, channel) ||
                           joint_keys[i].at == offsetof(ArmJoint, least) ||
                           joint_keys[i].at == offsetof(ArmJoint, most);
            if (of_both || of_fingers == fingers)
                write_keys(&joint_keys[i], 1, &arm->joint[j], out);
        }
    }
    if (!arm->laid.given)
        return;
    text_add(out, "\n# Tables are laid out as if the arm had these, so that boards stay where they "
                  "are.\n[" LAID "]\n");
    write_keys(laid_keys, COUNT(laid_keys), &arm->laid, out);
}
