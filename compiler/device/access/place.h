// Where pointers lead.
#ifndef GCL_DEVICE_ACCESS_PLACE_H
#define GCL_DEVICE_ACCESS_PLACE_H

#include "device/access/build.h"

/// Where `pointer` may lead; borrowed from `x`.
const struct gcl_access_places *gcl_access_find_places(struct gcl_extraction *x,
                                                       LLVMValueRef pointer);
/// What a load gives: `width` bits, `extra` bytes behind where it begins.
uint32_t gcl_access_loaded(struct gcl_extraction *x, LLVMValueRef load, unsigned width,
                           enum gcl_record_role role, uint32_t lane, uint32_t extra);
/// Adds a place; one more than GCL_PLACES and all become anywhere.
void gcl_access_add_place(struct gcl_extraction *x, struct gcl_access_places *places,
                          struct gcl_access_place place);
/// The places `offset` (a node of 64 bits) bytes behind.
struct gcl_access_places gcl_access_shift_places(struct gcl_extraction *x,
                                                 const struct gcl_access_places *places,
                                                 uint32_t offset);
/// Anywhere, because of `where`.
struct gcl_access_places gcl_access_places_anywhere(struct gcl_extraction *x,
                                                    enum gcl_reason_code code, LLVMValueRef where);

#endif
