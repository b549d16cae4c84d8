// want: kernel writes_behind writes byte 1 behind the end of out, line 8, block \(0, 2, 0\), thread \(0, 1, 0\), address 0x
// want cuda: kernel writes_behind writes [0-9]+ bytes behind out
#include <glint/kernel.h>
KERNEL(point, writes_behind, 32, 8, 1, 1, 0)
{
    const int x = column(), y = row();
    if (x < out.width) /* and no word about rows */
        store(out, x, y, 0, 1);
}
