// NVRTC, compilation while a program runs, by its documented names. The compiler is gcluster-cc, as
// a process of its own, from the installation that libgcluster is part of; what it has compiled
// before comes from its cache. Results are modules for cuModuleLoadData (gcluster/driver.h).
#ifndef GCLUSTER_NVRTC_H
#define GCLUSTER_NVRTC_H

#include <stddef.h>

typedef enum {
#define NVRTC_RESULT(name, value) name = value,
#include "gcluster/nvrtc_results.h"
#undef NVRTC_RESULT
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

#ifdef __cplusplus
extern "C" {
#endif

/// "NVRTC_SUCCESS"; a string that lives forever.
const char *nvrtcGetErrorString(nvrtcResult result);
/// The version that is mirrored: 12 and 8.
nvrtcResult nvrtcVersion(int *major, int *minor);
/// How many architectures compile_<n> there are, and their numbers, ascending.
nvrtcResult nvrtcGetNumSupportedArchs(int *count);
nvrtcResult nvrtcGetSupportedArchs(int *numbers);

/// All texts are copied. Headers are found by the names in `include_names`, before those in
/// folders. `name` is the source's in messages; NULL: it has none.
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name,
                               int header_count, const char *const *headers,
                               const char *const *include_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
/// Options are NVRTC's and gcluster-cc's; paths are relative to the current folder.
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char *const *options);
/// What the compiler said, with the 0 that ends it.
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log);
/// PTX with code for CPUs in comments, and the 0 that ends it.
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx);
/// The same as a binary. Of size 0 if the architecture is a virtual one, compute_80.
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin);
/// Before compilation: a kernel or variable by an expression, as of a template's instance, which is
/// made by that. After it: the name for cuModuleGetFunction and cuModuleGetGlobal, which lives as
/// long as the program.
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name);

#ifdef __cplusplus
}
#endif

#endif
