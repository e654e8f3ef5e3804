// Statements are kept, or left out whole. What is left out has changed variables, which are lost
// then: a statement that mentions one is left out as well, until nothing more is lost. If what is
// kept mentions a lost name in the end, the call depends on what isn't known. Names stand for all
// variables that are called so, which errs on the safe side.
#include "lsp/kernel/slice.h"

#include <assert.h>
#include <string.h>

enum { PASSES_MAX = 100 };

/// Text to be left out, or to be replaced.
struct edit {
    uint32_t begin;
    uint32_t end;
    const char *text;
    TSNode node; ///< whose text is put there if `text` is NULL; or null
};

struct slicer {
    const struct gcl_slice *slice;
    const char *text;
    GArray *edits; // struct edit
    GHashTable *lost;
    GHashTable *used; // names in what was kept, NULL in the first pass
    bool grew;        // `lost`
    bool drops_writes;
    bool fails;
};

// Edits.

static bool is_blank(const char *text, uint32_t begin, uint32_t end) {
    while (begin < end && (text[begin] == ' ' || text[begin] == '\t'))
        begin++;
    return begin == end;
}

static void edit(struct slicer *s, uint32_t begin, uint32_t end, const char *text, TSNode node) {
    assert(begin <= end && (text != NULL) == ts_node_is_null(node));
    for (guint i = s->edits->len; i-- > 0;) {
        const struct edit *old = &g_array_index(s->edits, struct edit, i);
        if (old->begin <= begin && old->end >= end && old->end - old->begin > end - begin)
            return;
        if (old->begin >= begin && old->end <= end)
            g_array_remove_index_fast(s->edits, i);
    }
    struct edit new = {begin, end, text, node};
    g_array_append_val(s->edits, new);
}

static void replace(struct slicer *s, TSNode node, const char *text) {
    edit(s, ts_node_start_byte(node), ts_node_end_byte(node), text, (TSNode){0});
}

// Leaves [begin, end) out, with its whole lines if nothing else is on them; a comment behind the
// text on its line is about the text.
static void leave_out(struct slicer *s, uint32_t begin, uint32_t end) {
    uint32_t line, character, first, last;
    gcl_line_table_locate(s->slice->scope.view->text, begin, &line, &character);
    gcl_line_table_line(s->slice->scope.view->text, line, &first, &last);
    if (is_blank(s->text, first, begin)) {
        gcl_line_table_locate(s->slice->scope.view->text, end, &line, &character);
        gcl_line_table_line(s->slice->scope.view->text, line, &(uint32_t){0}, &last);
        uint32_t behind = end;
        while (behind < last && (s->text[behind] == ' ' || s->text[behind] == '\t'))
            behind++;
        if (behind == last || (behind + 1 < last && memcmp(s->text + behind, "//", 2) == 0)) {
            begin = first;
            gcl_line_table_line(s->slice->scope.view->text, line + 1, &end, &(uint32_t){0});
        }
    }
    edit(s, begin, end, "", (TSNode){0});
}

static void lose(struct slicer *s, const char *name) {
    if (g_hash_table_add(s->lost, g_strdup(name)))
        s->grew = true;
}

static void lose_changed(struct slicer *s, const struct gcl_effects *effects) {
    GHashTableIter iterator;
    void *name;
    g_hash_table_iter_init(&iterator, effects->changed);
    while (g_hash_table_iter_next(&iterator, &name, NULL))
        lose(s, name);
}

static bool is_declarator(const struct slicer *s, TSNode name) {
    return gcl_meaning_declares(s->slice->scope.meaning, ts_node_start_byte(name));
}

static void lose_declared(struct slicer *s, TSNode node) {
    if (gcl_node_is(node, "identifier") && is_declarator(s, node)) {
        g_autofree char *name = gcl_node_text(s->slice->scope.view->text, node);
        lose(s, name);
    }
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++)
        lose_declared(s, ts_node_named_child(node, i));
}

// Whether one of the names is there: where it is declared, or where it is used.
static bool has_name(const struct slicer *s, TSNode node, GHashTable *names, bool is_declared) {
    if (gcl_node_is(node, "identifier") && is_declarator(s, node) == is_declared) {
        g_autofree char *name = gcl_node_text(s->slice->scope.view->text, node);
        if (g_hash_table_contains(names, name))
            return true;
    }
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        if (has_name(s, ts_node_named_child(node, i), names, is_declared))
            return true;
    }
    return false;
}

static bool is_lost(const struct slicer *s, TSNode node) {
    return has_name(s, node, s->lost, false);
}

static void drop(struct slicer *s, TSNode statement) {
    struct gcl_effects effects = gcl_effects_of(&s->slice->scope, statement);
    s->fails |= effects.unclear || effects.leaves || effects.waits;
    s->drops_writes |= effects.outside;
    lose_changed(s, &effects);
    lose_declared(s, statement);
    leave_out(s, ts_node_start_byte(statement), ts_node_end_byte(statement));
    gcl_effects_finish(&effects);
}

// Statements without the call. Each returns whether something of it is kept.

static bool reduce(struct slicer *s, TSNode statement);
static bool reduce_all(struct slicer *s, TSNode block, uint32_t begin, uint32_t end);

// Of a statement with one atomic operation on a block's variable whose result is used, that
// operation is kept, for the variable's sum.
static void keep_rank(struct slicer *s, TSNode statement, struct gcl_effects *effects) {
    const struct gcl_effects_scope *scope = &s->slice->scope;
    TSNode root = effects->rank, address = {0};
    assert(effects->ranks == 1);
    gcl_effects_is_atomic(scope, effects->rank, &address);
    if (gcl_node_is(address, "pointer_expression"))
        address = gcl_node_field(address, "argument");
    gcl_effects_memory(scope, address, &root);
    g_autofree char *name = gcl_node_text(scope->view->text, root);
    g_hash_table_remove(effects->changed, name);
    lose_changed(s, effects);
    lose_declared(s, statement);
    s->drops_writes |= effects->outside;
    s->fails |= g_hash_table_contains(s->lost, name);
    edit(s, ts_node_start_byte(statement), ts_node_end_byte(statement), NULL, effects->rank);
}

static bool reduce_leaf(struct slicer *s, TSNode statement) {
    bool is_declaration = gcl_node_is(statement, "declaration");
    bool is_useless = is_declaration && s->used && !has_name(s, statement, s->used, true);
    struct gcl_effects effects = gcl_effects_of(&s->slice->scope, statement);
    bool drops = effects.ranks != 1 && (is_lost(s, statement) || is_useless);
    if (!drops)
        s->fails |= effects.unclear || effects.ranks > 1;
    if (effects.ranks == 1)
        keep_rank(s, statement, &effects);
    else
        drops |= effects.outside;
    if (drops)
        drop(s, statement);
    gcl_effects_finish(&effects);
    return !drops;
}

// Whether conditions and steps of a statement are ones that can be kept.
static bool reduce_header(struct slicer *s, TSNode statement) {
    static const char *const fields[] = {"condition", "initializer", "update", "right"};
    bool is_kept = true;
    for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
        TSNode part = gcl_node_field(statement, fields[i]);
        if (ts_node_is_null(part))
            continue;
        struct gcl_effects effects = gcl_effects_of(&s->slice->scope, part);
        s->fails |= effects.unclear || effects.outside || effects.ranks > 0;
        is_kept &= !is_lost(s, part);
        gcl_effects_finish(&effects);
    }
    return is_kept;
}

static TSNode else_of(TSNode statement) {
    TSNode clause = gcl_node_field(statement, "alternative");
    return ts_node_is_null(clause) ? clause : ts_node_named_child(clause, 0);
}

static bool reduce_if(struct slicer *s, TSNode statement) {
    TSNode body = gcl_node_field(statement, "consequence"), other = else_of(statement);
    if (!reduce_header(s, statement)) {
        drop(s, statement);
        return false;
    }
    bool has_body = reduce(s, body), has_other = !ts_node_is_null(other) && reduce(s, other);
    if (!has_body && !has_other) {
        drop(s, statement);
        return false;
    }
    if (!has_body)
        replace(s, body, "{}");
    if (!has_other && !ts_node_is_null(other))
        edit(s, ts_node_end_byte(body), ts_node_end_byte(statement), "", (TSNode){0});
    return true;
}

static bool reduce_loop(struct slicer *s, TSNode statement) {
    TSNode body = gcl_node_field(statement, "body");
    bool is_kept = reduce_header(s, statement) && reduce(s, body);
    if (!is_kept)
        drop(s, statement);
    return is_kept;
}

static bool reduce(struct slicer *s, TSNode statement) {
    if (gcl_node_is(statement, "compound_statement"))
        return reduce_all(s, statement, 0, ts_node_named_child_count(statement));
    if (gcl_node_is(statement, "if_statement"))
        return reduce_if(s, statement);
    if (gcl_node_is(statement, "for_statement") || gcl_node_is(statement, "while_statement") ||
        gcl_node_is(statement, "do_statement"))
        return reduce_loop(s, statement);
    return reduce_leaf(s, statement);
}

static bool is_aside(TSNode node) {
    return gcl_node_is(node, "comment") || gcl_node_is(node, "preproc_call") ||
           gcl_node_is(node, "gcluster_pragma");
}

// Whether something stands behind what comes before it, on the same line.
static bool is_behind(TSNode node) {
    TSNode previous = ts_node_prev_named_sibling(node);
    return !ts_node_is_null(previous) &&
           ts_node_end_point(previous).row == ts_node_start_point(node).row;
}

// Comments and pragmas in front of what is left out go with it.
static bool reduce_all(struct slicer *s, TSNode block, uint32_t begin, uint32_t end) {
    uint32_t aside = begin;
    bool is_kept = false;
    for (uint32_t i = begin; i < end; i++) {
        TSNode child = ts_node_named_child(block, i);
        if (is_aside(child)) {
            aside = is_behind(child) ? i + 1 : aside;
            continue;
        }
        bool own = reduce(s, child);
        for (; !own && aside < i; aside++) {
            TSNode word = ts_node_named_child(block, aside);
            leave_out(s, ts_node_start_byte(word), ts_node_end_byte(word));
        }
        aside = i + 1;
        is_kept |= own;
    }
    return is_kept;
}

// Statements with the call.

static bool holds(TSNode node, TSNode inner) {
    assert(!ts_node_is_null(inner));
    return !ts_node_is_null(node) && ts_node_start_byte(node) <= ts_node_start_byte(inner) &&
           ts_node_end_byte(node) >= ts_node_end_byte(inner);
}

// Whether the call is made whenever the statement or condition is.
static bool is_certain(const struct slicer *s, TSNode part) {
    TSNode node = s->slice->scope.skipped;
    while (!ts_node_eq(node, part)) {
        node = ts_node_parent(node);
        if (ts_node_is_null(node) || gcl_node_is(node, "conditional_expression") ||
            gcl_node_is(node, "lambda_expression") ||
            (gcl_node_is(node, "binary_expression") &&
             (gcl_node_has_operator(node, "&&") || gcl_node_has_operator(node, "||"))))
            return false;
    }
    return true;
}

// The statement that makes the call becomes one that counts. What it did beside that is lost.
static void count_instead(struct slicer *s, TSNode statement, TSNode part, bool loops) {
    struct gcl_effects effects = gcl_effects_of(&s->slice->scope, statement);
    s->fails |= !is_certain(s, part);
    if (loops) {
        s->fails |= effects.unclear || effects.leaves || effects.waits;
        s->drops_writes |= effects.outside;
        lose_changed(s, &effects);
        lose_declared(s, statement);
    }
    replace(s, statement, s->slice->instead);
    gcl_effects_finish(&effects);
}

static void descend(struct slicer *s, TSNode statement, bool loops);

static void descend_block(struct slicer *s, TSNode block, bool loops) {
    uint32_t count = ts_node_named_child_count(block), at = 0;
    while (at < count && !holds(ts_node_named_child(block, at), s->slice->scope.skipped))
        at++;
    if (at == count) {
        s->fails = true;
        return;
    }
    reduce_all(s, block, 0, at);
    descend(s, ts_node_named_child(block, at), loops);
    if (loops) {
        reduce_all(s, block, at + 1, count);
        return;
    }
    if (at + 1 == count)
        return;
    TSNode first = ts_node_named_child(block, at + 1), last = ts_node_named_child(block, count - 1);
    leave_out(s, ts_node_start_byte(first), ts_node_end_byte(last));
}

static void descend_if(struct slicer *s, TSNode statement, bool loops) {
    TSNode condition = gcl_node_field(statement, "condition");
    TSNode body = gcl_node_field(statement, "consequence"), other = else_of(statement);
    if (holds(condition, s->slice->scope.skipped)) {
        s->fails |= !ts_node_is_null(gcl_node_field(condition, "initializer"));
        count_instead(s, statement, condition, loops);
        return;
    }
    s->fails |= !reduce_header(s, statement);
    if (!holds(body, s->slice->scope.skipped)) {
        if (!loops || !reduce(s, body))
            replace(s, body, "{}");
        descend(s, other, loops);
        return;
    }
    descend(s, body, loops);
    if (!ts_node_is_null(other) && (!loops || !reduce(s, other)))
        edit(s, ts_node_end_byte(body), ts_node_end_byte(statement), "", (TSNode){0});
}

static void descend(struct slicer *s, TSNode statement, bool loops) {
    TSNode body = gcl_node_field(statement, "body");
    if (ts_node_is_null(statement)) {
        s->fails = true;
    } else if (gcl_node_is(statement, "compound_statement")) {
        descend_block(s, statement, loops);
    } else if (gcl_node_is(statement, "if_statement")) {
        descend_if(s, statement, loops);
    } else if (gcl_node_is(statement, "for_statement") ||
               gcl_node_is(statement, "while_statement") ||
               gcl_node_is(statement, "do_statement")) {
        s->fails |= !holds(body, s->slice->scope.skipped) || !reduce_header(s, statement);
        descend(s, body, true);
    } else if (gcl_node_is(statement, "expression_statement")) {
        count_instead(s, statement, statement, loops);
    } else if (gcl_node_is(statement, "declaration")) {
        s->fails |=
            ts_node_named_child_count(statement) > 2 &&
            !ts_node_eq(gcl_node_field(statement, "declarator"),
                        ts_node_named_child(statement, ts_node_named_child_count(statement) - 1));
        count_instead(s, statement, statement, loops);
    } else {
        s->fails = true;
    }
}

// Passes.

static const struct edit *edit_at(const struct slicer *s, uint32_t offset) {
    for (guint i = 0; i < s->edits->len; i++) {
        const struct edit *e = &g_array_index(s->edits, struct edit, i);
        if (e->begin <= offset && offset < e->end)
            return e;
    }
    return NULL;
}

// `all`: also names in text that is left out.
static void use_names(const struct slicer *s, TSNode node, bool all, GHashTable *used) {
    const struct edit *e = all ? NULL : edit_at(s, ts_node_start_byte(node));
    if (e && ts_node_end_byte(node) <= e->end) {
        if (!ts_node_is_null(e->node) && holds(node, e->node))
            use_names(s, e->node, true, used);
        return;
    }
    if (gcl_node_is(node, "identifier") && !is_declarator(s, node))
        g_hash_table_add(used, gcl_node_text(s->slice->scope.view->text, node));
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++)
        use_names(s, ts_node_named_child(node, i), all, used);
}

// Names in what is kept: those in the call's other arguments as well.
static GHashTable *find_used(const struct slicer *s) {
    GHashTable *used = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    TSNode arguments = gcl_node_field(s->slice->scope.skipped, "arguments");
    use_names(s, s->slice->body, false, used);
    for (uint32_t i = 1; i < ts_node_named_child_count(arguments); i++)
        use_names(s, ts_node_named_child(arguments, i), true, used);
    return used;
}

static bool any_lost(const struct slicer *s) {
    GHashTableIter iterator;
    void *name;
    g_hash_table_iter_init(&iterator, s->used);
    while (g_hash_table_iter_next(&iterator, &name, NULL)) {
        if (g_hash_table_contains(s->lost, name))
            return true;
    }
    return false;
}

// Goes over the body until nothing more is lost and no declaration is left that nobody needs.
static void run_passes(struct slicer *s) {
    for (unsigned pass = 0; pass < PASSES_MAX && !s->fails; pass++) {
        s->grew = false;
        g_array_set_size(s->edits, 0);
        descend_block(s, s->slice->body, false);
        GHashTable *used = find_used(s);
        bool is_done = !s->grew && s->used && g_hash_table_size(used) == g_hash_table_size(s->used);
        if (!s->grew) {
            g_clear_pointer(&s->used, g_hash_table_unref);
            s->used = g_hash_table_ref(used);
        }
        g_hash_table_unref(used);
        if (is_done) {
            s->fails |= any_lost(s);
            return;
        }
    }
    s->fails = true;
}

// Whether text that is left out holds a variable that changes how sums of products in the rest are
// rounded: of two products, the one with fewer uses is rounded once with the sum.
static bool rounds(const struct slicer *s, TSNode node) {
    if (gcl_node_is(node, "identifier")) {
        CXCursor variable = gcl_meaning_of(s->slice->scope.meaning, ts_node_start_byte(node));
        return clang_getCursorKind(variable) == CXCursor_VarDecl &&
               gcl_meaning_is_local(variable) && gcl_meaning_is_floating(variable) &&
               edit_at(s, ts_node_start_byte(node));
    }
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        if (rounds(s, ts_node_named_child(node, i)))
            return true;
    }
    return false;
}

// Whether comparisons may come out otherwise than in the whole body.
static bool may_differ(const struct slicer *s) {
    const struct gcl_meaning *meaning = s->slice->scope.meaning;
    TSNode amount = ts_node_named_child(gcl_node_field(s->slice->scope.skipped, "arguments"), 1);
    unsigned all = gcl_meaning_products(meaning, 0, UINT32_MAX), kept = all;
    for (guint i = 0; i < s->edits->len; i++) {
        const struct edit *e = &g_array_index(s->edits, struct edit, i);
        kept -= gcl_meaning_products(meaning, e->begin, e->end);
    }
    if (!ts_node_is_null(amount))
        kept += gcl_meaning_products(meaning, ts_node_start_byte(amount), ts_node_end_byte(amount));
    return kept > 1 && (all > kept || rounds(s, s->slice->body));
}

static int compare(const void *a, const void *b) {
    const struct edit *first = a, *second = b;
    return (first->begin > second->begin) - (first->begin < second->begin);
}

static char *apply(const struct slicer *s) {
    uint32_t at = ts_node_start_byte(s->slice->body), end = ts_node_end_byte(s->slice->body);
    GString *out = g_string_new(NULL);
    g_array_sort(s->edits, compare);
    for (guint i = 0; i < s->edits->len; i++) {
        const struct edit *e = &g_array_index(s->edits, struct edit, i);
        assert(e->begin >= at && e->end <= end);
        g_string_append_len(out, s->text + at, e->begin - at);
        g_autofree char *inner =
            ts_node_is_null(e->node) ? NULL : gcl_node_text(s->slice->scope.view->text, e->node);
        g_string_append_printf(out, "%s%s", inner ? inner : e->text, inner ? ";" : "");
        at = e->end;
    }
    g_string_append_len(out, s->text + at, end - at);
    return g_string_free(out, FALSE);
}

char *gcl_slice_text(const struct gcl_slice *slice, GHashTable *names, bool *drops_writes) {
    struct slicer s = {
        .slice = slice,
        .text = gcl_line_table_data(slice->scope.view->text, NULL),
        .edits = g_array_new(FALSE, FALSE, sizeof(struct edit)),
        .lost = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
    };
    assert(gcl_node_is(slice->body, "compound_statement") && slice->instead);
    run_passes(&s);
    assert(s.fails || s.used);
    char *text = s.fails || may_differ(&s) ? NULL : apply(&s);
    GHashTableIter iterator;
    void *name;
    if (text) {
        g_hash_table_iter_init(&iterator, s.used);
        while (g_hash_table_iter_next(&iterator, &name, NULL))
            g_hash_table_add(names, g_strdup(name));
    }
    *drops_writes = s.drops_writes;
    g_clear_pointer(&s.used, g_hash_table_unref);
    g_hash_table_unref(s.lost);
    g_array_unref(s.edits);
    return text;
}
