// The points to be clustered and the result to be found, in plain C++.
#pragma once
#include <vector>

struct point {
    float x, y;
};

// Points around centres that stand on a circle, as many in each heap, in mixed order.
std::vector<point> make_points(int count, int centre_count);

// The centres after the given number of rounds, by the same method on one thread, in double.
std::vector<point> cluster_on_host(const std::vector<point> &points, std::vector<point> centres,
                                   int rounds);
