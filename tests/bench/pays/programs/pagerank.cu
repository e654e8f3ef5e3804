// PageRank over incoming edges (CSR), of a graph in which a few pages have most of the links.
#include "pays.h"

#include <utility>

__global__ void rank(const int *begins, const int *sources, const int *degrees, const float *in,
                     float *out, int n) {
    int page = blockIdx.x * blockDim.x + threadIdx.x;
    if (page >= n)
        return;
    float sum = 0;
    for (int k = begins[page]; k < begins[page + 1]; k++)
        sum += in[sources[k]] / degrees[sources[k]];
    out[page] = 0.15f / n + 0.85f * sum;
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 13, 1 << 16, 1 << 18), steps = 20;
    std::vector<int> page_begins(n + 1), all_sources, source_degrees(n, 1);
    for (int page = 0; page < n; page++) {
        int links = page % 1024 ? 4 + (int)(noise(page) % 4) : 1000;
        for (int k = 0; k < links; k++) {
            int source = (int)(noise(page * 1024 + k) % n);
            all_sources.push_back(source);
            source_degrees[source]++;
        }
        page_begins[page + 1] = (int)all_sources.size();
    }
    start_clock();
    int *begins = copy_of(page_begins), *sources = copy_of(all_sources);
    int *degrees = copy_of(source_degrees);
    float *in = copy_of(std::vector<float>(n, 1.0f / n)), *out = allocate<float>(n);
    for (int i = 0; i < steps; i++) {
        rank<<<(n + 127) / 128, 128>>>(begins, sources, degrees, in, out, n);
        std::swap(in, out);
    }
    return report(in, n);
}
