// The text lies in memory that the processes share. Several may write at a time, of the same source
// on different levels of the processor: what is read is one of theirs, or a mixture for a second.
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/device.h"

enum { PATIENCE_S = 20, SOURCE_SIZE = 256 };

struct gcl_progress {
    gint64 begin_us;
    gint64 patience_us;
    char source[SOURCE_SIZE]; ///< the latest that has begun
    char text[GCL_DEVICE_PROGRESS_SIZE];
    bool is_shown;
};

struct gcl_progress *gcl_progress_create(void) {
    const char *patience = g_getenv("GCL_TEST_PATIENCE"); // seconds
    if (!isatty(STDERR_FILENO))
        return NULL;
    struct gcl_progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED)
        return NULL;
    progress->begin_us = g_get_monotonic_time();
    progress->patience_us = (patience ? atoi(patience) : PATIENCE_S) * G_USEC_PER_SEC;
    return progress;
}

void gcl_progress_destroy(struct gcl_progress *progress) {
    if (progress)
        munmap(progress, sizeof *progress);
}

char *gcl_progress_text(struct gcl_progress *progress, const char *source) {
    if (!progress)
        return NULL;
    g_strlcpy(progress->source, source, sizeof progress->source);
    g_strlcpy(progress->text, "clang reads it", sizeof progress->text);
    return progress->text;
}

static void show(void *context) {
    struct gcl_progress *progress = context;
    char text[GCL_DEVICE_PROGRESS_SIZE];
    gint64 time_us = g_get_monotonic_time() - progress->begin_us;
    if (time_us < progress->patience_us)
        return;
    memcpy(text, progress->text, sizeof text);
    text[sizeof text - 1] = '\0';
    fprintf(stderr, "\r%.60s: %d s, %.60s\033[K", progress->source, (int)(time_us / G_USEC_PER_SEC),
            text);
    fflush(stderr);
    progress->is_shown = true;
}

void gcl_progress_wait(struct gcl_progress *progress, struct gcl_workspace *workspace,
                       struct gcl_process *processes, size_t count) {
    gcl_processes_watch(workspace, processes, count, progress ? show : NULL, progress);
    if (progress && progress->is_shown)
        fputs("\r\033[K", stderr);
}
