// As many processes as the user wants; the next source takes the place of one that is done.
#include "translate/pool.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

char *gcl_pool_path(const struct gcl_pool *pool, guint index, const char *suffix) {
    g_autofree char *name = g_strdup_printf("%s.%u.%s", pool->words, index, suffix);
    return gcl_workspace_path(pool->tools->workspace, name);
}

static void show_progress(const struct gcl_pool *pool, guint done) {
    guint count = pool->translation->sources->len;
    if (!isatty(STDERR_FILENO))
        return;
    if (done < count)
        fprintf(stderr, "\r\033[K%s: %u of %u", pool->words, done, count);
    else
        fputs("\r\033[K", stderr);
}

struct slot {
    guint source;
    bool is_busy;
};

// Fills free slots; returns the next source.
static guint fill(struct gcl_pool *pool, struct slot *slots, struct gcl_process *processes,
                  guint next, guint *done) {
    guint count = pool->translation->sources->len;
    for (guint i = 0; i < pool->translation->options->jobs; i++) {
        while (!slots[i].is_busy && next < count) {
            g_autofree char *log = gcl_pool_path(pool, next, "log");
            slots[i] = (struct slot){next, pool->start(pool, next, log, &processes[i])};
            *done += !slots[i].is_busy;
            next++;
        }
    }
    return next;
}

static void collect(struct gcl_pool *pool, struct slot *slots, struct gcl_process *processes,
                    guint *done) {
    for (guint i = 0; i < pool->translation->options->jobs; i++) {
        if (!slots[i].is_busy || processes[i].pid > 0)
            continue;
        pool->end(pool, slots[i].source, &processes[i]);
        g_clear_pointer(&processes[i].log, g_free);
        slots[i].is_busy = false;
        ++*done;
    }
}

void gcl_pool_run(struct gcl_pool *pool) {
    guint jobs = pool->translation->options->jobs, next = 0, done = 0;
    guint count = pool->translation->sources->len;
    g_autofree struct slot *slots = g_new0(struct slot, jobs);
    g_autofree struct gcl_process *processes = g_new0(struct gcl_process, jobs);
    while (done < count) {
        next = fill(pool, slots, processes, next, &done);
        show_progress(pool, done);
        gcl_processes_step(pool->tools->workspace, processes, jobs);
        collect(pool, slots, processes, &done);
    }
    show_progress(pool, done);
}

char *gcl_pool_first_error(const struct gcl_pool *pool, const struct gcl_process *process) {
    g_autofree char *text = NULL;
    if (!g_file_get_contents(process->log, &text, NULL, NULL))
        return g_strdup("");
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    const char *error = strstr(valid, "error:");
    while (error && error > valid && error[-1] != '\n')
        error--;
    g_autofree char *line = g_strndup(error ? error : valid, strcspn(error ? error : valid, "\n"));
    g_autofree char *prefix = g_strconcat(pool->root, "/", NULL);
    g_auto(GStrv) parts = g_strsplit(line, prefix, -1);
    return g_strjoinv("", parts);
}
