// cub::DeviceHistogram, by gcluster::histogram, channel by channel. The arguments are CUB's.
#ifndef GCLUSTER_CUB_HISTOGRAM_H
#define GCLUSTER_CUB_HISTOGRAM_H

#pragma GCC system_header

#include "gcluster/algorithms/histogram.h"
#include "iterators.h"

CUB_NAMESPACE_BEGIN
namespace gcl {

template <int channels, int active, class Samples, class Bins, class Counter>
cudaError_t histograms(void *temp, size_t &temp_size, Samples samples,
                       const gcluster::pixel_rows &in, const Bins (&bins)[active],
                       Counter *const *counters, cudaStream_t stream) {
    size_t most = 0;
    for (int c = 0; c < active; c++) {
        size_t size = temp_size;
        cudaError_t error =
            gcluster::histogram(temp, size, samples, in, channels, static_cast<size_t>(c), bins[c],
                                counters[c], stream);
        if (error)
            return error;
        most = size > most ? size : most;
    }
    if (!temp)
        temp_size = most;
    return cudaSuccess;
}

template <class Samples> gcluster::pixel_rows rows_of(size_t pixels, size_t rows, size_t row_size) {
    return {pixels, rows, row_size / sizeof(value_of<Samples>)};
}

} // namespace gcl

struct DeviceHistogram : DeviceHistogramOfCub {
    template <int channels, int active, class Samples, class Counter, class Level, class Offset>
    static cudaError_t
    MultiHistogramEven(void *temp, size_t &temp_size, Samples samples, Counter *counters[active],
                       int levels[active], Level lower[active], Level upper[active], Offset pixels,
                       Offset rows, size_t row_size, cudaStream_t stream = nullptr, bool = false) {
        gcluster::even_bins<Level> bins[active];
        for (int c = 0; c < active; c++)
            bins[c] = gcluster::even_bins<Level>(lower[c], upper[c],
                                                 levels[c] > 1 ? unsigned(levels[c]) - 1 : 0);
        return gcl::histograms<channels>(
            temp, temp_size, samples, gcl::rows_of<Samples>(size_t(pixels), size_t(rows), row_size),
            bins, counters, stream);
    }
    template <int channels, int active, class Samples, class Counter, class Level, class Offset>
    static cudaError_t MultiHistogramEven(void *temp, size_t &temp_size, Samples samples,
                                          Counter *counters[active], int levels[active],
                                          Level lower[active], Level upper[active], Offset pixels,
                                          cudaStream_t stream = nullptr, bool = false) {
        return MultiHistogramEven<channels, active>(temp, temp_size, samples, counters, levels,
                                                    lower, upper, pixels, Offset(1), size_t(0),
                                                    stream);
    }
    template <class Samples, class Counter, class Level, class Offset>
    static cudaError_t HistogramEven(void *temp, size_t &temp_size, Samples samples,
                                     Counter *counters, int levels, Level lower, Level upper,
                                     Offset pixels, Offset rows, size_t row_size,
                                     cudaStream_t stream = nullptr, bool = false) {
        return MultiHistogramEven<1, 1>(temp, temp_size, samples, &counters, &levels, &lower,
                                        &upper, pixels, rows, row_size, stream);
    }
    template <class Samples, class Counter, class Level, class Offset>
    static cudaError_t HistogramEven(void *temp, size_t &temp_size, Samples samples,
                                     Counter *counters, int levels, Level lower, Level upper,
                                     Offset count, cudaStream_t stream = nullptr, bool = false) {
        return HistogramEven(temp, temp_size, samples, counters, levels, lower, upper, count,
                             Offset(1), size_t(0), stream);
    }

    template <int channels, int active, class Samples, class Counter, class Level, class Offset>
    static cudaError_t
    MultiHistogramRange(void *temp, size_t &temp_size, Samples samples, Counter *counters[active],
                        int counts[active], Level *levels[active], Offset pixels, Offset rows,
                        size_t row_size, cudaStream_t stream = nullptr, bool = false) {
        gcluster::level_bins<Level> bins[active];
        for (int c = 0; c < active; c++)
            bins[c] = {levels[c], counts[c] > 1 ? unsigned(counts[c]) - 1 : 0};
        return gcl::histograms<channels>(
            temp, temp_size, samples, gcl::rows_of<Samples>(size_t(pixels), size_t(rows), row_size),
            bins, counters, stream);
    }
    template <int channels, int active, class Samples, class Counter, class Level, class Offset>
    static cudaError_t MultiHistogramRange(void *temp, size_t &temp_size, Samples samples,
                                           Counter *counters[active], int counts[active],
                                           Level *levels[active], Offset pixels,
                                           cudaStream_t stream = nullptr, bool = false) {
        return MultiHistogramRange<channels, active>(temp, temp_size, samples, counters, counts,
                                                     levels, pixels, Offset(1), size_t(0), stream);
    }
    template <class Samples, class Counter, class Level, class Offset>
    static cudaError_t HistogramRange(void *temp, size_t &temp_size, Samples samples,
                                      Counter *counters, int count, Level *levels, Offset pixels,
                                      Offset rows, size_t row_size, cudaStream_t stream = nullptr,
                                      bool = false) {
        return MultiHistogramRange<1, 1>(temp, temp_size, samples, &counters, &count, &levels,
                                         pixels, rows, row_size, stream);
    }
    template <class Samples, class Counter, class Level, class Offset>
    static cudaError_t HistogramRange(void *temp, size_t &temp_size, Samples samples,
                                      Counter *counters, int count, Level *levels, Offset pixels,
                                      cudaStream_t stream = nullptr, bool = false) {
        return HistogramRange(temp, temp_size, samples, counters, count, levels, pixels, Offset(1),
                              size_t(0), stream);
    }
};

CUB_NAMESPACE_END

#endif
