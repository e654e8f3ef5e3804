// What the parts of the CUDA device share; not for others.
//
// driver    the driver's functions
// device    which GPU, and what it says about itself
// lane      streams, and what waits for them
// pages     memory at its addresses
// physical  the memory that is mapped there, the GPU's and the host's
// peer      memory that processes of the host map of each other
// module    GPU code of objects
// units     launches and copies
// queues    streams for the engine, and marks in them
// stage     copies by way of page-locked memory
// errand    what a lane does for a while, and memory for that
// strips    regions as the GPU goes through them
// kernels   the GPU's kernels of ours
// bytes     what moves between launches
// merge     what several nodes changed, put together
#ifndef GCL_EXEC_CUDA_STATE_H
#define GCL_EXEC_CUDA_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "exec/device/cuda/cuda.h"
#include "exec/device/cuda/driver.h"
#include "exec/device/cuda/strip.h"

/// A stream of the driver's, and what its launches need. One thread uses a lane at a time.
struct gcl_cuda_lane {
    void *stream;
    gcl_cu_address barrier;     ///< where blocks of cooperative launches meet; 0: there were none
    struct gcl_cuda_ring *ring; ///< of stage.c; NULL: none was needed yet, or
    bool lacks_ring;            ///< none can be had
    struct gcl_cuda_lane *next; ///< among spare ones
};

struct gcl_cuda {
    const struct gcl_driver *driver;
    int device;
    int capability;  ///< 90 for 9.0
    int handle_type; ///< as what other processes get its memory; none: they can't
    void *context;
    bool keeps_bits;      ///< as the choice says
    _Atomic int error;    ///< the first of the driver's that nothing else says, 0: none
    pthread_mutex_t lock; ///< of spare lanes
    struct gcl_cuda_lane *spare;
    struct gcl_device_properties properties;
    struct gcl_limits limits;
};

/// The one of this process.
extern struct gcl_cuda gcl_cuda;

// lane.c

/// The calling thread may call the driver from here on.
void gcl_cuda_enter(void);
/// NULL: no memory. Lower priorities run first; the driver takes those that it doesn't have for
/// the nearest one.
struct gcl_cuda_lane *gcl_cuda_lane_open(int priority);
void gcl_cuda_lane_close(struct gcl_cuda_lane *lane);
/// Lets cooperative launches on a lane have a barrier. The driver's result.
int gcl_cuda_lane_open_barrier(struct gcl_cuda_lane *lane);
/// A lane for a while. NULL: no memory, which is noted as an error.
struct gcl_cuda_lane *gcl_cuda_lane_take(void);
void gcl_cuda_lane_give(struct gcl_cuda_lane *lane);
/// Notes and logs an error of a call (`what`: "copy"), which ends what the device does for the
/// program. True: there is none.
bool gcl_cuda_check(int error, const char *what);
/// Notes an error that others have logged, after which the driver can do nothing more.
void gcl_cuda_note(int error);
/// Waits for what a lane has been given.
bool gcl_cuda_lane_wait(const struct gcl_cuda_lane *lane, const char *what);

// pages.c

extern const struct gcl_page_ops gcl_cuda_pages;
/// Pages of a process in which nobody uses memory but kernels.
extern const struct gcl_page_ops gcl_cuda_pages_alone;
/// Whether the host can't reach an address, since it is the GPU's memory.
bool gcl_cuda_is_apart(const void *address);
/// Whether a range is the host's memory, page-locked for the GPU.
bool gcl_cuda_is_locked(const void *begin, size_t size);
/// How many of `size` bytes (not 0) from an address on the driver copies at once: what of the
/// program's own memory is page-locked as one, or not at all.
size_t gcl_cuda_alike(uintptr_t begin, size_t size);

/// A chunk of the GPU's memory, as it is mapped at an address.
struct gcl_cuda_chunk {
    gcl_cu_memory memory;
    uint64_t number;   ///< of this mapping among all there ever were, from 1 on; 0: none
    uint64_t has_lent; ///< a bit for each neighbour that it is lent to; peer.c's
    bool is_in_host;   ///< it is the host's memory, which the GPU reaches over its bus
};
#define GCL_CUDA_CHUNK ((size_t)2 << 20)
/// The chunk mapped at an address; NULL: none. Stays while memory there is in use.
struct gcl_cuda_chunk *gcl_cuda_chunk_at(uintptr_t address);
/// The address where the GPU's memory begins.
uintptr_t gcl_cuda_pages_begin(void);

// peer.c

extern const struct gcl_lending gcl_cuda_lending;
/// Whether an address is of memory that another process owns.
bool gcl_cuda_is_borrowed(const void *address);

// module.c

struct gcl_kernel;

/// The driver's function for a kernel, whose module has by then what the kernel reads by addresses
/// and from the constant bank; NULL: there is none, with why as `text`, for people.
void *gcl_cuda_function(const struct gcl_kernel *kernel, char *text, size_t size);
/// Bytes of the GPU's memory have been written, not by a kernel: whoever writes tells when that is
/// done.
void gcl_cuda_note_write(const void *begin, size_t size);
/// Whether some of the bytes are a variable's that kernels read in the constant bank.
bool gcl_cuda_is_banked(const void *begin, size_t size);
/// Lets a function have so many bytes of dynamic shared memory. The driver's result.
int gcl_cuda_allow_shared(const struct gcl_kernel *kernel, void *function, uint32_t size);

/// As struct gcl_device has them.
bool gcl_cuda_describe(const struct gcl_kernel *kernel, struct gcl_device_kernel *description);
unsigned gcl_cuda_blocks_per_core(const struct gcl_kernel *kernel, unsigned threads,
                                  size_t shared_size);

// queues.c

extern const struct gcl_device_queue_ops gcl_cuda_queues;

// physical.c

/// Whether the GPU's memory can be mapped as we do; what its driver maps is in whole granules.
bool gcl_cuda_fits_chunks(size_t *granularity);
/// Physical memory for a chunk: the GPU's, or the host's where the GPU has none left and may have
/// some of that. False: there is none, or, which is noted, the driver fails.
bool gcl_cuda_physical_take(gcl_cu_memory *memory, bool *is_in_host);
/// Keeps for later what nothing is mapped to any more.
void gcl_cuda_physical_give(gcl_cu_memory memory, bool is_in_host);
/// Gives what is kept back to the driver.
void gcl_cuda_physical_drop(void);
/// As struct gcl_page_ops has them.
bool gcl_cuda_physical_extend(size_t device, char why[GCL_PAGES_WHY_SIZE]);
void gcl_cuda_physical_tell(struct gcl_tiers *tiers);
/// As gcl_cuda_check, of a call that may find no memory: that is no end for the GPU.
bool gcl_cuda_has_found(int error, const char *what);

// stage.c

/// Copies from any memory of the host's to the GPU's, `target`; that of the host has been read on
/// return, unless it is page-locked. The driver's result.
int gcl_cuda_send(struct gcl_cuda_lane *lane, uintptr_t target, const void *host, size_t size);
/// Copies from the GPU's memory, `source`, to any of the host's, which is there on return, unless
/// it is page-locked. The driver's result.
int gcl_cuda_fetch(struct gcl_cuda_lane *lane, void *host, uintptr_t source, size_t size);
/// Takes NULL.
void gcl_cuda_ring_close(struct gcl_cuda_ring *ring);

// errand.c

/// Memory of the GPU's that has no place in the range, with anything in it.
struct gcl_cuda_scratch {
    unsigned char *bytes; ///< the host doesn't reach them
    size_t size;
    struct gcl_cuda_scratch *next;
};
/// NULL: no memory that the program may not need. Any thread, as those below.
struct gcl_cuda_scratch *gcl_cuda_scratch_take(size_t size);
/// Gives back what nothing uses any more. Takes NULL.
void gcl_cuda_scratch_give(struct gcl_cuda_scratch *scratch);
/// Frees what is kept for later. False: there was nothing.
bool gcl_cuda_scratch_drop(void);

/// What a lane does, with memory that is its own until it ends.
struct gcl_cuda_errand {
    struct gcl_cuda_lane *lane;
    struct gcl_cuda_scratch *held;
};
/// False: no memory, which is noted as an error.
bool gcl_cuda_errand_begin(struct gcl_cuda_errand *errand);
/// Memory of the GPU's, aligned for everything. NULL: it has none.
unsigned char *gcl_cuda_errand_bytes(struct gcl_cuda_errand *errand, size_t size);
/// Waits until all is done. False: it has failed, which is noted.
bool gcl_cuda_errand_end(struct gcl_cuda_errand *errand, const char *what);

// strips.c

/// Is shown a strip, whose `first` isn't set. False: it wants no more.
typedef bool gcl_cuda_visit(void *visitor, const struct gcl_cuda_strip *strip);
/// Shows the strips of a region, in any order. False: the visitor wants no more.
bool gcl_cuda_visit_strips(const struct gcl_region *region, gcl_cuda_visit *visit, void *visitor);

// kernels.c

/// What one of our kernels does with a region, offset 0 of which is at `place` and `base`.
struct gcl_cuda_job {
    const char *kernel; ///< in library/bytes.c, without the bits of its words
    const struct gcl_region *region;
    unsigned char *place, *packed;
    const unsigned char *base;
    uint64_t value;   ///< to fill with: an element, or a byte over and over
    bool is_in_place; ///< offset 0 is at `packed`, too, and its bytes aren't packed
    size_t element;   ///< bytes of the words; 0: any
};
/// Gives a job to an errand's lane. False: it has no memory, no such kernel, or elements aren't
/// aligned, and nothing happens.
bool gcl_cuda_put_job(struct gcl_cuda_errand *errand, const struct gcl_cuda_job *job);

// merge.c, as struct gcl_device_byte_ops has them

void *gcl_cuda_keep_twin(const struct gcl_device *device, const unsigned char *place,
                         const struct gcl_region *region);
void gcl_cuda_forget_twin(const struct gcl_device *device, void *twin);
void gcl_cuda_make_neutral(const struct gcl_device *device, unsigned char *place,
                           const struct gcl_region *region,
                           const struct gcl_combination *combination);
enum gcl_status gcl_cuda_merge(const struct gcl_device *device,
                               const struct gcl_device_merge *request);

// units.c, bytes.c

/// Rows of bytes, of which one end at least is the GPU's memory.
struct gcl_cuda_rows {
    unsigned char *target;
    const unsigned char *source; ///< NULL: they become `value`
    size_t target_pitch, source_pitch;
    size_t width, count;
    unsigned char value;
};
/// Has a lane copy rows, or set them. False: it can't, which is noted.
bool gcl_cuda_move_rows(const struct gcl_cuda_rows *rows, struct gcl_cuda_lane *lane);

/// Has a lane do a launch. What goes wrong becomes its fault.
void gcl_cuda_put_run(struct gcl_cuda_lane *lane, struct gcl_run *run);
/// Has a lane do a copy of which one end at least is the GPU's memory. False: it can't, which is
/// noted.
bool gcl_cuda_put_copy(struct gcl_cuda_lane *lane, const struct gcl_box_copy *copy);
/// Says in a launch's fault what the driver says of it, and where that was.
void gcl_cuda_report(struct gcl_run *run, int error, const char *where);
/// Bytes from the first to the last of a copy's rows; whether those that it reads are among those
/// that it writes.
size_t gcl_cuda_span(size_t pitch, size_t slice, const struct gcl_box_copy *copy);
bool gcl_cuda_overlaps(const struct gcl_box_copy *copy);

/// Copies a region from where it is mapped of another process, `shift` bytes behind its own place,
/// to that place, or to `packed` unless that is NULL.
void gcl_cuda_borrow(const struct gcl_region *region, unsigned char *place, ptrdiff_t shift,
                     unsigned char *packed);

extern const struct gcl_device_unit_ops gcl_cuda_units;
extern const struct gcl_device_byte_ops gcl_cuda_bytes;
extern const struct gcl_packer gcl_cuda_packer;

#endif
