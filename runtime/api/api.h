// What all functions of the API share: how they are defined, what they begin with and how they end.
//
//     GCL_API(StreamQuery, (gclStream_t handle)) {
//         struct gcl_runtime *runtime;
//         gclError_t error = gcl_api_enter(&runtime);
//         if (error)
//             return gcl_api_leave(error);
//         ...
//     }
#ifndef GCL_API_API_H
#define GCL_API_API_H

#include "base/status.h"
#include "gcluster.h"
#include "process/runtime.h"

/// Begins the definition of gclName, which has the other name cudaName.
#define GCL_API_OF(type, name, parameters)                                                         \
    type cuda##name parameters __attribute__((alias("gcl" #name)));                                \
    type gcl##name parameters
#define GCL_API(name, parameters) GCL_API_OF(gclError_t, name, parameters)

/// The runtime, started if need be, and Success; or what keeps the function from doing anything: no
/// runtime, or an earlier failure of the device.
gclError_t gcl_api_enter(struct gcl_runtime **runtime);
/// Remembers the error as the thread's last one, unless it is Success, and returns it.
gclError_t gcl_api_leave(gclError_t error);
/// The thread's last error is again what it was before the last call that left with one.
void gcl_api_take_back(void);
gclError_t gcl_api_error(enum gcl_status status);
/// gcl_api_leave(gcl_api_error(status))
gclError_t gcl_api_leave_status(enum gcl_status status);

struct gcl_allocation;
/// Writes into `request` where the program makes the allocation, if that was told.
void gcl_api_take_place(struct gcl_allocation *request);

/// The stream that a handle means; NULL if there is none.
struct gcl_stream *gcl_api_stream(struct gcl_runtime *runtime, gclStream_t handle);

#endif
