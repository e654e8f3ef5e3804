// Runs a fuzz target on a corpus and on what becomes of it: `fuzz_x folder count [seed]`. Without
// coverage to lead it, but fast, the same everywhere and under any sanitizer. The target has
// libFuzzer's name, so `clang -fsanitize=fuzzer` can take this file's place; as there, it returns
// -1 for what isn't worth keeping, here what its format refuses. No input may be refused, unless it
// is called so: "bad_…". Damage to what is refused at once would try nothing.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try(const char *path, GBytes *input) {
    g_autofree char *name = g_path_get_basename(path);
    gsize size;
    const uint8_t *data = g_bytes_get_data(input, &size);
    if (LLVMFuzzerTestOneInput(data, size) == 0 || g_str_has_prefix(name, "bad"))
        return;
    fprintf(stderr, "%s is refused: the format has changed\n", path);
    exit(1);
}

static GPtrArray *read_corpus(const char *folder) {
    GPtrArray *corpus = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    GDir *directory = g_dir_open(folder, 0, NULL);
    for (const char *name; directory && (name = g_dir_read_name(directory)) != NULL;) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        char *text;
        gsize size;
        if (!g_file_get_contents(path, &text, &size, NULL))
            continue;
        g_ptr_array_add(corpus, g_bytes_new_take(text, size));
        try(path, corpus->pdata[corpus->len - 1]);
    }
    if (directory)
        g_dir_close(directory);
    return corpus;
}

static gsize below(GRand *random, gsize limit) {
    return (gsize)g_rand_int_range(random, 0, (gint32)limit);
}

// A piece of one input, where another one is cut.
static void splice(GRand *random, GByteArray *bytes, GBytes *other) {
    gsize size;
    const guint8 *data = g_bytes_get_data(other, &size);
    gsize from = below(random, size + 1), length = below(random, MIN(size - from, 40) + 1);
    gsize at = below(random, bytes->len + 1);
    guint rest = bytes->len - (guint)at;
    g_autofree guint8 *tail = rest > 0 ? g_memdup2(bytes->data + at, rest) : NULL;
    g_byte_array_set_size(bytes, (guint)at);
    if (length > 0)
        g_byte_array_append(bytes, data + from, (guint)length);
    if (rest > 0)
        g_byte_array_append(bytes, tail, rest);
}

static void damage(GRand *random, GByteArray *bytes, GPtrArray *corpus) {
    static const char letters[] = "()[]:,.+-*/%<>=!&|^~? \t\n\\\"'0x9aun\0\xff";
    gsize at = bytes->len ? below(random, bytes->len) : 0;
    switch (bytes->len ? g_rand_int_range(random, 0, 5) : 0) {
    case 0:
        splice(random, bytes, corpus->pdata[below(random, corpus->len)]);
        break;
    case 1:
        bytes->data[at] = (guint8)letters[below(random, sizeof letters)];
        break;
    case 2:
        bytes->data[at] ^= (guint8)(1u << below(random, 8));
        break;
    case 3:
        g_byte_array_remove_range(bytes, (guint)at,
                                  (guint)below(random, MIN(bytes->len - at, 20) + 1));
        break;
    default:
        g_byte_array_set_size(bytes, (guint)at);
    }
}

int main(int count, char **words) {
    if (count < 3) {
        fprintf(stderr, "usage: %s folder count [seed]\n", words[0]);
        return 2;
    }
    GPtrArray *corpus = read_corpus(words[1]);
    GRand *random = g_rand_new_with_seed(count > 3 ? (guint32)atoi(words[3]) : 1);
    if (corpus->len == 0) {
        fprintf(stderr, "%s: no input in '%s'\n", words[0], words[1]);
        return 1;
    }
    for (long left = atol(words[2]); left > 0; left--) {
        gsize size;
        const guint8 *data = g_bytes_get_data(corpus->pdata[below(random, corpus->len)], &size);
        GByteArray *bytes = g_byte_array_new();
        g_byte_array_append(bytes, data, (guint)size);
        for (int steps = g_rand_int_range(random, 1, 8); steps > 0; steps--)
            damage(random, bytes, corpus);
        // A copy of its size, so that a sanitizer sees what is read behind it.
        g_autofree guint8 *exact = g_memdup2(bytes->data, bytes->len);
        LLVMFuzzerTestOneInput(exact, bytes->len);
        g_byte_array_unref(bytes);
    }
    printf("%u inputs, and %s made from them\n", corpus->len, words[2]);
    g_ptr_array_unref(corpus);
    g_rand_free(random);
    return 0;
}
