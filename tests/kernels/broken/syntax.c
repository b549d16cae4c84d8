// want: ^glint: syntax.c:4:5: 
#include <glint/kernel.h>
KERNEL(point, syntax) {
    x = 3;
}
