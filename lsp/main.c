// gcluster-lsp: a language server for CUDA, on standard input and output.
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "config.h"
#include "lsp/features/features.h"
#include "lsp/kernel/analysis.h"
#include "lsp/read/worker.h"
#include "lsp/server/server.h"
#include "lsp/tidy/tidy.h"

static const char help[] =
    "Usage: gcluster-lsp [--stdio]\n"
    "A language server for CUDA programs; editors start it. gcluster-lsp(1) says how.\n\n"
    "  --stdio      speaks LSP on standard input and output, as it does in any case\n"
    "  --help       shows this\n"
    "  --version    shows the version\n";

// Sources and headers may be endless (/dev/zero), or have clang take all memory: the reader then
// fails alone. A sanitizer reserves more than any machine has.
static void limit_memory(void) {
    const rlim_t least = (rlim_t)2 << 30, most = (rlim_t)8 << 30;
    rlim_t half = (rlim_t)sysconf(_SC_PHYS_PAGES) / 2 * (rlim_t)sysconf(_SC_PAGESIZE);
    struct rlimit limit;
    if (GCL_SANITIZE[0] || getrlimit(RLIMIT_AS, &limit) != 0)
        return;
    limit.rlim_cur = MIN(limit.rlim_max, CLAMP(half, least, most));
    setrlimit(RLIMIT_AS, &limit);
}

// A relative folder on the PATH would be one of the folder that is read, whose programs don't run.
static void forget_relative_folders(void) {
    const char *path = g_getenv("PATH");
    g_auto(GStrv) folders = g_strsplit(path ? path : "", ":", -1);
    GString *kept = g_string_new(NULL);
    for (char **folder = folders; *folder; folder++) {
        if (g_path_is_absolute(*folder))
            g_string_append_printf(kept, "%s%s", kept->len > 0 ? ":" : "", *folder);
    }
    if (path)
        g_setenv("PATH", kept->str, TRUE);
    g_string_free(kept, TRUE);
}

int main(int count, char **words) {
    const char *word = count > 1 ? words[1] : "--stdio";
    prctl(PR_SET_NAME, "gcluster-lsp"); // peers are started as /proc/self/exe
    forget_relative_folders();
    if (count <= 2 && strcmp(word, "--stdio") == 0)
        return gcl_server_run();
    limit_memory();
    if (count == 2 && strcmp(word, "--worker") == 0)
        return gcl_worker_run(gcl_features);
    if (count == 2 && strcmp(word, "--index") == 0)
        return nice(10) == -1 ? 1 : gcl_worker_run(gcl_features);
    if (count == 2 && strcmp(word, "--hints") == 0)
        return gcl_analysis_run();
    if (count == 2 && strcmp(word, "--tidy") == 0)
        return gcl_tidy_run();
    bool asks = count == 2 && (strcmp(word, "--help") == 0 || strcmp(word, "--version") == 0);
    if (asks)
        printf("%s", word[2] == 'h' ? help : "gcluster-lsp " GCL_VERSION "\n");
    else
        fprintf(stderr, "gcluster-lsp: no idea what '%s' is\n%s", word, help);
    return asks ? 0 : 2;
}
