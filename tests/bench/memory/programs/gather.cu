// Numbers from a hundredth of a table's pages, which a hash says. Nodes have written a part of the
// table each.
#include "host.h"

enum { PAGE = 4096 / sizeof(unsigned) };

__global__ void gather(unsigned *to, const unsigned *table, unsigned count, unsigned pages) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, place = shuffle(i);
    if (i >= count)
        return;
    to[i] = table[(size_t)(place % pages) * PAGE + place / pages % PAGE];
}

int main(int argc, char **argv) {
    start(argc, argv);
    unsigned pages = (unsigned)(all_bytes / 4096), count = pages / 100;
    array<unsigned> table((size_t)pages * PAGE), to(count);
    return measure([&] { fill(table, 1); },
                   [&] { gather<<<(count + 31) / 32, 32>>>(to, table, count, pages); }, to);
}
