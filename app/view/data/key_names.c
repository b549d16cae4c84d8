/* key_names.c: names of keys. */
#include "app/view/data/key_names.h"

#include <GL/freeglut.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    int code;
    const char *key;
} special_keys[] = {
    {GLUT_KEY_F1, "F1"},         {GLUT_KEY_F2, "F2"},          {GLUT_KEY_F3, "F3"},
    {GLUT_KEY_F4, "F4"},         {GLUT_KEY_F5, "F5"},          {GLUT_KEY_F6, "F6"},
    {GLUT_KEY_F7, "F7"},         {GLUT_KEY_F8, "F8"},          {GLUT_KEY_F9, "F9"},
    {GLUT_KEY_F10, "F10"},       {GLUT_KEY_F11, "F11"},        {GLUT_KEY_F12, "F12"},
    {GLUT_KEY_LEFT, "Left"},     {GLUT_KEY_RIGHT, "Right"},    {GLUT_KEY_UP, "Up"},
    {GLUT_KEY_DOWN, "Down"},     {GLUT_KEY_PAGE_UP, "PageUp"}, {GLUT_KEY_PAGE_DOWN, "PageDown"},
    {GLUT_KEY_HOME, "Home"},     {GLUT_KEY_END, "End"},        {GLUT_KEY_INSERT, "Insert"},
    {GLUT_KEY_DELETE, "Delete"},
};
static const struct {
    unsigned char code;
    const char *key;
} named_keys[] = {{' ', "Space"}, {27, "Esc"}, {'\t', "Tab"}, {'\r', "Return"}, {8, "Backspace"}, {127, "Delete"}};

/* Shift is part of a plain character, and names the others only next to Ctrl. */
static bool name_key(const char *key, int modifiers, char name[KEY_MAX]) {
    const bool control = (modifiers & GLUT_ACTIVE_CTRL) != 0, shift = (modifiers & GLUT_ACTIVE_SHIFT) != 0;
    snprintf(name, KEY_MAX, "%s%s%s", control ? "Ctrl+" : "", control && shift ? "Shift+" : "", key);
    return true;
}

bool key_of_special(int code, int modifiers, char key[KEY_MAX]) {
    for (size_t i = 0; i < sizeof special_keys / sizeof special_keys[0]; i++)
        if (special_keys[i].code == code)
            return name_key(special_keys[i].key, modifiers, key);
    return false;
}

/* The signs that Xlib makes 0 and 27 to 31 of when Ctrl is held: no letter, and not Esc. */
static unsigned char with_control(unsigned char code) {
    static const char signs[] = "[\\]6/";
    return code == 0 ? ' ' : code >= 27 && code < 32 ? (unsigned char)signs[code - 27] : code;
}

/* Letters with Ctrl may be control characters: four of them are keys of their own. */
bool key_of_character(unsigned char code, int modifiers, char key[KEY_MAX]) {
    const bool control = modifiers & GLUT_ACTIVE_CTRL;
    code = control ? with_control(code) : code;
    for (size_t i = 0; i < sizeof named_keys / sizeof named_keys[0]; i++)
        if (named_keys[i].code == code)
            return name_key(named_keys[i].key, modifiers, key);
    const bool letter = code >= 1 && code <= 26;
    const char plain[] = {(char)(letter ? 'A' + code - 1 : control ? toupper(code) : code), '\0'};
    if (letter || (code > ' ' && code < 127))
        return name_key(plain, letter ? modifiers | GLUT_ACTIVE_CTRL : modifiers, key);
    return false;
}

/* A character is its own name, and in capitals next to Ctrl. Other names have letters of ASCII alone, and more of them.
 */
bool key_of_browser(const char *name, bool shift, bool control, char key[KEY_MAX]) {
    static const char *const names[][2] = {{" ", "Space"},        {"Escape", "Esc"},       {"Enter", "Return"},
                                           {"ArrowLeft", "Left"}, {"ArrowRight", "Right"}, {"ArrowUp", "Up"},
                                           {"ArrowDown", "Down"}, {"Tab", "Tab"},          {"Backspace", "Backspace"}};
    const int modifiers = (shift ? GLUT_ACTIVE_SHIFT : 0) | (control ? GLUT_ACTIVE_CTRL : 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i][0], name) == 0)
            return name_key(names[i][1], modifiers, key);
    for (size_t i = 0; i < sizeof special_keys / sizeof special_keys[0]; i++)
        if (strcmp(special_keys[i].key, name) == 0)
            return name_key(name, modifiers, key);
    const unsigned char first = (unsigned char)name[0];
    const size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first <= ' ' || first == 127 || strlen(name) != length || (control && length > 1))
        return false;
    const char plain[] = {control ? (char)toupper(first) : name[0], '\0'};
    return name_key(length > 1 ? name : plain, modifiers, key);
}

static const char shift[] = "Shift+";

const char *key_shown(const char *key, size_t length, char shown[KEY_MAX]) {
    const bool capital = length == 1 && isupper((unsigned char)key[0]);
    snprintf(shown, KEY_MAX, "%s%.*s", capital ? shift : "", (int)length, key);
    return shown;
}

const char *key_of_shown(const char *shown, char key[KEY_MAX]) {
    const size_t length = strlen(shift);
    const bool capital =
        strncasecmp(shown, shift, length) == 0 && isalpha((unsigned char)shown[length]) && shown[length + 1] == '\0';
    snprintf(key, KEY_MAX, "%s", capital ? shown + length : shown);
    if (capital)
        key[0] = (char)toupper((unsigned char)key[0]);
    return key;
}
