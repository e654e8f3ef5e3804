// Guesses which word somebody meant.
#ifndef GCL_BASE_SPELL_H
#define GCL_BASE_SPELL_H

#include <stddef.h>

#include <glib.h>

/// The candidate (char *) that differs least from `word`, the first of several: by letters that are
/// missing, added, changed or swapped, one in three at most. NULL if none is near, or if the word
/// is longer than any that somebody would write. Source: Damerau (1964), the distance in which no
/// letter is edited twice.
const char *gcl_spell_nearest(const char *word, const GPtrArray *candidates);

#endif
