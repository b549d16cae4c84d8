/* fonts.hpp: the letters of panels as one texture, made by a thread: that takes as long as several draws. */
#ifndef GLINT_APP_VIEW_UI_FONTS_HPP
#define GLINT_APP_VIEW_UI_FONTS_HPP

#include "app/view/ui/overlay.h"

#include <imgui.h>

#include <atomic>
#include <pthread.h>

constexpr float text_pixels = TEXT_PIXELS, small_pixels = 13.5f, title_pixels = 18, figure_pixels = 30;

/* By what they are for. */
struct Faces {
    ImFont *regular, *bold, *small, *mono, *title, *figure;
};

struct Fonts : Faces {
    float scale; /* that they are made for */
    ImFontAtlas atlas;
    std::atomic<bool> ready; /* the thread is through */
    bool threaded;
    pthread_t thread;
};

/* Begins to make them; without a thread they are made here. NULL if memory is short. */
Fonts *fonts_begin(float scale);
/* Waits until they are made. */
void fonts_await(Fonts *fonts);
void fonts_destroy(Fonts *fonts); /* waits, too; accepts NULL */

#endif
