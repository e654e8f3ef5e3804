// Explanations as text and as JSON.
#include "clause.h"
#include "gcluster/reasons.h"
#include "text.h"

struct reason_text {
    uint16_t code;
    const char *what, *why, *advice;
};

static const struct reason_text *find_reason(uint16_t code) {
    static const struct reason_text texts[] = {
#define GCL_REASON(name, number, what, why, advice) {number, what, why, advice},
        GCL_REASONS
#undef GCL_REASON
    };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        if (texts[i].code == code)
            return &texts[i];
    }
    return &texts[0];
}

// What an access is about; GCL_NONE: the kernel, or anything.
static uint16_t base_of(const struct gcl_program *p, uint16_t access) {
    if (access == GCL_NONE || p->bases[p->accesses[access].base].kind == GCL_BASE_ANY)
        return GCL_NONE;
    return p->accesses[access].base;
}

// What a texture shows is that texture.
static uint16_t texture_of(const struct gcl_program *p, uint16_t base) {
    for (uint16_t steps = 0; steps < p->base_count && p->bases[base].kind == GCL_BASE_LOADED &&
                             (p->bases[base].flags & GCL_BASE_TEXTURE);
         steps++)
        base = p->accesses[p->bases[base].index].base;
    return base;
}

static bool is_same_texture(const struct gcl_explanation *e, const struct gcl_reason *a,
                            const struct gcl_reason *b) {
    const struct gcl_program *p = e->kernel->program;
    return a->code == GCL_REASON_TEXTURE && b->code == GCL_REASON_TEXTURE &&
           texture_of(p, base_of(e->kernel->program, a->access)) ==
               texture_of(p, base_of(e->kernel->program, b->access));
}

// Reasons that say the same of the same thing are one.
static bool is_repeated(const struct gcl_explanation *e, guint index) {
    const struct gcl_reason *reason = &g_array_index(e->reasons, struct gcl_reason, index);
    for (guint i = 0; i < index; i++) {
        const struct gcl_reason *other = &g_array_index(e->reasons, struct gcl_reason, i);
        bool same_thing = reason->code == GCL_REASON_LOADED_POINTER ||
                          base_of(e->kernel->program, other->access) ==
                              base_of(e->kernel->program, reason->access);
        if (is_same_texture(e, reason, other))
            return true;
        if (other->code == reason->code && other->place.line == reason->place.line &&
            other->place.file == reason->place.file && same_thing)
            return true;
    }
    return false;
}

static bool same_place(const struct gcl_source_position *a, const struct gcl_source_position *b) {
    return a->line == b->line && a->column == b->column && a->file == b->file;
}

// Where a reason stands: if that isn't known, where the kernel does.
static char *reason_place(const struct gcl_explanation *e, const struct gcl_reason *reason) {
    g_autofree char *file = g_path_get_basename(e->kernel->file);
    if (reason->place.line > 0)
        return gcl_text_place(e->kernel, &reason->place);
    return g_strdup_printf("%s:%u", file, e->kernel->line);
}

// The name of what a reason is about; NULL: the kernel.
static char *subject(const struct gcl_explanation *e, const struct gcl_reason *reason) {
    uint16_t base = base_of(e->kernel->program, reason->access);
    return base == GCL_NONE ? NULL : gcl_text_base(e->kernel, base);
}

// Text.

static void append_summary(const struct gcl_explanation *e, GString *out) {
    const struct gcl_program *p = e->kernel->program;
    g_string_append_printf(out, "%s:%u: %s: ", e->kernel->file, e->kernel->line, e->kernel->name);
    if (e->split)
        g_string_append_printf(out, "splits along blockIdx.%c", e->split);
    else
        g_string_append(out, "runs on one node");
    if ((e->split && p->split) || (p->flags & GCL_PROGRAM_SINGLE))
        g_string_append(out, ", as #pragma gcluster says");
    for (guint i = 0; i < e->uses->len; i++) {
        const struct gcl_explained_use *use = e->uses->pdata[i];
        g_ptr_array_add(use->words, NULL);
        g_autofree char *words = g_strjoinv("; ", (char **)use->words->pdata);
        g_ptr_array_set_size(use->words, (gint)use->words->len - 1);
        if (*words)
            g_string_append_printf(out, "; %s: %s", use->name, words);
    }
    g_string_append(out, ".");
    if (e->worth)
        g_string_append_printf(out, " Spreading a launch %s.", e->worth);
    g_string_append_c(out, '\n');
}

// The formulas of the accesses from `from` on that are of one kind and stand at one place, each
// once. Returns where the next ones begin.
static guint collect_formulas(const struct gcl_explanation *e, const struct gcl_explained_use *use,
                              guint from, GPtrArray *formulas) {
    const struct gcl_access *all = e->kernel->program->accesses;
    const struct gcl_access *first = &all[g_array_index(use->accesses, uint16_t, from)];
    for (guint i = from; i < use->accesses->len; i++) {
        uint16_t index = g_array_index(use->accesses, uint16_t, i);
        if (all[index].kind != first->kind || !same_place(&all[index].place, &first->place))
            return i;
        char *formula = gcl_text_access(e->kernel, index);
        if (g_ptr_array_find_with_equal_func(formulas, formula, g_str_equal, NULL))
            g_free(formula);
        else
            g_ptr_array_add(formulas, formula);
    }
    return use->accesses->len;
}

enum { LONGEST = 120 }; // characters of a formula that people read

static void append_formula(GString *out, const char *formula) {
    if (g_utf8_strlen(formula, -1) <= LONGEST) {
        g_string_append(out, formula);
        return;
    }
    g_autofree char *begin = g_utf8_substring(formula, 0, LONGEST);
    g_string_append_printf(out, "%s…", begin);
}

static void append_use(const struct gcl_explanation *e, const struct gcl_explained_use *use,
                       GString *out) {
    static const char *const kinds[] = {"reads", "writes", "reduces", "changes atomically"};
    const struct gcl_program *p = e->kernel->program;
    for (guint next, i = 0; i < use->accesses->len; i = next) {
        const struct gcl_access *access = &p->accesses[g_array_index(use->accesses, uint16_t, i)];
        g_autoptr(GPtrArray) formulas = g_ptr_array_new_with_free_func(g_free);
        g_autofree char *place = gcl_text_place(e->kernel, &access->place);
        next = collect_formulas(e, use, i, formulas);
        guint count = formulas->len;
        g_string_append_printf(out, "    %s ", kinds[access->kind]);
        append_formula(out, formulas->pdata[0]);
        if (count > 2)
            g_string_append_printf(out, ", … (%u places)", count);
        g_string_append(out, count == 2 ? ", " : "");
        append_formula(out, count == 2 ? formulas->pdata[1] : "");
        g_string_append_printf(out, "%s%s\n", *place ? "   " : "", place);
    }
}

static void append_uses(const struct gcl_explanation *e, GString *out) {
    for (guint i = 0; i < e->uses->len; i++)
        append_use(e, e->uses->pdata[i], out);
}

// The names of all that every node gets a copy of; NULL if that has been said.
static char *copies(const struct gcl_explanation *e, guint index) {
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < e->reasons->len; i++) {
        const struct gcl_reason *reason = &g_array_index(e->reasons, struct gcl_reason, i);
        if (reason->code != GCL_REASON_REPLICATED || is_repeated(e, i))
            continue;
        if (i < index)
            return NULL;
        g_ptr_array_add(names, subject(e, reason));
    }
    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **)names->pdata);
}

// How many reasons say of other places what reason `index` says of its own; G_MAXUINT: an earlier
// one speaks for it.
static guint count_alike(const struct gcl_explanation *e, guint index) {
    const struct gcl_reason *own = &g_array_index(e->reasons, struct gcl_reason, index);
    guint count = 0;
    for (guint i = 0; i < e->reasons->len; i++) {
        const struct gcl_reason *other = &g_array_index(e->reasons, struct gcl_reason, i);
        bool is_alike = i != index && other->code == own->code &&
                        base_of(e->kernel->program, other->access) ==
                            base_of(e->kernel->program, own->access) &&
                        !is_repeated(e, i);
        if (is_alike && i < index)
            return G_MAXUINT;
        count += is_alike;
    }
    return count;
}

static void append_reasons(const struct gcl_explanation *e, GString *out) {
    for (guint i = 0; i < e->reasons->len; i++) {
        const struct gcl_reason *reason = &g_array_index(e->reasons, struct gcl_reason, i);
        const struct reason_text *text = find_reason(reason->code);
        bool is_copy = reason->code == GCL_REASON_REPLICATED;
        g_autofree char *name = is_copy ? copies(e, i) : subject(e, reason);
        if (is_repeated(e, i) || (is_copy && !name))
            continue;
        guint more = is_copy ? 0 : count_alike(e, i);
        if (more == G_MAXUINT)
            continue;
        g_autofree char *place = reason_place(e, reason);
        g_string_append_printf(out, "    GCL%u %s", reason->code, place);
        if (more > 0)
            g_string_append_printf(out, " and %u more place%s", more, more > 1 ? "s" : "");
        g_string_append_printf(out, ": %s%s%s, because %s\n", name ? name : "", name ? ": " : "",
                               text->what, text->why);
        g_string_append_printf(out, "      help: %s\n", text->advice);
    }
}

char *gcl_explanation_text(const struct gcl_explanation *e) {
    GString *out = g_string_new(NULL);
    append_summary(e, out);
    append_uses(e, out);
    append_reasons(e, out);
    return g_string_free(out, FALSE);
}

// JSON.

static json_t *place_json(const struct gcl_explanation *e,
                          const struct gcl_source_position *place) {
    if (place->line == 0)
        return json_null();
    return json_pack("{s:s, s:i, s:i}", "file", e->kernel->program->files[place->file], "line",
                     (int)place->line, "column", (int)place->column);
}

static json_t *reason_place_json(const struct gcl_explanation *e, const struct gcl_reason *reason) {
    if (reason->place.line > 0)
        return place_json(e, &reason->place);
    return json_pack("{s:s, s:i, s:i}", "file", e->kernel->file, "line", (int)e->kernel->line,
                     "column", 1);
}

static json_t *code_json(uint16_t code) {
    return json_sprintf("GCL%u", code);
}

static json_t *access_json(const struct gcl_explanation *e, uint16_t index) {
    static const char *const kinds[] = {"read", "write", "reduce", "atomic"};
    static const char *const certainties[] = {"exact", "bounded", "inspected", "data"};
    const struct gcl_access *access = &e->kernel->program->accesses[index];
    g_autofree char *formula = gcl_text_access(e->kernel, index);
    json_t *codes = json_array();
    for (guint i = 0; i < e->reasons->len; i++) {
        const struct gcl_reason *reason = &g_array_index(e->reasons, struct gcl_reason, i);
        if (reason->access == index)
            json_array_append_new(codes, code_json(reason->code));
    }
    return json_pack("{s:s, s:s, s:s, s:o, s:o}", "kind", kinds[access->kind], "formula", formula,
                     "certainty", certainties[e->certainties[index]], "reasons", codes, "place",
                     place_json(e, &access->place));
}

static json_t *use_json(const struct gcl_explanation *e, const struct gcl_explained_use *use) {
    json_t *words = json_array(), *accesses = json_array();
    for (guint i = 0; i < use->words->len; i++)
        json_array_append_new(words, json_string(use->words->pdata[i]));
    for (guint i = 0; i < use->accesses->len; i++)
        json_array_append_new(accesses, access_json(e, g_array_index(use->accesses, uint16_t, i)));
    json_t *halo = use->width
                       ? json_null()
                       : json_pack("[I, I]", (json_int_t)use->halo[0], (json_int_t)use->halo[1]);
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", use->name, "words", words, "halo", halo,
                     "accesses", accesses, "clauses", gcl_clauses(e, use));
}

json_t *gcl_explained_reason(const struct gcl_explained_kernel *kernel, uint16_t code,
                             uint16_t access) {
    const struct reason_text *text = find_reason(code);
    uint16_t base = base_of(kernel->program, access);
    g_autofree char *name = base == GCL_NONE ? NULL : gcl_text_base(kernel, base);
    return json_pack("{s:o, s:s?, s:s, s:s, s:s}", "code", code_json(code), "argument", name,
                     "what", text->what, "why", text->why, "advice", text->advice);
}

static json_t *reason_json(const struct gcl_explanation *e, const struct gcl_reason *reason) {
    json_t *json = gcl_explained_reason(e->kernel, reason->code, reason->access);
    json_object_set_new(json, "place", reason_place_json(e, reason));
    return json;
}

json_t *gcl_explanation_json(const struct gcl_explanation *e) {
    json_t *arguments = json_array(), *reasons = json_array();
    char split[] = {e->split, '\0'};
    for (guint i = 0; i < e->uses->len; i++)
        json_array_append_new(arguments, use_json(e, e->uses->pdata[i]));
    for (guint i = 0; i < e->reasons->len; i++) {
        if (!is_repeated(e, i))
            json_array_append_new(reasons,
                                  reason_json(e, &g_array_index(e->reasons, struct gcl_reason, i)));
    }
    return json_pack("{s:s, s:s, s:i, s:s, s:s?, s:I, s:o, s:o}", "name", e->kernel->name, "file",
                     e->kernel->file, "line", (int)e->kernel->line, "split",
                     e->split ? split : "none", "worth", e->worth, "table",
                     (json_int_t)e->kernel->table_size, "arguments", arguments, "reasons", reasons);
}
