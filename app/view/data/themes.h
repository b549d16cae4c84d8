/* themes.h: the themes by their names; theme.hpp has their colours. */
#ifndef GLINT_APP_VIEW_DATA_THEMES_H
#define GLINT_APP_VIEW_DATA_THEMES_H

typedef enum ThemeName { THEME_DARK, THEME_LIGHT, THEME_CONTRAST, THEMES } ThemeName;

typedef struct ThemeInfo {
    const char *name, *help;
} ThemeInfo;

extern const ThemeInfo theme_infos[THEMES];

#endif
