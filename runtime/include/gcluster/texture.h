// What a texture or surface object points to; kernels read it, the runtime makes it. Plain C,
// shared by the runtime and the headers for device code.
#ifndef GCLUSTER_TEXTURE_H
#define GCLUSTER_TEXTURE_H

/// Texels of one mipmap level, or of all of a texture without levels. Element (x, y, z) begins at
/// data + x * texel size + y * row_pitch + z * slice_pitch.
struct gcl_texels {
    unsigned char *data;
    unsigned long long row_pitch;   ///< bytes
    unsigned long long slice_pitch; ///< bytes
    unsigned int width;             ///< texels; at least 1, as height and depth
    unsigned int height;
    unsigned int depth; ///< slices of a 3D array, layers of a layered one, faces of a cubemap
};

/// A texture or surface object is the address of one of these.
struct gcl_texture {
    struct gcl_texels texels;        ///< the finest level
    const struct gcl_texels *levels; ///< `level_count` of them; NULL unless mipmapped
    unsigned int level_count;
    unsigned int dimensions;        ///< 1, 2 or 3; layers don't count
    unsigned int layered;           ///< 1: depth counts layers (6 times as many for cubemaps)
    unsigned int cubemap;           ///< 1: depth counts faces, 6 a layer
    unsigned int texel_size;        ///< bytes: 1, 2, 4, 8 or 16
    unsigned int channel_count;     ///< 1, 2 or 4
    unsigned int channel_bits;      ///< 8, 16 or 32
    unsigned int channel_kind;      ///< 0 signed, 1 unsigned, 2 float: enum gclChannelFormatKind
    unsigned int address_mode[3];   ///< enum gclTextureAddressMode
    unsigned int filter_mode;       ///< 0 point, 1 linear
    unsigned int read_mode;         ///< 0 element type, 1 normalized float
    unsigned int normalized_coords; ///< 1: coordinates are in [0, 1)
    unsigned int plain;             ///< bits of a channel, 1 more of a float, if texels need no
                                    ///< conversion, border, layer or level; else 0
    unsigned int srgb;              ///< 1: 8-bit channels are converted from sRGB
    unsigned int mipmap_filter_mode;
    float mipmap_level_bias;
    float min_mipmap_level;
    float max_mipmap_level;
    float border_color[4];
};

#endif
