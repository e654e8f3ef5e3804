// Texts lie in a folder that is made for them, which only the user can read, and that goes when the
// compiler has ended. It runs there, so that names in messages and in its cache are the same each
// time, with no shell between. GNU's way to name the folder of a process that is started is the
// only one without a moment in which other threads would be in it.
#include "api/nvrtc/compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT "module.ptx"
#define MESSAGES "messages"

bool gcl_nvrtc_is_name(const char *name) {
    if (!*name || *name == '/' || strlen(name) > PATH_MAX / 2 || name[strlen(name) - 1] == '/')
        return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.')
            return false;
    }
    return true;
}

// The folder.

/// The path of a file in a folder, to be freed; NULL: no memory.
static char *path_of(const char *folder, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static void remove_folder(const char *folder) {
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/// Makes the folders that a path leads through, behind its first `base` bytes.
static bool make_folders(char *path, size_t base) {
    for (size_t i = base + 1; path[i]; i++) {
        if (path[i] != '/')
            continue;
        path[i] = 0;
        bool ok = mkdir(path, 0700) == 0 || errno == EEXIST;
        path[i] = '/';
        if (!ok)
            return false;
    }
    return true;
}

static bool write_file(const char *folder, const struct gcl_nvrtc_file *file) {
    char *path = path_of(folder, file->name);
    bool ok = path && make_folders(path, strlen(folder));
    FILE *out = ok ? fopen(path, "wxe") : NULL;
    ok = out && fputs(file->text, out) >= 0;
    free(path);
    return out && fclose(out) == 0 && ok;
}

static void read_file(const char *folder, const char *name, struct gcl_text *text) {
    char part[4096], *path = path_of(folder, name);
    FILE *in = path ? fopen(path, "re") : NULL;
    while (in && fgets(part, sizeof part, in))
        gcl_text_add(text, part);
    if (in)
        fclose(in);
    free(path);
}

// The compiler.

/// Beside the library that this function is part of, or wherever programs are found; to be freed.
static char *find_compiler(void) {
    Dl_info info;
    char *real =
        dladdr((void *)(uintptr_t)gcl_nvrtc_compile, &info) ? realpath(info.dli_fname, NULL) : NULL;
    char *slash = real ? strrchr(real, '/') : NULL;
    if (slash)
        *slash = 0;
    char *path = slash ? path_of(real, GCL_LIBRARY_TO_BIN "/gcluster-cc") : NULL;
    free(real);
    if (path && access(path, X_OK) == 0)
        return path;
    free(path);
    return strdup("gcluster-cc");
}

static void write_command(const struct gcl_nvrtc_job *job, struct gcl_words *words) {
    static const char *const first[] = {"-x", "cu", "-ptx", "-o", OUTPUT, "-D__CUDACC_RTC__",
                                        "-I."};
    gcl_words_add(words, "gcluster-cc");
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        gcl_words_add(words, first[i]);
    for (size_t i = 0; i < job->options->count; i++)
        gcl_words_add(words, job->options->words[i]);
    gcl_words_add(words, job->files[0].name);
    words->is_lost |= job->options->is_lost;
}

/// Starts it in the folder. 0, or an error's number.
static int start(const char *folder, char **words, pid_t *id) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    char *compiler = find_compiler();
    error = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (!error)
        error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, MESSAGES,
                                                 O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    if (!error)
        error = compiler ? posix_spawnp(id, compiler, &actions, NULL, words, environ) : ENOMEM;
    free(compiler);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/// Whether it did its work. A program that ignores its children isn't told, but then there is the
/// output, or there isn't.
static bool await(pid_t id, const char *folder) {
    char *output = path_of(folder, OUTPUT);
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(id, &status, 0)) < 0 && errno == EINTR)
        continue;
    bool is_there = output && access(output, R_OK) == 0;
    free(output);
    return (ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) && is_there;
}

static nvrtcResult run(const struct gcl_nvrtc_job *job, const char *folder, struct gcl_text *ptx,
                       struct gcl_text *log) {
    struct gcl_words words = {.words = NULL};
    pid_t id;
    write_command(job, &words);
    int error = words.is_lost ? ENOMEM : start(folder, words.words, &id);
    gcl_words_finish(&words);
    if (error) {
        gcl_text_add_format(log,
                            "gcluster: the compiler, gcluster-cc, can't be started: %s; it is part "
                            "of gcluster, and has to be on this machine\n",
                            strerror(error));
        return error == ENOMEM ? NVRTC_ERROR_OUT_OF_MEMORY : NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    bool ok = await(id, folder);
    read_file(folder, MESSAGES, log);
    if (ok)
        read_file(folder, OUTPUT, ptx);
    if (ptx->is_lost || log->is_lost)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    return ok ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

nvrtcResult gcl_nvrtc_compile(const struct gcl_nvrtc_job *job, struct gcl_text *ptx,
                              struct gcl_text *log) {
    const char *above = getenv("TMPDIR");
    if (getauxval(AT_SECURE)) {
        gcl_text_add(log, "gcluster: a program with rights that its user hasn't starts no "
                          "compiler\n");
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    char *folder = path_of(above && *above ? above : "/tmp", "gcluster-nvrtc-XXXXXX");
    if (!folder)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    bool is_made = mkdtemp(folder) != NULL, ok = is_made;
    for (size_t i = 0; i < job->file_count && ok; i++)
        ok = write_file(folder, &job->files[i]);
    if (!ok)
        gcl_text_add_format(log, "gcluster: the source can't be written to %s: %s\n", folder,
                            strerror(errno));
    nvrtcResult result = ok ? run(job, folder, ptx, log) : NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    if (is_made)
        remove_folder(folder);
    free(folder);
    return result;
}
