// OpenBLAS as several threads call it at once: the runtime's workers, each for a part of its own.
#ifndef GCL_LIB_OPENBLAS_H
#define GCL_LIB_OPENBLAS_H

#include <stdbool.h>

/// Whether the OpenBLAS that this process has loaded can be called so; if not, that is said.
bool gcl_openblas_is_safe(void);

#endif
