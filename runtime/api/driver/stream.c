// Streams and events: the runtime API's.
#include <stdlib.h>

#include "api/api.h"
#include "api/driver/driver.h"

GCL_CU(StreamCreate, (CUstream * stream, unsigned int flags)) {
    return gcl_driver_result(gclStreamCreateWithFlags(stream, flags));
}

GCL_CU(StreamCreateWithPriority, (CUstream * stream, unsigned int flags, int priority)) {
    return gcl_driver_result(gclStreamCreateWithPriority(stream, flags, priority));
}

GCL_CU_V2(StreamDestroy, (CUstream stream)) {
    return gcl_driver_result(gclStreamDestroy(stream));
}

GCL_CU(StreamSynchronize, (CUstream stream)) {
    return gcl_driver_result(gclStreamSynchronize(stream));
}

GCL_CU(StreamQuery, (CUstream stream)) {
    return gcl_driver_result(gclStreamQuery(stream));
}

GCL_CU(StreamWaitEvent, (CUstream stream, CUevent event, unsigned int flags)) {
    return gcl_driver_result(gclStreamWaitEvent(stream, event, flags));
}

struct callback {
    CUstreamCallback function;
    void *data;
};

static void call(gclStream_t stream, gclError_t status, void *data) {
    struct callback callback = *(struct callback *)data;
    free(data);
    callback.function(stream, gcl_driver_result(status), callback.data);
}

GCL_CU(StreamAddCallback,
       (CUstream stream, CUstreamCallback function, void *data, unsigned int flags)) {
    struct callback *callback = malloc(sizeof *callback);
    if (!callback || !function) {
        free(callback);
        return function ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
    }
    *callback = (struct callback){function, data};
    gclError_t error = gclStreamAddCallback(stream, call, callback, flags);
    if (error)
        free(callback);
    return gcl_driver_result(error);
}

GCL_CU(StreamAttachMemAsync,
       (CUstream stream, CUdeviceptr address, size_t size, unsigned int flags)) {
    return gcl_driver_result(
        gclStreamAttachMemAsync(stream, gcl_driver_pointer(address), size, flags));
}

// What is written with a barrier is seen after all that came before it in the stream, which holds
// without one as well.
GCL_CU_V2(StreamWriteValue32,
          (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags)) {
    if (address % sizeof value != 0 || flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER)
        return CUDA_ERROR_INVALID_VALUE;
    return cuMemsetD32Async(address, value, 1, stream);
}

GCL_CU(StreamGetFlags, (CUstream stream, unsigned int *flags)) {
    return gcl_driver_result(gclStreamGetFlags(stream, flags));
}

GCL_CU(StreamGetPriority, (CUstream stream, int *priority)) {
    return gcl_driver_result(gclStreamGetPriority(stream, priority));
}

GCL_CU(StreamGetId, (CUstream stream, unsigned long long *id)) {
    return gcl_driver_result(gclStreamGetId(stream, id));
}

GCL_CU(StreamGetDevice, (CUstream stream, CUdevice *device)) {
    return gcl_driver_result(gclStreamGetDevice(stream, device));
}

GCL_CU(StreamGetCtx, (CUstream stream, CUcontext *context)) {
    int device;
    gclError_t error = gclStreamGetDevice(stream, &device);
    if (error || !context)
        return error ? gcl_driver_result(error) : CUDA_ERROR_INVALID_VALUE;
    *context = gcl_driver_primary(device);
    return *context ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

GCL_CU(StreamCopyAttributes, (CUstream target, CUstream source)) {
    return gcl_driver_result(gclStreamCopyAttributes(target, source));
}

GCL_CU(EventCreate, (CUevent * event, unsigned int flags)) {
    return gcl_driver_result(gclEventCreateWithFlags(event, flags));
}

GCL_CU(EventRecord, (CUevent event, CUstream stream)) {
    return gcl_driver_result(gclEventRecord(event, stream));
}

GCL_CU(EventRecordWithFlags, (CUevent event, CUstream stream, unsigned int flags)) {
    return gcl_driver_result(gclEventRecordWithFlags(event, stream, flags));
}

GCL_CU(EventQuery, (CUevent event)) {
    return gcl_driver_result(gclEventQuery(event));
}

GCL_CU(EventSynchronize, (CUevent event)) {
    return gcl_driver_result(gclEventSynchronize(event));
}

GCL_CU_V2(EventDestroy, (CUevent event)) {
    return gcl_driver_result(gclEventDestroy(event));
}

GCL_CU_V2(EventElapsedTime, (float *milliseconds, CUevent begin, CUevent end)) {
    return gcl_driver_result(gclEventElapsedTime(milliseconds, begin, end));
}
