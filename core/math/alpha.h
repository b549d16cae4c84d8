/* alpha.h: the alpha below which a pixel has none. */
#ifndef GLINT_CORE_MATH_ALPHA_H
#define GLINT_CORE_MATH_ALPHA_H

/* Alpha that no u16 can hold is left of none by rounding: a transform's noise must not become a colour. */
#define ALPHA_NONE 0x1p-18

#endif
