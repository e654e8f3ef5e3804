// How a launch ends that can't go on: the first fault is told, with the place of the thread.
#include <stdarg.h>
#include <stdio.h>

#include "warp.h"

static void tell_source(const struct ptx_warp *warp, const struct ptx_op *op, char *text,
                        size_t size) {
    const struct ptx_module *module = warp->block->run->code->facts.module;
    const char *file = op->file < module->file_count ? module->files[op->file] : NULL;
    text[0] = 0;
    if (op->file_line && file)
        snprintf(text, size, " (%s:%u)", file, op->file_line);
}

void ptx_fault(struct ptx_warp *warp, const struct ptx_op *op, int lane, enum ptx_end end,
               const char *what, ...) {
    struct ptx_block *block = warp->block;
    struct ptx_run *run = block->run;
    if (run->end != PTX_DONE)
        return;
    run->end = end;
    unsigned at = lane >= 0 ? (unsigned)lane : warp->mask ? (unsigned)__builtin_ctz(warp->mask) : 0;
    char message[512], source[512];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(message, sizeof message, what, arguments);
    va_end(arguments);
    tell_source(warp, op, source, sizeof source);
    if (run->text_size > 0)
        snprintf(run->text, run->text_size,
                 "%s in %s, block (%u, %u, %u), thread (%u, %u, %u), at line %u of the PTX%s",
                 message, run->code->facts.name, block->index[0], block->index[1], block->index[2],
                 warp->thread[0][at], warp->thread[1][at], warp->thread[2][at], op->line, source);
}
