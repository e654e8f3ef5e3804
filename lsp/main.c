// gcluster-lsp: a language server for CUDA, on standard input and output.
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "config.h"
#include "hints.h"
#include "server.h"
#include "worker.h"

static const char help[] =
    "Usage: gcluster-lsp [--stdio]\n"
    "A language server for CUDA programs; editors start it. gcluster-lsp(1) says how.\n\n"
    "  --stdio      speaks LSP on standard input and output, as it does in any case\n"
    "  --help       shows this\n"
    "  --version    shows the version\n";

int main(int count, char **words) {
    const char *word = count > 1 ? words[1] : "--stdio";
    prctl(PR_SET_NAME, "gcluster-lsp"); // peers are started as /proc/self/exe
    if (count <= 2 && strcmp(word, "--stdio") == 0)
        return gcl_server_run();
    if (count == 2 && strcmp(word, "--worker") == 0)
        return gcl_worker_run();
    if (count == 2 && strcmp(word, "--index") == 0)
        return nice(10) == -1 ? 1 : gcl_worker_run();
    if (count == 2 && strcmp(word, "--hints") == 0)
        return gcl_hints_run();
    bool asks = count == 2 && (strcmp(word, "--help") == 0 || strcmp(word, "--version") == 0);
    if (asks)
        printf("%s", word[2] == 'h' ? help : "gcluster-lsp " GCL_VERSION "\n");
    else
        fprintf(stderr, "gcluster-lsp: no idea what '%s' is\n%s", word, help);
    return asks ? 0 : 2;
}
