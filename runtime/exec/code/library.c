// Nothing is ever freed here: a program loads few libraries, and tables are small.
#include "exec/code/library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/log.h"
#include "gcluster/access.h"

// Copies. `*ok` becomes false if there is no memory.

static const void *copy(const void *bytes, size_t size, bool *ok) {
    void *copied = bytes && size > 0 ? malloc(size) : NULL;
    if (copied)
        memcpy(copied, bytes, size);
    *ok = *ok && (copied || !bytes || size == 0);
    return copied;
}

#define COPY(array, count, ok) copy(array, (count) * sizeof *(array), ok)

static const char *copy_text(const char *text, bool *ok) {
    return text ? copy(text, strlen(text) + 1, ok) : NULL;
}

static const char *const *copy_texts(const char *const *texts, size_t count, bool *ok) {
    const char **copied = texts ? calloc(count + 1, sizeof *copied) : NULL;
    *ok = *ok && (copied || !texts);
    for (size_t i = 0; copied && i < count; i++)
        copied[i] = copy_text(texts[i], ok);
    return copied;
}

static const struct gcl_program *copy_program(const struct gcl_program *program, bool *ok) {
    struct gcl_program *p = program ? malloc(sizeof *p) : NULL;
    *ok = *ok && (p || !program);
    if (!p)
        return NULL;
    *p = *program;
    p->nodes = COPY(p->nodes, p->node_count, ok);
    p->constants = COPY(p->constants, p->constant_count, ok);
    p->guards = COPY(p->guards, p->guard_count, ok);
    p->bases = COPY(p->bases, p->base_count, ok);
    p->accesses = COPY(p->accesses, p->access_count, ok);
    p->reasons = COPY(p->reasons, p->reason_count, ok);
    p->files = copy_texts(p->files, p->file_count, ok);
    p->variables = COPY(p->variables, p->variable_count, ok);
    p->looks = COPY(p->looks, p->look_count, ok);
    return p;
}

static const struct gcl_kernel *copy_kernels(const struct gcl_code *code, bool *ok) {
    struct gcl_kernel *kernels = calloc(code->kernel_count + 1, sizeof *kernels);
    *ok = *ok && kernels;
    for (uint32_t i = 0; kernels && i < code->kernel_count; i++) {
        struct gcl_kernel *k = &kernels[i];
        *k = code->kernels[i];
        k->name = copy_text(k->name, ok);
        k->parameters = COPY(k->parameters, k->parameter_count, ok);
        k->program = copy_program(k->program, ok);
    }
    return kernels;
}

const struct gcl_code *gcl_library_copy_code(const struct gcl_code *code) {
    bool ok = true;
    struct gcl_code *copied = malloc(sizeof *copied);
    if (!copied)
        return NULL;
    *copied = *code;
    copied->id = copy_text(code->id, &ok);
    copied->cpu = copy_text(code->cpu, &ok);
    copied->source = copy_text(code->source, &ok);
    copied->kernels = copy_kernels(code, &ok);
    copied->variables = COPY(code->variables, code->variable_count, &ok);
    copied->fixups = COPY(code->fixups, code->fixup_count, &ok);
    return ok ? copied : NULL;
}

// Files.

static bool hash_file(const char *path, uint64_t *content) {
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0;
    size_t size = ok ? (size_t)about.st_size : 0;
    void *bytes = ok ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (file >= 0)
        close(file);
    if (bytes == MAP_FAILED)
        return false;
    *content = gcl_hash(bytes, size);
    munmap(bytes, size);
    return true;
}

const struct gcl_library *gcl_library_of(const struct gcl_code *code) {
    Dl_info info;
    uint64_t content = 0;
    const char *name = dladdr(code, &info) ? info.dli_fname : NULL;
    char *path = name ? realpath(name, NULL) : NULL;
    struct gcl_library *library = malloc(sizeof *library);
    if (path && library && hash_file(path, &content)) {
        *library = (struct gcl_library){path, content};
        return library;
    }
    gcl_log(GCL_LOG_ERROR,
            "%s: the library with this device code can't be read again, so that other "
            "nodes could load it",
            name ? name : code->source);
    free(path);
    free(library);
    return NULL;
}

struct loaded {
    struct gcl_library library;
    struct loaded *next;
};

static struct loaded *find(struct loaded *first, const struct gcl_library *library) {
    struct loaded *l = first;
    while (l &&
           (l->library.content != library->content || strcmp(l->library.path, library->path) != 0))
        l = l->next;
    return l;
}

/// What constructors print, node 0's have printed.
static void *load_silently(const char *path) {
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    fflush(stdout);
    if (nowhere >= 0 && output >= 0)
        dup2(nowhere, STDOUT_FILENO);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    fflush(stdout);
    if (nowhere >= 0 && output >= 0)
        dup2(output, STDOUT_FILENO);
    close(nowhere);
    close(output);
    return handle;
}

enum gcl_status gcl_library_load(const struct gcl_library *library) {
    static struct loaded *all; // by the one thread that follows node 0
    uint64_t content = 0;
    const char *wrong = NULL;
    if (find(all, library))
        return GCL_OK;
    struct loaded *loaded = malloc(sizeof *loaded);
    char *path = strdup(library->path);
    if (!loaded || !path)
        wrong = "there is no memory";
    else if (!hash_file(path, &content))
        wrong = "it can't be read here";
    else if (content != library->content)
        wrong = "here it has other bytes";
    else if (!load_silently(path))
        wrong = dlerror();
    if (!wrong) {
        *loaded = (struct loaded){{path, content}, all};
        all = loaded;
        return GCL_OK;
    }
    gcl_log(GCL_LOG_ERROR, "%s, which node 0 has loaded: %s", library->path, wrong);
    free(path);
    free(loaded);
    return GCL_NO_IMAGE;
}
