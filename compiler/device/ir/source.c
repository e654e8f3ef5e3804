// Where instructions stand in the user's source, from clang's debug information. Instructions of
// our headers for CUDA count as part of the call that they were inlined into: users know that one.
#include "device/ir/source.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "device/ir/module.h"

// Debug information splits paths into a folder and a name in it, not always where the user did.
char *gcl_source_file(const struct gcl_module *m, LLVMMetadataRef scope) {
    unsigned name_length = 0, folder_length = 0;
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    if (!file)
        return g_strdup(m->inputs[0].source);
    const char *name_text = LLVMDIFileGetFilename(file, &name_length);
    const char *folder_text = LLVMDIFileGetDirectory(file, &folder_length);
    g_autofree char *name = g_strndup(name_text, name_length);
    g_autofree char *folder = g_strndup(folder_text ? folder_text : "", folder_length);
    g_autofree char *here = g_get_current_dir();
    g_autofree char *path = g_canonicalize_filename(name, *folder ? folder : NULL);
    for (size_t i = 0; i < m->input_count; i++) {
        g_autofree char *input = g_canonicalize_filename(m->inputs[i].source, NULL);
        if (strcmp(input, path) == 0)
            return g_strdup(m->inputs[i].source);
    }
    bool is_here = *folder == '\0' || strcmp(folder, here) == 0;
    return is_here ? g_steal_pointer(&name) : g_steal_pointer(&path);
}

static char *file_name(LLVMMetadataRef location) {
    unsigned length = 0;
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    return g_strndup(name ? name : "", length);
}

// Whether a location is in one of our headers for CUDA whose name begins with `name`.
static bool is_in_header(LLVMMetadataRef location, const char *name) {
    unsigned length = 0;
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    const char *text = file ? LLVMDIFileGetDirectory(file, &length) : NULL;
    g_autofree char *directory = g_strndup(text ? text : "", length);
    g_autofree char *relative = file_name(location);
    g_autofree char *path = g_canonicalize_filename(relative, *directory ? directory : NULL);
    g_autofree char *part = g_strconcat("/" GCL_CUDA_DIR "/", name, NULL);
    return strstr(path, part) != NULL;
}

static LLVMMetadataRef location_of(LLVMValueRef value) {
    LLVMMetadataRef location = LLVMIsAInstruction(value) ? LLVMInstructionGetDebugLoc(value) : NULL;
    return location && LLVMDILocationGetLine(location) > 0 ? location : NULL;
}

// Instructions that LLVM made, or made one of several, have no location, or one without a line.
// Then the location of the address will do, of the next instruction, or of the one before.
static LLVMMetadataRef find_location(LLVMValueRef instruction) {
    LLVMMetadataRef location = location_of(instruction);
    if (!LLVMIsAInstruction(instruction))
        return NULL;
    if (!location && LLVMIsAStoreInst(instruction))
        location = location_of(LLVMGetOperand(instruction, 1));
    for (LLVMValueRef i = instruction; i && !location; i = LLVMGetNextInstruction(i))
        location = location_of(i);
    for (LLVMValueRef i = instruction; i && !location; i = LLVMGetPreviousInstruction(i))
        location = location_of(i);
    return location;
}

bool gcl_source_is_texture(LLVMValueRef instruction) {
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    return location && is_in_header(location, "gcluster_texture.h");
}

struct gcl_source gcl_source_find(const struct gcl_module *m, LLVMValueRef function,
                                  LLVMValueRef instruction) {
    LLVMMetadataRef location = find_location(instruction), outer = NULL;
    while (location && (outer = LLVMDILocationGetInlinedAt(location)) && is_in_header(location, ""))
        location = outer;
    if (location)
        return (struct gcl_source){.file = gcl_source_file(m, LLVMDILocationGetScope(location)),
                                   .line = LLVMDILocationGetLine(location),
                                   .column = (uint16_t)LLVMDILocationGetColumn(location)};
    LLVMMetadataRef kernel = LLVMGetSubprogram(function);
    if (!kernel)
        return (struct gcl_source){.file = NULL};
    return (struct gcl_source){.file = gcl_source_file(m, kernel),
                               .line = LLVMDISubprogramGetLine(kernel)};
}
