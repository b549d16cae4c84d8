/* elements.c: the table of elements, and molecules as scenes. */
#include "core/scene/files/elements.h"

#include <strings.h>

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
 * elements left out. Deuterium is hydrogen. */
static const Element elements[] = {
    {"H", 1, 1.20f, WHITE},    {"He", 2, 1.40f, CYAN},    {"Li", 3, 2.12f, VIOLET},  {"Be", 4, 1.98f, FOREST},
    {"B", 5, 1.91f, PEACH},    {"C", 6, 1.70f, BLACK},    {"N", 7, 1.55f, BLUE},     {"O", 8, 1.52f, RED},
    {"F", 9, 1.47f, GREEN},    {"Ne", 10, 1.54f, CYAN},   {"Na", 11, 2.50f, VIOLET}, {"Mg", 12, 2.51f, FOREST},
    {"Al", 13, 2.25f, PINK},   {"Si", 14, 2.10f, PINK},   {"P", 15, 1.80f, ORANGE},  {"S", 16, 1.80f, YELLOW},
    {"Cl", 17, 1.75f, GREEN},  {"Ar", 18, 1.88f, CYAN},   {"K", 19, 2.73f, VIOLET},  {"Ca", 20, 2.62f, FOREST},
    {"Sc", 21, 2.58f, PINK},   {"Ti", 22, 2.46f, GRAY},   {"V", 23, 2.42f, PINK},    {"Cr", 24, 2.45f, PINK},
    {"Mn", 25, 2.45f, PINK},   {"Fe", 26, 2.44f, RUST},   {"Co", 27, 2.40f, PINK},   {"Ni", 28, 2.40f, PINK},
    {"Cu", 29, 2.38f, PINK},   {"Zn", 30, 2.39f, PINK},   {"Ga", 31, 2.32f, PINK},   {"Ge", 32, 2.29f, PINK},
    {"As", 33, 1.85f, PINK},   {"Se", 34, 1.90f, PINK},   {"Br", 35, 1.85f, MAROON}, {"Kr", 36, 2.02f, CYAN},
    {"Rb", 37, 3.21f, VIOLET}, {"Sr", 38, 2.84f, FOREST}, {"Y", 39, 2.75f, PINK},    {"Zr", 40, 2.52f, PINK},
    {"Nb", 41, 2.56f, PINK},   {"Mo", 42, 2.45f, PINK},   {"Tc", 43, 2.44f, PINK},   {"Ru", 44, 2.46f, PINK},
    {"Rh", 45, 2.44f, PINK},   {"Pd", 46, 2.15f, PINK},   {"Ag", 47, 2.53f, PINK},   {"Cd", 48, 2.49f, PINK},
    {"In", 49, 2.43f, PINK},   {"Sn", 50, 2.42f, PINK},   {"Sb", 51, 2.47f, PINK},   {"Te", 52, 2.06f, PINK},
    {"I", 53, 1.98f, INDIGO},  {"Xe", 54, 2.16f, CYAN},   {"Cs", 55, 3.48f, VIOLET}, {"Ba", 56, 3.03f, FOREST},
    {"La", 57, 2.98f, PINK},   {"Ce", 58, 2.88f, PINK},   {"Pr", 59, 2.92f, PINK},   {"Nd", 60, 2.95f, PINK},
    {"Sm", 62, 2.90f, PINK},   {"Eu", 63, 2.87f, PINK},   {"Gd", 64, 2.83f, PINK},   {"Tb", 65, 2.79f, PINK},
    {"Dy", 66, 2.87f, PINK},   {"Ho", 67, 2.81f, PINK},   {"Er", 68, 2.83f, PINK},   {"Tm", 69, 2.79f, PINK},
    {"Yb", 70, 2.80f, PINK},   {"Lu", 71, 2.74f, PINK},   {"Hf", 72, 2.63f, PINK},   {"Ta", 73, 2.53f, PINK},
    {"W", 74, 2.57f, PINK},    {"Re", 75, 2.49f, PINK},   {"Os", 76, 2.48f, PINK},   {"Ir", 77, 2.41f, PINK},
    {"Pt", 78, 2.29f, PINK},   {"Au", 79, 2.32f, PINK},   {"Hg", 80, 2.45f, PINK},   {"Tl", 81, 2.47f, PINK},
    {"Pb", 82, 2.60f, PINK},   {"Bi", 83, 2.54f, PINK},   {"Ac", 89, 2.80f, PINK},   {"Th", 90, 2.93f, PINK},
    {"Pa", 91, 2.88f, PINK},   {"U", 92, 2.71f, PINK},    {"Np", 93, 2.82f, PINK},   {"Pu", 94, 2.81f, PINK},
    {"Am", 95, 2.83f, PINK},   {"Cm", 96, 3.05f, PINK},   {"Bk", 97, 3.40f, PINK},   {"Cf", 98, 3.05f, PINK},
    {"Es", 99, 2.70f, PINK},   {"D", 1, 1.20f, WHITE},
};
enum { ELEMENTS = sizeof elements / sizeof elements[0] };

const Element *element_by_symbol(const char *symbol, size_t length) {
    for (size_t i = 0; i < ELEMENTS; i++)
        if (strncasecmp(elements[i].symbol, symbol, length) == 0 && elements[i].symbol[length] == '\0')
            return &elements[i];
    return NULL;
}

const Element *element_by_number(int number) {
    for (size_t i = 0; i < ELEMENTS; i++)
        if (elements[i].number == number)
            return &elements[i];
    return NULL;
}

Status molecule_add(Scene *scene, const Element *element, Vec at) {
    const Colour colour = element->colour;
    return scene_add_sphere(scene, (Sphere){.x = at.x,
                                            .y = at.y,
                                            .z = at.z,
                                            .radius = element->radius,
                                            .red = colour.red,
                                            .green = colour.green,
                                            .blue = colour.blue});
}

void molecule_view(Scene *scene) {
    const float angle = 30, sine = 0.258819045f; /* of half the angle */
    Vec min = {INFINITY, INFINITY, INFINITY}, max = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < scene->count; i++) {
        const Sphere *s = &scene->spheres[i];
        min = vec(fminf(min.x, s->x - s->radius), fminf(min.y, s->y - s->radius), fminf(min.z, s->z - s->radius));
        max = vec(fmaxf(max.x, s->x + s->radius), fmaxf(max.y, s->y + s->radius), fmaxf(max.z, s->z + s->radius));
    }
    if (scene->count == 0)
        return;
    const Vec middle = vec_times(vec_along(min, 1, max), 0.5f), half = vec_minus(max, middle);
    const float away = sqrtf(vec_dot(half, half)) / sine;
    scene->viewpoint = (Viewpoint){vec(middle.x, middle.y, middle.z + away), middle, vec(0, 1, 0), angle};
    scene->has_viewpoint = true;
}
