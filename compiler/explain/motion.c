// The motion of a block's bytes along an axis in words that a reader of the source would use: rows,
// columns and planes where steps are long, elements and shares where they are short.
#include "text.h"

// Beyond so many elements a step is the length of a row, that a sample made up.
enum { LONGEST = 256 };

static char *shifted(const char *number, int64_t by) {
    if (by == 0)
        return g_strdup(number);
    return g_strdup_printf("%s%+" G_GINT64_FORMAT, number, by);
}

// "row y", "rows y-1 … y+1 (halo 1 row)", "row y and others (halo depends on r)"
static char *named(const struct gcl_motion *m, const char *unit, const char *number) {
    if (m->halo[0] == 0 && m->halo[1] == 0)
        return g_strdup_printf("%s %s", unit, number);
    if (m->width)
        return g_strdup_printf("%s %s and others (halo depends on %s)", unit, number, m->width);
    g_autofree char *first = shifted(number, -m->halo[0]), *last = shifted(number, m->halo[1]);
    int64_t halo = MAX(m->halo[0], m->halo[1]);
    return g_strdup_printf("%ss %s … %s (halo %" G_GINT64_FORMAT " %s%s)", unit, first, last, halo,
                           unit, halo == 1 ? "" : "s");
}

// What threads have that lie next to each other along the axis.
static char *thread_text(const struct gcl_motion *m) {
    char axis[] = {(char)('x' + m->axis), '\0'};
    int64_t count = m->unit / m->element;
    bool is_row = m->is_given || ABS(m->unit) > LONGEST * m->element;
    if (m->unit < 0) {
        g_autofree char *minus = g_strdup_printf("-%s", axis);
        return named(m, is_row ? "row" : "element", minus);
    }
    if (count <= 1 && m->is_scattered && m->axis > 0)
        return named(m, "column", axis);
    if (count <= 1)
        return named(m, "element", axis);
    if (is_row || (m->is_scattered && m->axis > 0))
        return named(m, m->axis == 2 ? "plane" : "row", axis);
    g_autofree char *all = g_strdup_printf(" of %" G_GINT64_FORMAT, count);
    int64_t own = CLAMP(m->bytes / m->element, 1, count);
    return g_strdup_printf("%" G_GINT64_FORMAT "%s elements from %" G_GINT64_FORMAT "*%s%s", own,
                           own < count ? all : "", count, axis,
                           m->halo[0] || m->halo[1] ? " and neighbours" : "");
}

// What blocks have.
static char *block_text(const struct gcl_motion *m) {
    g_autofree char *number = g_strdup_printf("blockIdx.%c", 'x' + m->axis);
    int64_t count = ABS(m->unit) / m->element, halo = MAX(m->halo[0], m->halo[1]);
    if (count <= 1)
        return named(m, "element", number);
    const char *unit = count >= 16 * LONGEST && !m->is_scattered ? "row" : "part";
    if (halo == 0)
        return g_strdup_printf("%s %s", unit, number);
    if (m->width)
        return named(m, unit, number);
    if (m->is_scattered)
        return g_strdup_printf("%s %s and what is near it", unit, number);
    return g_strdup_printf("%s %s (halo %" G_GINT64_FORMAT " element%s)", unit, number, halo,
                           halo == 1 ? "" : "s");
}

char *gcl_text_motion(const struct gcl_motion *m) {
    g_autofree char *step = NULL;
    switch (m->kind) {
    case GCL_MOTION_STEP:
        step = m->counts_threads ? thread_text(m) : block_text(m);
        return g_strdup_printf("%s%s", step, m->goes_on ? " and on in steps of the grid" : "");
    case GCL_MOTION_SAME:
        return g_strdup("the same for all blocks");
    case GCL_MOTION_ALL:
        return g_strdup(m->by_data ? "all of it, data decides where" : "all of it");
    case GCL_MOTION_INSPECTED:
        return g_strdup("inspected at launch");
    default:
        return g_strdup_printf("parts that move irregularly with blockIdx.%c", 'x' + m->axis);
    }
}
