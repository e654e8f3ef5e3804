// What compiled host code calls on its own: registration of kernels and variables before main, and
// the two halves of <<<>>>. The names and signatures are clang's and nvcc's, but for the place.
#ifndef GCL_API_REGISTER_H
#define GCL_API_REGISTER_H

#include "exec/watch/trace.h"
#include "gcluster.h"

/// `wrapper` holds magic, version and the address of the content, here the unit's id.
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
/// What an object made with -rdc=true does instead; gcluster-cc takes the module's number off the
/// name that clang gives it.
void __cudaRegisterLinkedBinary(void (*register_globals)(void **handle), void *wrapper,
                                const char *module, void *callback);
void __cudaRegisterFunction(void **handle, const char *stub, char *device_stub, const char *name,
                            int thread_limit, struct uint3 *tid, struct uint3 *bid, dim3 *block,
                            dim3 *grid, int *warp_size);
void __cudaRegisterVar(void **handle, char *host, char *device_address, const char *name,
                       int is_external, size_t size, int is_constant, int is_global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device_address, const char *name,
                              int is_external, size_t size, int is_constant, int is_global);
/// A texture reference, and a surface reference; `type` is one of gclTextureType1D and kin. They
/// are in reference.c.
void __cudaRegisterTexture(void **handle, const struct textureReference *host,
                           const void **device_address, const char *name, int type,
                           int is_normalized, int is_external);
void __cudaRegisterSurface(void **handle, const struct surfaceReference *host,
                           const void **device_address, const char *name, int type,
                           int is_external);
/// Forgets the references of a unit.
void gcl_references_forget(void **handle);
/// Keeps a launch configuration, and where in the source it stands, until the stub, called next on
/// this thread, takes it back. 0: done.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_size, void *stream,
                                     struct gcl_origin origin);
gclError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_size, void *stream);

/// Where the configuration stands that this thread took back last, and has launched nothing with
/// yet; afterwards nowhere.
struct gcl_origin gcl_register_take_origin(void);

#endif
