// What pragmas say of a kernel, in the terms of its access program (base/pragma.h has the
// language).
#ifndef GCL_DEVICE_ACCESS_DECLARE_H
#define GCL_DEVICE_ACCESS_DECLARE_H

#include "device/access/build.h"
#include "device/ir/module.h"

/// What pragmas say of `kernel`: const struct gcl_pragma *, borrowed; freed with g_ptr_array_unref.
GPtrArray *gcl_declared_pragmas(const struct gcl_module *m, const struct gcl_device_kernel *kernel);
/// At which byte of the packed arguments a clause's pointer is; GCL_NOTHING if it has none.
uint32_t gcl_declared_pointer(const struct gcl_extraction *x,
                              const struct gcl_pragma_clause *clause);
/// Bytes of one element of what that pointer leads to; 0 if it isn't known, as it is a template's.
uint32_t gcl_declared_element(const struct gcl_extraction *x,
                              const struct gcl_pragma_clause *clause);
/// The value of an expression of a clause: a node of 64 bits.
uint32_t gcl_declared_value(struct gcl_extraction *x, const struct gcl_pragma *pragma,
                            uint16_t expression);
/// GCL_REASON_DECLARED at a pragma: the number of a reason of `x`.
uint32_t gcl_declared_reason(struct gcl_extraction *x, const struct gcl_pragma *pragma);
/// Reports that a pragma is wrong because of what stands at `place`, by a message of what that is.
void gcl_declared_contradiction(struct gcl_extraction *x, const struct gcl_pragma *pragma,
                                const struct gcl_source_position *place, const char *help,
                                const char *format, ...) G_GNUC_PRINTF(5, 6);
/// Warns that a clause has no effect, and why.
void gcl_declared_ignored(struct gcl_extraction *x, const struct gcl_pragma *pragma,
                          const char *why);

#endif
