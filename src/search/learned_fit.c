// learned_fit: logistic regression by Newton's method; each step is found by conjugate gradients,
// so that nothing larger than the rows themselves is ever made.
#include "base/mem.h"
#include "search/learned.h"

#include <math.h>
#include <string.h>

#define NEWTON_STEPS 8
#define GRADIENT_STEPS 24
#define ENOUGH 1e-6 // of the first residual
#define STEP_MOST 4 // logits: how far one step may change a row

// --- rows ---

static bool grow(void *array, size_t size, int cap) {
    void *old;
    memcpy(&old, array, sizeof old);
    void *new = mem_resize(old, size * (size_t)cap);
    if (new)
        memcpy(array, &new, sizeof new);
    return new != NULL;
}

bool fit_begin_row(FitRows *f, double chance, double weight, double offset) {
    if (f->rows + 1 >= f->row_cap) {
        int cap = f->row_cap ? 2 * f->row_cap : 1024;
        if (!grow(&f->start, sizeof *f->start, cap) || !grow(&f->chance, sizeof *f->chance, cap) ||
            !grow(&f->weight, sizeof *f->weight, cap) || !grow(&f->offset, sizeof *f->offset, cap))
            return false;
        f->row_cap = cap;
    }
    f->start[f->rows] = f->size;
    f->chance[f->rows] = (float)chance;
    f->offset[f->rows] = (float)offset;
    f->weight[f->rows++] = (float)weight;
    f->start[f->rows] = f->size;
    return true;
}

bool fit_add(FitRows *f, int column, double value) {
    for (int i = f->start[f->rows - 1]; i < f->size; i++)
        if (f->column[i] == column) {
            f->value[i] += (float)value;
            return true;
        }
    if (f->size == f->cap) {
        int cap = f->cap ? 2 * f->cap : 16384;
        if (!grow(&f->column, sizeof *f->column, cap) || !grow(&f->value, sizeof *f->value, cap))
            return false;
        f->cap = cap;
    }
    f->column[f->size] = (uint16_t)column;
    f->value[f->size++] = (float)value;
    f->start[f->rows] = f->size;
    return true;
}

void fit_free(FitRows *f) {
    mem_free(f->start);
    mem_free(f->chance);
    mem_free(f->weight);
    mem_free(f->offset);
    mem_free(f->column);
    mem_free(f->value);
    *f = (FitRows){0};
}

void fit_clear(FitRows *f) {
    f->rows = f->size = 0;
}

double fit_least(const FitRows *f) {
    double sum = 0, weight = 0;
    for (int i = 0; i < f->rows; i++) {
        double y = (double)f->chance[i];
        double loss = (y > 0 ? -y * log(y) : 0) + (y < 1 ? -(1 - y) * log(1 - y) : 0);
        sum += (double)f->weight[i] * loss;
        weight += (double)f->weight[i];
    }
    return weight > 0 ? sum / weight : 0;
}

// --- fitting ---

static double times(const FitRows *f, int row, const double *w) {
    double sum = 0;
    for (int i = f->start[row]; i < f->start[row + 1]; i++)
        sum += (double)f->value[i] * w[f->column[i]];
    return sum;
}

static void add_row(const FitRows *f, int row, double factor, double *to) {
    for (int i = f->start[row]; i < f->start[row + 1]; i++)
        to[f->column[i]] += factor * (double)f->value[i];
}

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// The working memory: one block for all.
typedef struct Work {
    double *slope, *step, *residual, *direction, *product, *diagonal; // a column each
    double *curve;                                                    // a row each
} Work;

static Work lay_out(double *memory, int columns) {
    Work k = {.slope = memory};
    k.step = k.slope + columns;
    k.residual = k.step + columns;
    k.direction = k.residual + columns;
    k.product = k.direction + columns;
    k.diagonal = k.product + columns;
    k.curve = k.diagonal + columns;
    return k;
}

static bool stopped(const FitRows *f) {
    return f->stop && atomic_load_explicit(f->stop, memory_order_relaxed);
}

// The slope at w, the curvature of each row, and the diagonal of the whole.
static void look(const FitRows *f, const double *ridge, const double *w, Work *k) {
    for (int j = 0; j < f->columns; j++) {
        k->slope[j] = -ridge[j] * w[j];
        k->diagonal[j] = ridge[j];
    }
    for (int i = 0; i < f->rows; i++) {
        double p = sigmoid(times(f, i, w) + (double)f->offset[i]), weight = (double)f->weight[i];
        add_row(f, i, weight * ((double)f->chance[i] - p), k->slope);
        k->curve[i] = weight * fmax(p * (1 - p), 1e-4);
        for (int j = f->start[i]; j < f->start[i + 1]; j++)
            k->diagonal[f->column[j]] += k->curve[i] * (double)f->value[j] * (double)f->value[j];
    }
}

static void times_curvature(const FitRows *f, const double *ridge, Work *k) {
    for (int j = 0; j < f->columns; j++)
        k->product[j] = ridge[j] * k->direction[j];
    for (int i = 0; i < f->rows; i++)
        add_row(f, i, k->curve[i] * times(f, i, k->direction), k->product);
}

// The step that solves curvature * step = slope, near enough.
static void find_step(const FitRows *f, const double *ridge, Work *k) {
    int n = f->columns;
    for (int j = 0; j < n; j++) {
        k->step[j] = 0;
        k->residual[j] = k->slope[j];
        k->direction[j] = k->slope[j] / k->diagonal[j];
    }
    double before = dot(k->residual, k->direction, n), enough = before * ENOUGH;
    for (int round = 0; round < GRADIENT_STEPS && before > enough && before > 0 && !stopped(f);
         round++) {
        times_curvature(f, ridge, k);
        double by = before / dot(k->direction, k->product, n), after = 0;
        for (int j = 0; j < n; j++) {
            k->step[j] += by * k->direction[j];
            k->residual[j] -= by * k->product[j];
            after += k->residual[j] * k->residual[j] / k->diagonal[j];
        }
        for (int j = 0; j < n; j++)
            k->direction[j] = k->residual[j] / k->diagonal[j] + after / before * k->direction[j];
        before = after;
    }
}

// Where results are almost certain a full step goes much too far.
static double shorten(const FitRows *f, const Work *k) {
    double most = 0;
    for (int i = 0; i < f->rows; i++)
        most = fmax(most, fabs(times(f, i, k->step)));
    return most > STEP_MOST ? STEP_MOST / most : 1;
}

static double deviance(const FitRows *f, const double *w) {
    double sum = 0, weight = 0;
    for (int i = 0; i < f->rows; i++) {
        double x = times(f, i, w) + (double)f->offset[i], y = (double)f->chance[i];
        // -log of the chance given to what happened, in a form that cannot overflow
        double loss = (x > 0 ? (1 - y) * x : -y * x) + log1p(exp(-fabs(x)));
        sum += (double)f->weight[i] * loss;
        weight += (double)f->weight[i];
    }
    return weight > 0 ? sum / weight : 0;
}

double fit_logistic(const FitRows *f, const double *ridge, double *w) {
    double *memory = mem_alloc(sizeof *memory * (6 * (size_t)f->columns + (size_t)f->rows + 1));
    if (!memory)
        return -1;
    Work k = lay_out(memory, f->columns);
    for (int i = 0; i < NEWTON_STEPS && !stopped(f); i++) {
        look(f, ridge, w, &k);
        find_step(f, ridge, &k);
        double by = shorten(f, &k);
        for (int j = 0; j < f->columns; j++)
            w[j] += by * k.step[j];
    }
    mem_free(memory);
    return stopped(f) ? 0 : deviance(f, w);
}
