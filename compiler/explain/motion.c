#include "text.h"

// What a unit is called, and the number that counts it.
static const char *unit_name(const struct gcl_motion *m) {
    static const char *const names[] = {"row", "row", "plane"};
    if (!m->counts_threads)
        return "share";
    return m->is_row ? names[m->axis] : m->is_column ? "column" : "element";
}

static char *number_name(const struct gcl_motion *m) {
    char axis = (char)('x' + m->axis);
    return m->counts_threads ? g_strdup_printf("%c", axis) : g_strdup_printf("blockIdx.%c", axis);
}

static char *shifted(const char *number, int64_t by) {
    if (by == 0)
        return g_strdup(number);
    return g_strdup_printf("%s%+" G_GINT64_FORMAT, number, by);
}

static char *step_text(const struct gcl_motion *m) {
    const char *unit = unit_name(m);
    g_autofree char *number = number_name(m);
    if (m->halo[0] == 0 && m->halo[1] == 0)
        return g_strdup_printf("%s %s", unit, number);
    g_autofree char *first = shifted(number, -m->halo[0]), *last = shifted(number, m->halo[1]);
    int64_t halo = MAX(m->halo[0], m->halo[1]);
    return g_strdup_printf("%ss %s … %s (halo %" G_GINT64_FORMAT " %s%s)", unit, first, last, halo,
                           unit, halo == 1 ? "" : "s");
}

char *gcl_text_motion(const struct gcl_motion *m) {
    switch (m->kind) {
    case GCL_MOTION_STEP:
        return step_text(m);
    case GCL_MOTION_SAME:
        return g_strdup_printf("the same %" G_GINT64_FORMAT " bytes for all blocks", m->bytes);
    case GCL_MOTION_ALL:
        return g_strdup("all of it");
    default:
        return g_strdup_printf("parts that move irregularly with blockIdx.%c",
                               (char)('x' + m->axis));
    }
}
