// Registers by name, and what stands for a value without being one: numbers, special registers.
#include "device/ptx/value.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"

unsigned gcl_ptx_bits(const char *type) {
    if (strcmp(type, "pred") == 0)
        return 1;
    if (!type[0] || !strchr("busf", type[0]))
        return 0;
    char *end;
    unsigned long bits = strtoul(type + 1, &end, 10);
    bool is_known = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    return *end == 0 && is_known && (type[0] != 'f' || bits >= 32) ? (unsigned)bits : 0;
}

bool gcl_ptx_is_real(const char *type) {
    return type[0] == 'f';
}

bool gcl_ptx_is_signed(const char *type) {
    return type[0] == 's';
}

LLVMTypeRef gcl_ptx_integer(struct gcl_ptx *p, unsigned bits) {
    return LLVMIntTypeInContext(p->m->context, bits);
}

LLVMTypeRef gcl_ptx_void(struct gcl_ptx *p) {
    return LLVMVoidTypeInContext(p->m->context);
}

LLVMTypeRef gcl_ptx_llvm_type(struct gcl_ptx *p, const char *type) {
    unsigned bits = gcl_ptx_bits(type);
    if (bits == 0)
        return NULL;
    if (gcl_ptx_is_real(type))
        return bits == 32 ? LLVMFloatTypeInContext(p->m->context)
                          : LLVMDoubleTypeInContext(p->m->context);
    return gcl_ptx_integer(p, bits);
}

LLVMValueRef gcl_ptx_as_bits(struct gcl_ptx *p, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(p->b, value, gcl_i64(p->m), "");
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
        return value;
    unsigned width = (unsigned)LLVMSizeOfTypeInBits(p->m->layout, type);
    return LLVMBuildBitCast(p->b, value, gcl_ptx_integer(p, width), "");
}

LLVMValueRef gcl_ptx_call(struct gcl_ptx *p, const char *name, LLVMTypeRef result,
                          LLVMValueRef *arguments, unsigned count) {
    LLVMTypeRef types[8];
    assert(count <= G_N_ELEMENTS(types));
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    LLVMValueRef function = LLVMGetNamedFunction(p->m->module, name);
    if (!function)
        function = LLVMAddFunction(p->m->module, name, type);
    return LLVMBuildCall2(p->b, type, function, arguments, count, "");
}

LLVMValueRef gcl_ptx_local(struct gcl_ptx *p, LLVMTypeRef element, unsigned count) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(p->m->context);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(p->call));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef variable = LLVMBuildAlloca(b, LLVMArrayType2(element, count), "");
    LLVMSetAlignment(variable, 16);
    LLVMDisposeBuilder(b);
    return variable;
}

static LLVMValueRef thread_value(struct gcl_ptx *p, const char *name) {
    LLVMValueRef function = gcl_intrinsic_declare(p->m, name, gcl_i32(p->m));
    return LLVMBuildCall2(p->b, LLVMGlobalGetValueType(function), function, NULL, 0, "");
}

static LLVMValueRef thread_number(struct gcl_ptx *p) {
    LLVMValueRef plane = LLVMBuildAdd(
        p->b, thread_value(p, "__gcl_tid_y"),
        LLVMBuildMul(p->b, thread_value(p, "__gcl_ntid_y"), thread_value(p, "__gcl_tid_z"), ""),
        "");
    return LLVMBuildAdd(p->b, thread_value(p, "__gcl_tid_x"),
                        LLVMBuildMul(p->b, thread_value(p, "__gcl_ntid_x"), plane, ""), "");
}

LLVMValueRef gcl_ptx_lane(struct gcl_ptx *p) {
    return LLVMBuildAnd(p->b, thread_number(p), gcl_u32(p->m, 31), "");
}

static LLVMValueRef lane_mask(struct gcl_ptx *p, const char *which) {
    LLVMValueRef one = LLVMBuildShl(p->b, gcl_u32(p->m, 1), gcl_ptx_lane(p), "");
    LLVMValueRef below = LLVMBuildSub(p->b, one, gcl_u32(p->m, 1), "");
    if (strcmp(which, "eq") == 0)
        return one;
    if (strcmp(which, "lt") == 0)
        return below;
    if (strcmp(which, "le") == 0)
        return LLVMBuildOr(p->b, below, one, "");
    if (strcmp(which, "ge") == 0)
        return LLVMBuildNot(p->b, below, "");
    return strcmp(which, "gt") == 0 ? LLVMBuildNot(p->b, LLVMBuildOr(p->b, below, one, ""), "")
                                    : NULL;
}

static LLVMValueRef clock_value(struct gcl_ptx *p, const char *name) {
    if (g_str_has_prefix(name, "clock")) {
        LLVMValueRef clock = gcl_ptx_call(p, "gcl_device_clock", gcl_i64(p->m), NULL, 0);
        return strcmp(name, "clock") == 0 ? LLVMBuildTrunc(p->b, clock, gcl_i32(p->m), "") : clock;
    }
    if (!g_str_has_prefix(name, "globaltimer"))
        return NULL;
    LLVMValueRef timer = gcl_ptx_call(p, "gcl_device_globaltimer", gcl_i64(p->m), NULL, 0);
    if (g_str_has_suffix(name, "_hi"))
        timer = LLVMBuildLShr(p->b, timer, gcl_u64(p->m, 32), "");
    return strchr(name, '_') ? LLVMBuildTrunc(p->b, timer, gcl_i32(p->m), "") : timer;
}

// A CPU is one multiprocessor, so that its number is no index beyond their count.
static LLVMValueRef special_register(struct gcl_ptx *p, const char *name) {
    static const char *const axes[] = {"tid.x",   "tid.y",    "tid.z",    "ntid.x",
                                       "ntid.y",  "ntid.z",   "ctaid.x",  "ctaid.y",
                                       "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z"};
    for (size_t i = 0; i < G_N_ELEMENTS(axes); i++) {
        if (strcmp(name, axes[i]) == 0) {
            g_autofree char *intrinsic = g_strdup_printf("__gcl_%s", axes[i]);
            *strchr(intrinsic, '.') = '_';
            return thread_value(p, intrinsic);
        }
    }
    if (strcmp(name, "laneid") == 0)
        return gcl_ptx_lane(p);
    if (strcmp(name, "warpid") == 0)
        return LLVMBuildLShr(p->b, thread_number(p), gcl_u32(p->m, 5), "");
    if (strcmp(name, "smid") == 0)
        return gcl_u32(p->m, 0);
    if (strcmp(name, "nsmid") == 0)
        return gcl_u32(p->m, 1);
    if (strcmp(name, "dynamic_smem_size") == 0)
        return thread_value(p, "__gcl_dynamic_shared_size");
    if (g_str_has_prefix(name, "lanemask_"))
        return lane_mask(p, name + strlen("lanemask_"));
    return clock_value(p, name);
}

// `0f3f800000` and `0d3ff0000000000000` are bits of floating-point numbers.
static LLVMValueRef read_number(struct gcl_ptx *p, const char *text) {
    char *end;
    bool is_single = g_ascii_strncasecmp(text, "0f", 2) == 0;
    if (is_single || g_ascii_strncasecmp(text, "0d", 2) == 0) {
        guint64 bits = g_ascii_strtoull(text + 2, &end, 16);
        size_t digits = (size_t)(end - text) - 2;
        if (*end || digits != (is_single ? 8 : 16))
            return NULL;
        return LLVMConstInt(gcl_ptx_integer(p, is_single ? 32 : 64), bits, 0);
    }
    bool is_minus = text[0] == '-';
    guint64 number = g_ascii_strtoull(text + is_minus, &end, 0);
    end += end > text + is_minus && *end == 'U';
    if (end == text + is_minus || *end)
        return NULL;
    return gcl_u64(p->m, is_minus ? 0 - number : number);
}

LLVMValueRef gcl_ptx_read(struct gcl_ptx *p, const char *name) {
    LLVMValueRef known = g_hash_table_lookup(p->registers, name);
    if (known)
        return known;
    if (name[0] == '$') {
        char *end;
        unsigned index = (unsigned)strtoul(name + 1, &end, 10);
        bool is_input =
            *end == 0 && index >= p->outputs && index - p->outputs < LLVMGetNumArgOperands(p->call);
        return is_input ? gcl_ptx_as_bits(p, LLVMGetOperand(p->call, index - p->outputs)) : NULL;
    }
    if (name[0] == '%')
        return special_register(p, name + 1);
    return strcmp(name, "WARP_SZ") == 0 ? gcl_u32(p->m, 32) : read_number(p, name);
}

LLVMValueRef gcl_ptx_read_as(struct gcl_ptx *p, const char *name, const char *type) {
    LLVMTypeRef wanted = gcl_ptx_llvm_type(p, type);
    LLVMValueRef bits = wanted ? gcl_ptx_read(p, name) : NULL;
    if (!bits)
        return NULL;
    LLVMTypeRef sized = gcl_ptx_integer(p, gcl_ptx_bits(type));
    bits = LLVMBuildIntCast2(p->b, bits, sized, gcl_ptx_is_signed(type), "");
    return gcl_ptx_is_real(type) ? LLVMBuildBitCast(p->b, bits, wanted, "") : bits;
}

LLVMValueRef gcl_ptx_operand(struct gcl_ptx *p, const struct gcl_ptx_statement *s, unsigned index,
                             const char *type) {
    const struct gcl_ptx_operand *o = &s->operands[index];
    if (index >= s->operand_count || o->is_vector || o->is_address)
        return NULL;
    LLVMValueRef value = gcl_ptx_read_as(p, o->names[0], type);
    return value && o->is_negated ? LLVMBuildNot(p->b, value, "") : value;
}

LLVMValueRef gcl_ptx_condition(struct gcl_ptx *p, const struct gcl_ptx_statement *s) {
    LLVMValueRef condition = s->predicate ? gcl_ptx_read_as(p, s->predicate, "pred") : NULL;
    return condition && s->negated ? LLVMBuildNot(p->b, condition, "") : condition;
}

void gcl_ptx_write(struct gcl_ptx *p, const struct gcl_ptx_statement *s, const char *name,
                   LLVMValueRef value) {
    if (strcmp(name, "_") == 0)
        return;
    LLVMValueRef bits = gcl_ptx_as_bits(p, value), condition = gcl_ptx_condition(p, s);
    LLVMValueRef old = g_hash_table_lookup(p->registers, name);
    if (condition && old)
        bits = LLVMBuildSelect(p->b, condition, bits,
                               LLVMBuildIntCast2(p->b, old, LLVMTypeOf(bits), 0, ""), "");
    g_hash_table_insert(p->registers, g_strdup(name), bits);
}
