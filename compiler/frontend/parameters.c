// Structs are flattened to their fields, "p.size.x", as clang lays them out for the host: CUDA has
// them in the same places on the device. What depends on template arguments has no layout yet.
#include "frontend/parameters.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/cursor.h"

enum { FIELD_DEPTH = 8, FIELDS_MAX = 1024 };

// The record whose fields are being visited.
struct record {
    GArray *parameters;
    const char *name;
    uint32_t index;
    uint32_t offset;
    int depth;
};

static bool is_between(enum CXTypeKind kind, enum CXTypeKind first, enum CXTypeKind last) {
    return kind >= first && kind <= last;
}

static enum gcl_pragma_type classify(CXType type) {
    if (type.kind == CXType_Enum)
        type = clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)));
    if (type.kind == CXType_Unexposed || type.kind == CXType_Dependent)
        return GCL_PRAGMA_TYPE_UNKNOWN;
    if (is_between(type.kind, CXType_Bool, CXType_ULongLong))
        return GCL_PRAGMA_TYPE_UNSIGNED;
    if (is_between(type.kind, CXType_Char_S, CXType_LongLong))
        return GCL_PRAGMA_TYPE_SIGNED;
    if (is_between(type.kind, CXType_Float, CXType_LongDouble) || type.kind == CXType_Half ||
        type.kind == CXType_Float16 || type.kind == CXType_BFloat16)
        return GCL_PRAGMA_TYPE_FLOAT;
    return GCL_PRAGMA_TYPE_OTHER;
}

static void set_type(struct gcl_source_parameter *parameter, CXType type) {
    long long size = clang_Type_getSizeOf(type);
    bool known = size > 0 && size <= G_MAXUINT32;
    parameter->type = known ? classify(type) : GCL_PRAGMA_TYPE_UNKNOWN;
    parameter->size = parameter->type == GCL_PRAGMA_TYPE_UNKNOWN ? 0 : (uint32_t)size;
}

static void add(const struct record *record, const char *name, CXType declared, bool is_bits);

static enum CXVisitorResult see_field(CXCursor field, CXClientData data) {
    const struct record *outer = data;
    struct record record = *outer;
    long long bits = clang_Cursor_getOffsetOfField(field);
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(field));
    if (bits < 0 || !*name)
        return CXVisit_Continue;
    record.offset += (uint32_t)(bits / 8);
    record.depth++;
    g_autofree char *path = g_strdup_printf("%s.%s", outer->name, name);
    add(&record, path, clang_getCursorType(field), clang_Cursor_isBitField(field) != 0);
    return CXVisit_Continue;
}

// What a pointer points to, or a parameter that is declared as an array; invalid for other types.
static CXType pointee_of(CXType type, bool is_parameter) {
    if (type.kind == CXType_Pointer)
        return clang_getPointeeType(type);
    if (is_parameter && is_between(type.kind, CXType_ConstantArray, CXType_DependentSizedArray) &&
        type.kind != CXType_Vector)
        return clang_getArrayElementType(type);
    return (CXType){.kind = CXType_Invalid};
}

// A parameter or field, and the fields in it.
static void add(const struct record *record, const char *name, CXType declared, bool is_bits) {
    CXType type = clang_getCanonicalType(declared), pointee = pointee_of(type, record->depth == 0);
    struct gcl_source_parameter parameter = {.name = g_strdup(name),
                                             .index = record->index,
                                             .offset = record->offset,
                                             .is_pointer = pointee.kind != CXType_Invalid};
    CXType valued = parameter.is_pointer ? pointee : type;
    parameter.is_const = parameter.is_pointer && clang_isConstQualifiedType(valued) != 0;
    set_type(&parameter, valued);
    if (is_bits)
        parameter.type = GCL_PRAGMA_TYPE_OTHER;
    g_array_append_val(record->parameters, parameter);
    if (type.kind != CXType_Record || record->depth >= FIELD_DEPTH ||
        record->parameters->len >= FIELDS_MAX)
        return;
    struct record inner = *record;
    inner.name = name;
    clang_Type_visitFields(type, see_field, &inner);
}

static enum CXChildVisitResult see_child(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct gcl_source_kernel *kernel = data;
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_ParmDecl)
        return CXChildVisit_Continue;
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(cursor));
    const struct record record = {.parameters = kernel->parameters,
                                  .index = kernel->parameter_count++};
    add(&record, name, clang_getCursorType(cursor), false);
    return CXChildVisit_Continue;
}

// On the host a kernel's name is that of its stub: "_Z16__device_stub__kPf" is "_Z1kPf".
static char *device_symbol(char *stub) {
    static const char mark[] = "__device_stub__";
    char *begin = strstr(stub, mark), *digits = begin;
    GString *symbol = g_string_new(NULL);
    while (begin && digits > stub && g_ascii_isdigit(digits[-1]))
        digits--;
    if (begin) {
        g_string_append_len(symbol, stub, digits - stub);
        if (digits < begin)
            g_string_append_printf(symbol, "%zu", (size_t)strtoul(digits, NULL, 10) - strlen(mark));
        g_string_append(symbol, begin + strlen(mark));
    } else {
        g_string_append(symbol, stub);
    }
    g_free(stub);
    return g_string_free(symbol, symbol->len == 0);
}

char *gcl_parameters_symbol(CXCursor declaration) {
    return device_symbol(gcl_cursor_take_text(clang_Cursor_getMangling(declaration)));
}

static void clear_parameter(void *data) {
    struct gcl_source_parameter *parameter = data;
    g_free(parameter->name);
}

void gcl_parameters_see(struct gcl_source_kernel *kernel, CXCursor function) {
    kernel->parameters = g_array_new(FALSE, FALSE, sizeof(struct gcl_source_parameter));
    g_array_set_clear_func(kernel->parameters, clear_parameter);
    clang_visitChildren(function, see_child, kernel);
    if (!kernel->is_template)
        kernel->symbol = gcl_parameters_symbol(function);
}
