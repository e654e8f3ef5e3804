// Every routine of the headers, refused by name. The definitions are weak: those that other files
// have take their place.
#include "solver/solver.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define NO_ROW(name, parameters)
#define REFUSE(name, parameters)                                                                   \
    __attribute__((weak)) cusolverStatus_t cusolverDn##name parameters {                           \
        return gcl_solver_refuse("cusolverDn" #name);                                              \
    }
__GCL_CUSOLVER_HANDLE(REFUSE)
__GCL_CUSOLVER_TYPED(REFUSE, NO_ROW)
__GCL_CUSOLVER_REFINED(REFUSE)
__GCL_CUSOLVER_GENERIC(REFUSE, NO_ROW)
__GCL_CUSOLVER_GENERIC_REFUSED(REFUSE)
__GCL_CUSOLVER_IRS(REFUSE)
