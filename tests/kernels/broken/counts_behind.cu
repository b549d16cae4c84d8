// want: kernel counts_behind writes byte [0-9]+ behind the end of counts, line 7, block \(0, 0, 0\), thread \(0, 0, 0\), address 0x
// want cuda: kernel counts_behind writes [0-9]+ bytes behind counts
#include <glint/kernel.h>
KERNEL(histogram, counts_behind, 32, 8, 1, 1, 0)
{
    if (column() == 0 && row() == 0)
        counts[256 * CHANNELS * 256 + 7] = 1;
}
