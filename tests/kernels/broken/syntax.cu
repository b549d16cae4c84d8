// want: ^glint: syntax.cu:5:5: 
#include <glint/kernel.h>
KERNEL(point, syntax, 32, 8, 1, 1, 0)
{
    x = 3;
}
