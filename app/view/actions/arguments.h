/* arguments.h: the arguments that actions want (a chain, a level, a file) and their choices. */
#ifndef GLINT_APP_VIEW_ACTIONS_ARGUMENTS_H
#define GLINT_APP_VIEW_ACTIONS_ARGUMENTS_H

#include "app/view/actions/action.h"

extern const Argument argument_backend;
extern const Argument argument_device;
extern const Argument argument_border;
extern const Argument argument_camera;
extern const Argument argument_chain;
extern const Argument argument_changes;
extern const Argument argument_command;
extern const Argument argument_edit;
extern const Argument argument_file;
extern const Argument argument_filter;
extern const Argument argument_gathering;
extern const Argument argument_image;
extern const Argument argument_level;
extern const Argument argument_look;
extern const Argument argument_mask;
extern const Argument argument_path;
extern const Argument argument_picture;
extern const Argument argument_place;
extern const Argument argument_preset;
extern const Argument argument_preset_name;
extern const Argument argument_recording;
extern const Argument argument_route;
extern const Argument argument_scene;
extern const Argument argument_scene_file;
extern const Argument argument_section;
extern const Argument argument_theme;
extern const Argument argument_tone;
extern const Argument argument_values;

/* The name as panels have it, in any case of letters; NULL if there is no such section. */
const char *section_by_name(const char *name);

#endif
