// Entries of the compiler's cache: what is read is written again as the same bytes, and one byte
// that differs anywhere is noticed.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char key[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static void require(bool holds) {
    if (!holds)
        abort();
}

static void check_same(const uint8_t *data, size_t size) {
    struct gcl_cached cached = {.object = NULL};
    if (!gcl_cached_read(data, size, key, &cached))
        return;
    g_autoptr(GByteArray) again = gcl_cached_write(key, &cached);
    require(again->len == size && memcmp(again->data, data, size) == 0);
    gcl_cached_finish(&cached);
}

/// Any sizes and parts, sealed as if they were an entry's.
static void check_sealed(const uint8_t *data, size_t size) {
    struct gcl_cached empty = {g_bytes_new(NULL, 0), g_bytes_new(NULL, 0), g_bytes_new(NULL, 0)};
    g_autoptr(GByteArray) entry = gcl_cached_write(key, &empty);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 digest[32];
    gsize length = sizeof digest;
    g_byte_array_set_size(entry, entry->len - 3 * 8 - (guint)length);
    g_byte_array_append(entry, data, (guint)size);
    g_checksum_update(sum, entry->data, entry->len);
    g_checksum_get_digest(sum, digest, &length);
    g_byte_array_append(entry, digest, sizeof digest);
    check_same(entry->data, entry->len);
    gcl_cached_finish(&empty);
}

/// An entry of three parts of the input, which is damaged at a place that the input says.
static void check_damage(const uint8_t *data, size_t size) {
    size_t first = data[0] % (size + 1), second = (size - first) / 2;
    struct gcl_cached cached = {.object = g_bytes_new(data, first),
                                .messages = g_bytes_new(data + first, second),
                                .rule = g_bytes_new(data + first + second, size - first - second)};
    struct gcl_cached damaged = {.object = NULL};
    g_autoptr(GByteArray) entry = gcl_cached_write(key, &cached);
    check_same(entry->data, entry->len);
    size_t place = size > 1 ? (data[0] + 256u * data[1]) % entry->len : 0;
    entry->data[place] ^= size > 2 && data[2] ? data[2] : 1;
    require(!gcl_cached_read(entry->data, entry->len, key, &damaged));
    entry->data[place] ^= size > 2 && data[2] ? data[2] : 1;
    require(!gcl_cached_read(entry->data, entry->len - 1, key, &damaged));
    require(gcl_cached_read(entry->data, entry->len, key, &damaged));
    gcl_cached_finish(&damaged);
    gcl_cached_finish(&cached);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    check_same(data, size);
    check_sealed(data, size);
    check_damage(data, size);
    return 0;
}
