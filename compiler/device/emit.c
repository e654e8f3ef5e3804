// Optimises the module and writes the object file.
#include "device/emit.h"

#include <llvm-c/Analysis.h>

#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/levels.h"
#include "device/lower/lower.h"

static bool write_object(struct gcl_module *m, const char *object_path) {
    static const char *const pipelines[] = {
        "function(sroa),default<O1>",
        "function(sroa),default<O1>",
        "function(sroa),default<O2>",
        "function(sroa),default<O3>",
    };
    gcl_levels_tell(m);
    gcl_math_lower(m); // now that every function has the code of its level
    gcl_module_run_passes(m, pipelines[CLAMP(m->options->optimization_level, 0, 3)]);
    gcl_addresses_sink(m);
    gcl_narrow(m);
    gcl_pieces_split(m);
    gcl_blocks_split(m);
    g_autofree char *path = g_strdup(object_path);
    char *message = NULL;
    if (m->failed)
        return false;
    if (LLVMTargetMachineEmitToFile(m->machine, m->module, path, LLVMObjectFile, &message)) {
        gcl_module_error(m, GCL_CODE_CODE_GENERATION, NULL, "cannot write %s: %s", object_path,
                         message);
        LLVMDisposeMessage(message);
        return false;
    }
    return true;
}

struct job {
    struct gcl_module *m;
    const char *object_path;
    bool written;
};

static void *do_job(void *data) {
    struct job *job = data;
    job->written = write_object(job->m, job->object_path);
    return NULL;
}

// A thread has a heap of its own, where LLVM finds memory at once. In that of the caller it would
// search through the many pieces that the stages before, and code that other processes write, have
// left: a seventh of the time that long code takes.
static bool write_in_new_heap(struct gcl_module *m, const char *object_path) {
    struct job job = {.m = m, .object_path = object_path};
    GThread *thread = g_thread_try_new("emit", do_job, &job, NULL);
    if (thread)
        g_thread_join(thread);
    else
        do_job(&job);
    return job.written;
}

// Nobody unwinds through device code, which throws nothing: it needs no tables of how to.
static void forget_unwinding(struct gcl_module *m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
        gcl_module_add_attribute(m, f, "nounwind");
}

bool gcl_emit(struct gcl_module *m, const char *object_path) {
    char *message = NULL;
    if (LLVMVerifyModule(m->module, LLVMReturnStatusAction, &message)) {
        gcl_module_error(m, GCL_CODE_CODE_GENERATION, NULL,
                         "the code generator made IR that is not valid: %s", message);
        LLVMDisposeMessage(message);
        return false;
    }
    LLVMDisposeMessage(message);
    forget_unwinding(m);
    if (m->options->debug)
        gcl_shim_use_mirrors(m->module);
    // Instances of templates may be the same, but for a debugger.
    gcl_module_run_passes(m, m->options->debug ? "always-inline" : "always-inline,mergefunc");
    if (m->options->lines)
        gcl_shim_describe_lines(m->module);
    if (!m->failed && gcl_levels_divide(m))
        return gcl_levels_emit(m, object_path, write_in_new_heap);
    return write_in_new_heap(m, object_path);
}
