// Tells of what a kernel relies on without saying so: once for each line, where the compiler prints
// and where --explain does, from which the editor has it.
#include <jansson.h>
#include <string.h>

#include "device/cut/order.h"
#include "device/ir/module.h"
#include "device/ir/options.h"

// An order that was kept: `second` waits for `first`.
struct told {
    struct gcl_module *m;
    const struct gcl_device_kernel *kernel;
    const struct gcl_order_telling *t;
    struct gcl_source_location first, second,
        before;               ///< `before`: in front of which line it is to be said
    const char *word;         ///< what says it
    const char *word_outside; ///< and in front of a branch around that line
};

static const char *word_of(bool is_block, bool differs) {
    if (is_block)
        return "__syncthreads();";
    return differs ? "__syncwarp(__activemask());" : "__syncwarp();";
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// "line 41", or "sum.h:41" if that is in another file.
static char *place_words(const struct told *told) {
    if (strcmp(told->first.path, told->second.path) == 0)
        return g_strdup_printf("line %u", told->first.line);
    return g_strdup_printf("%s:%u", base_name(told->first.path), told->first.line);
}

// A read and then a write, as in s[t] += s[t + 1]: nothing can stand between.
static bool is_one_statement(const struct told *told) {
    return LLVMIsALoadInst(told->t->first) && !LLVMIsALoadInst(told->t->second) &&
           told->first.line == told->second.line &&
           strcmp(told->first.path, told->second.path) == 0;
}

static char *why_words(const struct told *told) {
    g_autofree char *place = place_words(told);
    const char *others = told->t->is_block ? "warps" : "lanes of the warp";
    if (is_one_statement(told))
        return g_strdup_printf("other %s touch the same memory on that line", others);
    return g_strdup_printf("other %s touch the same memory on %s, with no %s between", others,
                           place, told->t->is_block ? "__syncthreads()" : "__syncwarp()");
}

static const char *advice_of(const struct told *told) {
    if (is_one_statement(told))
        return told->t->is_block ? "read into a variable, add __syncthreads(), and then write"
                                 : "read into a variable, add __syncwarp(), and then write";
    return told->t->is_block ? "add __syncthreads() between them" : "add __syncwarp() between them";
}

static json_t *fix_json(const struct told *told) {
    if (is_one_statement(told) || strcmp(told->before.path, told->second.path) != 0)
        return json_null();
    return json_pack("{s:i, s:s, s:s}", "line", (int)told->before.line, "text", told->word,
                     "outside", told->word_outside);
}

static void explain(const struct told *told, const char *what, const char *why,
                    const char *advice) {
    GArray *explanations = told->m->options->explanations;
    struct gcl_device_explanation *e =
        &g_array_index(explanations, struct gcl_device_explanation, told->kernel->explanation - 1);
    json_t *list = json_object_get(e->json, "order");
    if (!list) {
        list = json_array();
        json_object_set_new(e->json, "order", list);
    }
    json_array_append_new(list, json_pack("{s:s, s:n, s:s, s:s, s:s, s:o, s:{s:s, s:i, s:i}}",
                                          "code", "GCL158", "argument", "what", what, "why", why,
                                          "advice", advice, "fix", fix_json(told), "place", "file",
                                          told->second.path, "line", (int)told->second.line,
                                          "column", (int)told->second.column));
    char *text =
        g_strdup_printf("%s    GCL158 %s:%u:%u: %s, because %s\n", e->text, told->second.path,
                        told->second.line, told->second.column, what, why);
    g_free(e->text);
    e->text = text;
}

// Instances of one template, and copies that the compiler made of one statement, say the same.
static bool is_new(const struct told *told, const char *why) {
    char *key =
        g_strdup_printf("order %s %s:%u %s", told->kernel->explanation ? told->kernel->name : "",
                        told->second.path, told->second.line, why);
    return g_hash_table_add(told->m->remarks, key);
}

void gcl_order_tell(const struct gcl_order *order, const struct gcl_order_telling *telling) {
    static const char what[] = "relies on warps in step";
    g_autofree char *first = NULL, *second = NULL, *before = NULL;
    struct told told = {
        .m = order->m,
        .kernel = order->kernel,
        .t = telling,
        .first = gcl_module_place(order->m, telling->first, &first),
        .second = gcl_module_place(order->m, telling->second, &second),
        .word = word_of(telling->is_block, telling->differs),
        .word_outside = word_of(telling->is_block, telling->differs_outside),
    };
    told.before = gcl_module_place(order->m, telling->before, &before);
    if (told.before.line == 0)
        told.before = told.second;
    g_autofree char *why = why_words(&told);
    const char *advice = advice_of(&told);
    if (told.first.line == 0 || told.second.line == 0 || !is_new(&told, why))
        return;
    gcl_diagnostics_add(order->m->diagnostics, GCL_CODE_IN_STEP, &told.second, advice, "%s: %s",
                        what, why);
    if (order->kernel->explanation > 0)
        explain(&told, what, why, advice);
}
