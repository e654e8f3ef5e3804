// Other processes and temporary files, with nothing left behind however gcluster-cc ends.
//
// The parent process blocks the signals that end a program and takes them only while it waits for
// children, so cleaning up is ordinary code. Work that may crash (libclang on any input, code
// generation) runs in a child made by fork, before any thread exists. Children are killed when
// their parent dies.
#ifndef GCL_DRIVER_PROCESS_H
#define GCL_DRIVER_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include <glib.h>

/// A temporary folder, and output files that are not complete yet.
struct gcl_workspace {
    char *directory;
    GPtrArray *unfinished; ///< char *, files and folders that gcl_workspace_finish removes
};

/// Blocks the signals and makes the folder. Returns false if it can't be made, with a diagnostic.
bool gcl_workspace_init(struct gcl_workspace *workspace, GPtrArray *diagnostics);

/// Removes everything. Ends the process if a signal has come meanwhile.
void gcl_workspace_finish(struct gcl_workspace *workspace);

/// `directory`/`name`, to be freed.
char *gcl_workspace_path(const struct gcl_workspace *workspace, const char *name);

/// A name beside `path` to write to, so that `path` itself appears complete or not at all; `path`
/// itself if that is a device such as /dev/null. To be freed.
char *gcl_workspace_begin(struct gcl_workspace *workspace, const char *path);

/// Gives the file begun as `temporary` its name. False with a diagnostic if that fails.
bool gcl_workspace_commit(struct gcl_workspace *workspace, const char *temporary, const char *path,
                          GPtrArray *diagnostics);

/// One child. `log` is the file with everything that it and its own children print to standard
/// error.
struct gcl_process {
    char *log;
    pid_t pid;
    int status; ///< exit status, or 128 + the signal that ended it
};

/// Runs `body` in a child, with standard error in a new file at `log`; its result becomes the exit
/// status.
void gcl_process_start(struct gcl_process *process, const char *log, int (*body)(void *),
                       void *context);

/// Waits for all. If gcluster-cc is told to end meanwhile, ends the children, cleans up and dies
/// of the same signal.
void gcl_processes_wait(struct gcl_workspace *workspace, struct gcl_process *processes,
                        size_t count);

/// Waits until one more of them has ended, if any runs, in the same way; returns how many still
/// run. Of those that have ended `pid` is 0.
size_t gcl_processes_step(struct gcl_workspace *workspace, struct gcl_process *processes,
                          size_t count);

/// Starts a program and waits for it. `log` is where its standard error goes; NULL: to ours.
/// Returns its exit status, 128 + the signal that ended it, or 127 if it can't be started.
int gcl_process_run(const GPtrArray *command, const char *log);

/// As gcl_processes_wait, and calls `look` about once a second meanwhile; NULL: nothing.
void gcl_processes_watch(struct gcl_workspace *workspace, struct gcl_process *processes,
                         size_t count, void (*look)(void *context), void *context);

/// Prints a command as it could be typed into a shell, after "#$ ".
void gcl_process_print(const GPtrArray *command);

#endif
