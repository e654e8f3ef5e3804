// Translates inline PTX to IR, statement by statement. Registers hold integers of 32 or 64 bits,
// predicates one bit; float instructions cast on the way in and out. An instruction is looked up by
// its first word and a type by its last suffix, so that modifiers without meaning here (cache
// operators, state spaces, `volatile`) need no table. What isn't known is never guessed.
#include "device/lower/ptx.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/module.h"

enum { MAX_OPERANDS = 8, MAX_SUFFIXES = 8 };

struct ptx {
    struct gcl_module *m;
    LLVMBuilderRef b;
    LLVMValueRef call;
    GHashTable *registers; ///< name -> LLVMValueRef
    unsigned outputs;
};

struct statement {
    char *predicate; ///< NULL: always
    bool negated;
    char **words; ///< the instruction and its suffixes
    unsigned word_count;
    char *operands[MAX_OPERANDS];
    unsigned operand_count;
};

static bool has_word(const struct statement *s, const char *word) {
    for (unsigned i = 0; i < s->word_count; i++) {
        if (strcmp(s->words[i], word) == 0)
            return true;
    }
    return false;
}

static const char *type_word(const struct statement *s) {
    return s->word_count ? s->words[s->word_count - 1] : "";
}

static unsigned bits_of(const char *type) {
    return strcmp(type, "pred") == 0 ? 1 : type[0] ? (unsigned)atoi(type + 1) : 0;
}

static LLVMTypeRef integer_type(struct ptx *p, unsigned bits) {
    return LLVMIntTypeInContext(p->m->context, bits);
}

static LLVMTypeRef value_type(struct ptx *p, const char *type) {
    if (type[0] == 'f' && bits_of(type) == 32)
        return LLVMFloatTypeInContext(p->m->context);
    if (type[0] == 'f' && bits_of(type) == 64)
        return LLVMDoubleTypeInContext(p->m->context);
    return bits_of(type) ? integer_type(p, bits_of(type)) : NULL;
}

static LLVMValueRef as_bits(struct ptx *p, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(p->b, value, gcl_i64(p->m), "");
    if (LLVMGetTypeKind(type) == LLVMFloatTypeKind)
        return LLVMBuildBitCast(p->b, value, gcl_i32(p->m), "");
    if (LLVMGetTypeKind(type) == LLVMDoubleTypeKind)
        return LLVMBuildBitCast(p->b, value, gcl_i64(p->m), "");
    return value;
}

static LLVMValueRef as_type(struct ptx *p, LLVMValueRef bits, const char *type) {
    LLVMTypeRef wanted = value_type(p, type);
    LLVMValueRef sized =
        LLVMBuildIntCast2(p->b, bits, integer_type(p, bits_of(type)), type[0] == 's', "");
    return type[0] == 'f' ? LLVMBuildBitCast(p->b, sized, wanted, "") : sized;
}

static LLVMValueRef call_named(struct ptx *p, const char *name, LLVMTypeRef result,
                               LLVMValueRef *arguments, unsigned count) {
    LLVMTypeRef types[4];
    assert(count <= G_N_ELEMENTS(types));
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    LLVMValueRef function = LLVMGetNamedFunction(p->m->module, name);
    if (!function)
        function = LLVMAddFunction(p->m->module, name, type);
    return LLVMBuildCall2(p->b, type, function, arguments, count, "");
}

static LLVMValueRef thread_value(struct ptx *p, const char *name) {
    LLVMValueRef function = gcl_intrinsic_declare(p->m, name, gcl_i32(p->m));
    return LLVMBuildCall2(p->b, LLVMGlobalGetValueType(function), function, NULL, 0, "");
}

static LLVMValueRef thread_number(struct ptx *p) {
    LLVMValueRef plane = LLVMBuildAdd(
        p->b, thread_value(p, "__gcl_tid_y"),
        LLVMBuildMul(p->b, thread_value(p, "__gcl_ntid_y"), thread_value(p, "__gcl_tid_z"), ""),
        "");
    return LLVMBuildAdd(p->b, thread_value(p, "__gcl_tid_x"),
                        LLVMBuildMul(p->b, thread_value(p, "__gcl_ntid_x"), plane, ""), "");
}

static LLVMValueRef lane_number(struct ptx *p) {
    return LLVMBuildAnd(p->b, thread_number(p), gcl_u32(p->m, 31), "");
}

static LLVMValueRef special_register(struct ptx *p, const char *name) {
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
        return lane_number(p);
    if (strcmp(name, "warpid") == 0)
        return LLVMBuildLShr(p->b, thread_number(p), gcl_u32(p->m, 5), "");
    if (!g_str_has_prefix(name, "lanemask_"))
        return NULL;
    LLVMValueRef one = LLVMBuildShl(p->b, gcl_u32(p->m, 1), lane_number(p), "");
    LLVMValueRef below = LLVMBuildSub(p->b, one, gcl_u32(p->m, 1), "");
    const char *which = name + strlen("lanemask_");
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

// Outputs come first among `$0`, `$1`, …
static LLVMValueRef read_operand(struct ptx *p, const char *text) {
    char *end;
    if (text[0] == '$') {
        unsigned index = (unsigned)strtoul(text + 1, &end, 10);
        if (*end == 0 && index >= p->outputs && index - p->outputs < LLVMGetNumArgOperands(p->call))
            return as_bits(p, LLVMGetOperand(p->call, index - p->outputs));
        return g_hash_table_lookup(p->registers, text);
    }
    if (text[0] == '%')
        return special_register(p, text + 1);
    LLVMValueRef known = g_hash_table_lookup(p->registers, text);
    if (known)
        return known;
    gint64 number = g_ascii_strtoll(text, &end, 0);
    if (end == text || *end)
        return NULL;
    return LLVMConstInt(gcl_i64(p->m), (unsigned long long)number, 1);
}

static LLVMValueRef read_typed(struct ptx *p, const struct statement *s, unsigned index,
                               const char *type) {
    LLVMValueRef bits = index < s->operand_count ? read_operand(p, s->operands[index]) : NULL;
    return bits && value_type(p, type) ? as_type(p, bits, type) : NULL;
}

static void write_operand(struct ptx *p, const struct statement *s, const char *name,
                          LLVMValueRef value) {
    LLVMValueRef bits = as_bits(p, value);
    LLVMValueRef old = g_hash_table_lookup(p->registers, name);
    LLVMValueRef condition = s->predicate ? g_hash_table_lookup(p->registers, s->predicate) : NULL;
    if (condition && old) {
        old = LLVMBuildIntCast2(p->b, old, LLVMTypeOf(bits), 0, "");
        bits = s->negated ? LLVMBuildSelect(p->b, condition, old, bits, "")
                          : LLVMBuildSelect(p->b, condition, bits, old, "");
    }
    g_hash_table_insert(p->registers, g_strdup(name), bits);
}

static LLVMValueRef arithmetic(struct ptx *p, const struct statement *s, const char *type,
                               LLVMValueRef x, LLVMValueRef y) {
    static const struct {
        const char *name;
        LLVMOpcode integer, real, is_signed;
    } table[] = {
        {"add", LLVMAdd, LLVMFAdd, LLVMAdd}, {"sub", LLVMSub, LLVMFSub, LLVMSub},
        {"mul", LLVMMul, LLVMFMul, LLVMMul}, {"div", LLVMUDiv, LLVMFDiv, LLVMSDiv},
        {"rem", LLVMURem, 0, LLVMSRem},      {"and", LLVMAnd, 0, LLVMAnd},
        {"or", LLVMOr, 0, LLVMOr},           {"xor", LLVMXor, 0, LLVMXor},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        if (strcmp(s->words[0], table[i].name) != 0)
            continue;
        LLVMOpcode opcode = type[0] == 'f'   ? table[i].real
                            : type[0] == 's' ? table[i].is_signed
                                             : table[i].integer;
        return opcode ? LLVMBuildBinOp(p->b, opcode, x, y, "") : NULL;
    }
    return NULL;
}

static LLVMValueRef compare(struct ptx *p, const char *how, const char *type, LLVMValueRef x,
                            LLVMValueRef y) {
    static const struct {
        const char *name;
        LLVMIntPredicate plain, is_signed;
        LLVMRealPredicate real;
    } table[] = {
        {"eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},   {"ne", LLVMIntNE, LLVMIntNE, LLVMRealONE},
        {"lt", LLVMIntULT, LLVMIntSLT, LLVMRealOLT}, {"le", LLVMIntULE, LLVMIntSLE, LLVMRealOLE},
        {"gt", LLVMIntUGT, LLVMIntSGT, LLVMRealOGT}, {"ge", LLVMIntUGE, LLVMIntSGE, LLVMRealOGE},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        if (strcmp(how, table[i].name) != 0)
            continue;
        if (type[0] == 'f')
            return LLVMBuildFCmp(p->b, table[i].real, x, y, "");
        return LLVMBuildICmp(p->b, type[0] == 's' ? table[i].is_signed : table[i].plain, x, y, "");
    }
    return NULL;
}

// shl and shr clamp their amounts, where LLVM's are undefined from the width on.
static LLVMValueRef shift(struct ptx *p, const struct statement *s, const char *type) {
    LLVMValueRef x = read_typed(p, s, 1, type), amount = read_typed(p, s, 2, "u32");
    if (!x || !amount || type[0] == 'f')
        return NULL;
    LLVMTypeRef wide = LLVMTypeOf(x);
    bool left = strcmp(s->words[0], "shl") == 0, fill = !left && type[0] == 's';
    LLVMValueRef limit = gcl_u32(p->m, bits_of(type) - 1);
    LLVMValueRef fits = LLVMBuildICmp(p->b, LLVMIntULE, amount, limit, "");
    LLVMValueRef safe =
        LLVMBuildIntCast2(p->b, LLVMBuildSelect(p->b, fits, amount, limit, ""), wide, 0, "");
    if (fill)
        return LLVMBuildAShr(p->b, x, safe, "");
    LLVMValueRef moved = left ? LLVMBuildShl(p->b, x, safe, "") : LLVMBuildLShr(p->b, x, safe, "");
    return LLVMBuildSelect(p->b, fits, moved, LLVMConstNull(wide), "");
}

// The low `length` bits, for lengths of 0 to 32 and more.
static LLVMValueRef low_mask(struct ptx *p, LLVMValueRef length) {
    LLVMValueRef width = gcl_u32(p->m, 32), all = gcl_u32(p->m, UINT32_MAX);
    LLVMValueRef small = LLVMBuildICmp(p->b, LLVMIntULT, length, width, "");
    LLVMValueRef safe = LLVMBuildSelect(p->b, small, length, gcl_u32(p->m, 0), "");
    LLVMValueRef mask = LLVMBuildNot(p->b, LLVMBuildShl(p->b, all, safe, ""), "");
    return LLVMBuildSelect(p->b, small, mask, all, "");
}

// bfe.u32 d, a, position, length and bfi.b32 d, field, a, position, length, for positions below 32.
static LLVMValueRef bit_field(struct ptx *p, const struct statement *s) {
    bool insert = strcmp(s->words[0], "bfi") == 0;
    LLVMValueRef x = read_typed(p, s, 1, "u32"), base = read_typed(p, s, 2, "u32");
    LLVMValueRef position = read_typed(p, s, insert ? 3 : 2, "u32");
    LLVMValueRef length = read_typed(p, s, insert ? 4 : 3, "u32");
    if (!x || !base || !position || !length || bits_of(type_word(s)) != 32 ||
        type_word(s)[0] == 's')
        return NULL;
    LLVMValueRef byte = gcl_u32(p->m, 255), last = gcl_u32(p->m, 31);
    LLVMValueRef at = LLVMBuildAnd(p->b, position, byte, "");
    LLVMValueRef inside = LLVMBuildICmp(p->b, LLVMIntULE, at, last, "");
    LLVMValueRef safe = LLVMBuildAnd(p->b, at, last, "");
    LLVMValueRef mask = low_mask(p, LLVMBuildAnd(p->b, length, byte, ""));
    if (!insert) {
        LLVMValueRef field = LLVMBuildAnd(p->b, LLVMBuildLShr(p->b, x, safe, ""), mask, "");
        return LLVMBuildSelect(p->b, inside, field, gcl_u32(p->m, 0), "");
    }
    LLVMValueRef place = LLVMBuildShl(p->b, mask, safe, "");
    LLVMValueRef kept = LLVMBuildAnd(p->b, base, LLVMBuildNot(p->b, place, ""), "");
    LLVMValueRef field = LLVMBuildAnd(p->b, LLVMBuildShl(p->b, x, safe, ""), place, "");
    return LLVMBuildSelect(p->b, inside, LLVMBuildOr(p->b, kept, field, ""), base, "");
}

// prmt.b32 d, a, b, selector: each of four bytes is picked from the eight of b:a; bit 3 of its
// selector repeats the sign instead.
static LLVMValueRef permute(struct ptx *p, const struct statement *s) {
    LLVMValueRef low = read_typed(p, s, 1, "u64"), high = read_typed(p, s, 2, "u64");
    LLVMValueRef selector = read_typed(p, s, 3, "u64"), result = gcl_u64(p->m, 0);
    if (!low || !high || !selector || s->word_count != 2)
        return NULL;
    low = LLVMBuildAnd(p->b, low, gcl_u64(p->m, UINT32_MAX), "");
    LLVMValueRef bytes =
        LLVMBuildOr(p->b, low, LLVMBuildShl(p->b, high, gcl_u64(p->m, 32), ""), "");
    for (unsigned i = 0; i < 4; i++) {
        LLVMValueRef pick = LLVMBuildLShr(p->b, selector, gcl_u64(p->m, 4 * i), "");
        LLVMValueRef by = LLVMBuildMul(p->b, LLVMBuildAnd(p->b, pick, gcl_u64(p->m, 7), ""),
                                       gcl_u64(p->m, 8), "");
        LLVMTypeRef i8 = LLVMInt8TypeInContext(p->m->context);
        LLVMValueRef byte = LLVMBuildTrunc(p->b, LLVMBuildLShr(p->b, bytes, by, ""), i8, "");
        LLVMValueRef sign = LLVMBuildAShr(p->b, byte, LLVMConstInt(i8, 7, 0), "");
        LLVMValueRef repeat = LLVMBuildTrunc(p->b, LLVMBuildLShr(p->b, pick, gcl_u64(p->m, 3), ""),
                                             integer_type(p, 1), "");
        byte =
            LLVMBuildZExt(p->b, LLVMBuildSelect(p->b, repeat, sign, byte, ""), gcl_i64(p->m), "");
        result = LLVMBuildOr(p->b, result, LLVMBuildShl(p->b, byte, gcl_u64(p->m, 8 * i), ""), "");
    }
    return LLVMBuildTrunc(p->b, result, gcl_i32(p->m), "");
}

// vadd, vsub, vshl, vshr on whole words with a second addition: `(a op b) + c`, modulo 2^32.
static LLVMValueRef video_add(struct ptx *p, const struct statement *s) {
    LLVMValueRef x = read_typed(p, s, 1, "u32"), y = read_typed(p, s, 2, "u32");
    LLVMValueRef z = read_typed(p, s, 3, "u32");
    bool is_shift = strcmp(s->words[0], "vshl") == 0 || strcmp(s->words[0], "vshr") == 0;
    if (!x || !y || !z || strcmp(type_word(s), "add") != 0 || has_word(s, "s32") ||
        has_word(s, "sat") || (is_shift && !has_word(s, "clamp")))
        return NULL;
    LLVMValueRef first = NULL;
    if (strcmp(s->words[0], "vadd") == 0)
        first = LLVMBuildAdd(p->b, x, y, "");
    else if (strcmp(s->words[0], "vsub") == 0)
        first = LLVMBuildSub(p->b, x, y, "");
    else if (is_shift) {
        struct statement plain = *s;
        plain.words = (char *[]){s->words[0] + 1}; // without the v
        first = shift(p, &plain, "u32");
    }
    return first ? LLVMBuildAdd(p->b, first, z, "") : NULL;
}

// shfl, see PTX ISA "shfl.sync": source lane and predicate follow from clamp and segment mask.
static bool shuffle(struct ptx *p, const struct statement *s) {
    bool sync = has_word(s, "sync");
    LLVMValueRef value = read_typed(p, s, 1, "u32"), by = read_typed(p, s, 2, "u32");
    LLVMValueRef c = read_typed(p, s, 3, "u32");
    LLVMValueRef mask = sync ? read_typed(p, s, 4, "u32") : gcl_u32(p->m, 0);
    if (!value || !by || !c || !mask)
        return false;
    LLVMBuilderRef b = p->b;
    LLVMValueRef lane = lane_number(p), five = gcl_u32(p->m, 31);
    LLVMValueRef segment = LLVMBuildAnd(b, LLVMBuildLShr(b, c, gcl_u32(p->m, 8), ""), five, "");
    LLVMValueRef outside = LLVMBuildNot(b, segment, "");
    LLVMValueRef first = LLVMBuildAnd(b, lane, segment, "");
    LLVMValueRef clamp = LLVMBuildAnd(b, LLVMBuildAnd(b, c, five, ""), outside, "");
    LLVMValueRef last = LLVMBuildOr(b, first, clamp, "");
    by = LLVMBuildAnd(b, by, five, "");
    LLVMValueRef source = NULL;
    LLVMIntPredicate valid = LLVMIntSLE;
    if (has_word(s, "up"))
        source = LLVMBuildSub(b, lane, by, ""), valid = LLVMIntSGE;
    else if (has_word(s, "down"))
        source = LLVMBuildAdd(b, lane, by, "");
    else if (has_word(s, "bfly"))
        source = LLVMBuildXor(b, lane, by, "");
    else if (has_word(s, "idx"))
        source = LLVMBuildOr(b, first, LLVMBuildAnd(b, by, outside, ""), "");
    if (!source)
        return false;
    LLVMValueRef is_valid = LLVMBuildICmp(b, valid, source, last, "");
    source = LLVMBuildSelect(b, is_valid, source, lane, "");
    LLVMValueRef arguments[] = {mask, LLVMBuildZExt(b, value, gcl_i64(p->m), ""), source};
    LLVMValueRef result = call_named(p, "__gcl_warp_shuffle", gcl_i64(p->m), arguments, 3);
    char **names = g_strsplit(s->operands[0], "|", 2);
    write_operand(p, s, names[0], LLVMBuildTrunc(b, result, gcl_i32(p->m), ""));
    if (names[1])
        write_operand(p, s, names[1], is_valid);
    g_strfreev(names);
    return true;
}

static bool is_memory_operand(const char *text) {
    return text[0] == '[' && text[strlen(text) - 1] == ']' && !strchr(text, '+');
}

static LLVMValueRef address(struct ptx *p, const char *text) {
    g_autofree char *inner = g_strndup(text + 1, strlen(text) - 2);
    LLVMValueRef bits = read_operand(p, g_strstrip(inner));
    return bits ? LLVMBuildIntToPtr(p->b, bits, gcl_ptr(p->m), "") : NULL;
}

// Loads that see what other threads write meanwhile. Those that go past the first-level cache are
// written for that, too.
static bool sees_others(const struct statement *s) {
    static const char *const words[] = {"volatile", "cv", "cg", "relaxed", "acquire"};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (has_word(s, words[i]))
            return true;
    }
    return false;
}

static void load_elements(struct ptx *p, const struct statement *s, LLVMValueRef at) {
    const char *type = type_word(s);
    unsigned wide = bits_of(type) == 64 ? 64 : 32;
    for (unsigned i = 0; i + 1 < s->operand_count; i++) {
        LLVMValueRef index = gcl_u64(p->m, i);
        LLVMValueRef place = LLVMBuildGEP2(p->b, value_type(p, type), at, &index, 1, "");
        LLVMValueRef value = LLVMBuildLoad2(p->b, value_type(p, type), place, "");
        LLVMSetVolatile(value, sees_others(s));
        write_operand(
            p, s, s->operands[i],
            LLVMBuildIntCast2(p->b, as_bits(p, value), integer_type(p, wide), type[0] == 's', ""));
    }
}

static bool store_elements(struct ptx *p, const struct statement *s, LLVMValueRef at) {
    const char *type = type_word(s);
    for (unsigned i = 1; i < s->operand_count; i++) {
        LLVMValueRef index = gcl_u64(p->m, i - 1), value = read_typed(p, s, i, type);
        if (!value)
            return false;
        LLVMValueRef place = LLVMBuildGEP2(p->b, value_type(p, type), at, &index, 1, "");
        LLVMSetVolatile(LLVMBuildStore(p->b, value, place), has_word(s, "volatile"));
    }
    return true;
}

// Loads and stores of one, two or four values, `{a, b}` without its braces. 32-bit addresses of
// shared memory have no meaning here.
static bool access_memory(struct ptx *p, const struct statement *s) {
    bool load = strcmp(s->words[0], "ld") == 0 || strcmp(s->words[0], "ldu") == 0;
    const char *type = type_word(s);
    unsigned count = has_word(s, "v4") ? 4 : has_word(s, "v2") ? 2 : 1;
    if (s->operand_count != count + 1 || s->predicate || !value_type(p, type) ||
        bits_of(type) < 8 || has_word(s, "shared") || has_word(s, "local"))
        return false;
    const char *place = s->operands[load ? count : 0];
    LLVMValueRef at = is_memory_operand(place) ? address(p, place) : NULL;
    if (!at)
        return false;
    if (!load)
        return store_elements(p, s, at);
    load_elements(p, s, at);
    return true;
}

// vote: a ballot, or what follows from one.
static bool vote(struct ptx *p, const struct statement *s) {
    bool sync = has_word(s, "sync");
    LLVMValueRef condition = read_typed(p, s, 1, "pred");
    LLVMValueRef mask = sync ? read_typed(p, s, 2, "u32") : gcl_u32(p->m, 0);
    if (!condition || !mask || s->predicate)
        return false;
    bool all = has_word(s, "all");
    if (all)
        condition = LLVMBuildNot(p->b, condition, "");
    LLVMValueRef arguments[] = {mask, LLVMBuildZExt(p->b, condition, gcl_i32(p->m), "")};
    LLVMValueRef ballot = call_named(p, "__gcl_warp_ballot", gcl_i32(p->m), arguments, 2);
    LLVMIntPredicate how = all ? LLVMIntEQ : LLVMIntNE;
    if (!has_word(s, "ballot"))
        ballot = LLVMBuildICmp(p->b, how, ballot, gcl_u32(p->m, 0), "");
    if (!has_word(s, "ballot") && !all && !has_word(s, "any"))
        return false;
    write_operand(p, s, s->operands[0], ballot);
    return true;
}

static bool wait(struct ptx *p, const struct statement *s) {
    LLVMTypeRef nothing = LLVMVoidTypeInContext(p->m->context);
    if (s->predicate)
        return false;
    if (strcmp(s->words[0], "membar") == 0 || strcmp(s->words[0], "fence") == 0) {
        bool in_block = has_word(s, "cta"); // which one core runs
        LLVMBuildFence(p->b, LLVMAtomicOrderingSequentiallyConsistent, in_block, "");
        return true;
    }
    if (strcmp(s->words[0], "trap") == 0) {
        call_named(p, "gcl_device_trap", nothing, NULL, 0);
        return true;
    }
    if (strcmp(s->words[0], "exit") == 0) {
        call_named(p, "__gcl_exit", nothing, NULL, 0);
        return true;
    }
    if (has_word(s, "warp")) {
        LLVMValueRef mask = read_typed(p, s, 0, "u32");
        if (mask)
            call_named(p, "__gcl_warp_sync", nothing, &mask, 1);
        return mask != NULL;
    }
    bool whole_block = s->operand_count == 1 && strcmp(s->operands[0], "0") == 0;
    if (whole_block && has_word(s, "sync"))
        call_named(p, "__gcl_barrier", nothing, NULL, 0);
    return whole_block && has_word(s, "sync");
}

// Any function of three bits, for each bit: the table is its result for the operands 0xf0, 0xcc and
// 0xaa (PTX ISA, "lop3").
static LLVMValueRef any_logic(struct ptx *p, const struct statement *s) {
    LLVMValueRef table = s->operand_count == 5 ? read_typed(p, s, 4, "u32") : NULL;
    LLVMValueRef result = gcl_u32(p->m, 0), bits[3][2];
    if (!table || !LLVMIsAConstantInt(table) || s->word_count != 2)
        return NULL;
    for (unsigned i = 0; i < 3; i++) {
        bits[i][1] = read_typed(p, s, i + 1, "b32");
        if (!bits[i][1])
            return NULL;
        bits[i][0] = LLVMBuildNot(p->b, bits[i][1], "");
    }
    for (unsigned i = 0; i < 8; i++) {
        if (!(LLVMConstIntGetZExtValue(table) >> i & 1))
            continue;
        LLVMValueRef ab = LLVMBuildAnd(p->b, bits[0][i >> 2 & 1], bits[1][i >> 1 & 1], "");
        result = LLVMBuildOr(p->b, result, LLVMBuildAnd(p->b, ab, bits[2][i & 1], ""), "");
    }
    return result;
}

// A product of double width or its upper half, and a sum with that.
static LLVMValueRef wide_product(struct ptx *p, const struct statement *s, const char *type) {
    bool is_upper = has_word(s, "hi"), adds = strcmp(s->words[0], "mad") == 0;
    LLVMValueRef x = read_typed(p, s, 1, type), y = read_typed(p, s, 2, type), sum = NULL;
    unsigned bits = bits_of(type);
    if (!x || !y || type[0] == 'f' || (!adds && strcmp(s->words[0], "mul") != 0) ||
        s->operand_count != 3u + adds || (!is_upper && bits != 32))
        return NULL;
    if (adds) {
        sum = read_typed(p, s, 3, is_upper ? type : "u64");
        if (!sum)
            return NULL;
    }
    LLVMTypeRef wide = integer_type(p, 2 * bits);
    LLVMValueRef product = LLVMBuildMul(p->b, LLVMBuildIntCast2(p->b, x, wide, type[0] == 's', ""),
                                        LLVMBuildIntCast2(p->b, y, wide, type[0] == 's', ""), "");
    if (is_upper)
        product = LLVMBuildTrunc(
            p->b, LLVMBuildLShr(p->b, product, LLVMConstInt(wide, bits, 0), ""), LLVMTypeOf(x), "");
    return sum ? LLVMBuildAdd(p->b, product, sum, "") : product;
}

// Instructions with one result from one to three values of one type.
static LLVMValueRef compute(struct ptx *p, const struct statement *s) {
    const char *name = s->words[0], *type = type_word(s);
    if (strcmp(name, "bfe") == 0 || strcmp(name, "bfi") == 0)
        return bit_field(p, s);
    if (strcmp(name, "prmt") == 0)
        return permute(p, s);
    if (strcmp(name, "shl") == 0 || strcmp(name, "shr") == 0)
        return shift(p, s, type);
    if (strcmp(name, "lop3") == 0)
        return any_logic(p, s);
    if (name[0] == 'v')
        return video_add(p, s);
    // Rounding other than to nearest, saturation and carries change results.
    if (has_word(s, "rz") || has_word(s, "rm") || has_word(s, "rp") || has_word(s, "sat") ||
        has_word(s, "cc"))
        return NULL;
    if (has_word(s, "hi") || has_word(s, "wide"))
        return wide_product(p, s, type);
    LLVMValueRef x = read_typed(p, s, 1, type);
    if (!x)
        return NULL;
    if (strcmp(name, "mov") == 0)
        return s->operand_count == 2 ? x : NULL;
    if (strcmp(name, "not") == 0)
        return LLVMBuildNot(p->b, x, "");
    LLVMValueRef y = read_typed(p, s, 2, type);
    if (!y)
        return NULL;
    if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0) {
        LLVMValueRef less =
            type[0] == 'f' ? NULL : compare(p, name[1] == 'i' ? "lt" : "gt", type, x, y);
        return less ? LLVMBuildSelect(p->b, less, x, y, "") : NULL;
    }
    if (strcmp(name, "selp") == 0) {
        LLVMValueRef condition = read_typed(p, s, 3, "pred");
        return condition ? LLVMBuildSelect(p->b, condition, x, y, "") : NULL;
    }
    if (strcmp(name, "setp") == 0)
        return s->word_count == 3 && s->operand_count == 3 ? compare(p, s->words[1], type, x, y)
                                                           : NULL;
    if (strcmp(name, "mad") == 0 && type[0] != 'f') {
        LLVMValueRef z = read_typed(p, s, 3, type);
        return z ? LLVMBuildAdd(p->b, LLVMBuildMul(p->b, x, y, ""), z, "") : NULL;
    }
    return s->operand_count == 3 ? arithmetic(p, s, type, x, y) : NULL;
}

static bool translate(struct ptx *p, const struct statement *s) {
    static const char *const waits[] = {"bar", "barrier", "membar", "fence", "trap", "exit"};
    if (s->predicate && !g_hash_table_contains(p->registers, s->predicate))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(waits); i++) {
        if (strcmp(s->words[0], waits[i]) == 0)
            return wait(p, s);
    }
    if (strcmp(s->words[0], "shfl") == 0)
        return shuffle(p, s);
    if (strcmp(s->words[0], "vote") == 0)
        return vote(p, s);
    if (strcmp(s->words[0], "ld") == 0 || strcmp(s->words[0], "ldu") == 0 ||
        strcmp(s->words[0], "st") == 0)
        return access_memory(p, s);
    LLVMValueRef value = s->operand_count ? compute(p, s) : NULL;
    if (value)
        write_operand(p, s, s->operands[0], value);
    return value != NULL;
}

// `[@[!]predicate] word.word… operand, operand…`
static bool parse(char *text, struct statement *s) {
    if (text[0] == '@') {
        s->negated = text[1] == '!';
        s->predicate = text + (s->negated ? 2 : 1);
        char *space = strpbrk(text, " \t");
        if (!space)
            return false;
        *space = 0;
        text = g_strchug(space + 1);
    }
    size_t length = strcspn(text, " \t\n");
    char *rest = text[length] ? text + length + 1 : text + length;
    text[length] = 0;
    s->words = g_strsplit(text, ".", MAX_SUFFIXES);
    s->word_count = g_strv_length(s->words);
    for (char *next; *g_strstrip(rest); rest = next) {
        char *comma = strchr(rest, ',');
        next = comma ? comma + 1 : rest + strlen(rest);
        if (comma)
            *comma = 0;
        if (s->operand_count == MAX_OPERANDS)
            return false;
        s->operands[s->operand_count++] = g_strstrip(rest);
    }
    return s->word_count > 0;
}

static bool translate_text(struct ptx *p, const char *text) {
    struct statement s = {.predicate = NULL};
    g_autofree char *copy = g_strdup(text);
    if (g_str_has_prefix(text, ".reg ")) // what a register holds follows from what is put there
        return true;
    bool ok = parse(copy, &s) && translate(p, &s);
    g_strfreev(s.words);
    return ok;
}

// Constraints are `=r,=f,r,l,~{memory}`; only plain registers are understood.
static bool count_outputs(LLVMValueRef callee, unsigned *outputs) {
    size_t length;
    const char *text = LLVMGetInlineAsmConstraintString(callee, &length);
    g_autofree char *copy = g_strndup(text, length);
    g_auto(GStrv) list = g_strsplit(copy, ",", -1);
    *outputs = 0;
    for (char **c = list; *c; c++) {
        const char *letter = (*c)[0] == '=' ? *c + 1 : *c;
        bool is_register = strlen(letter) == 1 && strchr("hrlfdn", letter[0]);
        if ((*c)[0] != '~' && (*c)[0] && !is_register)
            return false;
        *outputs += (*c)[0] == '=';
    }
    return true;
}

static LLVMValueRef output(struct ptx *p, unsigned index, LLVMTypeRef type) {
    g_autofree char *name = g_strdup_printf("$%u", index);
    LLVMValueRef bits = g_hash_table_lookup(p->registers, name);
    if (!bits)
        return NULL;
    unsigned width = (unsigned)LLVMSizeOfTypeInBits(p->m->layout, type);
    bits = LLVMBuildIntCast2(p->b, bits, integer_type(p, width), 0, "");
    bool is_integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
    return is_integer ? bits : LLVMBuildBitCast(p->b, bits, type, "");
}

static bool replace_results(struct ptx *p) {
    LLVMTypeRef type = LLVMTypeOf(p->call);
    if (p->outputs == 0)
        return true;
    if (p->outputs == 1) {
        LLVMValueRef value = output(p, 0, type);
        if (value)
            LLVMReplaceAllUsesWith(p->call, value);
        return value != NULL;
    }
    LLVMValueRef all = LLVMGetPoison(type);
    for (unsigned i = 0; i < p->outputs; i++) {
        LLVMValueRef value = output(p, i, LLVMStructGetTypeAtIndex(type, i));
        if (!value)
            return false;
        all = LLVMBuildInsertValue(p->b, all, value, i, "");
    }
    LLVMReplaceAllUsesWith(p->call, all);
    return true;
}

// Takes back what has been built in front of `call`, last things first.
static void take_back(LLVMValueRef call, LLVMValueRef before) {
    for (LLVMValueRef i; (i = LLVMGetPreviousInstruction(call)) != before;)
        LLVMInstructionEraseFromParent(i);
}

char *gcl_ptx_translate(struct gcl_module *m, LLVMValueRef call) {
    size_t length;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *text = LLVMGetInlineAsmAsmString(callee, &length);
    g_autofree char *copy = g_strndup(text, length);
    g_autoptr(GHashTable) registers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    struct ptx p = {.m = m, .call = call, .registers = registers};
    LLVMValueRef before = LLVMGetPreviousInstruction(call);
    char *unknown = NULL;

    if (!count_outputs(callee, &p.outputs))
        return g_strdup(copy);
    p.b = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderBefore(p.b, call);
    g_strdelimit(copy, "{}\n\t", ' ');
    g_auto(GStrv) statements = g_strsplit(copy, ";", -1);
    for (char **s = statements; *s && !unknown; s++) {
        if (*g_strstrip(*s) && !translate_text(&p, *s))
            unknown = g_strdup(*s);
    }
    if (!unknown && !replace_results(&p))
        unknown = g_strdup(copy);
    LLVMDisposeBuilder(p.b);
    if (unknown)
        take_back(call, before);
    else
        LLVMInstructionEraseFromParent(call);
    return unknown;
}
