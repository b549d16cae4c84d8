/* polynomial.h: 2^x from -1/2 to 1/2 as polynomials, Chebyshev fits within 8e-8 and 2e-9 of it. */
#ifndef GLINT_CPU_POLYNOMIAL_H
#define GLINT_CPU_POLYNOMIAL_H

#define POWER_OF_TWO_F32(x)                                                                                            \
    (((((0.0013266970388716754F * (x) + 0.0096754597455665104F) * (x) + 0.055507426159953209F) * (x) +                 \
       0.24022121753560205F) *                                                                                         \
          (x) +                                                                                                        \
      0.693146949161068F) *                                                                                            \
         (x) +                                                                                                         \
     1.0000000710297006F)
#define POWER_OF_TWO_F64(x)                                                                                            \
    ((((((0.00015337576765576751 * (x) + 0.0013399860365777526) * (x) + 0.0096185195346241616) * (x) +                 \
        0.05550328997508136) *                                                                                         \
           (x) +                                                                                                       \
       0.24022646608711054) *                                                                                          \
          (x) +                                                                                                        \
      0.6931472056005179) *                                                                                            \
         (x) +                                                                                                         \
     1.0000000005920209)

#endif
