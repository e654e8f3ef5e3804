// Histograms of several channels of samples that lie side by side, in rows. Each block counts the
// samples of a tile of pixels into counters of its own; then each block adds up those of some bins.
#ifndef GCLUSTER_ALGORITHMS_HISTOGRAM_H
#define GCLUSTER_ALGORITHMS_HISTOGRAM_H

#pragma GCC system_header

#include <cuda_runtime.h>

#include <type_traits>

#include "carve.h"
#include "tiles.h"

namespace gcluster {

enum { BINS_OF_BLOCK = 256 };

/// Where samples lie: channel c of pixel i of row r is number r * stride + i * channels + c.
struct pixel_rows {
    size_t pixels; ///< of a row
    size_t rows;
    size_t stride; ///< samples from one row to the next
};

/// Bins of one width between two levels; to whole numbers the width is one, too, as to CUB.
template <class Level> struct even_bins {
    Level lower, upper;
    Level scale; ///< the width; of floating point its inverse
    unsigned count;

    static constexpr bool is_floating = std::is_floating_point<Level>::value;

    even_bins() = default;
    even_bins(Level lower, Level upper, unsigned count)
        : lower(lower), upper(upper), scale(), count(count) {
        if (count > 0)
            scale = static_cast<Level>((upper - lower) / static_cast<Level>(count));
        if (is_floating)
            scale = static_cast<Level>(1 / scale);
    }

    /// The sample's bin, or `count`.
    template <class Sample> __device__ unsigned find(const Sample &sample) const {
        Level level = static_cast<Level>(sample);
        if (!(level >= lower && level < upper))
            return count;
        Level from = static_cast<Level>(level - lower);
        unsigned bin = static_cast<unsigned>(is_floating ? from * scale : from / scale);
        return bin < count ? bin : count - 1;
    }
};

/// Bins between levels of an array that ascends.
template <class Level> struct level_bins {
    const Level *levels; ///< count + 1
    unsigned count;

    template <class Sample> __device__ unsigned find(const Sample &sample) const {
        Level level = static_cast<Level>(sample);
        unsigned begin = 0, left = count + 1;
        while (left > 0) { // how many levels aren't above the sample's
            unsigned half = left / 2;
            bool is_below = !(level < levels[begin + half]);
            begin += is_below ? half + 1 : 0;
            left = is_below ? left - half - 1 : half;
        }
        return begin == 0 || begin > count ? count : begin - 1;
    }
};

/// Counts one channel's samples: `counts` has a row of `bins.count` a tile.
template <class Samples, class Bins, class Count>
__global__ void __launch_bounds__(1)
    count_samples(Samples samples, pixel_rows in, size_t channels, size_t channel, Bins bins,
                  size_t count, size_t tile, Count *counts) {
    Count *own = counts + size_t{blockIdx.x} * bins.count;
    size_t begin = blockIdx.x * tile, end = tile_end(count, tile);
    for (unsigned b = 0; b < bins.count; b++)
        own[b] = 0;
    size_t row = begin / in.pixels, pixel = begin % in.pixels;
    for (size_t i = begin; i < end; i++) {
        unsigned bin = bins.find(samples[row * in.stride + pixel * channels + channel]);
        if (bin < bins.count)
            own[bin]++;
        if (++pixel == in.pixels) {
            pixel = 0;
            row++;
        }
    }
}

template <class Count, class Counter>
__global__ void __launch_bounds__(1)
    add_bins(const Count *counts, unsigned tiles, size_t count, size_t tile, Counter *counters) {
    size_t begin = blockIdx.x * tile, end = tile_end(count, tile);
    for (size_t b = begin; b < end; b++) {
        Counter sum = 0;
        for (unsigned t = 0; t < tiles; t++)
            sum += static_cast<Counter>(counts[t * count + b]);
        counters[b] = sum;
    }
}

/// Tiles whose counters cost little beside their pixels.
inline tiling divide_pixels(size_t count, size_t bins) {
    return divide(count, 4 * bins > LEAST_DIVIDED ? 4 * bins : LEAST_DIVIDED);
}

/// Leaves at `counters` how many samples of channel `channel` of `channels` are in each of `bins`.
/// `temp` as of sort.
template <class Samples, class Bins, class Counter>
cudaError_t histogram(void *temp, size_t &temp_size, Samples samples, const pixel_rows &in,
                      size_t channels, size_t channel, const Bins &bins, Counter *counters,
                      cudaStream_t stream) {
    size_t count = in.pixels * in.rows;
    tiling t = divide_pixels(count, bins.count);
    carver pieces = {static_cast<char *>(temp), 0};
    unsigned *counts = pieces.take<unsigned>(size_t{t.tiles} * bins.count + 1);
    if (!temp) {
        temp_size = pieces.used;
        return cudaSuccess;
    }
    if (bins.count == 0)
        return cudaSuccess;
    if (count > 0)
        count_samples<<<t.tiles, 1, 0, stream>>>(samples, in, channels, channel, bins, count,
                                                 t.tile, counts);
    add_bins<<<(bins.count + BINS_OF_BLOCK - 1) / BINS_OF_BLOCK, 1, 0, stream>>>(
        static_cast<const unsigned *>(counts), t.tiles, size_t{bins.count}, size_t{BINS_OF_BLOCK},
        counters);
    return cudaGetLastError();
}

} // namespace gcluster

#endif
