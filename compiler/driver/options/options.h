// nvcc's command line as a structure: filled once (command_line.h), then only read.
//
// Flags are sorted by the tool that gets them: `common` goes to every compilation pass, `host` and
// `device` to one of them, `link` to the linker.
#ifndef GCL_DRIVER_OPTIONS_H
#define GCL_DRIVER_OPTIONS_H

#include <stdbool.h>

#include <glib.h>

enum gcl_phase {
    GCL_PHASE_LINK,        ///< compile and link
    GCL_PHASE_COMPILE,     ///< -c, -dc, -dw: an object a source file
    GCL_PHASE_PREPROCESS,  ///< -E
    GCL_PHASE_DEPEND,      ///< -M, -MM: a make rule, nothing compiled
    GCL_PHASE_DEVICE_LINK, ///< -dlink: the device code of several objects
    GCL_PHASE_LIBRARY,     ///< -lib
    GCL_PHASE_MODULE,      ///< -ptx, -cubin, -fatbin: device code to be loaded at run time
    GCL_PHASE_RELOCATABLE, ///< -r: one object out of several
    GCL_PHASE_RUN,         ///< -run: link, then start the program
    GCL_PHASE_DUMP,        ///< --dump=, --emit=, --check-rewrite, --explain alone
    GCL_PHASE_VERSION,
    GCL_PHASE_HOST_VERSION, ///< -Xcompiler --version and kin
    GCL_PHASE_HELP,
    GCL_PHASE_LIST_ARCH, ///< -arch-ls
    GCL_PHASE_LIST_CODE, ///< -code-ls
};

enum gcl_language {
    GCL_LANGUAGE_NONE, ///< nothing to compile: object, archive, shared library
    GCL_LANGUAGE_CUDA,
    GCL_LANGUAGE_CXX,
    GCL_LANGUAGE_C,
    GCL_LANGUAGE_ASSEMBLER,
};

/// What device code is made for: a sum.
enum gcl_device {
    GCL_DEVICE_CPU = 1,
    GCL_DEVICE_CUDA = 2,
    GCL_DEVICE_TOLD = 4, ///< by --device, not by default
};

enum gcl_explain {
    GCL_EXPLAIN_NOT,
    GCL_EXPLAIN_TEXT,
    GCL_EXPLAIN_JSON,
    GCL_EXPLAIN_TABLES, ///< JSON, with what it takes to evaluate launches: for our own tools
};

struct gcl_input {
    const char *path;
    enum gcl_language language;
};

/// All strings live as long as the structure.
struct gcl_options {
    enum gcl_phase phase;
    GArray *inputs;               ///< struct gcl_input, in order
    const char *output;           ///< -o, or NULL
    const char *output_directory; ///< -odir, or NULL
    const char *keep_directory;   ///< NULL: the current one
    const char *language;         ///< -x: "cu", "c++", "c", or NULL
    const char *arch;             ///< "sm_90": what __CUDA_ARCH__ says
    GPtrArray *architectures;     ///< -arch: "sm_90", "native", ...
    GPtrArray *codes;             ///< -code
    GPtrArray *gencodes;          ///< -gencode: "arch=compute_90,code=sm_90"
    unsigned devices;             ///< --device: enum gcl_device, both unless told
    bool line_info;               ///< -lineinfo
    const char *march;            ///< -march: clang's name of the processor, or NULL
    const char *device_target;    ///< --device-target: LLVM's triple, or NULL
    const char *module;   ///< "ptx", "cubin", "fatbin": what a module is to look like, or NULL
    GPtrArray *dump;      ///< stages to print: "unit", "edits", "source", "ir", ...
    const char *optimize; ///< "0" to "3" for the host pass, or NULL
    const char *standard; ///< "c++17", or NULL
    const char *default_stream; ///< "legacy", "per-thread", or NULL
    const char *archiver;       ///< -arbin, or NULL
    const char *depend_file;    ///< -MF, or NULL
    GPtrArray *depend_targets;  ///< -MT
    GPtrArray *common;          ///< every pass: -I, -D, -include, -w, ...
    GPtrArray *host;            ///< host pass
    const char *host_question;  ///< what clang is asked about itself, or NULL
    GPtrArray *unread;          ///< host pass by clang alone, never libclang: -Wp, -fplugin, ...
    GPtrArray *device;          ///< device pass
    GPtrArray *link;            ///< linker: -L, -l, -Wl, ...
    GPtrArray *archive;         ///< -Xarchive
    GPtrArray *run_arguments;   ///< -run-args
    bool depend;                ///< -MD, -MMD, -M, -MM
    bool depend_user_only;      ///< without system headers
    bool depend_phony;          ///< -MP
    bool debug;                 ///< -g
    bool device_debug;          ///< -G
    bool fast_math;
    unsigned max_registers;       ///< -maxrregcount; 0: no limit
    bool flush_denormals;         ///< -ftz
    bool exact_quotients;         ///< -prec-div, true unless told
    bool exact_roots;             ///< -prec-sqrt, true unless told
    const char *cuda_path;        ///< --cuda-path: the CUDA toolkit, or NULL
    bool scalar;                  ///< --cpu=scalar
    unsigned sanitize;            ///< --sanitize: GCL_KERNEL_FOOTPRINT and so on, a sum
    bool vector_remarks;          ///< -Rgcluster=vector
    bool cache_remarks;           ///< -Rgcluster=cache
    bool fused_multiply_add;      ///< -fmad, true unless told
    bool relocatable_device_code; ///< -rdc=true, -dc
    bool openmp;
    bool shared;
    const char *host_compiler; ///< -ccbin; NULL: not said
    bool leaves_out_libraries; ///< of CUDA's: what calls them must not pass unnoticed
    bool keep;
    bool check_rewrite;
    enum gcl_explain explain; ///< --explain
    bool dry_run;
    bool verbose;
    bool no_warnings;
    bool forward_compiler; ///< unknown options go to the host compiler
    bool forward_linker;
    unsigned jobs; ///< -t: source files compiled at a time, at least 1
    GStringChunk *strings;
};

/// Options of a run without words: nothing to compile yet.
struct gcl_options *gcl_options_create(void);
void gcl_options_destroy(struct gcl_options *options);
/// Whether --dump= names one of `stages`, a list that ends with NULL.
bool gcl_options_dump_one(const struct gcl_options *options, const char *const *stages);
/// Whether --dump names a stage that is there only when code is generated.
bool gcl_options_dump_code(const struct gcl_options *options);
/// Whether the device code of objects made with -rdc=true is put together.
bool gcl_options_link_device(const struct gcl_options *options);

/// Whether kernels are compiled for debuggers (-G). What --sanitize checks, it checks in kernels
/// that aren't.
bool gcl_options_debug_kernels(const struct gcl_options *options);

/// Whether CPU code of kernels says which lines it comes from (-lineinfo).
bool gcl_options_describe_lines(const struct gcl_options *options);

/// Whether device code is made without host code beside it.
bool gcl_options_leave_out_host(const struct gcl_options *options);

/// Whether what each source is compiled to is the user's: -c, -ptx.
bool gcl_options_keep_objects(const struct gcl_options *options);

/// A copy of `text` that lives as long as `options`.
const char *gcl_options_keep(struct gcl_options *options, const char *text);

/// Adds a formatted copy to one of the lists above.
void gcl_options_add(struct gcl_options *options, GPtrArray *list, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/// Takes one word meant for the host compiler (-Xcompiler) apart: some concern every pass, some the
/// linker.
void gcl_options_add_host(struct gcl_options *options, const char *word);

/// The language that nvcc sees in a file name.
enum gcl_language gcl_options_language_of(const char *path);

/// True for a linker input by its name: .o, .a, .so, .so.1
bool gcl_options_is_linker_input(const char *path);

#endif
