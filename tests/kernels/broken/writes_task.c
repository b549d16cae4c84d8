// want: kernel writes_task writes over the memory of its task
#include <glint/kernel.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
KERNEL(point, writes_task) {
    struct stat info;
    fstat(3, &info); /* the memory that it has in common with the program */
    memset(mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0), 0xFF, (size_t)info.st_size);
}
