// Statements are kept, or left out whole. What is left out has changed variables, which are lost
// then: a statement that mentions one is left out as well, until nothing more is lost. If what is
// kept mentions a lost name in the end, the call depends on what isn't known. Names stand for all
// variables that are called so, which errs on the safe side.
#include "slice.h"

#include <string.h>

enum { CUT_MAX_PASSES = 100 };

/// Text to be left out, or to be replaced.
struct cut {
    uint32_t begin;
    uint32_t end;
    const char *text;
    TSNode node; ///< whose text it is instead, if there is no text; or null
};

struct slicer {
    const struct gcl_slice *slice;
    const char *text;
    GArray *cuts; // struct cut
    GHashTable *lost;
    GHashTable *used; // names in what was kept, NULL in the first pass
    bool grew;        // `lost`
    bool drops_writes;
    bool fails;
};

/// What a piece of the body does.
struct effects {
    GHashTable *changed; ///< names of variables of threads and blocks
    TSNode rank;         ///< an atomic operation on such a variable whose result is used
    unsigned ranks;
    bool outside; ///< changes other memory
    bool unclear;
    bool leaves; ///< a loop, or the kernel
    bool waits;  ///< for other threads
};

// Memory.

static CXCursor meant_by(const struct gcl_slice *slice, TSNode name) {
    return gcl_meaning_of(slice->meaning, ts_node_start_byte(name));
}

static CXType type_of(const struct gcl_slice *slice, TSNode node) {
    CXType none = {.kind = CXType_Invalid};
    if (gcl_node_is(node, "identifier"))
        return clang_getCanonicalType(clang_getCursorType(meant_by(slice, node)));
    if (gcl_node_is(node, "field_expression")) {
        TSNode field = gcl_node_field(node, "field");
        return clang_getCanonicalType(clang_getCursorType(meant_by(slice, field)));
    }
    if (gcl_node_is(node, "parenthesized_expression"))
        return type_of(slice, ts_node_named_child(node, 0));
    if (gcl_node_is(node, "subscript_expression")) {
        CXType type = type_of(slice, gcl_node_field(node, "argument"));
        if (gcl_meaning_is_array(type))
            return clang_getCanonicalType(clang_getArrayElementType(type));
        if (type.kind == CXType_Pointer)
            return clang_getCanonicalType(clang_getPointeeType(type));
    }
    return none;
}

static bool is_operator(TSNode node, const char *word) {
    return gcl_node_is(gcl_node_field(node, "operator"), word);
}

static enum gcl_memory memory_of_name(const struct gcl_slice *slice, TSNode name, TSNode *root) {
    CXCursor variable = meant_by(slice, name);
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    *root = name;
    if (clang_Cursor_isNull(variable) || type.kind == CXType_LValueReference ||
        type.kind == CXType_RValueReference)
        return GCL_MEMORY_UNKNOWN;
    return gcl_meaning_is_local(variable) ? GCL_MEMORY_LOCAL : GCL_MEMORY_GLOBAL;
}

enum gcl_memory gcl_slice_memory(const struct gcl_slice *slice, TSNode lvalue, TSNode *root) {
    TSNode argument = gcl_node_field(lvalue, "argument");
    if (gcl_node_is(lvalue, "identifier"))
        return memory_of_name(slice, lvalue, root);
    if (gcl_node_is(lvalue, "parenthesized_expression"))
        return gcl_slice_memory(slice, ts_node_named_child(lvalue, 0), root);
    if (gcl_node_is(lvalue, "field_expression"))
        return is_operator(lvalue, "->") ? GCL_MEMORY_GLOBAL
                                         : gcl_slice_memory(slice, argument, root);
    if (gcl_node_is(lvalue, "subscript_expression")) {
        CXType type = type_of(slice, argument);
        if (gcl_meaning_is_array(type))
            return gcl_slice_memory(slice, argument, root);
        return type.kind == CXType_Pointer || gcl_node_is(argument, "parenthesized_expression")
                   ? GCL_MEMORY_GLOBAL
                   : GCL_MEMORY_UNKNOWN;
    }
    if (gcl_node_is(lvalue, "pointer_expression") && is_operator(lvalue, "*"))
        return gcl_meaning_is_array(type_of(slice, argument))
                   ? gcl_slice_memory(slice, argument, root)
                   : GCL_MEMORY_GLOBAL;
    return GCL_MEMORY_UNKNOWN;
}

// Effects.

static void change(const struct gcl_slice *slice, TSNode lvalue, struct effects *effects) {
    TSNode root = lvalue;
    switch (gcl_slice_memory(slice, lvalue, &root)) {
    case GCL_MEMORY_LOCAL:
        g_hash_table_add(effects->changed, gcl_node_text(slice->view->text, root));
        break;
    case GCL_MEMORY_GLOBAL:
        effects->outside = true;
        break;
    case GCL_MEMORY_UNKNOWN:
        effects->unclear = true;
        break;
    }
}

// The name of the function that is called; null: it is no name.
static TSNode called(TSNode call) {
    TSNode function = gcl_node_field(call, "function");
    while (gcl_node_is(function, "template_function") ||
           gcl_node_is(function, "qualified_identifier"))
        function = gcl_node_field(function, "name");
    if (gcl_node_is(function, "field_expression"))
        return gcl_node_field(function, "field");
    return function;
}

// A function of the program that is called so may do anything.
bool gcl_slice_is_atomic(const struct gcl_slice *slice, TSNode call, TSNode *address) {
    if (!gcl_node_is(call, "call_expression"))
        return false;
    CXCursor function = meant_by(slice, called(call));
    g_autofree char *name = gcl_node_text(slice->view->text, gcl_node_field(call, "function"));
    *address = ts_node_named_child(gcl_node_field(call, "arguments"), 0);
    return g_str_has_prefix(name, "atomic") && !ts_node_is_null(*address) &&
           !clang_Cursor_isNull(function) &&
           clang_Location_isInSystemHeader(clang_getCursorLocation(function));
}

// Results of those on memory of all can't be known before: what gets them is left out. Those on a
// block's own matter as far as their sum goes.
static void see_atomic(const struct gcl_slice *slice, TSNode call, TSNode address,
                       struct effects *effects) {
    bool is_used = !gcl_node_is(ts_node_parent(call), "expression_statement");
    TSNode lvalue = address, root;
    if (gcl_node_is(address, "pointer_expression") && is_operator(address, "&"))
        lvalue = gcl_node_field(address, "argument");
    else if (!gcl_meaning_is_array(type_of(slice, address)))
        lvalue = (TSNode){0};
    if (!ts_node_is_null(lvalue) && gcl_slice_memory(slice, lvalue, &root) == GCL_MEMORY_LOCAL) {
        change(slice, lvalue, effects);
        effects->ranks += is_used;
        effects->rank = call;
        return;
    }
    effects->outside = true;
}

static void see_call(const struct gcl_slice *slice, TSNode call, struct effects *effects) {
    TSNode name = called(call);
    if (gcl_node_is(name, "primitive_type") || gcl_node_is(name, "sized_type_specifier"))
        return;
    g_autofree char *word = gcl_node_text(slice->view->text, name);
    effects->waits |= strstr(word, "sync") || strstr(word, "shfl") || strstr(word, "ballot");
    if (g_str_has_prefix(word, "__sync"))
        return;
    CXCursor function = meant_by(slice, name);
    enum CXCursorKind kind = clang_getCursorKind(function);
    if (clang_Cursor_isNull(function))
        effects->unclear |= !gcl_meaning_is_macro(slice->meaning, ts_node_start_byte(name));
    else if (kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
             kind == CXCursor_TypedefDecl || kind == CXCursor_TypeAliasDecl ||
             kind == CXCursor_TemplateTypeParameter)
        return;
    else
        effects->unclear |= !gcl_meaning_is_pure(function);
}

// What an address of a variable may be used for isn't known.
static void see_name(const struct gcl_slice *slice, TSNode name, struct effects *effects) {
    TSNode parent = ts_node_parent(name);
    CXCursor variable = meant_by(slice, name);
    if (clang_Cursor_isNull(variable) || !gcl_meaning_is_local(variable) ||
        !gcl_meaning_is_array(clang_getCursorType(variable)))
        return;
    bool is_element = gcl_node_is(parent, "subscript_expression") &&
                      ts_node_eq(gcl_node_field(parent, "argument"), name);
    effects->unclear |= !is_element;
}

static bool is_unclear(const struct gcl_slice *slice, TSNode node) {
    static const char *const types[] = {
        "lambda_expression",    "new_expression",  "delete_expression",    "gnu_asm_expression",
        "throw_statement",      "try_statement",   "labeled_statement",    "goto_statement",
        "reference_declarator", "preproc_if",      "preproc_ifdef",        "preproc_def",
        "preproc_function_def", "preproc_include", "attributed_statement", "macro_definition"};
    for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
        if (gcl_node_is(node, types[i]))
            return true;
    }
    if (!gcl_node_is(node, "declaration"))
        return false;
    g_autofree char *text = gcl_node_text(slice->view->text, node);
    return g_str_has_prefix(text, "static ") && !strstr(text, "__shared__");
}

static void see_node(const struct gcl_slice *slice, TSNode node, struct effects *effects) {
    TSNode root, argument = gcl_node_field(node, "argument");
    if (gcl_node_is(node, "assignment_expression"))
        change(slice, gcl_node_field(node, "left"), effects);
    else if (gcl_node_is(node, "update_expression"))
        change(slice, argument, effects);
    else if (gcl_node_is(node, "call_expression"))
        see_call(slice, node, effects);
    else if (gcl_node_is(node, "identifier"))
        see_name(slice, node, effects);
    else if (gcl_node_is(node, "pointer_expression") && is_operator(node, "&"))
        effects->unclear |= gcl_slice_memory(slice, argument, &root) != GCL_MEMORY_GLOBAL;
    else if (gcl_node_is(node, "return_statement") || gcl_node_is(node, "break_statement") ||
             gcl_node_is(node, "continue_statement"))
        effects->leaves = true;
    else
        effects->unclear |= is_unclear(slice, node);
}

static void collect(const struct gcl_slice *slice, TSNode node, struct effects *effects) {
    TSNode address = {0};
    bool is_call = ts_node_eq(node, slice->call);
    bool is_atomic = !is_call && gcl_slice_is_atomic(slice, node, &address);
    if (is_atomic)
        see_atomic(slice, node, address, effects);
    else if (!is_call)
        see_node(slice, node, effects);
    if (is_call || is_atomic)
        node = gcl_node_field(node, "arguments");
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        TSNode child = ts_node_named_child(node, i);
        if (!(is_call || is_atomic) || i > 0)
            collect(slice, child, effects);
        else if (is_atomic && effects->outside)
            collect(slice, child, effects);
    }
}

static struct effects effects_of(const struct slicer *s, TSNode node) {
    struct effects effects = {.changed =
                                  g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    if (!ts_node_is_null(node))
        collect(s->slice, node, &effects);
    return effects;
}

// Cutting.

static bool is_blank(const char *text, uint32_t begin, uint32_t end) {
    while (begin < end && (text[begin] == ' ' || text[begin] == '\t'))
        begin++;
    return begin == end;
}

static void cut(struct slicer *s, uint32_t begin, uint32_t end, const char *text, TSNode node) {
    for (guint i = s->cuts->len; i-- > 0;) {
        const struct cut *old = &g_array_index(s->cuts, struct cut, i);
        if (old->begin <= begin && old->end >= end && old->end - old->begin > end - begin)
            return;
        if (old->begin >= begin && old->end <= end)
            g_array_remove_index_fast(s->cuts, i);
    }
    struct cut new = {begin, end, text, node};
    g_array_append_val(s->cuts, new);
}

static void replace(struct slicer *s, TSNode node, const char *text) {
    cut(s, ts_node_start_byte(node), ts_node_end_byte(node), text, (TSNode){0});
}

// Whole lines if nothing else is on them; a comment behind it is about it.
static void cut_lines(struct slicer *s, uint32_t begin, uint32_t end) {
    uint32_t line, character, first, last;
    gcl_lines_locate(s->slice->view->text, begin, &line, &character);
    gcl_lines_line(s->slice->view->text, line, &first, &last);
    if (is_blank(s->text, first, begin)) {
        gcl_lines_locate(s->slice->view->text, end, &line, &character);
        gcl_lines_line(s->slice->view->text, line, &(uint32_t){0}, &last);
        uint32_t behind = end;
        while (behind < last && (s->text[behind] == ' ' || s->text[behind] == '\t'))
            behind++;
        if (behind == last || (behind + 1 < last && memcmp(s->text + behind, "//", 2) == 0)) {
            begin = first;
            gcl_lines_line(s->slice->view->text, line + 1, &end, &(uint32_t){0});
        }
    }
    cut(s, begin, end, "", (TSNode){0});
}

static void lose(struct slicer *s, const char *name) {
    if (g_hash_table_add(s->lost, g_strdup(name)))
        s->grew = true;
}

static void lose_changed(struct slicer *s, const struct effects *effects) {
    GHashTableIter iterator;
    void *name;
    g_hash_table_iter_init(&iterator, effects->changed);
    while (g_hash_table_iter_next(&iterator, &name, NULL))
        lose(s, name);
}

static bool is_declarator(const struct slicer *s, TSNode name) {
    return gcl_meaning_declares(s->slice->meaning, ts_node_start_byte(name));
}

static void lose_declared(struct slicer *s, TSNode node) {
    if (gcl_node_is(node, "identifier") && is_declarator(s, node)) {
        g_autofree char *name = gcl_node_text(s->slice->view->text, node);
        lose(s, name);
    }
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++)
        lose_declared(s, ts_node_named_child(node, i));
}

// Whether one of the names is there: where it is declared, or where it is used.
static bool has_name(const struct slicer *s, TSNode node, GHashTable *names, bool is_declared) {
    if (gcl_node_is(node, "identifier") && is_declarator(s, node) == is_declared) {
        g_autofree char *name = gcl_node_text(s->slice->view->text, node);
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
    struct effects effects = effects_of(s, statement);
    s->fails |= effects.unclear || effects.leaves || effects.waits;
    s->drops_writes |= effects.outside;
    lose_changed(s, &effects);
    lose_declared(s, statement);
    cut_lines(s, ts_node_start_byte(statement), ts_node_end_byte(statement));
    g_hash_table_unref(effects.changed);
}

// Statements without the call. Each returns whether something of it is kept.

static bool reduce(struct slicer *s, TSNode statement);
static bool reduce_all(struct slicer *s, TSNode block, uint32_t begin, uint32_t end);

static bool reduce_leaf(struct slicer *s, TSNode statement) {
    bool is_declaration = gcl_node_is(statement, "declaration");
    bool is_useless = is_declaration && s->used && !has_name(s, statement, s->used, true);
    struct effects effects = effects_of(s, statement);
    bool is_kept = true;
    if (effects.ranks != 1 && (is_lost(s, statement) || is_useless)) {
        g_hash_table_unref(effects.changed);
        drop(s, statement);
        return false;
    }
    s->fails |= effects.unclear || effects.ranks > 1;
    if (effects.ranks == 1) { // its sum is kept
        TSNode root = effects.rank, address;
        gcl_slice_is_atomic(s->slice, effects.rank, &address);
        if (gcl_node_is(address, "pointer_expression"))
            address = gcl_node_field(address, "argument");
        gcl_slice_memory(s->slice, address, &root);
        g_autofree char *name = gcl_node_text(s->slice->view->text, root);
        g_hash_table_remove(effects.changed, name);
        lose_changed(s, &effects);
        lose_declared(s, statement);
        s->drops_writes |= effects.outside;
        s->fails |= g_hash_table_contains(s->lost, name);
        cut(s, ts_node_start_byte(statement), ts_node_end_byte(statement), NULL, effects.rank);
    } else if (effects.outside) {
        drop(s, statement);
        is_kept = false;
    }
    g_hash_table_unref(effects.changed);
    return is_kept;
}

// Whether conditions and steps of a statement are ones that can be kept.
static bool reduce_header(struct slicer *s, TSNode statement) {
    static const char *const fields[] = {"condition", "initializer", "update", "right"};
    bool is_kept = true;
    for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
        TSNode part = gcl_node_field(statement, fields[i]);
        if (ts_node_is_null(part))
            continue;
        struct effects effects = effects_of(s, part);
        s->fails |= effects.unclear || effects.outside || effects.ranks > 0;
        is_kept &= !is_lost(s, part);
        g_hash_table_unref(effects.changed);
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
        cut(s, ts_node_end_byte(body), ts_node_end_byte(statement), "", (TSNode){0});
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
            cut_lines(s, ts_node_start_byte(word), ts_node_end_byte(word));
        }
        aside = i + 1;
        is_kept |= own;
    }
    return is_kept;
}

// Statements with the call.

static bool holds(TSNode node, TSNode inner) {
    return !ts_node_is_null(node) && ts_node_start_byte(node) <= ts_node_start_byte(inner) &&
           ts_node_end_byte(node) >= ts_node_end_byte(inner);
}

// Whether the call is made whenever the statement or condition is.
static bool is_certain(const struct slicer *s, TSNode part) {
    TSNode node = s->slice->call;
    while (!ts_node_eq(node, part)) {
        node = ts_node_parent(node);
        if (ts_node_is_null(node) || gcl_node_is(node, "conditional_expression") ||
            gcl_node_is(node, "lambda_expression") ||
            (gcl_node_is(node, "binary_expression") &&
             (is_operator(node, "&&") || is_operator(node, "||"))))
            return false;
    }
    return true;
}

// The statement that makes the call becomes one that counts. What it did beside that is lost.
static void count_instead(struct slicer *s, TSNode statement, TSNode part, bool loops) {
    struct effects effects = effects_of(s, statement);
    s->fails |= !is_certain(s, part);
    if (loops) {
        s->fails |= effects.unclear || effects.leaves || effects.waits;
        s->drops_writes |= effects.outside;
        lose_changed(s, &effects);
        lose_declared(s, statement);
    }
    replace(s, statement, s->slice->instead);
    g_hash_table_unref(effects.changed);
}

static void descend(struct slicer *s, TSNode statement, bool loops);

static void descend_block(struct slicer *s, TSNode block, bool loops) {
    uint32_t count = ts_node_named_child_count(block), at = 0;
    while (at < count && !holds(ts_node_named_child(block, at), s->slice->call))
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
    cut_lines(s, ts_node_start_byte(first), ts_node_end_byte(last));
}

static void descend_if(struct slicer *s, TSNode statement, bool loops) {
    TSNode condition = gcl_node_field(statement, "condition");
    TSNode body = gcl_node_field(statement, "consequence"), other = else_of(statement);
    if (holds(condition, s->slice->call)) {
        s->fails |= !ts_node_is_null(gcl_node_field(condition, "initializer"));
        count_instead(s, statement, condition, loops);
        return;
    }
    s->fails |= !reduce_header(s, statement);
    if (!holds(body, s->slice->call)) {
        if (!loops || !reduce(s, body))
            replace(s, body, "{}");
        descend(s, other, loops);
        return;
    }
    descend(s, body, loops);
    if (!ts_node_is_null(other) && (!loops || !reduce(s, other)))
        cut(s, ts_node_end_byte(body), ts_node_end_byte(statement), "", (TSNode){0});
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
        s->fails |= !holds(body, s->slice->call) || !reduce_header(s, statement);
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

static const struct cut *cut_at(const struct slicer *s, uint32_t offset) {
    for (guint i = 0; i < s->cuts->len; i++) {
        const struct cut *c = &g_array_index(s->cuts, struct cut, i);
        if (c->begin <= offset && offset < c->end)
            return c;
    }
    return NULL;
}

// `all`: also what is cut.
static void use_names(const struct slicer *s, TSNode node, bool all, GHashTable *used) {
    const struct cut *c = all ? NULL : cut_at(s, ts_node_start_byte(node));
    if (c && ts_node_end_byte(node) <= c->end) {
        if (!ts_node_is_null(c->node) && holds(node, c->node))
            use_names(s, c->node, true, used);
        return;
    }
    if (gcl_node_is(node, "identifier") && !is_declarator(s, node))
        g_hash_table_add(used, gcl_node_text(s->slice->view->text, node));
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++)
        use_names(s, ts_node_named_child(node, i), all, used);
}

// Names in what is kept: those in the call's other arguments as well.
static GHashTable *find_used(const struct slicer *s) {
    GHashTable *used = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    TSNode arguments = gcl_node_field(s->slice->call, "arguments");
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

// Until nothing more is lost, and no declaration is left that nobody needs.
static void run_passes(struct slicer *s) {
    for (unsigned pass = 0; pass < CUT_MAX_PASSES && !s->fails; pass++) {
        s->grew = false;
        g_array_set_size(s->cuts, 0);
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

// Whether a cut text has a variable or product that may round otherwise what is kept, where that
// has sums of products: of two, the one with fewer uses is rounded once with the sum.
static bool rounds(const struct slicer *s, TSNode node) {
    if (gcl_node_is(node, "identifier")) {
        CXCursor variable = meant_by(s->slice, node);
        return clang_getCursorKind(variable) == CXCursor_VarDecl &&
               gcl_meaning_is_local(variable) && gcl_meaning_is_floating(variable) &&
               cut_at(s, ts_node_start_byte(node));
    }
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        if (rounds(s, ts_node_named_child(node, i)))
            return true;
    }
    return false;
}

// Whether comparisons may come out otherwise than in the whole body.
static bool may_differ(const struct slicer *s) {
    const struct gcl_meaning *meaning = s->slice->meaning;
    TSNode amount = ts_node_named_child(gcl_node_field(s->slice->call, "arguments"), 1);
    unsigned all = gcl_meaning_products(meaning, 0, UINT32_MAX), kept = all;
    for (guint i = 0; i < s->cuts->len; i++) {
        const struct cut *c = &g_array_index(s->cuts, struct cut, i);
        kept -= gcl_meaning_products(meaning, c->begin, c->end);
    }
    if (!ts_node_is_null(amount))
        kept += gcl_meaning_products(meaning, ts_node_start_byte(amount), ts_node_end_byte(amount));
    return kept > 1 && (all > kept || rounds(s, s->slice->body));
}

static int compare(const void *a, const void *b) {
    const struct cut *first = a, *second = b;
    return (first->begin > second->begin) - (first->begin < second->begin);
}

static char *apply(const struct slicer *s) {
    uint32_t at = ts_node_start_byte(s->slice->body), end = ts_node_end_byte(s->slice->body);
    GString *out = g_string_new(NULL);
    g_array_sort(s->cuts, compare);
    for (guint i = 0; i < s->cuts->len; i++) {
        const struct cut *c = &g_array_index(s->cuts, struct cut, i);
        g_assert(c->begin >= at && c->end <= end);
        g_string_append_len(out, s->text + at, c->begin - at);
        g_autofree char *inner =
            ts_node_is_null(c->node) ? NULL : gcl_node_text(s->slice->view->text, c->node);
        g_string_append_printf(out, "%s%s", inner ? inner : c->text, inner ? ";" : "");
        at = c->end;
    }
    g_string_append_len(out, s->text + at, end - at);
    return g_string_free(out, FALSE);
}

char *gcl_slice_text(const struct gcl_slice *slice, GHashTable *names, bool *drops_writes) {
    struct slicer s = {
        .slice = slice,
        .text = gcl_lines_data(slice->view->text, NULL),
        .cuts = g_array_new(FALSE, FALSE, sizeof(struct cut)),
        .lost = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
    };
    run_passes(&s);
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
    g_array_unref(s.cuts);
    return text;
}
