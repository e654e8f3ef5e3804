// Errors: a last one for each thread; failures of the device come back from every call.
#include <assert.h>
#include <stdio.h>

#include "api/api.h"
#include "base/log.h"
#include "exec/code/registry.h"
#include "exec/engine/engine.h"

static _Thread_local gclError_t last_error, error_before;

gclError_t gcl_api_error(enum gcl_status status) {
    static const gclError_t errors[] = {
#define GCL_STATUS(name, error) [GCL_##name] = gcl##error,
        GCL_STATUS_MAP(GCL_STATUS)
#undef GCL_STATUS
    };
    assert((size_t)status < sizeof errors / sizeof errors[0]);
    return errors[status];
}

gclError_t gcl_api_leave(gclError_t error) {
    if (error != gclSuccess) {
        error_before = last_error;
        last_error = error;
    }
    return error;
}

void gcl_api_take_back(void) {
    last_error = error_before;
}

gclError_t gcl_api_leave_status(enum gcl_status status) {
    return gcl_api_leave(gcl_api_error(status));
}

gclError_t gcl_api_enter(struct gcl_runtime **runtime) {
    *runtime = gcl_runtime_get();
    if (!*runtime)
        return gcl_runtime_has_ended() ? gclErrorCudartUnloading : gclErrorInitializationError;
    enum gcl_status status = gcl_engine_status((*runtime)->engine);
    if (status == GCL_OK && gcl_registry_place_managed((*runtime)->space) != GCL_OK)
        gcl_log(GCL_LOG_DEBUG,
                "managed variables can't be placed"); // who looks them up hears of it
    return gcl_api_error(status);
}

static gclError_t current_error(void) {
    const struct gcl_runtime *runtime = gcl_runtime_peek();
    gclError_t sticky = runtime ? gcl_api_error(gcl_engine_status(runtime->engine)) : gclSuccess;
    return sticky != gclSuccess ? sticky : last_error;
}

GCL_API(GetLastError, (void)) {
    gclError_t error = current_error();
    last_error = gclSuccess;
    return error;
}

GCL_API(PeekAtLastError, (void)) {
    return current_error();
}

struct text {
    int value;
    const char *name;
    const char *text;
};

static const struct text texts[] = {
#define GCL_ERROR(name, value, text) {value, "cuda" #name, text},
#include "gcluster/errors.h"
#undef GCL_ERROR
};

static const struct text *find(gclError_t error) {
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i].value == (int)error)
            return &texts[i];
    }
    return NULL;
}

GCL_API_OF(const char *, GetErrorName, (gclError_t error)) {
    const struct text *found = find(error);
    return found ? found->name : "unrecognized error code";
}

GCL_API_OF(const char *, GetErrorString, (gclError_t error)) {
    const struct text *found = find(error);
    return found ? found->text : "unrecognized error code";
}
