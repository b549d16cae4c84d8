/* fonts.hpp: the letters of panels as one texture, made by a thread: that takes as long as several draws. */
#ifndef GLINT_APP_VIEW_UI_FONTS_HPP
#define GLINT_APP_VIEW_UI_FONTS_HPP

#include "app/view/ui/overlay.h"

#include <imgui.h>

#include <atomic>
#include <pthread.h>

constexpr float text_pixels = TEXT_PIXELS;
/* Ems of the faces in pixels at scale 1. At the smallest scale of a window, 15/16, texts are 13 and 11.5 pixels. */
constexpr float text_em = 13.9f, small_em = 12.3f, title_em = 16.0f, figure_em = 25.8f;

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
