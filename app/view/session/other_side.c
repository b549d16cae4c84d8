/* other_side.c: the other side of a comparison: the frame before the filters, or the kept result; and its place. */
#include "app/view/session/aligned.h"

#include <math.h>
#include <stdio.h>

/* Marks serials of frames before the filters; those of pictures and of kept results have other first bits. */
#define UNFILTERED_SERIAL (1u << 29)

/* ---- the frame before the filters ---- */

static bool compares(const Session *session) {
    return session->wishes.other_side && !session->wishes.kept;
}

/* The serial of the oldest result whose frame suffices: a comparison needs the latest, thumbnails and curves any since
 * they were asked for. */
static unsigned since(const Session *session) {
    return compares(session) || session->wishes.since == 0 ? session->result_serial : session->wishes.since;
}

static bool wanted(const Session *session) {
    return compares(session) || session->wishes.unfiltered;
}

bool session_wants_unfiltered(const Session *session) {
    return session_scene(session) && wanted(session);
}

bool session_unfiltered_due(const Session *session) {
    return session->on_device && session_wants_unfiltered(session) &&
           (int)(session->unfiltered_of - since(session)) < 0;
}

/* A new image each time: others may look at the one before. Where that fails, it is not tried again. */
Status session_fetch_unfiltered(Session *session) {
    const Frame frame = pipeline_unfiltered(session->pipeline);
    image_destroy(&session->unfiltered);
    session->unfiltered_of = session->result_serial;
    TRY(image_create_unfilled(frame.shape, &session->unfiltered));
    const Status status =
        session->device->backend->download(pipeline_queue(session->pipeline), frame, session->unfiltered->view);
    if (status != STATUS_OK)
        image_destroy(&session->unfiltered);
    return status;
}

Image *session_unfiltered(const Session *session, unsigned *serial) {
    const Subject *subject = session->subject;
    *serial = subject && subject->picture ? subject->serial : UNFILTERED_SERIAL | session->unfiltered_of;
    if (!subject || subject->picture)
        return subject ? subject->picture : NULL;
    return wanted(session) && (int)(session->unfiltered_of - since(session)) >= 0 ? session->unfiltered : NULL;
}

/* ---- the other side ---- */

const Image *session_source(const Session *session, unsigned *serial) {
    const Wishes *wishes = &session->wishes;
    const Image *unfiltered = session_unfiltered(session, serial);
    *serial = wishes->kept ? wishes->kept_serial : *serial;
    return wishes->kept ? wishes->kept : unfiltered;
}

/* ---- the places of the sides ---- */

/* Half a window pixel at the largest scale of pictures is more. */
#define HAIR 1e-3

enum { CORNERS = 4 };

static bool same_size(Shape a, Shape b) {
    return a.width == b.width && a.height == b.height;
}

/* A map that is right to about a bend would show pixels that are not those of the result. */
static bool has_map(const ResultPlace *place) {
    return place->geometry.origin == ORIGIN_EXACT;
}

/* The name of the first filter whose places are known no better than this; the plan itself may have joined filters. */
static const char *without_map(const Session *session, Shape picture, Origin origin) {
    const Chain chain = session_carried(session);
    Geometry geometry;
    const PlanOptions options = request_options(session->request, session->subject);
    const Status status = chain_geometry(&chain, 0, chain.count, picture, options, &geometry);
    for (size_t i = geometry.link; status == STATUS_OK && i > 0 && i <= chain.count; i++) {
        Geometry alone;
        if (chain_geometry(&chain, i - 1, 1, picture, options, &alone) == STATUS_OK && alone.origin == origin)
            return chain.links[i - 1].filter->name;
    }
    return geometry.link > 0 && geometry.link <= chain.count ? chain.links[geometry.link - 1].filter->name : NULL;
}

void session_note_place(Session *session) {
    ResultPlace *place = &session->place;
    place->picture = pipeline_unfiltered_shape(session->pipeline);
    place->geometry = plan_geometry(pipeline_plan(session->pipeline));
    place->filter = has_map(place) ? NULL : without_map(session, place->picture, place->geometry.origin);
}

static double third(const Homography *map, double x, double y) {
    return map->m[6] * x + map->m[7] * y + map->m[8];
}

/* A map with the opposite numbers is the same one. */
static void set_sign(Homography *map, Shape result) {
    if (third(map, (double)result.width / 2, (double)result.height / 2) < 0)
        for (int i = 0; i < 9; i++)
            map->m[i] = -map->m[i];
}

/* Whether no pixel of the result is moved. */
static bool moves_nothing(const Homography *map, Shape result) {
    double most = 0;
    for (int i = 0; i < CORNERS; i++) {
        const double x = i % 2 ? (double)result.width : 0, y = i < 2 ? 0 : (double)result.height;
        double u, v;
        if (!(third(map, x, y) > 0))
            return false;
        homography_apply(map, x, y, &u, &v);
        most = fmax(most, fmax(fabs(u - x), fabs(v - y)));
    }
    return most < HAIR;
}

/* Through the pictures that both chains began with, which are of one size. */
static bool through_pictures(const ResultPlace *now, const ResultPlace *kept, Homography *map) {
    Homography back;
    if (!has_map(now) || !has_map(kept) || !same_size(now->picture, kept->picture) ||
        !homography_invert(&kept->geometry.to_picture, &back))
        return false;
    *map = homography_join(&now->geometry.to_picture, &back);
    return true;
}

/* Results of one size, of files that differ in theirs, or that are no pictures of their files. */
static bool as_results(const ResultPlace *now, const ResultPlace *kept, Homography *map) {
    *map = homography_identity();
    return same_size(now->geometry.result, kept->geometry.result) && now->geometry.origin == kept->geometry.origin;
}

SideFit session_fit(const Session *session, Homography *to_source) {
    const ResultPlace *now = &session->place, *kept = &session->wishes.kept_place;
    const Shape result = now->geometry.result;
    unsigned serial;
    const Image *source = session_source(session, &serial);
    bool known = has_map(now);
    *to_source = now->geometry.to_picture;
    if (session->wishes.kept)
        known = through_pictures(now, kept, to_source) || as_results(now, kept, to_source);
    if (!source || !session->pipeline || !known)
        return SIDES_APART;
    set_sign(to_source, result);
    return same_size(source->view.shape, result) && moves_nothing(to_source, result) ? SIDES_ALIKE : SIDES_PLACED;
}

Homography session_beside(const Session *session) {
    Homography map;
    unsigned serial;
    const Image *source = session_source(session, &serial);
    if (session_fit(session, &map) != SIDES_APART || !source)
        return map;
    const double wide = (double)session->place.geometry.result.width, from = (double)source->view.shape.width;
    const double high = (double)session->place.geometry.result.height, down = (double)source->view.shape.height;
    const double scale = fmax(from / wide, down / high);
    return (Homography){
        {scale, 0, (from - 1 - scale * (wide - 1)) / 2, 0, scale, (down - 1 - scale * (high - 1)) / 2, 0, 0, 1}};
}

const char *session_why_apart(const Session *session, char *buffer, size_t size) {
    const ResultPlace *now = &session->place, *kept = &session->wishes.kept_place;
    Homography map;
    unsigned serial;
    snprintf(buffer, size, "%s", "");
    if (!session_source(session, &serial) || session_fit(session, &map) != SIDES_APART)
        return buffer;
    const ResultPlace *lost = !has_map(now) ? now : session->wishes.kept && !has_map(kept) ? kept : NULL;
    const bool alike = session->wishes.kept && now->geometry.origin == kept->geometry.origin;
    if (!lost || !lost->filter || alike)
        snprintf(buffer, size, "the two images differ in size");
    else if (lost->geometry.origin == ORIGIN_BENT)
        snprintf(buffer, size, "%s bends the image", lost->filter);
    else
        snprintf(buffer, size, "%s does not show the image pixel by pixel", lost->filter);
    return buffer;
}

/* ---- the difference ---- */

const Difference *session_difference(const Session *session) {
    unsigned serial;
    PlacedPart part;
    const bool current = aligned_source(session, &serial, &part) && session->difference_of_source == serial &&
                         session->difference_of_result == session->result_serial;
    return current ? &session->difference : NULL;
}
