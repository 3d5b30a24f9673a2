# SPDX-License-Identifier: Apache-2.0
"""Seeded inputs with structure: what the generators calibrate with and the tests feed."""
import numpy as np


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
