// Folders for files that don't outlive the session.
#ifndef GCL_LSP_SCRATCH_H
#define GCL_LSP_SCRATCH_H

/// A new folder, to be freed; NULL if it can't be made.
char *gcl_scratch_create(void);
/// Removes a folder and all in it.
void gcl_scratch_remove(const char *folder);

#endif
