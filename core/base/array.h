/* array.h: arrays that grow by one member after the other. */
#ifndef GLINT_ARRAY_H
#define GLINT_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Gives an array of *capacity members room for `wanted`: `*array` points at them, or is NULL, and a member takes `size`
 * bytes. It grows to twice of what it had, so that all additions together take linear time. False where memory is
 * short; the array stays as it is. */
bool array_room(void *array, size_t *capacity, size_t wanted, size_t size);

/* array_room for a pointer and its capacity. */
#define ARRAY_ROOM(array, capacity, wanted) array_room(&(array), &(capacity), wanted, sizeof *(array))

#endif
