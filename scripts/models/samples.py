# SPDX-License-Identifier: Apache-2.0
"""Seeded inputs with structure: what the generators calibrate with and the tests feed."""
import numpy as np

# One image alone gives norms that fit no other: too few values, and one brightness.
CALIBRATION_BATCH = 4

# 5x7 pixels, a row each.
DIGITS = {
    "0": (".###.", "#...#", "#..##", "#.#.#", "##..#", "#...#", ".###."),
    "1": ("..#..", ".##..", "..#..", "..#..", "..#..", "..#..", ".###."),
    "2": (".###.", "#...#", "....#", "...#.", "..#..", ".#...", "#####"),
    "3": ("#####", "...#.", "..#..", "...#.", "....#", "#...#", ".###."),
    "4": ("...#.", "..##.", ".#.#.", "#..#.", "#####", "...#.", "...#."),
    "5": ("#####", "#....", "####.", "....#", "....#", "#...#", ".###."),
    "6": ("..##.", ".#...", "#....", "####.", "#...#", "#...#", ".###."),
    "7": ("#####", "....#", "...#.", "..#..", ".#...", ".#...", ".#..."),
    "8": (".###.", "#...#", "#...#", ".###.", "#...#", "#...#", ".###."),
    "9": (".###.", "#...#", "#...#", ".####", "....#", "...#.", ".##.."),
}


def calibration_images(rng, shape, low, high):
    """Returns several random images for an input of `shape` [1, C, H, W]."""
    images = [random_image(rng, shape, low, high) for _ in range(CALIBRATION_BATCH)]
    return np.concatenate(images)


def random_image(rng, shape, low, high):
    """Returns float32 [..., H, W] in [low, high]: blocks of several sizes plus noise.

    White noise alone averages out in the first layers and would leave the deeper ones idle.
    """
    *leading, height, width = shape
    image = np.zeros(shape)
    for cell in (64, 16, 4, 1):
        grid = rng.uniform(-1, 1, (*leading, -(-height // cell), -(-width // cell)))
        image += grid.repeat(cell, axis=-2).repeat(cell, axis=-1)[..., :height, :width]
    span = image.max() - image.min()
    return (low + (image - image.min()) * ((high - low) / span)).astype(np.float32)


def text_image(rng, shape, low, high):
    """Returns float32 [N, C, H, W]: lines of dark digits on a light ground, channels alike.

    An image up to 64 pixels high is one line of text; a higher one has several, apart.
    """
    count, channels, height, width = shape
    images = [text_page(rng, height, width) for _ in range(count)]
    page = np.repeat(np.stack(images)[:, None], channels, axis=1)
    return (low + page * (high - low)).astype(np.float32)


def text_page(rng, height, width):
    """Returns [height, width] in [0, 1]."""
    page = np.full((height, width), 0.95) + rng.uniform(-0.05, 0.05, (height, width))
    scale = max(1, height // 12) if height <= 64 else 4
    line_height = 7 * scale
    step = height if height <= 64 else 4 * line_height
    for top in range((step - line_height) // 2, height - line_height + 1, step):
        line = text_line(rng, width // (6 * scale), scale)[:, :width]
        left = (width - line.shape[1]) // 2
        page[top:top + line_height, left:left + line.shape[1]] -= 0.85 * line
    return page


def text_line(rng, num_digits, scale):
    """Returns [7 * scale, 6 * scale * num_digits], 1 where there is ink."""
    glyphs = [DIGITS[str(digit)] for digit in rng.integers(0, 10, num_digits)]
    rows = ["".join(glyph[row] + "." for glyph in glyphs) for row in range(7)]
    ink = np.array([[pixel == "#" for pixel in row] for row in rows], np.float64)
    return ink.repeat(scale, axis=0).repeat(scale, axis=1)
