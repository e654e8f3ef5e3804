// Sparse matrices of tests.
#ifndef ROWS_H
#define ROWS_H

#include "solver.h"

#include <cusparse.h>

/// A matrix by rows.
struct rows {
    int n, base;
    std::vector<int> offsets, indices;
    std::vector<number> values;
    cusparseMatDescr_t descriptor;
    rows(int size, int first) : n(size), base(first), offsets(1, first) {
        CHECK(cusparseCreateMatDescr(&descriptor));
        CHECK(cusparseSetMatIndexBase(descriptor, cusparseIndexBase_t(first)));
    }
    int nnz() const {
        return int(indices.size());
    }
    void add(int column, number value) {
        indices.push_back(column + base);
        values.push_back(value);
    }
    void end_row() {
        offsets.push_back(nnz() + base);
    }
    template <class T> std::vector<T> narrow() const {
        std::vector<T> result;
        for (number x : values)
            result.push_back(kind<T>::narrow(x));
        return result;
    }
    matrix times(const matrix &x) const {
        matrix y(n, 1);
        for (int i = 0; i < n; i++)
            for (int k = offsets[i] - base; k < offsets[i + 1] - base; k++)
                y(i, 0) += values[k] * x(indices[k] - base, 0);
        return y;
    }
};

/// The five points of a grid of `side` squared, whose points are numbered in no order; Hermitian
/// unless `skew` isn't 0.
template <class T> static rows grid(int side, int base, double skew) {
    int n = side * side;
    std::vector<int> names(n), points(n);
    for (int i = 0; i < n; i++)
        names[i] = int(i * 7919ll % n); // a permutation, as 7919 is prime to n
    for (int i = 0; i < n; i++)
        points[names[i]] = i;
    rows a(n, base);
    number i = kind<T>::is_complex ? number(0, 0.5) : number(0);
    for (int name = 0; name < n; name++) {
        int x = points[name] % side, y = points[name] / side;
        if (x > 0)
            a.add(names[points[name] - 1], -1.0 - i);
        if (x < side - 1)
            a.add(names[points[name] + 1], -1.0 + i + skew);
        if (y > 0)
            a.add(names[points[name] - side], -1.0);
        if (y < side - 1)
            a.add(names[points[name] + side], -1.0 + 2 * skew);
        a.add(name, 5);
        a.end_row();
    }
    return a;
}

#endif
