// What memory is divided into for being kept elsewhere.
#ifndef GCL_EXEC_CHUNK_H
#define GCL_EXEC_CHUNK_H

/// Bytes of a chunk. Smaller ones take more requests of a disk than it serves at its full rate,
/// larger ones bring more bytes along that nobody needs.
enum { GCL_CHUNK_SIZE = 64 << 10 };
/// Chunks of a block: a large page of the system's.
enum { GCL_BLOCK_CHUNKS = (2 << 20) / GCL_CHUNK_SIZE };
/// Pages of a chunk.
enum { GCL_CHUNK_PAGES = 16 };

#endif
