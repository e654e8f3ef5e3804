// Every routine of the headers, refused by name. The definitions are weak: those that other files
// have take their place.
#include "solver/solver.h"

#include <cusolverRf.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define NO_ROW(name, parameters)
#define REFUSE_OF(prefix, name, parameters)                                                        \
    __attribute__((weak)) cusolverStatus_t prefix##name parameters {                               \
        return gcl_solver_refuse(#prefix #name);                                                   \
    }
#define REFUSE(name, parameters) REFUSE_OF(cusolverDn, name, parameters)
__GCL_CUSOLVER_HANDLE(REFUSE)
__GCL_CUSOLVER_TYPED(REFUSE, NO_ROW)
__GCL_CUSOLVER_GENERIC(REFUSE, NO_ROW)
__GCL_CUSOLVER_GENERIC_REFUSED(REFUSE)
__GCL_CUSOLVER_IRS(REFUSE)

#define REFUSE_SPARSE(name, parameters) REFUSE_OF(cusolverSp, name, parameters)
__GCL_CUSOLVER_SPARSE(REFUSE_SPARSE)
__GCL_CUSOLVER_LOWLEVEL(REFUSE_SPARSE)

#define REFUSE_REFACTOR(name, parameters) REFUSE_OF(cusolverRf, name, parameters)
__GCL_CUSOLVER_REFACTOR(REFUSE_REFACTOR)
