/* albedos.c: the share of light that facets send on, by integrals over those that are seen. */
#include "core/scene/albedos.h"

#include "core/base/share.h"
#include "core/math/albedo.h"
#include "core/math/thin_film.h"
#include "core/scene/thin_film.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Fibonacci's lattice: POINTS and STEP are neighbours in his sequence. With so many points, no share is off by more
 * than 0.0011. */
enum { POINTS = 987, STEP = 610, MEAN_POINTS = 64 };

/* The discs of facets that directions see, by Heitz's stretched hemispheres (core/math/scatter.h). The lattice covers
 * one half of a disc, since the other one has the same shares. */
typedef struct Discs {
    double across[POINTS], along[POINTS];
} Discs;

static void discs_fill(Discs *discs) {
    for (int i = 0; i < POINTS; i++) {
        const double radius = sqrt((i + 0.5) / POINTS), turn = PI * ((double)(i * STEP % POINTS) / POINTS - 0.5);
        discs->across[i] = radius * cos(turn);
        discs->along[i] = radius * sin(turn);
    }
}

/* Smith's share of facets that a direction sees, by its cosine; 0 below the surface. */
static double visible(double cosine, double alpha) {
    const double square = cosine * cosine;
    return cosine > 0 ? 2 * cosine / (cosine + sqrt(alpha * alpha * (1 - square) + square)) : 0;
}

/* The materials of facets. Glass has two rows: from outside, and from within. Filmed glass has these for each of red,
 * green and blue. Films are no facets, but have rows, too. */
typedef enum FacetsKind {
    FACETS_OF_METAL,
    FACETS_OF_COAT,
    FACETS_OF_GLASS,
    FACETS_OF_FILMED_GLASS,
    FILM_ON_METAL,
    FILM_ON_GLASS
} FacetsKind;

/* Members are 0 where they count for nothing. */
typedef struct Facets {
    FacetsKind kind;
    float roughness, refraction, film, film_refraction;
    uint32_t rows; /* where their rows begin, in floats */
} Facets;

/* Facets as one row has them. `eta`, of glass, is the index on the side from which they are seen by the other one.
 * `film` is a row of core/math/thin_film.h, or NULL. */
typedef struct Side {
    FacetsKind kind;
    double alpha, eta;
    const float *film;
} Side;

/* The share that a facet mirrors (core/math/scatter.h). *onward is the cosine of the way through glass. */
static double facet_mirrors(const Side *side, double cosine, double *onward) {
    const double eta = side->eta, square = 1 - eta * eta * (1 - cosine * cosine);
    if (side->kind == FACETS_OF_COAT)
        return (double)MATERIAL_COAT_MIRRORS + (1 - (double)MATERIAL_COAT_MIRRORS) * pow(1 - cosine, 5);
    if (side->kind == FACETS_OF_METAL || square <= 0)
        return 1;
    *onward = sqrt(square);
    const double along = (cosine - eta * *onward) / (cosine + eta * *onward);
    const double across = (eta * cosine - *onward) / (eta * cosine + *onward);
    if (side->film)
        return (double)thin_film_at(side->film, (float)(eta < 1 ? cosine : *onward));
    return 0.5 * (along * along + across * across);
}

/* The share of light along a direction that a facet mirrors or refracts, and others do not hide. The facet is seen at
 * `cosine`. The normal of the surface is seen at `seen`, and from the facet's at `up`. */
static double facet_sends(const Side *side, double cosine, double up, double seen) {
    double onward = 0;
    const double mirrors = fmin(facet_mirrors(side, cosine, &onward), 1), eta = side->eta;
    const double mirrored = mirrors * visible(2 * cosine * up - seen, side->alpha);
    if (side->kind != FACETS_OF_GLASS)
        return mirrored;
    return mirrored + (1 - mirrors) * visible(eta * seen - (eta * cosine - onward) * up, side->alpha);
}

/* The cosine at a place of a row. */
static double cosine_at(double place, double alpha) {
    double low = 1e-6, high = 1;
    for (int i = 0; i < 40; i++) {
        const double middle = 0.5 * (low + high), square = middle * middle;
        if (0.5 * (middle + middle / sqrt(alpha * alpha * (1 - square) + square)) < place)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The share of light that leaves along a direction in the plane y = 0, whose cosine is z. */
static double share(const Discs *discs, double z, const Side *side) {
    const double alpha = side->alpha;
    const double x = sqrt(1 - z * z), length = sqrt(alpha * alpha * x * x + z * z);
    const double s = alpha * x / length, c = z / length, half = 0.5 * (1 + c);
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
        const double a = discs->across[i], aside = fmax(0, 1 - a * a);
        const double b = (1 - half) * sqrt(aside) + half * discs->along[i], up = sqrt(fmax(0, aside - b * b));
        const double mx = alpha * (up * s - b * c), my = alpha * a, mz = fmax(0, up * c + b * s);
        const double size = sqrt(mx * mx + my * my + mz * mz);
        sum += facet_sends(side, (mx * x + mz * z) / size, mz / size, z);
    }
    return sum / POINTS;
}

static void fill_row(const Discs *discs, const Side *side, float *row) {
    double mean = 0;
    for (int i = 0; i < ALBEDO_STEPS; i++)
        row[i] = (float)share(discs, cosine_at((double)i / (ALBEDO_STEPS - 1), side->alpha), side);
    for (int i = 0; i < MEAN_POINTS; i++) /* d(cosine squared) is 2 cosine d(cosine) */
        mean += (double)albedo_at(row, (float)sqrt((i + 0.5) / MEAN_POINTS), (float)side->alpha) / MEAN_POINTS;
    row[ALBEDO_MEAN] = (float)mean;
}

/* From outside and from within. */
static void fill_glass(const Discs *discs, const Facets *facets, const float *film, float *rows) {
    const double alpha = (double)(facets->roughness * facets->roughness), index = (double)facets->refraction;
    fill_row(discs, &(Side){FACETS_OF_GLASS, alpha, 1 / index, film}, rows);
    fill_row(discs, &(Side){FACETS_OF_GLASS, alpha, index, film}, rows + ALBEDO_ROW);
}

static void fill_film(const Facets *facets, bool on_metal, float *rows) {
    thin_film_fill(
        &(ThinFilm){on_metal, (double)facets->film, (double)facets->film_refraction, (double)facets->refraction}, rows);
}

static void fill_rows(const Discs *discs, const Facets *facets, float *rows) {
    float film[3 * THIN_FILM_ROW];
    switch (facets->kind) {
    case FACETS_OF_METAL:
    case FACETS_OF_COAT:
        fill_row(discs, &(Side){facets->kind, (double)(facets->roughness * facets->roughness), 0, NULL}, rows);
        break;
    case FACETS_OF_GLASS:
        fill_glass(discs, facets, NULL, rows);
        break;
    case FACETS_OF_FILMED_GLASS:
        fill_film(facets, false, film);
        for (int c = 0; c < 3; c++)
            fill_glass(discs, facets, film + c * THIN_FILM_ROW, rows + 2 * c * ALBEDO_ROW);
        break;
    case FILM_ON_METAL:
    case FILM_ON_GLASS:
        fill_film(facets, facets->kind == FILM_ON_METAL, rows);
        break;
    }
}

static uint32_t floats_of(FacetsKind kind) {
    switch (kind) {
    case FACETS_OF_GLASS:
        return 2 * ALBEDO_ROW;
    case FACETS_OF_FILMED_GLASS:
        return 6 * ALBEDO_ROW;
    case FILM_ON_METAL:
    case FILM_ON_GLASS:
        return (uint32_t)thin_film_floats(kind == FILM_ON_METAL);
    default:
        return ALBEDO_ROW;
    }
}

/* The facets that have rows, and the floats of all these. */
typedef struct Rows {
    Facets *list;
    uint32_t count, floats;
} Rows;

/* Where the rows of these facets begin; equal ones share theirs. */
static uint32_t rows_add(Rows *rows, Facets wanted) {
    for (uint32_t i = 0; i < rows->count; i++) {
        const Facets *other = &rows->list[i];
        const float apart = fabsf(other->roughness - wanted.roughness) + fabsf(other->refraction - wanted.refraction) +
                            fabsf(other->film - wanted.film) + fabsf(other->film_refraction - wanted.film_refraction);
        if (other->kind == wanted.kind && !(apart > 0))
            return other->rows;
    }
    wanted.rows = rows->floats;
    rows->list[rows->count++] = wanted;
    rows->floats += floats_of(wanted.kind);
    return wanted.rows;
}

static bool has_rough_coat(const Material *material) {
    return material_is_coated(material) && material->coat_roughness >= MATERIAL_ROUGH;
}

static bool is_rough(const Material *material) {
    return material_is_rough_glass(material) ||
           (material->kind == MATERIAL_METAL && material->roughness >= MATERIAL_ROUGH);
}

/* Tells materials where their rows begin. */
static void assign_rows(Material *materials, size_t count, Rows *rows) {
    for (size_t i = 0; i < count; i++) {
        Material *material = &materials[i];
        const bool glass = material->kind == MATERIAL_GLASS, filmed = material_is_filmed(material);
        Facets film = {.kind = glass ? FILM_ON_GLASS : FILM_ON_METAL,
                       .refraction = material->refraction,
                       .film = material->film,
                       .film_refraction = material->film_refraction};
        if (filmed)
            material->film_rows = rows_add(rows, film);
        film.kind = FACETS_OF_FILMED_GLASS;
        film.roughness = material->roughness;
        if (is_rough(material))
            material->albedos =
                rows_add(rows, glass && filmed ? film
                                               : (Facets){.kind = glass ? FACETS_OF_GLASS : FACETS_OF_METAL,
                                                          .roughness = material->roughness,
                                                          .refraction = glass ? material->refraction : 0});
        if (has_rough_coat(material))
            material->coat_albedos =
                rows_add(rows, (Facets){.kind = FACETS_OF_COAT, .roughness = material->coat_roughness});
    }
}

/* Rows in the making. */
typedef struct Making {
    const Rows *rows;
    const Discs *discs;
    float *albedos;
} Making;

static void make_piece(const void *job, size_t piece) {
    const Making *making = job;
    const Facets *facets = &making->rows->list[piece];
    fill_rows(making->discs, facets, making->albedos + facets->rows);
}

static Status make_rows(const Rows *rows, ShadingContext *context) {
    float *albedos = malloc(((size_t)rows->floats + 1) * sizeof *albedos);
    Discs *discs = malloc(sizeof *discs);
    context->albedos = albedos;
    if (!albedos || !discs) {
        free(discs);
        return fail(STATUS_DEVICE, "no memory for the albedos of %u kinds of surfaces", rows->count);
    }
    discs_fill(discs);
    share_pieces(rows->count, make_piece, &(Making){rows, discs, albedos});
    context->albedo_count = rows->floats;
    free(discs);
    return STATUS_OK;
}

Status albedos_create(const Scene *scene, ShadingContext *context) {
    const size_t count = scene->material_count;
    size_t kinds = 0;
    for (size_t i = 0; i < count; i++) {
        const Material *material = &scene->materials[i];
        kinds += (size_t)is_rough(material) + has_rough_coat(material) + material_is_filmed(material);
        context->rich |=
            material_is_rough_glass(material) || material_is_coated(material) || material_is_filmed(material);
    }
    if (kinds == 0)
        return STATUS_OK;
    Material *materials = malloc(count * sizeof *materials);
    Rows rows = {malloc(kinds * sizeof *rows.list), 0, 0};
    Status status = STATUS_OK;
    if (!materials || !rows.list) {
        status = fail(STATUS_DEVICE, "no memory for %zu materials", count);
    } else {
        memcpy(materials, scene->materials, count * sizeof *materials);
        assign_rows(materials, count, &rows);
        status = make_rows(&rows, context);
    }
    free(rows.list);
    if (status != STATUS_OK)
        free(materials);
    else
        context->materials = materials;
    return status;
}

void albedos_move(ShadingContext *from, ShadingContext *to) {
    to->materials = from->materials;
    to->albedos = from->albedos;
    to->albedo_count = from->albedo_count;
    to->rich = from->rich;
    from->materials = NULL;
    from->albedos = NULL;
    from->albedo_count = 0;
}

void albedos_free(ShadingContext *context) {
    if (context->albedo_count > 0)
        free((void *)(uintptr_t)context->materials);
    free((void *)(uintptr_t)context->albedos);
}
