/* array.c: growth by doubling. */
#include "core/base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

enum { FEWEST = 16 };

bool array_room(void *array, size_t *capacity, size_t wanted, size_t size) {
    void *members;
    memcpy(&members, array, sizeof members); /* a pointer to any type */
    if (members && wanted <= *capacity)
        return true;
    size_t room = *capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * *capacity;
    room = room < FEWEST ? FEWEST : room;
    room = room < wanted ? wanted : room;
    const size_t bytes = memory_product(room, size);
    void *grown = bytes > 0 && bytes < SIZE_MAX ? realloc(members, bytes) : NULL;
    if (!grown)
        return false;
    memcpy(array, &grown, sizeof grown);
    *capacity = room;
    return true;
}
