// What follows from a header that isn't there says nothing: the header is the message.
// RUN: not %gcluster-cc -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %gcluster-cc -c -DOWN %s -o %t.o 2>&1 | FileCheck %s --check-prefix=OWN
#ifdef OWN
#include "settings_of_mine.h"
// OWN: missing_header.cu:[[# @LINE - 1]]:10: {{(fatal )?}}error: 'settings_of_mine.h' file not found
#else
#include <cudnn.h>
// CHECK: missing_header.cu:[[# @LINE - 1]]:{{1[01]}}: error: header 'cudnn.h' is not supported (cuDNN) [GCL121]
#endif
template <class T> void plan(T size) {
    settings<T> mine(size);
    mine.rows = size;
}
// CHECK-NOT: mine
// OWN-NOT: mine(
