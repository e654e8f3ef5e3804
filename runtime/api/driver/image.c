// Machine code and PTX of NVIDIA's compiler are told by how they begin: there is no way to run them
// on CPUs.
#include "api/driver/image.h"

#include <assert.h>
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "exec/code/module.h"
#include "gcluster/module.h"

#define FOREIGN                                                                                    \
    " that another compiler made, which CPUs can't run: compile the source by gcluster-cc -ptx, "  \
    "-cubin or -fatbin, or by NVRTC"

static bool begins_with(const void *bytes, size_t most, const void *magic, size_t size) {
    return most >= size && memcmp(bytes, magic, size) == 0;
}

static bool is_fat_binary(const void *bytes, size_t most) {
    static const uint32_t plain = 0xba55ed50, wrapped = 0x466243b1;
    return begins_with(bytes, most, &plain, sizeof plain) ||
           begins_with(bytes, most, &wrapped, sizeof wrapped);
}

static CUresult read_elf(const void *bytes, size_t most, struct gcl_driver_image *image,
                         const char **why) {
    size_t size = gcl_module_size(bytes, most);
    *image = (struct gcl_driver_image){bytes, size, NULL};
    if (size > 0)
        return CUDA_SUCCESS;
    *why = "it is machine code" FOREIGN;
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

/// The value of a base64 digit; -1: it is none.
static int digit_of(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/// Decodes comments of base64 to `size` bytes. False: there are fewer.
static bool decode(const char *text, unsigned char *bytes, size_t size) {
    unsigned bits = 0, count = 0;
    size_t made = 0;
    for (bool begins = true; made < size; text++) {
        if (begins && strncmp(text, GCL_MODULE_COMMENT, strlen(GCL_MODULE_COMMENT)) != 0)
            return false;
        text += begins ? strlen(GCL_MODULE_COMMENT) : 0;
        begins = *text == '\n';
        int digit = digit_of(*text);
        if (digit < 0 && !begins && *text != '\r')
            return false;
        if (digit < 0)
            continue;
        bits = bits << 6 | (unsigned)digit;
        count += 6;
        if (count >= 8)
            bytes[made++] = (unsigned char)(bits >> (count -= 8));
    }
    return true;
}

static CUresult read_text(const char *text, struct gcl_driver_image *image, const char **why) {
    const char *mark = strstr(text, GCL_MODULE_BEGIN), *line = mark ? strchr(mark, '\n') : NULL;
    if (!line) {
        bool is_ptx = strstr(text, ".version") && strstr(text, ".target");
        *why = is_ptx ? "it is PTX" FOREIGN : "it is no module";
        return is_ptx ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_INVALID_IMAGE;
    }
    size_t size = strtoull(mark + strlen(GCL_MODULE_BEGIN), NULL, 10);
    *why = "a part of it is missing";
    if (size == 0 || size > strlen(line)) // which is longer in base64
        return CUDA_ERROR_INVALID_IMAGE;
    unsigned char *bytes = malloc(size);
    if (!bytes)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (!decode(line + 1, bytes, size) || gcl_module_size(bytes, size) != size) {
        free(bytes);
        return CUDA_ERROR_INVALID_IMAGE;
    }
    *image = (struct gcl_driver_image){bytes, size, bytes};
    return CUDA_SUCCESS;
}

CUresult gcl_driver_image_read(const void *bytes, size_t most, struct gcl_driver_image *image,
                               const char **why) {
    *image = (struct gcl_driver_image){NULL, 0, NULL};
    if (begins_with(bytes, most, ELFMAG, SELFMAG))
        return read_elf(bytes, most, image, why);
    if (is_fat_binary(bytes, most)) {
        *why = "it is a fat binary" FOREIGN;
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    size_t length = strnlen(bytes, most);
    if (length < most)
        return read_text(bytes, image, why);
    char *text = strndup(bytes, length); // a file's end
    CUresult result = text ? read_text(text, image, why) : CUDA_ERROR_OUT_OF_MEMORY;
    free(text);
    return result;
}
