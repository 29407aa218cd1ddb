// read_rules: the sections SCORINGS, END OF GAME and GAME RULES.
#include "s3/reader.h"

#include <string.h>

static S3Node *expression(Reader *r, const Field *field) {
    return s3_parse(r->arena, field->value, field->value_span, r->diags);
}

static S3Node *pattern(Reader *r, const Field *field) {
    return s3_parse_template(r->arena, field->value, field->value_span, r->diags);
}

// ---- Players and their scores ----------------------------------------------------------------

static void add_player(Reader *r, S3Pairs *pairs, const Field *field) {
    S3Node *node = expression(r, field);
    pairs->last = field->key_span;
    pairs->player_lines++;
    if (!node)
        return;
    ARENA_GROW(r->arena, S3Node *, pairs->player, pairs->players, pairs->player_cap);
    pairs->player[pairs->players++] = node;
}

static void add_score(Reader *r, S3Pairs *pairs, const Field *field) {
    S3Node *node = expression(r, field);
    pairs->last = field->key_span;
    pairs->score_lines++;
    if (!node)
        return;
    ARENA_GROW(r->arena, S3Node *, pairs->score, pairs->scores, pairs->score_cap);
    pairs->score[pairs->scores++] = node;
}

// Makes pairs of what was gathered and starts afresh.
static S3Award *close_pairs(Reader *r, S3Pairs *pairs, const char *player, const char *score,
                            int *count) {
    S3Award *award = NULL;
    *count = 0;
    if (pairs->player_lines != pairs->score_lines) {
        diag_error(r->diags, pairs->last, "the lines `%s` and `%s` do not pair: %d and %d", player,
                   score, pairs->player_lines, pairs->score_lines);
        diag_help(r->diags, "the first `%s` goes with the first `%s`, and so on", player, score);
    } else if (pairs->players == pairs->scores && pairs->players > 0) {
        *count = pairs->players;
        award = ARENA_ARRAY(r->arena, S3Award, pairs->players);
        for (int i = 0; i < pairs->players; i++)
            award[i] = (S3Award){pairs->player[i], pairs->score[i]};
    }
    *pairs = (S3Pairs){0};
    return award;
}

// ---- Scorings --------------------------------------------------------------------------------

void s3_close_scoring(Reader *r) {
    if (r->scoring < 0)
        return;
    S3Scoring *scoring = &r->file->scoring[r->scoring];
    scoring->award = close_pairs(r, &r->scoring_pairs, "player", "score", &scoring->awards);
    r->scoring = -1;
}

static void take_scoring_situation(Reader *r, const Field *field) {
    S3File *file = r->file;
    s3_close_scoring(r);
    if (!s3_has_room(r, field->key_span, file->scorings, S3_MAX_RULES, "scorings"))
        return;
    ARENA_GROW(r->arena, S3Scoring, file->scoring, file->scorings, r->scoring_cap);
    r->scoring = file->scorings++;
    file->scoring[r->scoring] =
        (S3Scoring){.situation = expression(r, field), .span = field->key_span};
}

static void take_scoring_player(Reader *r, const Field *field) {
    add_player(r, &r->scoring_pairs, field);
}

static void take_scoring_score(Reader *r, const Field *field) {
    add_score(r, &r->scoring_pairs, field);
}

const S3Key s3_scoring_keys[] = {
    {"situation", S3_KEY_OPENS, take_scoring_situation},
    {"player", S3_KEY_REPEATS, take_scoring_player},
    {"score", S3_KEY_REPEATS, take_scoring_score},
    {0},
};

// ---- The end ---------------------------------------------------------------------------------

// What has no winner never counts, as in the original.
void s3_close_end(Reader *r) {
    if (r->end >= 0 && !r->end_has_winner) {
        s3_warn(r, r->file->end[r->end].span, "a situation without `winner` does not count");
        r->file->ends--;
    }
    r->end = -1;
}

static void take_end_situation(Reader *r, const Field *field) {
    S3File *file = r->file;
    s3_close_end(r);
    if (!s3_has_room(r, field->key_span, file->ends, S3_MAX_RULES, "conditions of the end"))
        return;
    ARENA_GROW(r->arena, S3End, file->end, file->ends, r->end_cap);
    r->end = file->ends++;
    r->end_has_winner = false;
    file->end[r->end] = (S3End){.situation = expression(r, field), .span = field->key_span};
}

static void take_winner(Reader *r, const Field *field) {
    r->file->end[r->end].winner = expression(r, field);
    r->end_has_winner = true;
}

const S3Key s3_end_keys[] = {
    {"situation", S3_KEY_OPENS, take_end_situation},
    {"winner", 0, take_winner},
    {0},
};

// ---- Rules -----------------------------------------------------------------------------------

static void require_pattern(Reader *r, const S3Rule *rule, const S3Node *node, const char *key) {
    if (node || r->diags->errors > 0)
        return;
    diag_error(r->diags, rule->span, "the rule `%s` has no `%s`", rule->name, key);
    diag_help(r->diags, "a rule needs `element`, `from`, and `to` or `toLocations`");
}

void s3_close_rule(Reader *r) {
    if (r->rule < 0)
        return;
    S3Rule *rule = &r->file->rule[r->rule];
    rule->award = close_pairs(r, &r->rule_pairs, "awardPlayer", "withScore", &rule->awards);
    require_pattern(r, rule, rule->element, "element");
    require_pattern(r, rule, rule->from, "from");
    if (!rule->to_locations)
        require_pattern(r, rule, rule->to, "to");
    r->rule = -1;
}

static void take_rule_name(Reader *r, const Field *field) {
    S3File *file = r->file;
    s3_close_rule(r);
    const char *name = arena_text(r->arena, field->value, strlen(field->value));
    int i = 0;
    while (i < file->rules && strcmp(file->rule[i].name, name) != 0)
        i++;
    if (i < file->rules) {
        s3_warn(r, field->value_span, "there are two rules `%s`", name);
        s3_warn_help(r, "the one of line %d does not count", file->rule[i].span.line);
    } else {
        if (!s3_has_room(r, field->key_span, i, S3_MAX_RULES, "rules"))
            return;
        ARENA_GROW(r->arena, S3Rule, file->rule, file->rules, r->rule_cap);
        file->rules++;
    }
    r->rule = i;
    file->rule[i] = (S3Rule){.name = name, .span = field->value_span};
}

static void take_award_player(Reader *r, const Field *field) {
    add_player(r, &r->rule_pairs, field);
}

static void take_award_score(Reader *r, const Field *field) {
    add_score(r, &r->rule_pairs, field);
}

#define TAKE_RULE(part, read)                                                                      \
    static void take_rule_##part(Reader *r, const Field *field) {                                  \
        r->file->rule[r->rule].part = read(r, field);                                              \
    }
TAKE_RULE(element, pattern)
TAKE_RULE(from, pattern)
TAKE_RULE(to, pattern)
TAKE_RULE(state, expression)
TAKE_RULE(player, expression)
TAKE_RULE(condition, expression)
TAKE_RULE(followup, expression)
TAKE_RULE(to_locations, expression)

const S3Key s3_rule_keys[] = {
    {"name", S3_KEY_OPENS, take_rule_name},
    {"element", 0, take_rule_element},
    {"state", 0, take_rule_state},
    {"player", 0, take_rule_player},
    {"from", 0, take_rule_from},
    {"to", 0, take_rule_to},
    {"condition", 0, take_rule_condition},
    {"awardPlayer", S3_KEY_REPEATS, take_award_player},
    {"withScore", S3_KEY_REPEATS, take_award_score},
    {"followup", 0, take_rule_followup},
    {"toLocations", 0, take_rule_to_locations},
    {0},
};
