// Textures and surfaces: their types come with all others.
#include "driver_types.h"
