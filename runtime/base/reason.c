// The texts are in the list that also numbers the reasons, so none can be forgotten.
#include "reason.h"

#include "gcluster/reasons.h"

const char *gcl_reason_why(uint16_t code) {
    switch (code) {
#define GCL_REASON(name, number, what, why, advice)                                                \
    case number:                                                                                   \
        return why;
        GCL_REASONS
#undef GCL_REASON
    default:
        return "";
    }
}
