/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "layout/cs-palette.h"

/* Chosen by search, so that each two of them are apart in CIELAB also for people without one of the three kinds
 * of cones, and that a label on any has a contrast of 4.5:1 at least. They differ in lightness as well as in hue. */
static const guint32 functions[2][CS_PALETTE_N_FUNCTIONS] = {
  { 0xd07e91, 0xe5b99a, 0xb0924e, 0xdeed9f, 0x8a9d6b, 0xc9efcd,
    0x5fd2c0, 0x3ea2bd, 0xa4c2df, 0x7895d9, 0xcdb6ff, 0xfcdcf2 },
  { 0x9f646a, 0x5d4b42, 0x743f07, 0x79764d, 0x36421c, 0x637d30,
    0x07808d, 0x243d67, 0x5d73a8, 0x574b91, 0x5b2f48, 0xa04574 },
};

/**
 * cs_palette_get_function:
 * @index: less than %CS_PALETTE_N_FUNCTIONS
 * @dark: whether it is for a dark background
 *
 * Returns: the colour, 0xRRGGBB
 */
guint32
cs_palette_get_function (guint index, gboolean dark)
{
  g_return_val_if_fail (index < CS_PALETTE_N_FUNCTIONS, 0);
  return functions[dark ? 1 : 0][index];
}

/**
 * cs_palette_get_function_label:
 * @dark: whether it is for a dark background
 *
 * Returns: the colour of a text on any of these, 0xRRGGBB
 */
guint32
cs_palette_get_function_label (gboolean dark)
{
  return dark ? 0xffffff : 0x000000;
}
