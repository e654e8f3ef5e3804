// What the MPI programs share.
#pragma once
#include <mpi.h>

#include "../problem/common.h"

/// This process' place, and its share of `n` rows.
struct ranks {
    int rank, count;
    ranks(int *argc, char ***argv) {
        MPI_Init(argc, argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &count);
    }
    int begin(int n) const {
        return (int)((long)n * rank / count);
    }
    int end(int n) const {
        return (int)((long)n * (rank + 1) / count);
    }
    /// Waits for all, and returns the time.
    double together() const {
        MPI_Barrier(MPI_COMM_WORLD);
        return now();
    }
    /// Rank 0 reports for all; returns main's result.
    int end_with(double seconds, bool right) const {
        int here = right, all;
        MPI_Allreduce(&here, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
        MPI_Finalize();
        return rank == 0 ? report(seconds, all) : !all;
    }
};
