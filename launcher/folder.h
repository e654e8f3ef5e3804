// A temporary folder that is removed in any case.
#ifndef GCL_LAUNCHER_FOLDER_H
#define GCL_LAUNCHER_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

struct gcl_folder {
    char path[64]; ///< "": none
    pid_t keeper;
    int lead; ///< the keeper removes the folder once this is closed
};

/// Makes a folder in TMPDIR or /tmp, and a process that removes it should this one be killed: call
/// it before there are threads. False, without a message, if that can't be done.
bool gcl_folder_make(struct gcl_folder *folder);
/// Removes it with what is in it. Takes a zeroed folder.
void gcl_folder_remove(struct gcl_folder *folder);

#endif
