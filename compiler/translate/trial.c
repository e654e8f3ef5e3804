// The words name folders of the original: those that the translation has are taken from there.
// Headers that a build has made are only in the original.
#include "translate/trial.h"

#include <string.h>
#include <unistd.h>

#include "translate/tree.h"

/// A path of the project, relative to `directory` or not, where the tree at `root` has it; others
/// as absolute ones. To be freed.
static char *move_path(const struct gcl_pool *pool, const char *path, const char *directory) {
    g_autofree char *absolute = g_canonicalize_filename(path, directory);
    const char *from = pool->translation->options->in_root;
    const char *relative = gcl_tree_relative(from, absolute);
    g_autofree char *moved = relative ? g_build_filename(pool->root, relative, NULL)
                             : strcmp(absolute, from) == 0 ? g_strdup(pool->root)
                                                           : NULL;
    bool is_there = moved && g_file_test(moved, G_FILE_TEST_EXISTS);
    return is_there ? g_steal_pointer(&moved) : g_steal_pointer(&absolute);
}

static bool takes_folder(const char *word) {
    return strcmp(word, "-I") == 0 || strcmp(word, "-isystem") == 0;
}

static GPtrArray *make_command(const struct gcl_pool *pool,
                               const struct gcl_translate_source *source) {
    GPtrArray *command = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(command, g_strdup(pool->tools->compiler));
    for (guint i = 0; i < source->words->len; i++) {
        const char *word = source->words->pdata[i];
        const char *before = i > 0 ? source->words->pdata[i - 1] : "";
        g_autofree char *path = g_canonicalize_filename(word, source->directory);
        bool is_path = takes_folder(before) ||
                       (strcmp(before, "-include") == 0 && g_file_test(path, G_FILE_TEST_EXISTS));
        g_ptr_array_add(command,
                        is_path ? move_path(pool, word, source->directory) : g_strdup(word));
    }
    g_ptr_array_add(command, g_strdup("-c"));
    g_ptr_array_add(command, g_build_filename(pool->root, source->relative, NULL));
    g_ptr_array_add(command, g_strdup("-o"));
    g_ptr_array_add(command, g_strdup("/dev/null"));
    return command;
}

struct work {
    const struct gcl_pool *pool;
    const struct gcl_translate_source *source;
};

static int compile(void *context) {
    const struct work *work = context;
    g_autoptr(GPtrArray) command = make_command(work->pool, work->source);
    g_autofree char *folder = move_path(work->pool, work->source->directory, NULL);
    if (chdir(folder) != 0 && chdir(work->pool->root) != 0)
        return 1;
    return gcl_process_run(command, NULL);
}

static bool start(struct gcl_pool *pool, guint index, const char *log,
                  struct gcl_process *process) {
    const struct gcl_translate_source *source = pool->translation->sources->pdata[index];
    struct work work = {pool, source};
    if (source->failure)
        return false;
    gcl_process_start(process, log, compile, &work); // forks: the work is the child's now
    return true;
}

static void end(struct gcl_pool *pool, guint index, const struct gcl_process *process) {
    struct gcl_translate_source *source = pool->translation->sources->pdata[index];
    source->compiled = process->status == 0 ? GCL_TRIAL_GOOD : GCL_TRIAL_BAD;
    if (process->status != 0)
        source->complaint = gcl_pool_first_error(pool, process);
}

void gcl_try_compiling(struct gcl_translation *t, const struct gcl_tools *tools, const char *root) {
    struct gcl_pool pool = {.translation = t,
                            .tools = tools,
                            .words = "compiling",
                            .start = start,
                            .end = end,
                            .root = root};
    gcl_pool_run(&pool);
}
