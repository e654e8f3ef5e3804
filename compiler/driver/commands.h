// The command lines of clang and ld for each pass: from options to words, nothing run.
//
// Every function returns a new array that owns its strings, the program's path first.
#ifndef GCL_DRIVER_COMMANDS_H
#define GCL_DRIVER_COMMANDS_H

#include <glib.h>

#include "driver/options/installation.h"
#include "driver/options/options.h"

struct gcl_cache;

/// What clang reads a source file for.
enum gcl_pass { GCL_PASS_HOST, GCL_PASS_DEVICE, GCL_PASS_COUNT };

/// One source file on its way to an object. Paths are NULL until the stage that makes the file has
/// run.
struct gcl_compilation {
    const struct gcl_options *options;
    const struct gcl_installation *installation;
    const struct gcl_input *input;
    const char *object;        ///< what the user gets
    const char *unit_id;       ///< names this object's device code
    const char *id_file;       ///< holds unit_id
    const char *overlay;       ///< clang's map from original to rewritten files, or NULL
    const char *depend_output; ///< where clang writes the make rule, or NULL
    const char *precompiled;   ///< our headers as gcl_command_precompile writes them, or NULL
    struct gcl_cache *cache;   ///< where precompiled headers are kept; NULL: nowhere
    const char *headers[GCL_PASS_COUNT]; ///< their keys there; NULL: a pass reads them as they are
    const char *raw_ir; ///< device code as gcl_command_optimize wants it; NULL: that isn't needed
    const char *device_ir;
    const char *ptx_file; ///< of a module that is to look like PTX, or NULL
    const char *host_object;
    const char *shapes_file;   ///< block sizes of launches, as gcl_shapes_format writes them
    const char *rewritten;     ///< an overlay for the device pass (gcl_rewrite_device), if needed
    const char *explain_file;  ///< what is known of its kernels, for --explain
    const char *pragmas_file;  ///< as gcl_pragmas_format writes them
    const char *names_file;    ///< of a module: names that the source asks for, one a line
    const char *device_object; ///< with -rdc=true: device code as it goes into the object's section
    char *progress;            ///< where to write what it is at (progress.h); NULL: nowhere
    bool colour;               ///< messages go to a terminal
};

/// What libclang and the host pass have in common, without a program's name.
GPtrArray *gcl_command_parse(const struct gcl_compilation *compilation);

/// Host pass: source or rewritten source to `host_object`.
GPtrArray *gcl_command_host(const struct gcl_compilation *compilation);

/// Device pass: source to `device_ir`, or only to `raw_ir` if that isn't NULL.
GPtrArray *gcl_command_device(const struct gcl_compilation *compilation);

/// What the device pass does after `raw_ir`: from `ir`, which is that or a part of it, to
/// `device_ir`.
GPtrArray *gcl_command_optimize(const struct gcl_compilation *compilation, const char *ir);

/// What stands for a source where our headers alone are precompiled.
#define GCL_EMPTY_FILE "/dev/null"

/// Our headers and what `file` includes behind them, as a pass with the same options gets them, to
/// `output`, if they may be precompiled.
GPtrArray *gcl_command_precompile(const struct gcl_compilation *compilation, enum gcl_pass pass,
                                  const char *file, const char *output);

/// Whether a pass may read our headers precompiled: no option includes anything before them, nor
/// has debuggers told of names in headers, of which clang leaves some out then.
bool gcl_command_may_precompile(const struct gcl_compilation *compilation, enum gcl_pass pass);

/// -E, -M, -MM: to `output`, or standard output if that is NULL.
GPtrArray *gcl_command_preprocess(const struct gcl_compilation *compilation, const char *output);

/// Makes one relocatable object of several.
GPtrArray *gcl_command_join(const struct gcl_installation *installation, const GPtrArray *objects,
                            const char *output);

/// With -rdc=true: an object of the host half and the device code in `device_object`. clang has
/// left a call of `registration`, a function that nvcc's linker would make; ours is in the runtime.
GPtrArray *gcl_command_pack(const struct gcl_compilation *compilation, const char *registration,
                            const char *output);

/// An object with nothing in it.
GPtrArray *gcl_command_empty(const struct gcl_installation *installation, const char *output);

/// Marks an object as the device code of a whole program.
GPtrArray *gcl_command_mark_linked(const struct gcl_installation *installation, const char *object,
                                   const char *output);

/// Links `objects`, in order, to a program or a shared library.
GPtrArray *gcl_command_link(const struct gcl_options *options,
                            const struct gcl_installation *installation, const GPtrArray *objects,
                            const char *output);

/// Makes of device code a shared object that the runtime loads (cuModuleLoad).
GPtrArray *gcl_command_module(const struct gcl_installation *installation, const GPtrArray *objects,
                              const char *output);

GPtrArray *gcl_command_archive(const struct gcl_options *options,
                               const struct gcl_installation *installation,
                               const GPtrArray *objects, const char *output);

#endif
