// fork, exec, wait. Signals that end the program are blocked from gcl_workspace_init on and taken
// synchronously by sigwaitinfo; children get the mask and dispositions back that we were started
// with.
#include "process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diagnostic.h"

// What was ignored when we were started, by nohup for instance, stays so.
static void fill_signals(sigset_t *set) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(set, numbers[i]);
    }
}

static void block_signals(int how) {
    sigset_t set;
    fill_signals(&set);
    sigprocmask(how, &set, NULL);
}

bool gcl_workspace_init(struct gcl_workspace *workspace, GPtrArray *diagnostics) {
    block_signals(SIG_BLOCK);
    signal(SIGCHLD, SIG_DFL); // if it's ignored, nobody tells us that a child has ended
    signal(SIGPIPE, SIG_IGN); // whoever reads our messages may have gone: `gcluster-cc ... | head`
    g_autoptr(GError) error = NULL;
    workspace->unfinished = g_ptr_array_new_with_free_func(g_free);
    workspace->directory = g_dir_make_tmp("gcluster-XXXXXX", &error);
    if (!workspace->directory)
        gcl_diagnostics_add(diagnostics, GCL_CODE_FILE, NULL, NULL, "no temporary folder: %s",
                            error->message);
    return workspace->directory != NULL;
}

static void remove_tree(const char *path) {
    struct stat status;
    bool is_folder = lstat(path, &status) == 0 && S_ISDIR(status.st_mode); // never behind a link
    GDir *directory = is_folder ? g_dir_open(path, 0, NULL) : NULL;
    const char *name;
    while (directory && (name = g_dir_read_name(directory))) {
        g_autofree char *child = g_build_filename(path, name, NULL);
        remove_tree(child);
    }
    if (directory)
        g_dir_close(directory);
    g_remove(path);
}

static void clean_up(struct gcl_workspace *workspace) {
    if (workspace->directory)
        remove_tree(workspace->directory);
    for (guint i = 0; workspace->unfinished && i < workspace->unfinished->len; i++)
        remove_tree(workspace->unfinished->pdata[i]);
}

void gcl_workspace_finish(struct gcl_workspace *workspace) {
    clean_up(workspace);
    g_free(workspace->directory);
    if (workspace->unfinished)
        g_ptr_array_unref(workspace->unfinished);
    *workspace = (struct gcl_workspace){0};
    signal(SIGPIPE, SIG_DFL);
    block_signals(SIG_UNBLOCK);
}

char *gcl_workspace_path(const struct gcl_workspace *workspace, const char *name) {
    assert(workspace->directory);
    return g_build_filename(workspace->directory, name, NULL);
}

char *gcl_workspace_begin(struct gcl_workspace *workspace, const char *path) {
    assert(workspace->unfinished);
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return g_strdup(path);
    // A name that nobody can have put a link at.
    char *temporary = g_strdup_printf("%s.%08x%08x.tmp", path, g_random_int(), g_random_int());
    g_ptr_array_add(workspace->unfinished, g_strdup(temporary));
    return temporary;
}

bool gcl_workspace_commit(struct gcl_workspace *workspace, const char *temporary, const char *path,
                          GPtrArray *diagnostics) {
    if (strcmp(temporary, path) == 0)
        return true;
    if (g_rename(temporary, path) != 0) {
        gcl_diagnostics_add(diagnostics, GCL_CODE_FILE, NULL, NULL, "cannot write '%s': %s", path,
                            g_strerror(errno));
        return false;
    }
    guint index;
    if (g_ptr_array_find_with_equal_func(workspace->unfinished, temporary, g_str_equal, &index))
        g_ptr_array_remove_index_fast(workspace->unfinished, index);
    return true;
}

// What a child does first: it dies with its parent, and signals are as they were.
static void enter_child(const char *log) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_DFL);
    block_signals(SIG_UNBLOCK);
    if (!log)
        return;
    int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0) {
        dup2(file, STDERR_FILENO);
        close(file);
    }
}

void gcl_process_start(struct gcl_process *process, const char *log, int (*body)(void *),
                       void *context) {
    assert(body);
    *process = (struct gcl_process){.log = g_strdup(log), .status = 127};
    fflush(NULL);
    process->pid = fork();
    if (process->pid != 0)
        return;
    enter_child(log);
    int status = body(context);
    fflush(NULL);
    _exit(status);
}

static int exit_status(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Reaps what has ended; returns how many are still running.
static size_t reap(struct gcl_process *processes, size_t count) {
    size_t running = 0;
    for (size_t i = 0; i < count; i++) {
        int status;
        if (processes[i].pid <= 0)
            continue;
        if (waitpid(processes[i].pid, &status, WNOHANG) == 0) {
            running++;
            continue;
        }
        processes[i].status = exit_status(status);
        processes[i].pid = 0;
    }
    return running;
}

static void die(struct gcl_workspace *workspace, struct gcl_process *processes, size_t count,
                int number) {
    assert(number > 0);
    for (size_t i = 0; i < count; i++)
        if (processes[i].pid > 0)
            kill(processes[i].pid, SIGKILL);
    for (size_t i = 0; i < count; i++)
        if (processes[i].pid > 0)
            waitpid(processes[i].pid, NULL, 0);
    clean_up(workspace);
    signal(number, SIG_DFL);
    block_signals(SIG_UNBLOCK);
    raise(number);
    _exit(128 + number);
}

static size_t count_running(const struct gcl_process *processes, size_t count) {
    size_t running = 0;
    for (size_t i = 0; i < count; i++)
        running += processes[i].pid > 0;
    return running;
}

/// Waits until one more has ended, and calls `look`, if there is one, every second.
static size_t step(struct gcl_workspace *workspace, struct gcl_process *processes, size_t count,
                   void (*look)(void *context), void *context) {
    const struct timespec second = {.tv_sec = 1};
    sigset_t set;
    size_t before = count_running(processes, count), running;
    fill_signals(&set);
    while ((running = reap(processes, count)) == before && running > 0) {
        int number = look ? sigtimedwait(&set, NULL, &second) : sigwaitinfo(&set, NULL);
        if (number > 0 && number != SIGCHLD)
            die(workspace, processes, count, number);
        if (look)
            look(context);
    }
    return running;
}

size_t gcl_processes_step(struct gcl_workspace *workspace, struct gcl_process *processes,
                          size_t count) {
    return step(workspace, processes, count, NULL, NULL);
}

void gcl_processes_watch(struct gcl_workspace *workspace, struct gcl_process *processes,
                         size_t count, void (*look)(void *context), void *context) {
    while (step(workspace, processes, count, look, context) > 0)
        continue;
}

void gcl_processes_wait(struct gcl_workspace *workspace, struct gcl_process *processes,
                        size_t count) {
    gcl_processes_watch(workspace, processes, count, NULL, NULL);
}

int gcl_process_run(const GPtrArray *command, const char *log) {
    assert(command->len > 0);
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    for (guint i = 0; i < command->len; i++)
        g_ptr_array_add(words, command->pdata[i]);
    g_ptr_array_add(words, NULL);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        enter_child(log);
        execv(words->pdata[0], (char **)words->pdata);
        fprintf(stderr, "%s: %s\n", (const char *)words->pdata[0], g_strerror(errno));
        _exit(127);
    }
    int status = 127 << 8;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return exit_status(status);
}

void gcl_process_print(const GPtrArray *command) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=./,+:@%";
    fputs("#$", stderr);
    for (guint i = 0; i < command->len; i++) {
        const char *word = command->pdata[i];
        g_autofree char *quoted =
            word[0] && word[strspn(word, plain)] == '\0' ? g_strdup(word) : g_shell_quote(word);
        fprintf(stderr, " %s", quoted);
    }
    fputc('\n', stderr);
}
