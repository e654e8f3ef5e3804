// The device pass' output, LLVM IR as text that isn't optimised yet, by kernels: what each of them
// is made of, a key that is the same as long as that is, and IR of some kernels alone.
//
// A kernel is made of what it refers to, directly or not, and of what else uses a local function or
// variable among that: optimisation may specialise these for all their uses. Nothing else of the
// module can change what becomes of it. Lines of the source may move without changing the key.
#ifndef GCL_DRIVER_PARTS_H
#define GCL_DRIVER_PARTS_H

#include <glib.h>
#include <stdbool.h>

struct gcl_parts;

/// `ir` is borrowed until gcl_parts_destroy; `source` is the file whose lines may move, as clang
/// was given it.
struct gcl_parts *gcl_parts_create(const char *ir, gsize size, const char *source);
void gcl_parts_destroy(struct gcl_parts *parts);

/// Kernels in the order in which the compiler describes them.
guint gcl_parts_count(const struct gcl_parts *parts);
/// A kernel's symbol.
const char *gcl_parts_symbol(const struct gcl_parts *parts, guint kernel);

/// Text that is the same if all that the kernel is made of is, but for lines of the source, to be
/// freed. Those lines are added to `lines` (uint32_t), which is sorted then: the text names them by
/// their places in that list. Lines that are there already count as named, too.
char *gcl_parts_key(struct gcl_parts *parts, guint kernel, GArray *lines);

/// IR of the kernels that `wanted` has true for and no others, to be freed with g_string_free.
GString *gcl_parts_extract(struct gcl_parts *parts, const bool *wanted);

#endif
