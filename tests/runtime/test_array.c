// Arrays and texture objects: copies keep to the array, records say what kernels need.
#include <string.h>

#include "check.h"
#include "gcluster/texture.h"

enum { WIDTH = 10, HEIGHT = 6 };

static const struct gclChannelFormatDesc float1 = {32, 0, 0, 0, gclChannelFormatKindFloat};
static const struct gclChannelFormatDesc uchar4 = {8, 8, 8, 8, gclChannelFormatKindUnsigned};

static void fill(float *values, int count) {
    for (int i = 0; i < count; i++)
        values[i] = (float)i;
}

static void copies(void **state) {
    float host[HEIGHT][WIDTH], back[HEIGHT][WIDTH] = {{0}};
    gclArray_t a, b;
    (void)state;
    fill(&host[0][0], WIDTH * HEIGHT);
    check_success(gclMallocArray(&a, &float1, WIDTH, HEIGHT, 0));
    check_success(gclMallocArray(&b, &float1, WIDTH, HEIGHT, 0));
    check_success(gclMemcpy2DToArray(a, 0, 0, host, sizeof host[0], sizeof host[0], HEIGHT,
                                     gclMemcpyHostToDevice));
    check_success(gclMemcpy2DArrayToArray(b, 4, 1, a, 8, 0, 12, 5, gclMemcpyDeviceToDevice));
    check_success(gclMemcpy2DFromArray(back, sizeof back[0], b, 0, 0, sizeof back[0], HEIGHT,
                                       gclMemcpyDeviceToHost));
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            float expected = y >= 1 && x >= 1 && x < 4 ? host[y - 1][x + 1] : 0;
            assert_true(back[y][x] == expected);
        }
    }
    check_error(gclMemcpy2DToArray(a, 4, 0, host, sizeof host[0], sizeof host[0], HEIGHT,
                                   gclMemcpyHostToDevice),
                gclErrorInvalidValue);
    check_error(gclMemcpy2DToArray(a, 0, 1, host, sizeof host[0], sizeof host[0], HEIGHT,
                                   gclMemcpyHostToDevice),
                gclErrorInvalidValue);
    check_success(gclFreeArray(a));
    check_success(gclFreeArray(b));
    gclGetLastError();
}

// From the middle of a row on, over its end, into another row's middle.
static void linear_copies(void **state) {
    float host[25], back[25] = {0};
    gclArray_t array;
    (void)state;
    fill(host, 25);
    check_success(gclMallocArray(&array, &float1, WIDTH, HEIGHT, 0));
    check_success(gclMemcpyToArray(array, 28, 1, host, sizeof host, gclMemcpyHostToDevice));
    check_success(gclMemcpyFromArray(back, array, 28, 1, sizeof back, gclMemcpyDeviceToHost));
    assert_memory_equal(host, back, sizeof host);
    check_success(gclMemcpyFromArray(back, array, 0, 2, 4, gclMemcpyDeviceToHost));
    assert_true(back[0] == 3);
    check_error(gclMemcpyToArray(array, 28, 4, host, sizeof host, gclMemcpyHostToDevice),
                gclErrorInvalidValue);
    check_success(gclFreeArray(array));
    gclGetLastError();
}

// Between rows of different widths, from the middle of one into that of another.
static void pieces_of_rows(void **state) {
    enum { NARROW = 7, COUNT = 23 };
    float host[COUNT], back[COUNT] = {0};
    gclArray_t wide, narrow;
    (void)state;
    fill(host, COUNT);
    check_success(gclMallocArray(&wide, &float1, WIDTH, HEIGHT, 0));
    check_success(gclMallocArray(&narrow, &float1, NARROW, HEIGHT, 0));
    check_success(gclMemcpyToArray(wide, 12, 2, host, sizeof host, gclMemcpyHostToDevice));
    check_success(
        gclMemcpyArrayToArray(narrow, 20, 1, wide, 12, 2, sizeof host, gclMemcpyDeviceToDevice));
    check_success(gclMemcpyFromArray(back, narrow, 20, 1, sizeof back, gclMemcpyDeviceToHost));
    assert_memory_equal(host, back, sizeof host);
    check_error(
        gclMemcpyArrayToArray(narrow, 20, 3, wide, 12, 2, sizeof host, gclMemcpyDeviceToDevice),
        gclErrorInvalidValue);
    check_error(
        gclMemcpyArrayToArray(narrow, 28, 0, wide, 12, 2, sizeof host, gclMemcpyDeviceToDevice),
        gclErrorInvalidValue);
    check_success(gclFreeArray(wide));
    check_success(gclFreeArray(narrow));
    gclGetLastError();
}

static void volumes(void **state) {
    enum { DEPTH = 4 };
    float host[DEPTH][HEIGHT][WIDTH], back[2][3][5] = {{{0}}};
    gclArray_t array;
    (void)state;
    fill(&host[0][0][0], DEPTH * HEIGHT * WIDTH);
    check_success(gclMalloc3DArray(&array, &float1, make_gclExtent(WIDTH, HEIGHT, DEPTH), 0));
    struct gclMemcpy3DParms to = {.srcPtr =
                                      make_gclPitchedPtr(host, sizeof host[0][0], WIDTH, HEIGHT),
                                  .dstArray = array,
                                  .extent = make_gclExtent(WIDTH, HEIGHT, DEPTH),
                                  .kind = gclMemcpyHostToDevice};
    check_success(gclMemcpy3D(&to));
    struct gclMemcpy3DParms from = {.srcArray = array,
                                    .srcPos = make_gclPos(2, 1, 1),
                                    .dstPtr = make_gclPitchedPtr(back, sizeof back[0][0], 5, 3),
                                    .extent = make_gclExtent(5, 3, 2),
                                    .kind = gclMemcpyDeviceToHost};
    check_success(gclMemcpy3D(&from));
    for (int z = 0; z < 2; z++) {
        for (int y = 0; y < 3; y++) {
            for (int x = 0; x < 5; x++)
                assert_true(back[z][y][x] == host[z + 1][y + 1][x + 2]);
        }
    }
    from.extent.depth = 4;
    check_error(gclMemcpy3D(&from), gclErrorInvalidValue);
    check_success(gclFreeArray(array));
    gclGetLastError();
}

static void formats(void **state) {
    struct gclChannelFormatDesc three = {32, 32, 32, 0, gclChannelFormatKindFloat};
    struct gclChannelFormatDesc got =
        gclCreateChannelDesc(8, 8, 8, 8, gclChannelFormatKindUnsigned);
    struct gclExtent extent;
    gclArray_t array;
    unsigned flags;
    size_t width = 0;
    (void)state;
    assert_memory_equal(&got, &uchar4, sizeof got);
    check_success(gclDeviceGetTexture1DLinearMaxWidth(&width, &uchar4, 0));
    assert_true(width >= 1 << 27);
    check_error(gclDeviceGetTexture1DLinearMaxWidth(&width, &three, 0),
                gclErrorInvalidChannelDescriptor);
    check_error(gclDeviceGetTexture1DLinearMaxWidth(&width, &uchar4, 9), gclErrorInvalidDevice);
    check_error(gclMallocArray(&array, &three, 4, 4, 0), gclErrorInvalidChannelDescriptor);
    check_error(gclMallocArray(&array, &float1, 0, 4, 0), gclErrorInvalidValue);
    check_success(gclMallocArray(&array, &uchar4, 16, 8, gclArraySurfaceLoadStore));
    check_success(gclArrayGetInfo(&got, &extent, &flags, array));
    assert_true(extent.width == 16 && extent.height == 8 && extent.depth == 0 && got.x == 8);
    assert_int_equal(flags, gclArraySurfaceLoadStore);
    check_success(gclFreeArray(array));
    gclGetLastError();
}

/// A texture without a view, and one with it, which says it.
static void check_views(gclTextureObject_t without, const struct gclResourceDesc *resource,
                        const struct gclTextureDesc *description) {
    struct gclResourceViewDesc view = {.width = 16, .height = 8}, asked = {.width = 1};
    gclTextureObject_t with;
    check_error(gclGetTextureObjectResourceViewDesc(&asked, without), gclErrorInvalidValue);
    check_success(gclCreateTextureObject(&with, resource, description, &view));
    check_success(gclGetTextureObjectResourceViewDesc(&asked, with));
    assert_true(asked.width == 16 && asked.height == 8 && asked.format == gclResViewFormatNone);
    check_success(gclDestroyTextureObject(with));
}

static void texture_records(void **state) {
    struct gclResourceDesc resource = {.resType = gclResourceTypeArray}, asked;
    struct gclTextureDesc description = {.addressMode = {gclAddressModeClamp, gclAddressModeWrap},
                                         .filterMode = gclFilterModeLinear,
                                         .readMode = gclReadModeNormalizedFloat,
                                         .normalizedCoords = 1};
    gclTextureObject_t texture;
    gclSurfaceObject_t surface;
    (void)state;
    check_success(gclMallocArray(&resource.res.array.array, &uchar4, 16, 8, 0));
    check_success(gclCreateTextureObject(&texture, &resource, &description, NULL));
    const struct gcl_texture *t = (const struct gcl_texture *)(uintptr_t)texture;
    assert_true(t->texels.width == 16 && t->texels.height == 8 && t->texels.depth == 1);
    assert_true(t->texel_size == 4 && t->channel_count == 4 && t->channel_bits == 8);
    assert_true(t->dimensions == 2 && t->filter_mode == 1 && t->read_mode == 1);
    assert_true(t->normalized_coords == 1 && t->address_mode[0] == gclAddressModeClamp);
    check_success(gclGetTextureObjectResourceDesc(&asked, texture));
    check_views(texture, &resource, &description);
    assert_ptr_equal(asked.res.array.array, resource.res.array.array);
    check_success(gclCreateSurfaceObject(&surface, &resource));
    check_error(gclDestroyTextureObject(surface), gclErrorInvalidValue);
    check_success(gclDestroySurfaceObject(surface));
    check_success(gclDestroyTextureObject(texture));
    check_error(gclDestroyTextureObject(texture), gclErrorInvalidValue);
    description.readMode = gclReadModeElementType;
    check_error(gclCreateTextureObject(&texture, &resource, &description, NULL),
                gclErrorInvalidFilterSetting);
    check_success(gclFreeArray(resource.res.array.array));
    gclGetLastError();
}

static void linear_textures(void **state) {
    struct gclResourceDesc resource = {.resType = gclResourceTypeLinear};
    struct gclTextureDesc description = {.readMode = gclReadModeElementType};
    gclTextureObject_t texture;
    (void)state;
    resource.res.linear.desc = float1;
    resource.res.linear.sizeInBytes = 400;
    check_success(gclMalloc(&resource.res.linear.devPtr, 400));
    check_success(gclCreateTextureObject(&texture, &resource, &description, NULL));
    const struct gcl_texture *t = (const struct gcl_texture *)(uintptr_t)texture;
    assert_true(t->texels.width == 100 && t->dimensions == 1 && t->channel_kind == 2);
    assert_ptr_equal(t->texels.data, resource.res.linear.devPtr);
    check_success(gclDestroyTextureObject(texture));
    check_success(gclFree(resource.res.linear.devPtr));
    check_error(gclCreateTextureObject(&texture, &resource, &description, NULL),
                gclErrorInvalidValue);
    gclGetLastError();
}

static void mipmaps(void **state) {
    struct gclResourceDesc resource = {.resType = gclResourceTypeMipmappedArray};
    struct gclTextureDesc description = {.normalizedCoords = 1, .maxMipmapLevelClamp = 3};
    gclMipmappedArray_t array;
    gclTextureObject_t texture;
    gclArray_t level;
    (void)state;
    check_success(gclMallocMipmappedArray(&array, &float1, make_gclExtent(16, 8, 0), 4, 0));
    check_error(gclGetMipmappedArrayLevel(&level, array, 4), gclErrorInvalidValue);
    check_success(gclGetMipmappedArrayLevel(&level, array, 3));
    check_error(gclFreeArray(level), gclErrorInvalidValue);
    resource.res.mipmap.mipmap = array;
    check_success(gclCreateTextureObject(&texture, &resource, &description, NULL));
    const struct gcl_texture *t = (const struct gcl_texture *)(uintptr_t)texture;
    assert_true(t->level_count == 4 && t->levels[3].width == 2 && t->levels[3].height == 1);
    check_success(gclDestroyTextureObject(texture));
    check_success(gclFreeMipmappedArray(array));
    gclGetLastError();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies),          cmocka_unit_test(linear_copies),
        cmocka_unit_test(volumes),         cmocka_unit_test(formats),
        cmocka_unit_test(texture_records), cmocka_unit_test(linear_textures),
        cmocka_unit_test(mipmaps),         cmocka_unit_test(pieces_of_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
