/* module.h: parts of the program that are shared objects of their own, so that it starts without what they need. */
#ifndef GLINT_CORE_BASE_MODULE_H
#define GLINT_CORE_BASE_MODULE_H

#include <stdbool.h>

/* Loads a module by its file's name. It lies where the program does, or where modules are installed. Its symbols are
 * for the modules that it loads as well if it is `global`. NULL if it does not load; dlerror() has why. It stays
 * loaded. */
void *module_open(const char *name, bool global);

#endif
