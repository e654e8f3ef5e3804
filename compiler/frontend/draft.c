// The rules for names: a CUDA name is renamed unless something speaks against it. The program's own
// declarations and macros of that name do, members and foreign namespaces do, and so does `##`,
// which would make another name of it, and `#`, which would print it. A name that stays is no loss,
// since our headers declare CUDA's names too.
#include "frontend/draft.h"

#include <assert.h>
#include <string.h>

#include "frontend/stringify.h"
#include "frontend/text/launch.h"
#include "frontend/text/lexer.h"
#include "frontend/text/macros.h"

static const struct gcl_token *token(const struct gcl_source_draft *draft, guint i) {
    assert(i < draft->tokens->len);
    return &g_array_index(draft->tokens, struct gcl_token, i);
}

static const char *text(const struct gcl_source_draft *draft) {
    return g_bytes_get_data(gcl_unit_file_text(draft->source), NULL);
}

static bool is_kind(const struct gcl_source_draft *draft, guint i, enum gcl_token_kind kind) {
    return i < draft->tokens->len && token(draft, i)->kind == kind;
}

static bool is_macro_name(const struct gcl_source_draft *draft, guint i) {
    return i >= 2 && token(draft, i)->line == GCL_LINE_DEFINE &&
           token(draft, i - 2)->kind == GCL_TOKEN_HASH &&
           gcl_token_is(token(draft, i - 1), text(draft), "define") &&
           token(draft, i - 2)->directive == token(draft, i)->directive;
}

// `X::name`, where X is not itself a CUDA type: the tree must know that it is the API's.
static bool is_qualified(const struct gcl_source_draft *draft, guint i) {
    static const char *const words[] = {"return", "else", "throw", "case", "do", NULL};
    if (i < 2 || !is_kind(draft, i - 1, GCL_TOKEN_SCOPE))
        return false;
    const struct gcl_token *before = token(draft, i - 2);
    for (const char *const *word = words; *word; word++) {
        if (gcl_token_is(before, text(draft), *word))
            return false;
    }
    if (before->kind == GCL_TOKEN_IDENTIFIER)
        return !gcl_name_find(text(draft) + before->begin, before->end - before->begin);
    return before->kind == GCL_TOKEN_GREATER || before->kind == GCL_TOKEN_SHIFT_RIGHT;
}

static enum gcl_keep judge_text(const struct gcl_source_draft *draft, guint i) {
    if (is_macro_name(draft, i) || is_kind(draft, i + 1, GCL_TOKEN_PASTE) ||
        (i > 0 && is_kind(draft, i - 1, GCL_TOKEN_PASTE)))
        return GCL_KEEP_MACRO;
    // Three dots before a name are a pack's, not a member's.
    bool dots = i > 1 && is_kind(draft, i - 2, GCL_TOKEN_DOT);
    if (i > 0 &&
        (is_kind(draft, i - 1, GCL_TOKEN_ARROW) || (is_kind(draft, i - 1, GCL_TOKEN_DOT) && !dots)))
        return GCL_KEEP_MEMBER;
    return is_qualified(draft, i) ? GCL_KEEP_MEMBER : GCL_KEEP_NONE;
}

static void propose_uses(struct gcl_source_draft *draft) {
    for (guint i = 0; i < draft->tokens->len; i++) {
        const struct gcl_token *t = token(draft, i);
        if (t->kind != GCL_TOKEN_IDENTIFIER || t->line == GCL_LINE_OTHER ||
            t->line == GCL_LINE_INCLUDE)
            continue;
        const struct gcl_name *name = gcl_name_find(text(draft) + t->begin, t->end - t->begin);
        if (!name)
            continue;
        struct gcl_source_use use = {{t->begin, t->end}, name, judge_text(draft, i)};
        guint8 unseen = 0;
        g_array_append_val(draft->source->uses, use);
        g_array_append_val(draft->seen, unseen);
        assert(draft->seen->len == draft->source->uses->len);
    }
}

struct gcl_source_draft *gcl_draft_create(const char *path, GBytes *bytes, GBytes *prepared) {
    size_t size;
    struct gcl_source_draft *draft = g_new0(struct gcl_source_draft, 1);
    draft->source = gcl_unit_file_create(path, bytes, prepared);
    const char *content = g_bytes_get_data(gcl_unit_file_text(draft->source), &size);
    draft->tokens = gcl_lexer_read(content, size);
    draft->seen = g_array_new(FALSE, FALSE, sizeof(guint8));
    draft->calls = g_array_new(FALSE, FALSE, sizeof(struct gcl_tree_launch));
    draft->launches = g_array_new(FALSE, FALSE, sizeof(struct gcl_launch_cursors));
    draft->functions = g_array_new(FALSE, FALSE, sizeof(struct gcl_device_function));
    propose_uses(draft);
    return draft;
}

const struct gcl_token *gcl_draft_token(const struct gcl_source_draft *draft, guint i) {
    return i < draft->tokens->len ? &g_array_index(draft->tokens, struct gcl_token, i) : NULL;
}

void gcl_draft_destroy(struct gcl_source_draft *draft) {
    if (!draft)
        return;
    gcl_unit_file_destroy(draft->source);
    g_array_unref(draft->tokens);
    g_array_unref(draft->seen);
    g_array_unref(draft->calls);
    g_array_unref(draft->launches);
    g_array_unref(draft->functions);
    g_free(draft);
}

static struct gcl_source_use *use_at(const struct gcl_source_draft *draft, guint i) {
    assert(i < draft->source->uses->len);
    return &g_array_index(draft->source->uses, struct gcl_source_use, i);
}

static guint8 seen_at(const struct gcl_source_draft *draft, guint i) {
    assert(i < draft->seen->len);
    return g_array_index(draft->seen, guint8, i);
}

// Names that the program declares anywhere, as struct gcl_name *: where the tree is silent (dead
// code), the name is then taken to be the program's.
static GHashTable *declared_names(const GPtrArray *drafts) {
    GHashTable *declared = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (guint d = 0; d < drafts->len; d++) {
        const struct gcl_source_draft *draft = drafts->pdata[d];
        for (guint i = 0; i < draft->seen->len; i++) {
            if (seen_at(draft, i) & GCL_SEEN_USER)
                g_hash_table_add(declared, (gpointer)use_at(draft, i)->name);
        }
    }
    return declared;
}

static void settle_use(struct gcl_source_use *use, guint8 seen, GHashTable *declared,
                       GHashTable *macros) {
    if (g_hash_table_contains(macros, use->name->cuda))
        use->keep = GCL_KEEP_MACRO;
    else if (seen & GCL_SEEN_USER || (!seen && g_hash_table_contains(declared, use->name)))
        use->keep = GCL_KEEP_DECLARED;
    else if (use->keep == GCL_KEEP_MEMBER && seen & GCL_SEEN_API)
        use->keep = GCL_KEEP_NONE;
}

static const struct gcl_tree_launch *call_at(const struct gcl_source_draft *draft,
                                             uint32_t offset) {
    for (guint i = 0; i < draft->calls->len; i++) {
        const struct gcl_tree_launch *call =
            &g_array_index(draft->calls, struct gcl_tree_launch, i);
        if (call->chevrons == offset)
            return call;
    }
    return NULL;
}

static bool is_named(const struct gcl_source_kernel *kernel, const char *text, size_t size) {
    size_t length = strlen(kernel->name);
    return length >= size && memcmp(kernel->name + length - size, text, size) == 0 &&
           (length == size || kernel->name[length - size - 1] == ':');
}

/// What some name for a kernel (`text`, of `size` bytes), which has no template arguments, may be.
struct candidates {
    bool are_several; ///< kernels that differ in the number of parameters
    bool have_template;
    const char *type; ///< of those with the wanted number of parameters; NULL: none, or several
};

static struct candidates find_candidates(const GPtrArray *drafts, const char *text, size_t size,
                                         uint32_t parameter_count) {
    const struct gcl_source_kernel *known = NULL, *fit = NULL;
    struct candidates found = {0};
    for (guint d = 0; d < drafts->len; d++) {
        const struct gcl_source_draft *draft = drafts->pdata[d];
        for (guint i = 0; i < draft->source->kernels->len; i++) {
            const struct gcl_source_kernel *kernel =
                &g_array_index(draft->source->kernels, struct gcl_source_kernel, i);
            if (!is_named(kernel, text, size))
                continue;
            found.have_template |= kernel->is_template;
            found.are_several |= known && known->parameter_count != kernel->parameter_count;
            known = kernel;
            if (kernel->parameter_count != parameter_count)
                continue;
            found.type = !fit || fit->type == kernel->type ? kernel->type : NULL;
            fit = kernel;
        }
    }
    return found;
}

/// How a launch from device code, which was found to be delimited or not, stays. Its kernel has to
/// be named so that there is one of that name, or one with so many parameters.
static enum gcl_keep keep_child(const GPtrArray *drafts, const struct gcl_source_draft *draft,
                                struct gcl_source_launch *launch) {
    const struct gcl_tree_launch *call = call_at(draft, launch->chevrons.begin);
    if (launch->keep != GCL_KEEP_NONE || (call && call->is_indirect))
        return GCL_KEEP_IN_KERNEL;
    const char *begin = text(draft) + launch->kernel.begin;
    const char *end = text(draft) + launch->kernel.end, *name = end;
    while (name > begin && (g_ascii_isalnum(name[-1]) || name[-1] == '_'))
        name--;
    if (name == end)
        return GCL_KEEP_CHILD;
    struct candidates found =
        find_candidates(drafts, name, (size_t)(end - name), launch->argument_count);
    launch->type = found.are_several ? found.type : NULL;
    if (found.have_template || (found.are_several && !found.type))
        return GCL_KEEP_IN_KERNEL;
    return GCL_KEEP_CHILD;
}

static void settle_launches(const GPtrArray *drafts, struct gcl_source_draft *draft,
                            GHashTable *macros) {
    const struct gcl_launch_context context = {draft->tokens, text(draft), macros};
    for (guint i = 0; i < draft->tokens->len; i++) {
        const struct gcl_token *t = token(draft, i);
        if (t->kind != GCL_TOKEN_LAUNCH_OPEN ||
            (t->line != GCL_LINE_TEXT && t->line != GCL_LINE_DEFINE))
            continue;
        struct gcl_source_launch launch = gcl_launch_delimit(&context, i, call_at(draft, t->begin));
        bool is_template;
        if (!launch.in_macro && gcl_collect_is_device_only(draft, t->begin, &is_template))
            launch.keep = keep_child(drafts, draft, &launch);
        g_array_append_val(draft->source->launches, launch);
    }
}

static int compare_kernels(gconstpointer left, gconstpointer right) {
    const struct gcl_source_kernel *a = left, *b = right;
    return a->range.begin < b->range.begin ? -1 : a->range.begin > b->range.begin;
}

static bool is_within(const GArray *ranges, uint32_t offset) {
    for (guint i = 0; i < ranges->len; i++) {
        const struct gcl_source_range *range = &g_array_index(ranges, struct gcl_source_range, i);
        if (offset < range->end)
            return offset >= range->begin;
    }
    return false;
}

// What the program prints of its own text stays as the user wrote it, launches included.
static void keep_stringified(struct gcl_source_draft *draft, GHashTable *stringifying) {
    g_autoptr(GArray) ranges = gcl_stringify_arguments(draft, stringifying);
    for (guint i = 0; i < draft->source->uses->len; i++) {
        struct gcl_source_use *use = use_at(draft, i);
        if (use->keep == GCL_KEEP_NONE && is_within(ranges, use->range.begin))
            use->keep = GCL_KEEP_STRINGIFIED;
    }
    for (guint i = 0; i < draft->source->launches->len; i++) {
        struct gcl_source_launch *launch =
            &g_array_index(draft->source->launches, struct gcl_source_launch, i);
        if (launch->keep == GCL_KEEP_NONE && is_within(ranges, launch->chevrons.begin))
            launch->keep = GCL_KEEP_STRINGIFIED;
    }
}

void gcl_drafts_settle(GPtrArray *drafts) {
    GHashTable *macros = gcl_macros_create(), *declared = declared_names(drafts);
    GHashTable *stringifying = gcl_stringify_find(drafts);
    for (guint d = 0; d < drafts->len; d++) {
        const struct gcl_source_draft *draft = drafts->pdata[d];
        gcl_macros_add(macros, draft->tokens, text(draft));
    }
    for (guint d = 0; d < drafts->len; d++) {
        struct gcl_source_draft *draft = drafts->pdata[d];
        for (guint i = 0; i < draft->source->uses->len; i++)
            settle_use(use_at(draft, i), seen_at(draft, i), declared, macros);
        settle_launches(drafts, draft, macros);
        keep_stringified(draft, stringifying);
        g_array_sort(draft->source->kernels, compare_kernels);
    }
    g_hash_table_unref(macros);
    g_hash_table_unref(declared);
    g_hash_table_unref(stringifying);
}
