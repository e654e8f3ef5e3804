// The headers say what there is, the list what that is worth.
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "base/spell.h"
#include "frontend/text/names.h"
#include "support/unsupported.h"

static const struct gcl_support_declared declared[] = {
#define GCL_DECLARED(name, kind, header) {#name, kind, header},
#define GCL_HEADER(name)
#include "declared.inc"
#undef GCL_DECLARED
#undef GCL_HEADER
};

static const char *const headers[] = {
#define GCL_DECLARED(name, kind, header)
#define GCL_HEADER(name) name,
#include "declared.inc"
#undef GCL_DECLARED
#undef GCL_HEADER
};

static const struct gcl_support_row rows[] = {
#define GCL_AREA(title) {.area = title},
#define GCL_FULL(n, s, t) {.names = n, .since = s, .tests = t, .level = GCL_SUPPORT_FULL},
#define GCL_SAMPLED(n, s, t)                                                                       \
    {.names = n, .since = s, .tests = t, .level = GCL_SUPPORT_FULL, .is_sampled = true},
#define GCL_PART(n, s, what, t)                                                                    \
    {.names = n, .since = s, .note = what, .tests = t, .level = GCL_SUPPORT_PARTLY},
#define GCL_NONE(n, s, what, instead)                                                              \
    {.names = n, .since = s, .note = what, .help = instead, .level = GCL_SUPPORT_REFUSED},
#define GCL_BESIDE(n, s, what, t)                                                                  \
    {.names = n,                                                                                   \
     .since = s,                                                                                   \
     .note = what,                                                                                 \
     .tests = t,                                                                                   \
     .level = GCL_SUPPORT_FULL,                                                                    \
     .is_beside = true},
#include "support/provided.inc"
#undef GCL_AREA
#undef GCL_FULL
#undef GCL_SAMPLED
#undef GCL_PART
#undef GCL_NONE
#undef GCL_BESIDE
};

const struct gcl_support_row *gcl_support_row(size_t index) {
    return index < G_N_ELEMENTS(rows) ? &rows[index] : NULL;
}

const struct gcl_support_declared *gcl_support_declared(size_t index) {
    return index < G_N_ELEMENTS(declared) ? &declared[index] : NULL;
}

// Whether one of the patterns matches; a pattern without letters that vary is the name itself.
static bool has_name(const char *patterns, const char *name) {
    g_auto(GStrv) words = g_strsplit(patterns, " ", -1);
    for (char **word = words; *word; word++) {
        if (g_pattern_match_simple(*word, name))
            return true;
    }
    return false;
}

static const struct gcl_support_row *find_row(const char *name, bool is_beside) {
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (rows[i].names && rows[i].is_beside == is_beside && has_name(rows[i].names, name))
            return &rows[i];
    }
    return NULL;
}

const struct gcl_support_row *gcl_support_row_of(const char *name) {
    return find_row(name, false);
}

static int compare(const void *name, const void *row) {
    return strcmp(name, ((const struct gcl_support_declared *)row)->name);
}

// A name in a namespace is found by its end too (this_grid, wmma::mma_sync), as programs write it
// behind a `using`, or with cooperative groups' usual alias.
static const struct gcl_support_declared *find_declared(const char *name) {
    const struct gcl_support_declared *found =
        bsearch(name, declared, G_N_ELEMENTS(declared), sizeof *declared, compare);
    g_autofree char *end =
        g_strconcat("::", g_str_has_prefix(name, "cg::") ? name + 4 : name, NULL);
    for (size_t i = 0; !found && i < G_N_ELEMENTS(declared); i++) {
        if (g_str_has_suffix(declared[i].name, end))
            found = &declared[i];
    }
    return found;
}

static const char *find_header(const char *name) {
    for (size_t i = 0; i < G_N_ELEMENTS(headers); i++) {
        if (strcmp(headers[i], name) == 0)
            return headers[i];
    }
    return NULL;
}

static void take_row(struct gcl_support *support, const struct gcl_support_row *row) {
    const struct gcl_support_row *area = row;
    while (area->names)
        area--;
    support->area = area->area;
    support->level = row->level;
    support->since = *row->since ? row->since : NULL;
    support->note = row->note;
    support->help = row->help;
    support->tests = row->tests;
    support->is_sampled = row->is_sampled;
}

static void take_declared(struct gcl_support *support, const struct gcl_support_declared *row) {
    const struct gcl_name *name = gcl_name_find(row->name, strlen(row->name));
    const struct gcl_support_row *provided = gcl_support_row_of(row->name);
    support->level = GCL_SUPPORT_FULL;
    support->kind = row->kind;
    support->header = row->header;
    support->mapping = name ? name->gcl : NULL;
    if (provided)
        take_row(support, provided);
}

static void take_refused(struct gcl_support *support, const struct gcl_unsupported *row) {
    support->level = GCL_SUPPORT_REFUSED;
    support->area = row->part;
    support->note = row->part;
    support->help = row->help;
}

static bool names_header(const char *name) {
    return g_str_has_suffix(name, ".h") || g_str_has_suffix(name, ".hpp") ||
           g_str_has_suffix(name, ".cuh") || strchr(name, '/') || find_header(name);
}

static void take_header(struct gcl_support *support, const char *name) {
    const struct gcl_unsupported *refused = gcl_unsupported_find_header(name, strlen(name));
    const struct gcl_support_row *beside = find_row(name, true);
    support->kind = "header";
    if (find_header(name))
        support->level = GCL_SUPPORT_FULL;
    else if (beside)
        take_row(support, beside);
    else if (refused)
        take_refused(support, refused);
}

// The refused row of a name, or of the namespace that it begins with.
static const struct gcl_unsupported *find_refused(const char *name) {
    const char *end = strstr(name, "::");
    return gcl_unsupported_find(name, end ? (size_t)(end - name) : strlen(name));
}

struct gcl_support gcl_support_find(const char *name) {
    struct gcl_support support = {.name = name, .kind = "name"};
    if (names_header(name)) {
        take_header(&support, name);
        return support;
    }
    g_autofree char *cuda = g_str_has_prefix(name, "gcl") && g_ascii_isupper(name[3])
                                ? g_strconcat("cuda", name + 3, NULL)
                                : NULL;
    const struct gcl_support_declared *row = find_declared(name);
    const struct gcl_support_row *beside = find_row(name, true);
    const struct gcl_unsupported *refused = find_refused(name);
    if (!row && !beside && cuda)
        row = find_declared(cuda);
    if (row)
        take_declared(&support, row);
    else if (beside)
        take_row(&support, beside);
    else if (refused && !(gcl_unsupported_is_vague(refused) && gcl_support_nearest(name)))
        take_refused(&support, refused);
    return support;
}

// Whether a pattern and a pattern of refused names, which ends with its only `*` if it has one, can
// match the same name.
static bool overlaps(const char *pattern, const char *refused) {
    size_t fixed = strcspn(refused, "*"), asked = strcspn(pattern, "*?");
    if (!refused[fixed])
        return g_pattern_match_simple(pattern, refused);
    return strncmp(pattern, refused, MIN(fixed, asked)) == 0;
}

static void add_found(GArray *found, const char *name) {
    struct gcl_support support = gcl_support_find(name);
    g_array_append_val(found, support);
}

static void add_refused(GArray *found, const struct gcl_unsupported *row, bool is_header) {
    struct gcl_support support = {.name = row->pattern, .kind = is_header ? "header" : "name"};
    take_refused(&support, row);
    g_array_append_val(found, support);
}

GArray *gcl_support_match(const char *pattern) {
    GArray *found = g_array_new(FALSE, FALSE, sizeof(struct gcl_support));
    const struct gcl_unsupported *row;
    bool is_header;
    for (size_t i = 0; i < G_N_ELEMENTS(declared); i++) {
        if (g_pattern_match_simple(pattern, declared[i].name))
            add_found(found, declared[i].name);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(headers); i++) {
        if (g_pattern_match_simple(pattern, headers[i]))
            add_found(found, headers[i]);
    }
    for (size_t i = 0; (row = gcl_unsupported_row(i, &is_header)); i++) {
        if (!gcl_unsupported_is_vague(row) && overlaps(pattern, row->pattern))
            add_refused(found, row, is_header);
    }
    return found;
}

const char *gcl_support_nearest(const char *name) {
    g_autoptr(GPtrArray) candidates = g_ptr_array_new();
    for (size_t i = 0; i < G_N_ELEMENTS(declared); i++)
        g_ptr_array_add(candidates, (gpointer)declared[i].name);
    for (size_t i = 0; i < G_N_ELEMENTS(headers); i++)
        g_ptr_array_add(candidates, (gpointer)headers[i]);
    return gcl_spell_nearest(name, candidates);
}

const char *gcl_support_level_text(enum gcl_support_level level) {
    static const char *const texts[] = {
        [GCL_SUPPORT_UNKNOWN] = "not known",
        [GCL_SUPPORT_REFUSED] = "not supported",
        [GCL_SUPPORT_PARTLY] = "supported partly",
        [GCL_SUPPORT_FULL] = "supported",
    };
    return texts[level];
}
