// A kernel with its access program as JSON, from the process that has compiled it to one of the
// same program that evaluates it: tables are as they lie in memory.
#ifndef GCL_EXPLAIN_TABLES_H
#define GCL_EXPLAIN_TABLES_H

#include "explain.h"

/// The kernel as JSON, a new reference; without reasons and files, which explanations have in
/// words.
json_t *gcl_tables_write(const struct gcl_explained_kernel *kernel);
/// The kernel that gcl_tables_write has written, freed with gcl_tables_destroy. NULL: `tables` is
/// no kernel.
struct gcl_explained_kernel *gcl_tables_read(const json_t *tables);
void gcl_tables_destroy(struct gcl_explained_kernel *kernel);

#endif
