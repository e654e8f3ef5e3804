// Operations: what node 0 tells the others, in order, so that each of them knows what all nodes do.
//
// As bytes they are a kind, the sequence number, and the kind's fields, little-endian. Bytes that
// come from elsewhere are never trusted: reading checks every length, and that nothing is left.
#ifndef GCL_CLUSTER_OPERATION_H
#define GCL_CLUSTER_OPERATION_H

#include <stddef.h>
#include <stdint.h>

#include "plan/region/geometry.h"

enum gcl_operation_kind {
    GCL_OPERATION_ALLOCATE = 1, ///< memory is allocated
    GCL_OPERATION_FREE,         ///< and free again
    GCL_OPERATION_CODE,         ///< the variables of an object lie at addresses
    GCL_OPERATION_KERNEL,       ///< gives a kernel a number
    GCL_OPERATION_LAUNCH,
    GCL_OPERATION_ACCESS,  ///< node 0 reads and writes memory
    GCL_OPERATION_FILL,    ///< bytes become a value
    GCL_OPERATION_SETTLE,  ///< tell node 0 when everything up to here is done, on some tracks
    GCL_OPERATION_ESCAPE,  ///< pointers in memory may lead to an allocation
    GCL_OPERATION_REPORT,  ///< tell node 0 what this node did
    GCL_OPERATION_AWAIT,   ///< one node: tell node 0 when everything up to here is done
    GCL_OPERATION_ALLOW,   ///< a node may use another one's memory, or no longer
    GCL_OPERATION_LIMIT,   ///< devices get a limit
    GCL_OPERATION_MODULE,  ///< there is more device code
    GCL_OPERATION_LIBRARY, ///< the program has loaded a library with device code
};

enum gcl_operation_launch_flags {
    GCL_OPERATION_COOPERATIVE = 1, ///< all blocks have to be alive together
    GCL_OPERATION_ORDERED = 2,     ///< blocks run one after the other
    /// What was launched before may wait for the program, so nobody waits for that.
    GCL_OPERATION_BESIDE_CALL = 4,
    /// Pages of what is read vaguely come as they are touched.
    GCL_OPERATION_FAULTS = 8,
};

enum {
    GCL_OPERATION_MAX_ARGUMENTS = 32764,
    GCL_OPERATION_MAX_TEXT = 1 << 16,
    GCL_OPERATION_MAX_FILE = 96, ///< of a source file's path: its end
    GCL_OPERATION_MAX_MODULE = 1 << 30,
};

/// `depth` slices of `height` rows of `width` bytes.
struct gcl_operation_box {
    uint64_t begin; ///< address
    uint64_t pitch, slice;
    uint64_t width, height, depth; ///< width 0: nothing
};

/// Texts and byte strings are borrowed: when it is read, from the bytes.
struct gcl_operation {
    enum gcl_operation_kind kind;
    uint64_t sequence;
    uint32_t track; ///< of those that kernels are on, where it may go on one of them
    union {
        struct {
            uint64_t begin, size;
            uint32_t space_kind; ///< enum gcl_space_kind
            uint32_t home;       ///< node whose memory it is; UINT32_MAX: all's
            uint32_t holder;     ///< 0: node 0 alone has its bytes; UINT32_MAX: it is new
        } allocate;
        struct {
            uint64_t begin;
        } free;
        struct {
            uint64_t begin;
        } escape;
        struct {
            const char *id; ///< of the object, `id_size` bytes without a final 0
            uint32_t id_size;
            uint64_t stride; ///< from a device's variables to the next one's; 0: there is one
            const unsigned char *addresses; ///< of its variables, in order, 8 bytes each
            uint32_t count;
        } code;
        struct {
            uint32_t number;            ///< tells modules of the same bytes apart
            uint64_t hash;              ///< of the bytes, which are code (gcl_hash)
            const unsigned char *bytes; ///< a shared object (gcluster/module.h)
            uint32_t size;
        } module;
        struct {
            uint32_t number;
            const char *id; ///< of its object
            uint32_t id_size;
            const char *name; ///< mangled
            uint32_t name_size;
        } kernel;
        struct {
            uint32_t kernel;    ///< number
            uint64_t directory; ///< hash of the directory before it
            struct gcl_geometry geometry;
            uint32_t first;     ///< along the grid's slowest axis: blocks before have been run
            uint32_t flags;     ///< enum gcl_operation_launch_flags
            uint32_t node;      ///< where all blocks have to run; UINT32_MAX: anywhere
            uint32_t planning;  ///< steps that planning it may take (schedule.h); 0: any number
            uint32_t origin;    ///< in the source, as node 0's trace numbers it; 0: unknown
            const char *file;   ///< origin for messages: the source file,
            uint32_t file_size; ///< 0: unknown,
            uint32_t line;      ///< and its line
            const unsigned char *arguments;
            uint32_t argument_size;
        } launch;
        struct {
            struct gcl_operation_box read, written;
        } access;
        struct {
            struct gcl_operation_box box;
            uint32_t value;
        } fill;
        struct {
            uint32_t tracks; ///< bits, by enum gcl_track
        } settle;
        struct {
            uint32_t node;
        } await;
        struct {
            uint32_t node, home; ///< whose blocks, and whose memory
            uint32_t is_allowed;
        } allow;
        struct {
            const char *path; ///< absolute, `path_size` bytes without a final 0
            uint32_t path_size;
            uint64_t content; ///< hash of its bytes
        } library;
        struct {
            uint32_t node;  ///< UINT32_MAX: all
            uint32_t limit; ///< by CUDA's numbers, below GCL_DEVICE_LIMITS
            uint64_t value;
        } limit;
    };
};

/// The kind's name, for people.
const char *gcl_operation_name(enum gcl_operation_kind kind);
/// Bytes that an operation takes.
size_t gcl_operation_size(const struct gcl_operation *operation);
/// Writes it to that many bytes.
void gcl_operation_write(const struct gcl_operation *operation, unsigned char *out);
/// Reads an operation of exactly `size` bytes. NULL, or why it is none, for people; the operation
/// is undefined then.
const char *gcl_operation_read(const unsigned char *bytes, size_t size,
                               struct gcl_operation *operation);

#endif
