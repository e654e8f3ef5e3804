// Pictures of numbers: a palette between a few colours, and a PNG file of palette indices.
#pragma once
#include <png.h>

#include <array>
#include <cstdio>
#include <vector>

struct colour {
    unsigned char red, green, blue;
};

using palette = std::array<colour, 256>;

// 256 colours that run evenly through the given stops.
inline palette palette_through(const std::vector<colour> &stops) {
    palette colours;
    for (size_t i = 0; i < colours.size(); i++) {
        float position = (float)i / (colours.size() - 1) * (stops.size() - 1);
        size_t left = (size_t)position < stops.size() - 1 ? (size_t)position : stops.size() - 2;
        float right_part = position - left;
        auto blend = [&](unsigned char a, unsigned char b) {
            return (unsigned char)(a + right_part * (b - a) + 0.5f);
        };
        colour a = stops[left], b = stops[left + 1];
        colours[i] = {blend(a.red, b.red), blend(a.green, b.green), blend(a.blue, b.blue)};
    }
    return colours;
}

// Writes one byte a pixel, row by row from the top; true if the file is complete.
inline bool write_png(const char *path, const std::vector<unsigned char> &pixels, int width,
                      int height, const palette &colours) {
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGB_COLORMAP;
    image.colormap_entries = colours.size();
    if (png_image_write_to_file(&image, path, 0, pixels.data(), width, colours.data()))
        return true;
    fprintf(stderr, "%s: %s\n", path, image.message);
    return false;
}
