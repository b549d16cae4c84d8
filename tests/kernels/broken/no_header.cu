// want: ^glint: no_header.cu:.*; a kernel file begins with #include <glint.kernel[.]h>$
KERNEL(point, no_header, 32, 8, 1, 1, 0)
{
}
