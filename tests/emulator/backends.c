/* backends.c: adds the emulated GPU to the backends that the levels' harness registers. The linker calls this in the
 * place of that (--wrap). */
#include "app/emulated/emulated.h"

Status __real_backends_register(void);
Status __wrap_backends_register(void);

Status __wrap_backends_register(void) {
    TRY(__real_backends_register());
    return emulated_register();
}
