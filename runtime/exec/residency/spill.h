// The file without a name in which a disk keeps what has no room in memory.
#ifndef GCL_EXEC_SPILL_H
#define GCL_EXEC_SPILL_H

#include <stdbool.h>
#include <stddef.h>

struct gcl_spill {
    int descriptor;
    bool is_direct; ///< it passes the system's cache by
    size_t free;    ///< bytes that the file may have: what is free there, and the process's limit
};

/// Opens a new, empty file in a folder, which this process alone can reach and which is gone when
/// it ends. False, after a message: there is no such folder, or it can't be written. A folder that
/// is memory, or on another host, is warned of.
bool gcl_spill_open(const char *folder, struct gcl_spill *spill);
void gcl_spill_close(struct gcl_spill *spill);

#endif
