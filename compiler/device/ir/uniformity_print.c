// What the analysis has found, for --dump=uniformity.
#include <stdio.h>
#include <string.h>

#include "device/ir/cfg.h"
#include "device/ir/uniformity.h"

static void print_shape(const struct gcl_value_info *info) {
    switch (info->variance) {
    case GCL_VARIANCE_UNKNOWN:
        printf("unreached");
        break;
    case GCL_VARIANCE_UNIFORM:
        printf("uniform");
        break;
    case GCL_VARIANCE_AFFINE:
        printf("affine %+" G_GINT64_FORMAT "x%s%s", info->x_stride, info->has_y ? " + sy" : "",
               info->unsure ? ", checked at each access" : "");
        break;
    case GCL_VARIANCE_DIVERGENT:
        printf("divergent");
        break;
    }
}

static char *one_line(LLVMValueRef value) {
    char *text = LLVMPrintValueToString(value);
    char *copy = g_strstrip(g_strdup(text));
    LLVMDisposeMessage(text);
    copy[strcspn(copy, "\n")] = '\0';
    char *metadata = strstr(copy, ", !");
    if (metadata)
        *metadata = '\0';
    return copy;
}

static void print_instruction(const struct gcl_uniformity *u, LLVMValueRef i) {
    struct gcl_value_info info = gcl_uniformity_of(u, i);
    g_autofree char *text = one_line(i);
    printf("  ");
    print_shape(&info);
    printf(": %s\n", text);
    if (info.variance == GCL_VARIANCE_DIVERGENT && info.why && info.why != i) {
        g_autofree char *why = one_line(info.why);
        printf("      because of %s\n", why);
    }
}

void gcl_uniformity_print(const struct gcl_uniformity *u) {
    size_t length;
    printf("%s\n", LLVMGetValueName2(u->function, &length));
    for (int b = 0; b < u->cfg->count; b++) {
        const struct gcl_cfg_block *block = &u->cfg->blocks[b];
        printf(" block %d%s:\n", b, u->branches[b] ? ", lanes part ways behind it" : "");
        LLVMValueRef i = LLVMGetFirstInstruction(block->block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
                print_instruction(u, i);
        }
    }
    for (int l = 0; l < u->cfg->loop_count; l++) {
        if (u->divergent_loops[l])
            printf(" lanes leave the loop at block %d at different times\n",
                   u->cfg->loops[l].header);
    }
}
