#include "points.h"

#include <cmath>

std::vector<point> make_points(int count, int centre_count) {
    std::vector<point> points(count);
    for (int i = 0; i < count; i++) {
        float centre_angle = 6.2831853f * (i % centre_count) / centre_count;
        float angle = 2.39996323f * i, radius = 0.3f * std::sqrt((float)i / count);
        points[i] = {std::cos(centre_angle) + radius * std::cos(angle),
                     std::sin(centre_angle) + radius * std::sin(angle)};
    }
    return points;
}

static int nearest(const std::vector<point> &centres, point p) {
    int best = 0;
    float best_distance = INFINITY;
    for (size_t c = 0; c < centres.size(); c++) {
        float dx = p.x - centres[c].x, dy = p.y - centres[c].y;
        if (dx * dx + dy * dy < best_distance) {
            best_distance = dx * dx + dy * dy;
            best = (int)c;
        }
    }
    return best;
}

std::vector<point> cluster_on_host(const std::vector<point> &points, std::vector<point> centres,
                                   int rounds) {
    for (int round = 0; round < rounds; round++) {
        std::vector<double> x(centres.size()), y(centres.size());
        std::vector<int> members(centres.size());
        for (point p : points) {
            int c = nearest(centres, p);
            x[c] += p.x;
            y[c] += p.y;
            members[c]++;
        }
        for (size_t c = 0; c < centres.size(); c++)
            if (members[c] > 0)
                centres[c] = {(float)(x[c] / members[c]), (float)(y[c] / members[c])};
    }
    return centres;
}
