/* figure_light.h: the light of figures.
 * An even white sky, whose shade in hollows is ambient occlusion, and a soft key light from the left above the camera.
 * A white surface that faces the key has all of white, so that colours stay what a scale says. */
#ifndef GLINT_CORE_SCENE_FIGURE_LIGHT_H
#define GLINT_CORE_SCENE_FIGURE_LIGHT_H

#include "core/scene/scene.h"

/* Gives a scene this light in the place of its own, and its surfaces the light of the colours that they have on a
 * screen. STATUS_DEVICE if memory is short. */
Status figure_light(Scene *scene, const Camera *camera);
/* Turns the key of a scene that has this light, for another camera. */
void figure_turn(Scene *scene, const Camera *camera);
/* The share of white that the sky sends, which shows where nothing is. */
float figure_sky(void);
/* Gives it a white ground, where it has its own, else below its lowest point; for shadows alone. */
void figure_ground(Scene *scene);
/* The light that such a ground sends where nothing shadows it. */
Vec figure_open(const Scene *scene);

/* The lowest and the highest coordinates of what a scene has, besides its ground; false if it has nothing. */
bool figure_bounds(const Scene *scene, Vec *min, Vec *max);

#endif
