// Folders for files that don't outlive the session.
#ifndef GCL_LSP_SCRATCH_H
#define GCL_LSP_SCRATCH_H

/// A new folder in the system's temporary folder, to be freed; NULL if it can't be made. It is this
/// process's as long as `lock`, a file descriptor or -1, is open. Removes such folders of this user
/// whose process is gone and couldn't remove them.
char *gcl_scratch_create(int *lock);
/// Removes a folder and all in it.
void gcl_scratch_remove(const char *folder);

#endif
