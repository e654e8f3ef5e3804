// Which of a kernel's variants runs on this machine. The machine's level is found out once; all
// functions may be called from any thread afterwards.
#ifndef GCL_EXEC_VARIANT_H
#define GCL_EXEC_VARIANT_H

#include <stdbool.h>

#include "gcluster/kernel.h"

/// Finds out what the processor offers. `cap` is an enum gcl_cpu_level that counts as the best it
/// has; 0: no cap.
void gcl_variant_set_level(uint32_t cap);
/// True if there is a cap below what the processor offers.
bool gcl_variant_is_capped(void);

/// True if code for that processor, named as in gcl_code.cpu, runs here.
bool gcl_variant_runs(const char *cpu);

/// The first of the kernel's variants for a processor of that level and that shape of block, or the
/// one that runs thread by thread where vectors would have few threads; NULL if there is none.
const struct gcl_variant *gcl_variant_find(const struct gcl_kernel *kernel, uint32_t level,
                                           const uint32_t block_size[3]);
/// The regions of the variant for this machine, if gcl_variant_runs; NULL: the kernel has GPU code
/// alone.
gcl_region *const *gcl_variant_regions(const struct gcl_kernel *kernel,
                                       const uint32_t block_size[3]);

#endif
