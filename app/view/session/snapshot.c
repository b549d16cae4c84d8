/* snapshot.c: taking shares of a session's values, and ending them. */
#include "app/view/session/snapshot.h"

#include "app/view/data/shared.h"

/* The pictures that a session shows, and never writes to again but for the result. */
typedef struct Pictures {
    Image **places[8];
} Pictures;

static Pictures pictures_of(Session *session) {
    return (Pictures){{&session->result, &session->unfiltered, &session->preview.image, &session->near.image,
                       &session->counted.waveform, &session->response.picture, &session->aligned.image,
                       &session->flip.map}};
}

enum { PICTURES = sizeof(Pictures) / sizeof(Image **) };

void snapshot_take(const Session *session, Session *snapshot) {
    *snapshot = *session;
    const Pictures pictures = pictures_of(snapshot);
    for (size_t i = 0; i < PICTURES; i++)
        if (*pictures.places[i])
            image_retain(*pictures.places[i]);
    request_retain(snapshot->request);
    if (snapshot->chain)
        chain_retain(snapshot->chain);
    shared_retain(snapshot->spans);
    shared_retain(snapshot->machine);
    snapshot->simulation = NULL;
    snapshot->figure = NULL;
    snapshot->noise.film = NULL;
    snapshot->reference = (ReferencePart){0};
    snapshot->preview.small = NULL;
    snapshot->front = (Front){.image = NULL};
    snapshot->flip.work = NULL;
    snapshot->flip.made = NULL;
    for (int place = 0; place <= STAGE_INPUTS; place++)
        snapshot->ahead.values[place] = NULL;
}

void snapshot_drop(Session *snapshot) {
    const Pictures pictures = pictures_of(snapshot);
    for (size_t i = 0; i < PICTURES; i++)
        image_destroy(pictures.places[i]);
    request_release(&snapshot->request);
    chain_destroy(&snapshot->chain);
    shared_release(snapshot->spans);
    shared_release(snapshot->machine);
    *snapshot = (Session){.request = NULL};
}
