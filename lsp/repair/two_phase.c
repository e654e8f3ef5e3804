// Not every returned atomic says where to write. One does if what blocks add doesn't depend on what
// others have done meanwhile: nothing that the kernel reads may be written by it, and no fence,
// loop that waits or other operation may order blocks, which the analysis of the device code knows.
// What leads to the operation is taken from the text (kernel/slice.h).
#include "lsp/repair/two_phase.h"

#include <assert.h>
#include <string.h>

#include "frontend/cursor.h"
#include "lsp/base/json.h"
#include "lsp/kernel/launches.h"
#include "lsp/kernel/slice.h"
#include "lsp/repair/counter.h"
#include "lsp/repair/edits.h"

enum { LINE_MAX_BYTES = 100 };

/// What the edit is made of.
struct work {
    struct gcl_kernel_text kernel;
    struct gcl_counter counter;
    const struct gcl_unit_file *source;
    CXCursor function;
    struct gcl_slice slice;
    char *counts, *places, *launch; // names of the new functions
    char *array, *place;            // names of a parameter and a variable of the kernel
    char *blocks, *grid, *block, *shared, *stream; // names of variables in `launch`
    bool drops_writes; // the first kernel leaves out what threads may come by before
    unsigned others;   // counters that keep the kernel on one node as well
    bool is_ordered;   // no two launches run at the same time
    GString *out;      // the new functions
    json_t *edits;
};

// What the analysis says.

static bool is_of_counter(const json_t *argument, const json_t *reason) {
    return strcmp(gcl_json_words(argument, "name"), gcl_json_words(reason, "argument")) == 0;
}

/// How often an argument is accessed.
struct accesses {
    unsigned reads;
    unsigned atomics;
    unsigned changes;
    const char *formula; ///< of an atomic operation whose result is used
};

static struct accesses count_accesses(const json_t *argument) {
    struct accesses a = {0};
    json_t *access;
    size_t i;
    json_array_foreach(json_object_get(argument, "accesses"), i, access) {
        const char *kind = gcl_json_words(access, "kind");
        bool is_read = strcmp(kind, "read") == 0, is_atomic = strcmp(kind, "atomic") == 0;
        a.reads += is_read;
        a.atomics += is_atomic;
        a.changes += !is_read && !is_atomic;
        if (is_atomic)
            a.formula = gcl_json_words(access, "formula");
    }
    return a;
}

// Of a structure other members may be read.
static bool reads_counter(const json_t *argument, const char *formula) {
    json_t *access;
    size_t i;
    json_array_foreach(json_object_get(argument, "accesses"), i, access) {
        if (strcmp(gcl_json_words(access, "kind"), "read") == 0 &&
            strcmp(gcl_json_words(access, "formula"), formula) == 0)
            return true;
    }
    return false;
}

// What the kernel changes it mustn't read, nor may the counter be read or changed otherwise.
static bool are_apart(const json_t *explained, const json_t *reason) {
    json_t *argument;
    size_t i;
    json_array_foreach(json_object_get(explained, "arguments"), i, argument) {
        struct accesses a = count_accesses(argument);
        if (is_of_counter(argument, reason)
                ? a.changes > 0 || a.atomics != 1 || reads_counter(argument, a.formula)
                : (a.reads > 0) + (a.atomics > 0) + (a.changes > 0) > 1)
            return false;
    }
    return true;
}

// Whether other reasons keep the kernel on one node, where it would stay, and blocks might wait for
// each other. `counters`: how many are other counters, for which there may be an action as well.
static bool has_others(const json_t *explained, const json_t *reason, unsigned *counters) {
    json_t *other;
    size_t i;
    *counters = 0;
    json_array_foreach(json_object_get(explained, "reasons"), i, other) {
        if (other == reason ||
            strcmp(gcl_json_words(other, "what"), gcl_json_words(reason, "what")) != 0)
            continue;
        if (strcmp(gcl_json_words(other, "code"), gcl_json_words(reason, "code")) != 0)
            return true;
        ++*counters;
    }
    return false;
}

// Names.

static char *local_name(const struct work *w, const char *wanted) {
    return gcl_kernel_text_free_name(&w->kernel, wanted, w->kernel.begin,
                                     ts_node_end_byte(w->kernel.body));
}

static char *global_name(const struct work *w, const char *before, const char *behind) {
    g_autofree char *wanted = g_strconcat(before, w->kernel.name, behind, NULL);
    return gcl_kernel_text_free_name(&w->kernel, wanted, 0, UINT32_MAX);
}

static void name_all(struct work *w) {
    w->counts = global_name(w, "", "_counts");
    w->places = global_name(w, "", "_places");
    w->launch = global_name(w, "launch_", "");
    w->array = local_name(w, "places");
    w->place = local_name(w, "place");
    w->blocks = local_name(w, "blocks");
    w->grid = local_name(w, "grid");
    w->block = local_name(w, "block");
    w->shared = local_name(w, "shared");
    w->stream = local_name(w, "stream");
}

// The operation.

static TSNode find_call(const struct work *w, uint32_t offset) {
    TSNode node = ts_node_named_descendant_for_byte_range(w->kernel.definition, offset, offset + 1);
    while (!ts_node_is_null(node) && !gcl_node_is(node, "call_expression"))
        node = ts_node_parent(node);
    return node;
}

// Operations that give each thread a range of its own.
static bool adds(const struct work *w, TSNode call) {
    g_autofree char *name = gcl_node_text(w->kernel.view->text, gcl_node_field(call, "function"));
    TSNode arguments = gcl_node_field(call, "arguments");
    return (strcmp(name, "atomicAdd") == 0 || strcmp(name, "atomicSub") == 0) &&
           ts_node_named_child_count(arguments) == 2;
}

// Launches.

static bool can_move(const struct gcl_source_launch *launch) {
    bool is_delimited = launch->keep == GCL_KEEP_NONE || launch->keep == GCL_KEEP_STRINGIFIED;
    return is_delimited && launch->evidence == GCL_EVIDENCE_TREE && !launch->in_macro &&
           launch->configuration_count >= 2;
}

static bool is_launched(const struct gcl_source_launch *launch, uint32_t at) {
    return launch->keep != GCL_KEEP_UNMATCHED && launch->keep != GCL_KEEP_NOT_A_CALL &&
           launch->kernel.begin <= at && at < launch->kernel.end;
}

static void edit(struct work *w, uint32_t begin, uint32_t end, const char *text) {
    assert(begin <= end && text);
    gcl_edits_replace(w->kernel.view->text, w->edits, begin, end, text);
}

// launch_keep(grid, block, shared, stream, arguments) in place of keep<<<grid, block>>>(arguments).
static void move_launch(struct work *w, const struct gcl_source_launch *launch, uint32_t at) {
    static const char *const defaults[] = {", 0, 0", ", 0", ""};
    bool has_arguments = launch->arguments.begin < launch->arguments.end;
    assert(launch->configuration_count >= 2 &&
           launch->configuration_count < 2 + G_N_ELEMENTS(defaults));
    g_autofree char *rest = g_strdup_printf("%s%s", defaults[launch->configuration_count - 2],
                                            has_arguments ? ", " : "");
    uint32_t last = launch->configuration[launch->configuration_count - 1].end;
    edit(w, at, at + (uint32_t)strlen(w->kernel.name), w->launch);
    edit(w, launch->chevrons.begin, launch->configuration[0].begin, "(");
    edit(w, last, has_arguments ? launch->arguments.begin : launch->open + 1, rest);
}

// Whether a launch comes after all others that may count with the same: those of other streams may
// run at the same time.
static bool is_ordered(const struct work *w, const struct gcl_source_launch *launch) {
    static const char *const first[] = {"0", "NULL", "nullptr"};
    struct gcl_source_range range = launch->configuration[3];
    bool is_first = launch->configuration_count < 4;
    for (size_t i = 0; i < G_N_ELEMENTS(first); i++)
        is_first |= range.end - range.begin == strlen(first[i]) &&
                    memcmp(w->kernel.bytes + range.begin, first[i], strlen(first[i])) == 0;
    return is_first;
}

// Whether the variable of an argument may lead to memory.
static bool may_lead(const struct work *w, uint32_t at) {
    CXCursor variable = clang_getCursorReferenced(gcl_tree_cursor(w->kernel.view, at));
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    bool is_number = type.kind >= CXType_FirstBuiltin && type.kind <= CXType_LastBuiltin &&
                     type.kind != CXType_Dependent;
    return !is_number && type.kind != CXType_Enum && type.kind != CXType_FunctionProto;
}

// Whether two arguments of a launch may be the same memory: by the same variable.
static bool has_twins(const struct work *w, const struct gcl_source_launch *launch) {
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    unsigned depth = 0, index = 1;
    for (guint i = gcl_token_at(w->kernel.tokens, launch->arguments.begin);
         i < w->kernel.tokens->len; i++) {
        const struct gcl_token *token = &g_array_index(w->kernel.tokens, struct gcl_token, i);
        if (token->begin >= launch->arguments.end)
            break;
        depth += token->kind == GCL_TOKEN_ROUND_OPEN || token->kind == GCL_TOKEN_CURLY_OPEN;
        depth -= token->kind == GCL_TOKEN_ROUND_CLOSE || token->kind == GCL_TOKEN_CURLY_CLOSE;
        index += depth == 0 && token->kind == GCL_TOKEN_COMMA;
        if (token->kind != GCL_TOKEN_IDENTIFIER || !may_lead(w, token->begin))
            continue;
        char *name = g_strndup(w->kernel.bytes + token->begin, token->end - token->begin);
        unsigned other = GPOINTER_TO_UINT(g_hash_table_lookup(seen, name));
        g_hash_table_insert(seen, name, GUINT_TO_POINTER(index));
        if (other > 0 && other != index)
            return true;
    }
    return false;
}

static const struct gcl_source_launch *launch_at(const struct work *w, uint32_t at) {
    for (guint i = 0; i < w->source->launches->len; i++) {
        const struct gcl_source_launch *launch =
            &g_array_index(w->source->launches, struct gcl_source_launch, i);
        if (is_launched(launch, at))
            return launch;
    }
    return NULL;
}

// All mentions of the kernel but its own name have to be launches that can be moved.
static bool move_launches(struct work *w, uint32_t own) {
    unsigned count = 0;
    for (guint i = 0; i < w->kernel.tokens->len; i++) {
        const struct gcl_token *token = &g_array_index(w->kernel.tokens, struct gcl_token, i);
        if (!gcl_kernel_text_is_name(&w->kernel, token, w->kernel.name) || token->begin == own)
            continue;
        const struct gcl_source_launch *launch = launch_at(w, token->begin);
        if (!launch || !can_move(launch) || token->line != GCL_LINE_TEXT ||
            (w->drops_writes && has_twins(w, launch)))
            return false;
        w->is_ordered &= is_ordered(w, launch);
        move_launch(w, launch, token->begin);
        count++;
    }
    return count > 0;
}

// Writing.

static const char linear[] = "blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)";

// What stands in front of the kernel's name, and, for host functions, only of `template <…>`.
static char *head(const struct work *w, bool is_kernel) {
    uint32_t end = is_kernel ? 0 : ts_node_start_byte(w->kernel.definition);
    if (is_kernel) {
        TSNode declarator = gcl_node_field(ts_node_parent(w->kernel.parameters), "declarator");
        end = ts_node_start_byte(declarator);
    }
    return g_strndup(w->kernel.bytes + w->kernel.begin, end - w->kernel.begin);
}

static void write_counts(struct work *w, const char *body, GHashTable *names, const char *margin) {
    g_autofree char *begin = head(w, true);
    g_autofree char *parameters = gcl_kernel_text_list(&w->kernel, names, true);
    g_string_append_printf(w->out,
                           "\n\n%s// Counts what each block of %s adds to %s.\n%s%s%s(%s *%s%s) %s",
                           margin, w->kernel.name, w->counter.value, margin, begin, w->counts,
                           w->counter.type, w->array, parameters, body);
}

// A name for the kernel that sums up, other than the counter's if that is a variable of the device.
static char *name_of_sum(const struct work *w, const char *wanted) {
    return gcl_kernel_text_free_name(
        &w->kernel, wanted, w->counter.is_passed ? 0 : ts_node_start_byte(w->counter.address),
        w->counter.is_passed ? 0 : ts_node_end_byte(w->counter.address));
}

static void write_places(struct work *w, const char *margin, const char *step) {
    g_autofree char *array = name_of_sum(w, "places"), *count = name_of_sum(w, "count");
    g_autofree char *blocks = name_of_sum(w, "blocks"), *sum = name_of_sum(w, "sum");
    g_autofree char *i = name_of_sum(w, "i"), *begin = name_of_sum(w, "begin");
    g_autofree char *parameter = g_strdup_printf(", %s *%s", w->counter.type, count);
    g_autofree char *address = gcl_node_text(w->kernel.view->text, w->counter.address);
    g_autofree char *counter =
        w->counter.is_passed ? g_strdup_printf("*%s", count) : g_strdup(w->counter.value);
    g_string_append_printf(
        w->out,
        "\n\n%s// Makes of these counts the values of %s where blocks begin, and raises it.\n"
        "%s__global__ void %s(%s *%s%s, unsigned %s) {\n",
        margin, w->counter.value, margin, w->places, w->counter.type, array,
        w->counter.is_passed ? parameter : "", blocks);
    g_autofree char *inner = g_strconcat(margin, step, NULL);
    g_autofree char *loop =
        g_strdup_printf("%sfor (unsigned %s = 0; %s < %s; %s++)", inner, i, i, blocks, i);
    g_string_append_printf(w->out, "%s%s %s = %s;\n", inner, w->counter.type, sum,
                           w->is_ordered ? counter : "0");
    if (!w->is_ordered)
        g_string_append_printf(w->out, "%s\n%s%s%s += %s[%s];\n%s%s = atomicAdd(%s, %s);\n", loop,
                               inner, step, sum, array, i, inner, sum,
                               w->counter.is_passed ? count : address, sum);
    g_string_append_printf(w->out,
                           "%s {\n"
                           "%s%s%s %s = %s;\n"
                           "%s%s%s += %s[%s];\n"
                           "%s%s%s[%s] = %s;\n"
                           "%s}\n",
                           loop, inner, step, w->counter.type, begin, sum, inner, step, sum, array,
                           i, inner, step, array, i, begin, inner);
    if (w->is_ordered)
        g_string_append_printf(w->out, "%s%s = %s;\n", inner, counter, sum);
    g_string_append_printf(w->out, "%s}", margin);
}

static void write_signature(struct work *w, const char *margin) {
    g_autofree char *begin = head(w, false);
    g_autofree char *parameters = gcl_kernel_text_list(&w->kernel, NULL, true);
    GString *out = g_string_new(NULL);
    g_string_printf(out, "static void %s(dim3 %s, dim3 %s, size_t %s, cudaStream_t %s", w->launch,
                    w->grid, w->block, w->shared, w->stream);
    const char *rest = parameters;
    if (*rest && strlen(margin) + out->len + strlen(rest) + 3 > LINE_MAX_BYTES) {
        g_string_append_printf(out, ",\n%s%*s", margin,
                               (int)strlen("static void (") + (int)strlen(w->launch), "");
        rest += 2;
    }
    g_string_append_printf(
        w->out, "\n\n%s// Launches %s, whose blocks then know their places.\n%s%s%s%s) {\n", margin,
        w->kernel.name, margin, begin, out->str, rest);
    g_string_free(out, TRUE);
}

static void write_launch(struct work *w, GHashTable *names, const char *templates,
                         const char *margin, const char *step) {
    g_autofree char *all = gcl_kernel_text_list(&w->kernel, NULL, false);
    g_autofree char *some = gcl_kernel_text_list(&w->kernel, names, false);
    g_autofree char *inner = g_strconcat(margin, step, NULL);
    g_autofree char *address = gcl_node_text(w->kernel.view->text, w->counter.address);
    g_autofree char *counter =
        w->counter.is_passed ? g_strdup_printf(", %s", address) : g_strdup("");
    write_signature(w, margin);
    g_string_append_printf(w->out,
                           "%sunsigned %s = %s.x * %s.y * %s.z;\n"
                           "%s%s *%s;\n"
                           "%sif (cudaMallocAsync(&%s, %s * sizeof *%s, %s) != cudaSuccess)\n"
                           "%s%sreturn;\n"
                           "%scudaMemsetAsync(%s, 0, %s * sizeof *%s, %s);\n",
                           inner, w->blocks, w->grid, w->grid, w->grid, inner, w->counter.type,
                           w->array, inner, w->array, w->blocks, w->array, w->stream, inner, step,
                           inner, w->array, w->blocks, w->array, w->stream);
    g_string_append_printf(w->out,
                           "%s%s%s<<<%s, %s, %s, %s>>>(%s%s);\n"
                           "%s%s<<<1, 1, 0, %s>>>(%s%s, %s);\n"
                           "%s%s%s<<<%s, %s, %s, %s>>>(%s%s);\n"
                           "%scudaFreeAsync(%s, %s);\n"
                           "%s}",
                           inner, w->counts, templates, w->grid, w->block, w->shared, w->stream,
                           w->array, some, inner, w->places, w->stream, w->array, counter,
                           w->blocks, inner, w->kernel.name, templates, w->grid, w->block,
                           w->shared, w->stream, w->array, all, inner, w->array, w->stream, margin);
}

// The kernel gets the places, a block's counter that begins there, and counts with that.
static void edit_kernel(struct work *w, const char *inner, const char *step) {
    uint32_t open = ts_node_start_byte(w->kernel.parameters) + 1,
             body = ts_node_start_byte(w->kernel.body) + 1;
    bool has_parameters = ts_node_named_child_count(w->kernel.parameters) > 0;
    g_autofree char *parameter =
        g_strdup_printf("const %s *%s%s", w->counter.type, w->array, has_parameters ? ", " : "");
    g_autofree char *start = g_strdup_printf(
        "\n%s__shared__ %s %s;\n"
        "%sif (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)\n"
        "%s%s%s = %s[%s];\n"
        "%s__syncthreads();",
        inner, w->counter.type, w->place, inner, inner, step, w->place, w->array, linear, inner);
    g_autofree char *address = g_strdup_printf("&%s", w->place);
    edit(w, open, open, parameter);
    edit(w, body, body, start);
    edit(w, ts_node_start_byte(w->counter.address), ts_node_end_byte(w->counter.address), address);
}

static json_t *write_all(struct work *w, const char *body, GHashTable *names) {
    assert(json_array_size(w->edits) > 0 && !w->out);
    g_autofree char *templates = gcl_kernel_text_templates(&w->kernel);
    g_autofree char *margin =
        gcl_line_table_indentation(w->kernel.view->text, ts_node_end_byte(w->kernel.body) - 1);
    TSNode first = ts_node_named_child(w->kernel.body, 0);
    g_autofree char *inner =
        gcl_line_table_indentation(w->kernel.view->text, ts_node_start_byte(first));
    bool is_deeper = strlen(inner) > strlen(margin) && g_str_has_prefix(inner, margin);
    g_autofree char *step = g_strdup(is_deeper ? inner + strlen(margin) : "    ");
    g_autofree char *deep = g_strconcat(margin, step, NULL);
    if (!templates)
        return NULL;
    w->out = g_string_new(NULL);
    write_counts(w, body, names, margin);
    write_places(w, margin, step);
    write_launch(w, names, templates, margin, step);
    edit_kernel(w, deep, step);
    uint32_t end = ts_node_end_byte(w->kernel.body);
    edit(w, end, end, w->out->str);
    g_string_free(w->out, TRUE);
    return json_pack(
        "{s:o, s:O}", "title",
        json_sprintf("count before what each block adds to %s: %s counts, adds up and launches %s "
                     "(the order of results becomes that of blocks%s)",
                     w->counter.value, w->launch, w->kernel.name,
                     w->others > 0 ? "; it stays on one node until others are counted, too" : ""),
        "edits", w->edits);
}

// All together.

static char *instead(const struct work *w) {
    TSNode call = w->slice.scope.skipped, arguments = gcl_node_field(call, "arguments");
    g_autofree char *name = gcl_node_text(w->kernel.view->text, gcl_node_field(call, "function"));
    g_autofree char *amount =
        gcl_node_text(w->kernel.view->text, ts_node_named_child(arguments, 1));
    return g_strdup_printf("%s(&%s[%s], %s);", name, w->array, linear, amount);
}

static json_t *make(struct work *w, TSNode root, uint32_t offset) {
    if (!gcl_kernel_text_find(&w->kernel, root) || !gcl_kernel_text_can_pass(&w->kernel))
        return NULL;
    TSNode call = find_call(w, offset);
    w->kernel.meaning = gcl_meaning_create(w->kernel.view, w->function, w->kernel.definition);
    if (!w->kernel.meaning || ts_node_is_null(call) || !adds(w, call))
        return NULL;
    w->slice = (struct gcl_slice){{w->kernel.view, w->kernel.meaning, call}, w->kernel.body, NULL};
    TSNode name = gcl_node_field(ts_node_parent(w->kernel.parameters), "declarator"), address;
    if (!gcl_effects_is_atomic(&w->slice.scope, call, &address) ||
        !gcl_counter_find(&w->kernel, address, &w->counter))
        return NULL;
    name_all(w);
    g_autofree char *statement = instead(w);
    w->slice.instead = statement;
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree char *body = gcl_slice_text(&w->slice, names, &w->drops_writes);
    if (!body || !move_launches(w, ts_node_start_byte(name)))
        return NULL;
    return write_all(w, body, names);
}

static void finish(struct work *w) {
    char *texts[] = {w->kernel.name, w->counts, w->places, w->launch, w->array, w->place,
                     w->blocks,      w->grid,   w->block,  w->shared, w->stream};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    gcl_counter_finish(&w->counter);
    gcl_meaning_destroy(w->kernel.meaning);
    json_decref(w->edits);
    g_array_unref(w->kernel.tokens);
}

// What the analysis says has to be about this very text.
static bool is_analysed(const struct gcl_view *view) {
    return view->is_current && view->analysed &&
           g_bytes_equal(view->analysed->bytes, view->text->bytes);
}

json_t *gcl_two_phase_edit(const struct gcl_view *view, const json_t *explained,
                           const json_t *reason, uint32_t offset) {
    CXCursor function = gcl_launches_function(view, offset);
    const struct gcl_unit_file *source = view->unit ? gcl_unit_find(view->unit, view->path) : NULL;
    uint32_t begin, end;
    unsigned others;
    size_t size;
    if (clang_Cursor_isNull(function) || !source || view->unit->has_errors || !is_analysed(view) ||
        !are_apart(explained, reason) || has_others(explained, reason, &others) ||
        !gcl_tree_extent(view, clang_getCursorExtent(function), &begin, &end) ||
        !clang_equalCursors(function, clang_getCanonicalCursor(function)))
        return NULL;
    const char *text = gcl_line_table_data(view->text, &size);
    struct work w = {.kernel = {.view = view,
                                .bytes = text,
                                .tokens = gcl_lexer_read(text, size),
                                .name = gcl_cursor_take_text(clang_getCursorSpelling(function)),
                                .begin = begin},
                     .source = source,
                     .function = function,
                     .edits = json_array(),
                     .is_ordered = true,
                     .others = others};
    TSTree *tree = gcl_kernel_text_parse(&w.kernel, end);
    json_t *advice = tree ? make(&w, ts_tree_root_node(tree), offset) : NULL;
    if (tree)
        ts_tree_delete(tree);
    finish(&w);
    return advice;
}
