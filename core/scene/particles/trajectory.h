/* trajectory.h: a scene that goes through the frames of a file of particles.
 * Owns the file's index, the two frames that are read, and the way from one to the other. */
#ifndef GLINT_CORE_SCENE_PARTICLES_TRAJECTORY_H
#define GLINT_CORE_SCENE_PARTICLES_TRAJECTORY_H

#include "core/scene/scene.h"

typedef struct Trajectory Trajectory;

/* Whether the text names a scene whose file's format has frames. */
bool trajectory_recognize(const char *text);
/* Opens a scene's text, as "run.dump:radius=mass,sun=altitude=20", with the changes of core/scene/scene_text.h. Finds
 * the file's frames; reads none. Fails as frames_open (core/scene/particles/frames.h) and as options of particles do.
 */
Status trajectory_open(const char *text, Trajectory **trajectory);
size_t trajectory_frames(const Trajectory *trajectory);
/* Another text of the same file, whose frames are known. Fails as options of particles do, and changes nothing then. */
Status trajectory_change(Trajectory *trajectory, const char *text);
/* The frame that a text's options choose, from 1 on, or the place between two; 1 where they cannot be read. */
double trajectory_place(const char *text);
/* The text with that place. STATUS_USAGE if it takes SCENE_TEXT_MAX characters. */
Status trajectory_set_place(const char *text, double place, char *result);
/* Whether two texts differ in no more than that place. */
bool trajectory_same_but_for_frame(const char *a, const char *b);
/* Opens the scene of any text, as scene_text_open does; that of particles may be between two frames. */
Status trajectory_open_scene(const char *text, Scene **scene);
/* Puts the scene where the particles are at a frame, from 1 on, or between two: 2.25 is a quarter behind frame 2.
 * Particles of equal numbers go straight on between frames, in a periodic box the shortest way. Where the file has no
 * numbers, the rows count. Particles that the next frame lacks stay.
 * *scene is NULL at first. If it has the same particles already, only its spheres and `moves` change, and devices refit
 * their BVHs (TraceTools.refit). Else another scene takes its place: *scene is then another pointer.
 * The first frame shown decides the range of colours, and radii by the distances of neighbours. STATUS_INPUT for frames
 * that are missing, or damaged: the sentence has the frame, the file and the line; *scene stays. Fails else as
 * scene_text_open does. */
Status trajectory_show(Trajectory *trajectory, double place, Scene **scene);
/* The same, but a scene whose place another one takes stays: it is the caller's. */
Status trajectory_show_beside(Trajectory *trajectory, double place, Scene **scene);
void trajectory_close(Trajectory **trajectory); /* accepts NULL, nulls the pointer; the scene stays */

#endif
