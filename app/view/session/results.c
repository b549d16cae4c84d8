/* results.c: freeing the results of work. */
#include "app/view/session/results.h"

void counted_free(Counted *counted) {
    image_destroy(&counted->waveform);
    counted->known = false;
}

void ahead_free(Ahead *ahead) {
    for (int place = 0; place <= STAGE_INPUTS; place++)
        image_destroy(&ahead->values[place]);
    ahead->known = false;
    ahead->trouble[0] = '\0';
}

void response_free(Response *response) {
    image_destroy(&response->picture);
    response->known = false;
}

void preview_free(Preview *preview) {
    image_destroy(&preview->image);
    image_destroy(&preview->small);
}
