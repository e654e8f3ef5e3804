// The process that makes GPU code, and what it tells its parent: through a pipe, which ends with
// it. Nothing of it is there if the process doesn't get to its end.
#include "device/gpu/gpu.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/gpu/generate.h"

// What is said, in this order: messages, whether one is an error, flags of variables, codes. Sizes
// go before bytes.
struct header {
    uint64_t message_size;
    uint32_t failed;
    uint32_t code_count;
};

struct code_header {
    uint32_t kind, architecture, flags, zero;
    uint64_t size;
};

static void put(GByteArray *out, const void *bytes, size_t size) {
    g_byte_array_append(out, bytes, (guint)size);
}

static char *print_diagnostics(const GPtrArray *diagnostics, size_t *size) {
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return NULL;
    gcl_diagnostics_print(diagnostics, out, false);
    fclose(out);
    return text;
}

static GByteArray *pack(const struct gcl_gpu *g) {
    GByteArray *out = g_byte_array_new();
    size_t size = 0;
    g_autofree char *messages = print_diagnostics(g->m.diagnostics, &size);
    struct header header = {size, g->m.failed, g->m.gpu_codes->len};
    put(out, &header, sizeof header);
    put(out, messages, size);
    for (guint i = 0; i < g->cpu->variables->len; i++)
        put(out, &((struct gcl_device_variable *)g->cpu->variables->pdata[i])->flags,
            sizeof(uint32_t));
    for (guint i = 0; i < g->m.gpu_codes->len; i++) {
        const struct gcl_device_gpu_code *code =
            &g_array_index(g->m.gpu_codes, struct gcl_device_gpu_code, i);
        gsize bytes;
        const void *data = g_bytes_get_data(code->bytes, &bytes);
        struct code_header of = {code->kind, code->architecture, code->flags, 0, bytes};
        put(out, &of, sizeof of);
        put(out, data, bytes);
    }
    return out;
}

static bool write_all(int file, const unsigned char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

static bool run(struct gcl_module *m, int file) {
    struct gcl_gpu g;
    gcl_gpu_generate(&g, m);
    GByteArray *said = pack(&g);
    return write_all(file, said->data, said->len);
}

struct gcl_gpu_process gcl_gpu_start(struct gcl_module *m) {
    int ends[2];
    if (!m->options->gpu || m->kernels->len == 0)
        return (struct gcl_gpu_process){0};
    fflush(NULL);
    pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child < 0) {
        gcl_module_error(m, GCL_CODE_CODE_GENERATION, NULL, "no process for GPU code: %s",
                         g_strerror(errno));
        return (struct gcl_gpu_process){0};
    }
    if (child > 0) {
        close(ends[1]);
        return (struct gcl_gpu_process){child, ends[0]};
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    _exit(run(m, ends[1]) ? 0 : 1);
}

static GByteArray *read_all(int file) {
    GByteArray *all = g_byte_array_new();
    unsigned char bytes[65536];
    for (;;) {
        ssize_t count = read(file, bytes, sizeof bytes);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return all;
        g_byte_array_append(all, bytes, (guint)count);
    }
}

// Takes `size` bytes from what is left to read.
static const void *take(const unsigned char **at, size_t size) {
    const unsigned char *taken = *at;
    *at += size;
    return taken;
}

static void unpack(struct gcl_module *m, const GByteArray *said) {
    const unsigned char *at = said->data;
    struct header header;
    memcpy(&header, take(&at, sizeof header), sizeof header);
    fwrite(take(&at, header.message_size), 1, header.message_size, stderr);
    m->failed |= header.failed != 0;
    for (guint i = 0; i < m->variables->len; i++)
        memcpy(&((struct gcl_device_variable *)m->variables->pdata[i])->flags,
               take(&at, sizeof(uint32_t)), sizeof(uint32_t));
    for (uint32_t i = 0; i < header.code_count; i++) {
        struct code_header of;
        memcpy(&of, take(&at, sizeof of), sizeof of);
        struct gcl_device_gpu_code code = {of.kind, of.architecture, of.flags,
                                           g_bytes_new(take(&at, of.size), of.size)};
        g_array_append_val(m->gpu_codes, code);
    }
    assert(at == said->data + said->len);
}

void gcl_gpu_finish(struct gcl_module *m, struct gcl_gpu_process process) {
    int status = 0;
    if (process.id == 0)
        return;
    g_autoptr(GByteArray) said = read_all(process.pipe);
    close(process.pipe);
    while (waitpid(process.id, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        unpack(m, said);
        return;
    }
    gcl_diagnostics_add(m->diagnostics, GCL_CODE_LEFT_OUT_OF_GPU,
                        &(struct gcl_source_location){.path = m->inputs[0].source},
                        "this is a mistake in gcluster or LLVM, not in the program",
                        "no kernel has GPU code: the code generator for GPUs ended early: %s",
                        WIFSIGNALED(status) ? g_strsignal(WTERMSIG(status)) : "see above");
}
