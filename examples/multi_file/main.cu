// Finds the centres of heaps of points (k-means), and checks them against the host's.
#include "kmeans.cuh"

int main() {
    const int count = 100003, centre_count = 11, rounds = 12;
    std::vector<point> points = make_points(count, centre_count);
    // The first points begin as centres. They stand in different heaps, so no centre is ever
    // torn between two, where the last bit of a sum would decide.
    std::vector<point> first(points.begin(), points.begin() + centre_count);

    device_array<point> device_points(points), centres(first);
    device_array<heap> heaps(centre_count);
    for (int round = 0; round < rounds; round++) {
        heaps.fill_with_zeros();
        assign(device_points, centres, heaps);
        update(heaps, centres);
    }

    std::vector<point> result = centres.to_host();
    std::vector<point> reference = cluster_on_host(points, first, rounds);
    return verdict("kmeans", largest_error(&result[0].x, &reference[0].x, 2 * centre_count), 1e-4);
}
