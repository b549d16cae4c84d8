/* elements.c: the table of elements. */
#include "core/scene/particles/elements.h"

#include <ctype.h>
#include <pthread.h>

/* The colours of Corey, Pauling and Koltun's models (Corey and Pauling 1953, Koltun 1965), as computers went on to use
 * them. Carbon is dark gray, so that it can be shaded; PINK is for elements without a colour. */
#define WHITE                                                                                                          \
    { 0.95f, 0.95f, 0.95f }
#define BLACK                                                                                                          \
    { 0.20f, 0.20f, 0.20f }
#define BLUE                                                                                                           \
    { 0.13f, 0.20f, 1.00f }
#define RED                                                                                                            \
    { 0.93f, 0.06f, 0.04f }
#define GREEN                                                                                                          \
    { 0.12f, 0.86f, 0.12f }
#define MAROON                                                                                                         \
    { 0.55f, 0.12f, 0.00f }
#define INDIGO                                                                                                         \
    { 0.40f, 0.00f, 0.70f }
#define CYAN                                                                                                           \
    { 0.10f, 0.90f, 0.90f }
#define ORANGE                                                                                                         \
    { 1.00f, 0.55f, 0.05f }
#define YELLOW                                                                                                         \
    { 1.00f, 0.88f, 0.15f }
#define PEACH                                                                                                          \
    { 1.00f, 0.67f, 0.47f }
#define VIOLET                                                                                                         \
    { 0.47f, 0.10f, 0.95f }
#define FOREST                                                                                                         \
    { 0.05f, 0.47f, 0.05f }
#define GRAY                                                                                                           \
    { 0.60f, 0.60f, 0.60f }
#define RUST                                                                                                           \
    { 0.86f, 0.45f, 0.05f }
#define PINK                                                                                                           \
    { 0.86f, 0.47f, 1.00f }

/* Radii of non-metals are from A. Bondi, van der Waals Volumes and Radii, Journal of Physical Chemistry 68 (1964). He
 * recommends them for H, C, N, O, F, Si, P, S, Cl, As, Se, Br, Te, I and the noble gases. All others are from S.
 * Alvarez, A Cartography of the van der Waals Territories, Dalton Transactions 42 (2013). Neither author knows the
 * elements left out. Deuterium is hydrogen.
 * Covalent radii are from B. Cordero et al., Covalent Radii Revisited, Dalton Transactions (2008): of carbon the one of
 * sp3, of Mn, Fe and Co those of low spin. They have none of Bk, Cf and Es. */
static const Element elements[] = {
    {"H", 1, 1.20f, 0.31f, WHITE},    {"He", 2, 1.40f, 0.28f, CYAN},    {"Li", 3, 2.12f, 1.28f, VIOLET},
    {"Be", 4, 1.98f, 0.96f, FOREST},  {"B", 5, 1.91f, 0.84f, PEACH},    {"C", 6, 1.70f, 0.76f, BLACK},
    {"N", 7, 1.55f, 0.71f, BLUE},     {"O", 8, 1.52f, 0.66f, RED},      {"F", 9, 1.47f, 0.57f, GREEN},
    {"Ne", 10, 1.54f, 0.58f, CYAN},   {"Na", 11, 2.50f, 1.66f, VIOLET}, {"Mg", 12, 2.51f, 1.41f, FOREST},
    {"Al", 13, 2.25f, 1.21f, PINK},   {"Si", 14, 2.10f, 1.11f, PINK},   {"P", 15, 1.80f, 1.07f, ORANGE},
    {"S", 16, 1.80f, 1.05f, YELLOW},  {"Cl", 17, 1.75f, 1.02f, GREEN},  {"Ar", 18, 1.88f, 1.06f, CYAN},
    {"K", 19, 2.73f, 2.03f, VIOLET},  {"Ca", 20, 2.62f, 1.76f, FOREST}, {"Sc", 21, 2.58f, 1.70f, PINK},
    {"Ti", 22, 2.46f, 1.60f, GRAY},   {"V", 23, 2.42f, 1.53f, PINK},    {"Cr", 24, 2.45f, 1.39f, PINK},
    {"Mn", 25, 2.45f, 1.39f, PINK},   {"Fe", 26, 2.44f, 1.32f, RUST},   {"Co", 27, 2.40f, 1.26f, PINK},
    {"Ni", 28, 2.40f, 1.24f, PINK},   {"Cu", 29, 2.38f, 1.32f, PINK},   {"Zn", 30, 2.39f, 1.22f, PINK},
    {"Ga", 31, 2.32f, 1.22f, PINK},   {"Ge", 32, 2.29f, 1.20f, PINK},   {"As", 33, 1.85f, 1.19f, PINK},
    {"Se", 34, 1.90f, 1.20f, PINK},   {"Br", 35, 1.85f, 1.20f, MAROON}, {"Kr", 36, 2.02f, 1.16f, CYAN},
    {"Rb", 37, 3.21f, 2.20f, VIOLET}, {"Sr", 38, 2.84f, 1.95f, FOREST}, {"Y", 39, 2.75f, 1.90f, PINK},
    {"Zr", 40, 2.52f, 1.75f, PINK},   {"Nb", 41, 2.56f, 1.64f, PINK},   {"Mo", 42, 2.45f, 1.54f, PINK},
    {"Tc", 43, 2.44f, 1.47f, PINK},   {"Ru", 44, 2.46f, 1.46f, PINK},   {"Rh", 45, 2.44f, 1.42f, PINK},
    {"Pd", 46, 2.15f, 1.39f, PINK},   {"Ag", 47, 2.53f, 1.45f, PINK},   {"Cd", 48, 2.49f, 1.44f, PINK},
    {"In", 49, 2.43f, 1.42f, PINK},   {"Sn", 50, 2.42f, 1.39f, PINK},   {"Sb", 51, 2.47f, 1.39f, PINK},
    {"Te", 52, 2.06f, 1.38f, PINK},   {"I", 53, 1.98f, 1.39f, INDIGO},  {"Xe", 54, 2.16f, 1.40f, CYAN},
    {"Cs", 55, 3.48f, 2.44f, VIOLET}, {"Ba", 56, 3.03f, 2.15f, FOREST}, {"La", 57, 2.98f, 2.07f, PINK},
    {"Ce", 58, 2.88f, 2.04f, PINK},   {"Pr", 59, 2.92f, 2.03f, PINK},   {"Nd", 60, 2.95f, 2.01f, PINK},
    {"Sm", 62, 2.90f, 1.98f, PINK},   {"Eu", 63, 2.87f, 1.98f, PINK},   {"Gd", 64, 2.83f, 1.96f, PINK},
    {"Tb", 65, 2.79f, 1.94f, PINK},   {"Dy", 66, 2.87f, 1.92f, PINK},   {"Ho", 67, 2.81f, 1.92f, PINK},
    {"Er", 68, 2.83f, 1.89f, PINK},   {"Tm", 69, 2.79f, 1.90f, PINK},   {"Yb", 70, 2.80f, 1.87f, PINK},
    {"Lu", 71, 2.74f, 1.87f, PINK},   {"Hf", 72, 2.63f, 1.75f, PINK},   {"Ta", 73, 2.53f, 1.70f, PINK},
    {"W", 74, 2.57f, 1.62f, PINK},    {"Re", 75, 2.49f, 1.51f, PINK},   {"Os", 76, 2.48f, 1.44f, PINK},
    {"Ir", 77, 2.41f, 1.41f, PINK},   {"Pt", 78, 2.29f, 1.36f, PINK},   {"Au", 79, 2.32f, 1.36f, PINK},
    {"Hg", 80, 2.45f, 1.32f, PINK},   {"Tl", 81, 2.47f, 1.45f, PINK},   {"Pb", 82, 2.60f, 1.46f, PINK},
    {"Bi", 83, 2.54f, 1.48f, PINK},   {"Ac", 89, 2.80f, 2.15f, PINK},   {"Th", 90, 2.93f, 2.06f, PINK},
    {"Pa", 91, 2.88f, 2.00f, PINK},   {"U", 92, 2.71f, 1.96f, PINK},    {"Np", 93, 2.82f, 1.90f, PINK},
    {"Pu", 94, 2.81f, 1.87f, PINK},   {"Am", 95, 2.83f, 1.80f, PINK},   {"Cm", 96, 3.05f, 1.69f, PINK},
    {"Bk", 97, 3.40f, 0, PINK},       {"Cf", 98, 3.05f, 0, PINK},       {"Es", 99, 2.70f, 0, PINK},
    {"D", 1, 1.20f, 0.31f, WHITE},
};
enum { ELEMENTS = sizeof elements / sizeof elements[0] };

enum { LETTERS = 27, NUMBERS = 128 };

/* The place in the table, from 1 on, of the element with these letters, or this number; 0: there is none. */
static unsigned char by_letters[LETTERS][LETTERS], by_number[NUMBERS];

/* A letter as 1 to 26; 0 is the end of the symbol, and -1 anything else. */
static int letter(char c) {
    return c == '\0' ? 0 : isalpha((unsigned char)c) ? toupper((unsigned char)c) - 'A' + 1 : -1;
}

static void make_index(void) {
    for (size_t i = ELEMENTS; i-- > 0;) { /* the first of a number counts: hydrogen, not deuterium */
        by_letters[letter(elements[i].symbol[0])][letter(elements[i].symbol[1])] = (unsigned char)(i + 1);
        by_number[elements[i].number] = (unsigned char)(i + 1);
    }
}

static const Element *element_at(size_t index) {
    return index > 0 ? &elements[index - 1] : NULL;
}

static pthread_once_t indexed = PTHREAD_ONCE_INIT;

const Element *element_by_symbol(const char *symbol, size_t length) {
    const int first = length > 0 ? letter(symbol[0]) : -1, second = length > 1 ? letter(symbol[1]) : 0;
    if (length < 1 || length > 2 || first < 1 || second < 0)
        return NULL;
    pthread_once(&indexed, make_index);
    return element_at(by_letters[first][second]);
}

const Element *element_by_number(int number) {
    if (number < 1 || number >= NUMBERS)
        return NULL;
    pthread_once(&indexed, make_index);
    return element_at(by_number[number]);
}
