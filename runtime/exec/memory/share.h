// Memory that several processes of a host have. Who shares some of the host's own pages puts a file
// without a name (memfd) behind them; who wants them opens that file by the number that it has in
// the first process, and maps it over pages of its own. The system lets only processes of the same
// user in, as it does for debuggers. With the pages goes the sharing: whoever gives them back has
// its own again.
#ifndef GCL_EXEC_SHARE_H
#define GCL_EXEC_SHARE_H

#include <stdint.h>

#include "base/status.h"

/// Where another process finds shared pages; plain bytes.
struct gcl_share {
    uint64_t magic;
    uint64_t device, inode; ///< of the file
    uint64_t begin, size;   ///< its addresses there, whole pages
    uint32_t process;
    int32_t file; ///< its number there
};

/// Shares the pages of a committed range, which keep their bytes, and are the same from here on for
/// whoever asks for one of them again. Nobody may write them meanwhile: who does is stopped.
/// GCL_NO_MEMORY, and they are as before.
GCL_MUST_USE enum gcl_status gcl_share_pages(uintptr_t begin, uintptr_t end,
                                             struct gcl_share *share);
/// Maps shared pages over committed pages of the calling process. GCL_INVALID_HANDLE: there are no
/// such pages, any more, or they aren't this user's.
GCL_MUST_USE enum gcl_status gcl_share_map(const struct gcl_share *share, uintptr_t begin);
/// Pages are given back.
void gcl_share_forget(uintptr_t begin, uintptr_t end);

#endif
