// A file by which the system says where threads stop at pages that aren't there (userfaultfd), and
// takes bytes for these: what guarded pages (guard.h) and absent ones (absent.h) have in common.
#ifndef GCL_EXEC_FAULT_FILE_H
#define GCL_EXEC_FAULT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Has the file of a new userfaultfd(2) have features (UFFD_FEATURE_*). The file, or -1, after
/// which it is closed, with errno: the system lacks them, or has other pages. Takes -1, with errno.
int gcl_fault_file_begin(int file, uint64_t features);
/// Watches a range of whole pages, by UFFDIO_REGISTER_MODE_*, to which pages are going to be moved
/// if `is_target`. False, with errno: it can't be watched, or no page can be moved.
bool gcl_fault_file_watch(int file, uintptr_t begin, size_t size, uint64_t mode, bool is_target);
void gcl_fault_file_forget(int file, uintptr_t begin, size_t size);
/// Pages of a range that aren't there become `bytes`, or zeros if that is NULL; others stay as they
/// are. `mode`: UFFDIO_COPY_MODE_*, 0 for zeros. The range may lie in several mappings. False, with
/// errno. Also in signal handlers.
bool gcl_fault_file_fill(int file, uintptr_t begin, const void *bytes, size_t size, uint64_t mode);
/// Moves the pages that are there to where none are, at addresses that are watched: nothing is
/// copied. Both ranges are private memory with the same access. Returns the bytes that are moved
/// from the first one on; fewer than `size`: with the reason as errno. EBUSY: the page has other
/// users, like a process that was forked.
size_t gcl_fault_file_move(int file, uintptr_t target, uintptr_t source, size_t size);
/// Protects pages of a range that are there, which may lie in several mappings, against writes, or
/// opens them. `mode`: UFFDIO_WRITEPROTECT_MODE_*. False, with errno.
bool gcl_fault_file_protect(int file, uintptr_t begin, size_t size, uint64_t mode);

#endif
