/* scene_text.h: scenes with changes, as one text: "spheres=count=30,sun=altitude=20,sphere=7:red=1:material=metal".
 * scene_open takes the first item. The others are parts of the scene (core/scene/scene_parts.h), with the parameters
 * that differ from it. Owns the spelling, and carrying it out. */
#ifndef GLINT_CORE_SCENE_SCENE_TEXT_H
#define GLINT_CORE_SCENE_SCENE_TEXT_H

#include "core/scene/generators/scenes.h"
#include "core/scene/scene_parts.h"

enum { SCENE_TEXT_MAX = 4096 };

/* How much of the text is the scene without changes, with the options of its particles. It is all of the text where
 * that is a file's name, commas and all. */
size_t scene_text_base(const char *text);
/* How much of the text is the name of the scene's file; of a generator, as scene_text_base. */
size_t scene_text_file(const char *text);
/* The scene without changes, without folders; returns `name`. */
const char *scene_text_name(const char *text, char name[SCENE_TEXT_MAX]);
/* Whether the text names a scene rather than a picture. */
bool scene_text_recognize(const char *text);
/* The generator of the text's scene; NULL of files. */
const SceneGenerator *scene_text_generator(const char *text);
/* Opens the scene and carries the changes out. Fails as scene_open and scene_text_apply do. */
Status scene_text_open(const char *text, Scene **scene);
/* Carries out the changes of a text whose scene without them this is, or a copy of `base`. Parts that light come before
 * parts that are lit, else it goes from left to right. A number behind the last makes a new sphere, where it has a
 * radius, or a new lamp, where it has a strength. There can be 1000 of each. STATUS_USAGE for items that make no sense
 * or name a missing part: the scene is worth nothing then. */
Status scene_text_apply(const char *text, Scene *scene, const Scene *base);

/* The values of the text's generator; free them with params_destroy. STATUS_USAGE if they do not parse. */
Status scene_text_values(const char *text, void **values);
/* The values of a part of the text's scene, below its count. They come from `scene`, which may have an older text's,
 * and from the text's changes. Free them with params_destroy. */
Status scene_text_read(const char *text, const Scene *scene, const ScenePart *part, size_t index, void **values);
/* The text with another value of a parameter, of part number `index`, from 0 on, or of the generator (part NULL).
 * Changes of surfaces that the generator then does not make go. STATUS_USAGE if it takes SCENE_TEXT_MAX characters. */
Status scene_text_set(const char *text, const ScenePart *part, size_t index, const Param *param, double value,
                      char result[SCENE_TEXT_MAX]);
/* The text with more items, spelled as its own: "sun=altitude=20,sphere=7:red=1"; the generator may be among them.
 * STATUS_USAGE, too, where they do not parse. */
Status scene_text_merge(const char *text, const char *items, char result[SCENE_TEXT_MAX]);
/* The text without the changes of that part; without any changes where part is NULL. */
Status scene_text_reset(const char *text, const ScenePart *part, size_t index, char result[SCENE_TEXT_MAX]);
/* Whether it changes that part. */
bool scene_text_changes(const char *text, const ScenePart *part, size_t index);
/* The index of a new part of this kind: behind `count`, and behind those that the text changes or makes. */
size_t scene_text_next(const char *text, const ScenePart *part, size_t count);
/* The changes from one text to another, in words: "sphere 7: red 0.2 → 0.9". `key` gets a text that all steps of one
 * movement have in common, "" if the changes are of several kinds. */
void scene_text_describe(const char *from, const char *to, char *words, char *key, size_t size);

#endif
