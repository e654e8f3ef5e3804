// A random world must go the same way on the device as on the host, and a glider must arrive where
// gliders do: one cell down and one to the right every four generations.
#include "life.cuh"

#include "../common/check.h"

#include <vector>

using world = std::vector<unsigned char>;

constexpr int size = WORLD_SIZE; // set by the build

static world random_world() {
    world cells(size * size);
    unsigned state = 1;
    for (unsigned char &cell : cells) {
        state = state * 1664525u + 1013904223u;
        cell = state >> 30 == 0; // one in four
    }
    return cells;
}

static world glider_at(int left, int top) {
    world cells(size * size);
    const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (auto [x, y] : glider)
        cells[(top + y) % size * size + (left + x) % size] = 1;
    return cells;
}

static world live_on_host(world now, int generations) {
    world next(now.size());
    for (int i = 0; i < generations; i++) {
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++)
                next[y * size + x] = lives_on(now.data(), size, x, y);
        now.swap(next);
    }
    return now;
}

static int compare(const char *what, world start, const world &expected, int generations) {
    live_on_device(start.data(), size, generations);
    return verdict(what, largest_error(start.data(), expected.data(), expected.size()), 0);
}

int main() {
    world random = random_world();
    int wrong = compare("life, random world", random, live_on_host(random, 20), 20);
    int start = size - 10; // so that the glider crosses the edge
    return compare("life, glider", glider_at(start, start), glider_at(start + 25, start + 25),
                   100) ||
           wrong;
}
