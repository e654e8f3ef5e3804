// Two rules keep the list closed: a word is compared as a whole or its value is checked letter by
// letter, and a value never begins with a dash, so no reader after this one can take it for an
// option of its own.
#include "project/reading.h"

#include <assert.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NESTING_MAX = 16, WORDS_MAX = 100000, RESPONSE_SIZE_MAX = 16 << 20 };

#define DIGITS "0123456789"
#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define LETTERS LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define NAME LETTERS DIGITS "_-+."

// Options that have a value: attached to a short name, behind `=`, or the next word.
static const struct {
    const char *names[3];
    const char *passed;  // how gcluster-cc is told
    const char *letters; // that the value may have; NULL: any
    bool is_attached;    // the value may follow the first name with nothing in between
} valued[] = {
    {{"-D", "--define-macro", "-define-macro"}, "-D", NULL, true},
    {{"-U", "--undefine-macro", "-undefine-macro"}, "-U", NAME, true},
    {{"-I", "--include-path", "-include-path"}, "-I", NULL, true},
    {{"-isystem", "--system-include", "-system-include"}, "-isystem", NULL, true},
    {{"-iquote"}, "-I", NULL, false},
    {{"-idirafter"}, "-isystem", NULL, false},
    {{"-include", "--pre-include", "-pre-include"}, "-include", NULL, false},
    {{"-x", "--x"}, "-x", " cuc+", true},
    {{"-std", "--std"}, "-std", NAME, false},
    {{"-O", "--optimize", "-optimize"}, "-O", "0123", true},
    {{"-arch", "--gpu-architecture", "-gpu-architecture"}, "-arch", NAME ",", false},
    {{"-code", "--gpu-code", "-gpu-code"}, "-code", NAME ",", false},
    {{"-gencode", "--generate-code", "-generate-code"}, "-gencode", NAME "=,[]\"' ", false},
    {{"-march", "--march"}, "-march", NAME, false},
    {{"-default-stream", "--default-stream"}, "--default-stream", LOWER "-", false},
    {{"-rdc", "--relocatable-device-code", "-relocatable-device-code"}, "-rdc", LOWER, false},
    {{"-fmad", "--fmad"}, "--fmad", LOWER, false},
    {{"-ftemplate-depth", "--ftemplate-depth"}, "--ftemplate-depth", DIGITS, false},
};

// Options without a value. `passed` differs where a spelling is one of several.
static const struct {
    const char *name;
    const char *passed;
} alone[] = {
    {"-dc", "-rdc=true"},
    {"--device-c", "-rdc=true"},
    {"-device-c", "-rdc=true"},
    {"-use_fast_math", "--use_fast_math"},
    {"--use_fast_math", "--use_fast_math"},
    {"-w", "-w"},
    {"--disable-warnings", "-w"},
    {"-noeh", "--no-exceptions"},
    {"--no-exceptions", "--no-exceptions"},
    {"-pthread", "-pthread"},
    {"-fopenmp", "-fopenmp"},
    {"-fPIC", "-fPIC"},
    {"-fPIE", "-fPIE"},
    {"-fchar8_t", "-fchar8_t"},
    {"-fcoroutines", "-fcoroutines"},
    {"-fexceptions", "-fexceptions"},
    {"-ffast-math", "-ffast-math"},
    {"-fms-extensions", "-fms-extensions"},
    {"-fno-char8_t", "-fno-char8_t"},
    {"-fno-exceptions", "-fno-exceptions"},
    {"-fno-rtti", "-fno-rtti"},
    {"-fno-signed-char", "-fno-signed-char"},
    {"-frtti", "-frtti"},
    {"-fshort-enums", "-fshort-enums"},
    {"-fshort-wchar", "-fshort-wchar"},
    {"-fsigned-char", "-fsigned-char"},
    {"-funsigned-char", "-funsigned-char"},
    {"-maes", "-maes"},
    {"-mavx", "-mavx"},
    {"-mavx2", "-mavx2"},
    {"-mavx512bw", "-mavx512bw"},
    {"-mavx512cd", "-mavx512cd"},
    {"-mavx512dq", "-mavx512dq"},
    {"-mavx512f", "-mavx512f"},
    {"-mavx512vl", "-mavx512vl"},
    {"-mbmi", "-mbmi"},
    {"-mbmi2", "-mbmi2"},
    {"-mf16c", "-mf16c"},
    {"-mfma", "-mfma"},
    {"-mlzcnt", "-mlzcnt"},
    {"-mpclmul", "-mpclmul"},
    {"-mpopcnt", "-mpopcnt"},
    {"-msse3", "-msse3"},
    {"-msse4.1", "-msse4.1"},
    {"-msse4.2", "-msse4.2"},
    {"-mssse3", "-mssse3"},
};

char *gcl_reading_file(const char *path, gsize size_max, gsize *size) {
    struct stat status;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return NULL;
    bool good =
        fstat(file, &status) == 0 && S_ISREG(status.st_mode) && (guint64)status.st_size <= size_max;
    gsize room = good ? (gsize)status.st_size : 0, filled = 0;
    char *text = good ? g_malloc(room + 1) : NULL;
    ssize_t count = 0;
    while (filled < room && (count = read(file, text + filled, room - filled)) > 0)
        filled += (gsize)count;
    close(file);
    assert(filled <= room);
    if (!good || count < 0) {
        g_free(text);
        return NULL;
    }
    text[filled] = '\0';
    if (size)
        *size = filled;
    return text;
}

// Words as they stand, with those of -Xcompiler and response files in place.
struct flat {
    GPtrArray *words; // char *
    const char *directory;
};

static void flatten(struct flat *flat, const char *const *words, int nesting);

static void flatten_file(struct flat *flat, const char *name, int nesting) {
    g_autofree char *path = g_canonicalize_filename(name, flat->directory);
    g_autofree char *text =
        nesting < NESTING_MAX ? gcl_reading_file(path, RESPONSE_SIZE_MAX, NULL) : NULL;
    g_auto(GStrv) words = NULL;
    if (text && g_shell_parse_argv(text, NULL, &words, NULL))
        flatten(flat, (const char *const *)words, nesting + 1);
}

static void flatten_host(struct flat *flat, const char *list) {
    g_auto(GStrv) words = g_strsplit(list, ",", -1);
    for (char **word = words; *word && flat->words->len < WORDS_MAX; word++) {
        g_strdelimit(*word, "\"'\\", ' ');
        g_ptr_array_add(flat->words, g_strdup(g_strstrip(*word)));
    }
}

// The value of one of the options in `names`: behind its `=`, or the next word, which is then
// skipped. NULL if the word is none of them.
static const char *value_of(const char *const **at, const char *const *names) {
    const char *word = **at;
    for (; *names; names++) {
        size_t length = strlen(*names);
        if (strncmp(word, *names, length) != 0)
            continue;
        if (word[length] == '=')
            return word + length + 1;
        if (word[length] == '\0' && (*at)[1])
            return *++*at;
    }
    return NULL;
}

static void flatten(struct flat *flat, const char *const *words, int nesting) {
    static const char *const host[] = {"-Xcompiler", "--compiler-options", "-compiler-options",
                                       NULL};
    static const char *const files[] = {"--options-file", "-options-file", "-optf", NULL};
    const char *value;
    for (; *words && flat->words->len < WORDS_MAX; words++) {
        if (words[0][0] == '@')
            flatten_file(flat, *words + 1, nesting);
        else if ((value = value_of(&words, host)))
            flatten_host(flat, value);
        else if ((value = value_of(&words, files)))
            flatten_file(flat, value, nesting);
        else
            g_ptr_array_add(flat->words, g_strdup(*words));
    }
}

static bool has_only(const char *text, const char *letters) {
    return text[strspn(text, letters)] == '\0';
}

// A value that whoever comes next takes for a value, too.
static bool is_value(const char *text, const char *letters) {
    return text[0] && !strchr("-@=", text[0]) && (!letters || has_only(text, letters));
}

// -Wall, -Wno-unused, -Werror=format; not -Wp,... and its kin, which hand options to other tools.
static bool is_warning(const char *word) {
    if (!g_str_has_prefix(word, "-W"))
        return false;
    const char *name = word + 2;
    return has_only(name, NAME "=") && !g_str_has_prefix(name, "-");
}

// The row of `valued` of which this is a spelling, and what stands behind it in the same word; -1
// if it is none.
static int find_valued(const char *word, const char **rest) {
    for (int i = 0; i < (int)G_N_ELEMENTS(valued); i++) {
        for (size_t n = 0; n < G_N_ELEMENTS(valued[i].names) && valued[i].names[n]; n++) {
            const char *name = valued[i].names[n];
            size_t length = strlen(name);
            if (strncmp(word, name, length) != 0)
                continue;
            *rest = word + length;
            if (**rest == '\0' || **rest == '=' || (n == 0 && valued[i].is_attached))
                return i;
        }
    }
    return -1;
}

// Option and value are two words, a spelling that gcluster-cc takes for every option of `valued`:
// so it takes neither for part of the other.
static void pass_value(GPtrArray *passed, const char *option, const char *value) {
    assert(option[0] == '-' && value[0] && value[0] != '-');
    g_ptr_array_add(passed, g_strdup(option));
    g_ptr_array_add(passed, g_strdup(value));
}

static const char *find_alone(const char *word) {
    for (size_t i = 0; i < G_N_ELEMENTS(alone); i++) {
        if (strcmp(alone[i].name, word) == 0)
            return alone[i].passed;
    }
    return is_warning(word) ? word : NULL;
}

GPtrArray *gcl_reading_words(const char *const *words, const char *directory) {
    GPtrArray *passed = g_ptr_array_new_with_free_func(g_free);
    struct flat flat = {g_ptr_array_new_with_free_func(g_free), directory};
    flatten(&flat, words, 0);
    for (guint i = 0; i < flat.words->len; i++) {
        const char *rest = NULL, *word = flat.words->pdata[i], *same = find_alone(word);
        int row = same ? -1 : find_valued(word, &rest);
        if (same)
            g_ptr_array_add(passed, g_strdup(same));
        if (row < 0)
            continue;
        if (*rest == '\0')
            rest = i + 1 < flat.words->len ? flat.words->pdata[++i] : "";
        else
            rest += *rest == '=';
        if (is_value(rest, valued[row].letters))
            pass_value(passed, valued[row].passed, rest);
    }
    g_ptr_array_unref(flat.words);
    return passed;
}
