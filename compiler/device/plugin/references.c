// Clang notes them in `nvvm.annotations` as rows of the variable, "texture" or "surface", and 1.
// Static variables that programs mark as the device's it keeps for host code, but not these.
#include "device/plugin/references.h"

#include <stdlib.h>
#include <string.h>

static int is_reference(LLVMValueRef row) {
    LLVMValueRef parts[3];
    unsigned length;
    if (LLVMGetMDNodeNumOperands(row) != 3)
        return 0;
    LLVMGetMDNodeOperands(row, parts);
    if (!parts[0] || !LLVMIsAGlobalVariable(parts[0]) || !parts[1] || !LLVMIsAMDString(parts[1]))
        return 0;
    const char *kind = LLVMGetMDString(parts[1], &length);
    return length == 7 && (memcmp(kind, "texture", 7) == 0 || memcmp(kind, "surface", 7) == 0);
}

static void keep(LLVMValueRef row) {
    LLVMValueRef parts[3];
    LLVMGetMDNodeOperands(row, parts);
    LLVMValueRef variable = parts[0];
    if (LLVMIsDeclaration(variable))
        return;
    LLVMSetInitializer(variable, LLVMConstNull(LLVMGlobalGetValueType(variable)));
    LLVMSetLinkage(variable, LLVMExternalLinkage);
    LLVMSetExternallyInitialized(variable, 1);
}

void gcl_references_keep(LLVMModuleRef module) {
    unsigned count = LLVMGetNamedMetadataNumOperands(module, "nvvm.annotations");
    LLVMValueRef *rows = calloc(count + 1u, sizeof *rows);
    if (!rows)
        abort();
    LLVMGetNamedMetadataOperands(module, "nvvm.annotations", rows);
    for (unsigned i = 0; i < count; i++) {
        if (is_reference(rows[i]))
            keep(rows[i]);
    }
    free(rows);
}
