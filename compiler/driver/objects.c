// Just enough of ELF and ar to read sections and symbols of x86-64 object files. Input may be
// anything, so every offset is checked against the size of the file.
#include "objects.h"

#include <assert.h>
#include <elf.h>
#include <string.h>

static const char magic[] = "GCLIR ";

struct image {
    const unsigned char *data; ///< aligned
    size_t size;
    const Elf64_Shdr *sections;
    size_t section_count;
};

static void destroy_ir(gpointer data) {
    struct gcl_object_ir *ir = data;
    g_free(ir->unit_id);
    g_free(ir->source);
    g_free(ir->text);
    g_free(ir->shapes);
    g_free(ir->pragmas);
    g_free(ir);
}

void gcl_objects_init(struct gcl_objects *objects) {
    *objects = (struct gcl_objects){.irs = g_ptr_array_new_with_free_func(destroy_ir)};
}

void gcl_objects_finish(struct gcl_objects *objects) {
    g_ptr_array_unref(objects->irs);
}

static bool is_inside(const struct image *image, Elf64_Off offset, Elf64_Xword size) {
    return offset <= image->size && size <= image->size - offset;
}

// `type` is ET_REL or ET_DYN.
static bool open_image(struct image *image, const void *data, size_t size, Elf64_Half type) {
    const Elf64_Ehdr *header = data;
    *image = (struct image){.data = data, .size = size};
    assert((uintptr_t)data % sizeof(uint64_t) == 0);
    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_type != type ||
        header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff % 8 != 0 ||
        !is_inside(image, header->e_shoff, sizeof(Elf64_Shdr)))
        return false;
    image->sections = (const Elf64_Shdr *)(image->data + header->e_shoff);
    // An object with very many sections keeps their number in the first.
    image->section_count = header->e_shnum ? header->e_shnum : image->sections[0].sh_size;
    return image->section_count <= (size - header->e_shoff) / sizeof(Elf64_Shdr);
}

// A string of a string table, or "" if it isn't one.
static const char *string_at(const struct image *image, size_t table, size_t offset) {
    if (table >= image->section_count)
        return "";
    const Elf64_Shdr *section = &image->sections[table];
    if (!is_inside(image, section->sh_offset, section->sh_size) || offset >= section->sh_size)
        return "";
    const char *text = (const char *)image->data + section->sh_offset + offset;
    return memchr(text, '\0', section->sh_size - offset) ? text : "";
}

static const char *section_name(const struct image *image, size_t index) {
    assert(index < image->section_count);
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)image->data;
    size_t names =
        header->e_shstrndx == SHN_XINDEX ? image->sections[0].sh_link : header->e_shstrndx;
    return string_at(image, names, image->sections[index].sh_name);
}

// One frame, "GCLIR <size> <size of shapes> <size of pragmas> <unit id> <source>\n" and then IR,
// shapes and pragmas of these sizes. Returns the end of the frame, NULL if it is none.
static const char *read_frame(struct gcl_objects *objects, const char *data, size_t size) {
    const char *end_of_line = memchr(data, '\n', size);
    if (!end_of_line)
        return NULL;
    g_autofree char *line = g_strndup(data, (gsize)(end_of_line - data));
    g_auto(GStrv) words = g_strsplit(line, " ", 6);
    const char *text = end_of_line + 1;
    size_t left = size - (size_t)(text - data);
    guint64 sizes[3];
    if (g_strv_length(words) != 6)
        return NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        if (!g_ascii_string_to_unsigned(words[i + 1], 10, 0, left, &sizes[i], NULL))
            return NULL;
        left -= sizes[i];
    }
    struct gcl_object_ir *ir = g_new0(struct gcl_object_ir, 1);
    ir->unit_id = g_strdup(words[4]);
    ir->source = g_strdup(words[5]);
    ir->text = g_strndup(text, sizes[0]);
    ir->size = sizes[0];
    ir->shapes = g_strndup(text + sizes[0], sizes[1]);
    ir->pragmas = g_strndup(text + sizes[0] + sizes[1], sizes[2]);
    g_ptr_array_add(objects->irs, ir);
    return text + sizes[0] + sizes[1] + sizes[2];
}

static void read_frames(struct gcl_objects *objects, const char *data, size_t size) {
    const char *end = data + size;
    while (data && (size_t)(end - data) > strlen(magic) && memcmp(data, magic, strlen(magic)) == 0)
        data = read_frame(objects, data, (size_t)(end - data));
}

static void read_object(struct gcl_objects *objects, const void *data, size_t size) {
    struct image image;
    if (!open_image(&image, data, size, ET_REL))
        return;
    for (size_t i = 0; i < image.section_count; i++) {
        const Elf64_Shdr *section = &image.sections[i];
        const char *name = section_name(&image, i);
        if (!strcmp(name, GCL_SECTION_LINKED))
            objects->linked = true;
        if (!strcmp(name, GCL_SECTION_IR) &&
            is_inside(&image, section->sh_offset, section->sh_size))
            read_frames(objects, (const char *)image.data + section->sh_offset, section->sh_size);
    }
}

// Members begin at even offsets; they are copied, because ELF's tables want more than that.
static void read_archive(struct gcl_objects *objects, const char *data, size_t size) {
    enum { HEADER = 60, SIZE_AT = 48, SIZE_DIGITS = 10 };
    for (size_t at = strlen("!<arch>\n"); at + HEADER <= size;) {
        char digits[SIZE_DIGITS + 1] = {0};
        memcpy(digits, data + at + SIZE_AT, SIZE_DIGITS);
        guint64 length = g_ascii_strtoull(digits, NULL, 10);
        if (length > size - at - HEADER)
            return;
        g_autofree void *member = g_memdup2(data + at + HEADER, length);
        read_object(objects, member, length);
        at += HEADER + length + length % 2;
    }
}

void gcl_objects_read(struct gcl_objects *objects, const char *path) {
    GMappedFile *file = g_mapped_file_new(path, FALSE, NULL);
    if (!file)
        return;
    const char *data = g_mapped_file_get_contents(file);
    size_t size = g_mapped_file_get_length(file);
    if (size > 8 && memcmp(data, "!<arch>\n", 8) == 0)
        read_archive(objects, data, size);
    else
        read_object(objects, data, size);
    g_mapped_file_unref(file);
}

static char *replace_all(char *text, const char *pattern, const char *replacement) {
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
    char *result = g_regex_replace_literal(regex, text, -1, 0, replacement, 0, NULL);
    g_free(text);
    return result;
}

char *gcl_object_mend_names(const char *ir) {
    char *text = g_strdup(ir);
    g_autoptr(GRegex) definition = g_regex_new(
        "^@([\\w.$]+)(__static__[0-9a-f]+) = ", G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    for (g_regex_match(definition, ir, 0, &match); g_match_info_matches(match);
         g_match_info_next(match, NULL)) {
        g_autofree char *base = g_match_info_fetch(match, 1);
        g_autofree char *suffix = g_match_info_fetch(match, 2);
        g_autofree char *escaped = g_regex_escape_string(base, -1);
        g_autofree char *declaration = g_strdup_printf("^@%s = external .*\n", escaped);
        g_autofree char *use = g_strdup_printf("@%s(?![\\w.$])", escaped);
        g_autofree char *name = g_strdup_printf("@%s%s", base, suffix);
        text = replace_all(text, declaration, "");
        text = replace_all(text, use, name);
    }
    return text;
}

char *gcl_object_ir_pack(const struct gcl_object_ir *ir, size_t *packed_size) {
    assert(ir->source && ir->text && ir->shapes && ir->pragmas);
    g_autofree char *source = g_strdelimit(g_strdup(ir->source), "\n", '?');
    GString *packed = g_string_sized_new(ir->size + 256);
    g_string_printf(packed, "%s%zu %zu %zu %s %s\n", magic, ir->size, strlen(ir->shapes),
                    strlen(ir->pragmas), ir->unit_id, source);
    g_string_append_len(packed, ir->text, (gssize)ir->size);
    g_string_append(packed, ir->shapes);
    g_string_append(packed, ir->pragmas);
    *packed_size = packed->len;
    return g_string_free(packed, FALSE);
}

static void list_undefined(const struct image *image, Elf64_Word table, GPtrArray *names) {
    for (size_t i = 0; i < image->section_count; i++) {
        const Elf64_Shdr *section = &image->sections[i];
        if (section->sh_type != table || section->sh_offset % 8 != 0 ||
            !is_inside(image, section->sh_offset, section->sh_size))
            continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(image->data + section->sh_offset);
        for (size_t s = 0; s < section->sh_size / sizeof *symbols; s++) {
            const char *name = string_at(image, section->sh_link, symbols[s].st_name);
            if (symbols[s].st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbols[s].st_info) != STB_WEAK)
                g_ptr_array_add(names, g_strdup(name));
        }
    }
}

GPtrArray *gcl_object_list_undefined(const char *path) {
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    GMappedFile *file = g_mapped_file_new(path, FALSE, NULL);
    struct image image;
    if (!file)
        return names;
    const void *data = g_mapped_file_get_contents(file);
    size_t size = g_mapped_file_get_length(file);
    if (open_image(&image, data, size, ET_REL))
        list_undefined(&image, SHT_SYMTAB, names);
    else if (open_image(&image, data, size, ET_DYN))
        list_undefined(&image, SHT_DYNSYM, names);
    g_mapped_file_unref(file);
    return names;
}
