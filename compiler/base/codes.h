// The list of diagnostics: GCL_CODE(name, number, severity, title). Each has a section in
// compiler/diagnostics.md. Numbers are never reused: 100 command line, 120 front end, 150 device
// code, 180 tools and files. Include with GCL_CODE defined; no include guard.

GCL_CODE(UNKNOWN_OPTION, 100, WARNING, "option not known")
GCL_CODE(UNSUPPORTED_OPTION, 101, ERROR, "option would change results and isn't supported")
GCL_CODE(BAD_COMMAND_LINE, 102, ERROR, "command line not understood")

GCL_CODE(UNSUPPORTED_CALL, 120, ERROR, "part of CUDA that isn't supported")
GCL_CODE(UNSUPPORTED_LIBRARY, 121, ERROR, "library that isn't supported")
GCL_CODE(UNSUPPORTED_DRIVER, 122, ERROR, "driver API that isn't supported")
GCL_CODE(LAUNCH_IN_KERNEL, 123, ERROR, "kernel launched from device code")
GCL_CODE(UNSUPPORTED_TEXTURE, 124, ERROR, "texture or surface reference")
GCL_CODE(UNSUPPORTED_MATRIX, 125, ERROR, "tensor core instructions")
GCL_CODE(BRACED_CONFIGURATION, 126, ERROR, "launch configuration in bare braces")
GCL_CODE(HOST_CALL_IN_KERNEL, 127, ERROR, "host function of the CUDA API called from device code")
GCL_CODE(PARSE_FAILED, 128, ERROR, "source that could not be parsed at all")
GCL_CODE(CHECK_FAILED, 129, ERROR, "rewritten source failed its check")
GCL_CODE(REWRITE_DROPPED, 130, WARNING, "source compiled without rewriting")
GCL_CODE(BAD_PRAGMA, 131, ERROR, "pragma that isn't understood")
GCL_CODE(STRAY_PRAGMA, 132, ERROR, "pragma that no kernel follows")
GCL_CODE(PRAGMA_NAME, 133, ERROR, "pragma about a name that doesn't fit")
GCL_CODE(PRAGMA_CONFLICT, 134, ERROR, "pragmas that repeat or contradict each other")
GCL_CODE(PRAGMA_CONTRADICTION, 135, ERROR, "pragma that contradicts the kernel")
GCL_CODE(PRAGMA_IGNORED, 136, WARNING, "pragma that has no effect")

GCL_CODE(BAD_DEVICE_IR, 150, ERROR, "device code that could not be read back")
GCL_CODE(CUT_IN_RECURSION, 151, ERROR, "threads wait for each other inside a recursive function")
GCL_CODE(CUT_BEHIND_POINTER, 152, ERROR, "threads wait for each other behind a function pointer")
GCL_CODE(VARIABLE_LENGTH, 153, ERROR, "array of variable length in a kernel")
GCL_CODE(INLINE_ASSEMBLY, 154, ERROR, "inline PTX")
GCL_CODE(GPU_INTRINSIC, 155, ERROR, "GPU instruction that the CPU device lacks")
GCL_CODE(CODE_GENERATION, 156, ERROR, "code generation failed")
GCL_CODE(DEVICE_LINK, 157, ERROR, "device code that cannot be linked")

GCL_CODE(TOOL_MISSING, 180, ERROR, "program, header or library not found")
GCL_CODE(FILE, 181, ERROR, "file that could not be read or written")
GCL_CODE(TOOL_CRASHED, 182, ERROR, "compiler stage that crashed")
