// want: kernel writes_before writes [0-9]+ bytes in front of out, line 7, block \(0, 0, 0\), thread \(0, 0, 0\), address 0x
// want cuda: kernel writes_before writes [0-9]+ bytes in front of out
#include <glint/kernel.h>
KERNEL(point, writes_before, 32, 8, 1, 1, 0)
{
    if (column() == 0 && row() == 0)
        store(out, -1, 0, 0, 1);
}
