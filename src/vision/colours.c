// colours: hue, saturation and value; which colours belong to a kind.
#include "vision/view.h"

#include <math.h>

void colours_hsv(const uint8_t rgb[3], double *hue, double *saturation, double *value) {
    int r = rgb[0], g = rgb[1], b = rgb[2];
    int most = r > g ? r : g, least = r < g ? r : g;
    most = most > b ? most : b;
    least = least < b ? least : b;
    int span = most - least;
    double h = 0;
    if (span > 0 && most == r)
        h = (double)(g - b) / span;
    else if (span > 0 && most == g)
        h = 2 + (double)(b - r) / span;
    else if (span > 0)
        h = 4 + (double)(r - g) / span;
    *hue = h < 0 ? h * 60 + 360 : h * 60;
    *saturation = most > 0 ? (double)span / most : 0;
    *value = most / 255.0;
}

static bool hue_within(const Colours *c, double hue) {
    if (c->hue_max - c->hue_min >= 360 || c->hue_max == c->hue_min)
        return true;
    double wide = fmod(c->hue_max - c->hue_min + 720, 360);
    double from = fmod(hue - c->hue_min + 720, 360);
    return from <= wide;
}

bool colours_match(const Colours *c, const uint8_t rgb[3]) {
    double hue, saturation, value;
    colours_hsv(rgb, &hue, &saturation, &value);
    return saturation >= c->saturation_min && saturation <= c->saturation_max &&
           value >= c->value_min && value <= c->value_max && hue_within(c, hue);
}
