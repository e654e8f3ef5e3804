// Goes from page to page of a table, each of which says the next one: a step is 1,000 pages,
// by each node. Nodes have written a part of the table each.
#include "host.h"

enum { PAGE = 4096 / sizeof(unsigned), HOPS = 1000, CHASES = 4 };

/// All pages follow one another, as their count is a power of two.
__global__ void fill_pages(unsigned *table, unsigned pages) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    table[i] = (i / PAGE * 1664525u + 1013904223u) % pages;
}

__global__ void chase(unsigned *to, const unsigned *table, unsigned pages) {
    unsigned page = pages / CHASES * blockIdx.x;
    for (int i = 0; i < HOPS; i++)
        page = table[(size_t)page * PAGE + shuffle(page) % PAGE];
    to[blockIdx.x] = page;
}

int main(int argc, char **argv) {
    start(argc, argv);
    unsigned pages = 1;
    while (2 * (size_t)pages * 4096 <= all_bytes)
        pages *= 2;
    array<unsigned> table((size_t)pages * PAGE), to(CHASES);
    return measure([&] { fill_pages<<<blocks((size_t)pages * PAGE), 256>>>(table, pages); },
                   [&] { chase<<<CHASES, 1>>>(to, table, pages); }, to);
}
