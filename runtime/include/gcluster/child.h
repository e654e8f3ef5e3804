// A launch from device code (dynamic parallelism), as kernels hand it to the runtime. Plain C,
// shared by the runtime and the headers for device code.
//
// Such a launch is noted where the kernel runs, and its grid runs there once the kernel's own
// blocks are done: as in CUDA 12 no thread can wait for it. The launching grid is complete when all
// grids are that it has launched, and those that they have launched.
#ifndef GCLUSTER_CHILD_H
#define GCLUSTER_CHILD_H

/// What stands between `<<<` and `>>>`, and which thread says so.
struct gcl_child {
    unsigned int grid[3];
    unsigned int block[3];
    unsigned long long shared_size;  ///< bytes
    unsigned long long stream;       ///< a handle of device code's
    unsigned long long parent_block; ///< linear number of the launching block, x fastest
    unsigned int parent_thread;      ///< linear number in it
    unsigned int zero;
};

/// Handles of device code's streams. Each stream's grids run in their order, and those of one block
/// in the order in which it launches them.
enum gcl_child_streams {
    GCL_CHILD_TAIL = 3,   ///< cudaStreamTailLaunch: after the launching grid and its other children
    GCL_CHILD_FORGET = 4, ///< cudaStreamFireAndForget
    GCL_CHILD_OWN = 16,   ///< what cudaStreamCreateWithFlags gives
};

/// Launching grids above a grid, at most.
enum { GCL_CHILD_DEPTH = 24 };

#endif
