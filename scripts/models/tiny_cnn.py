#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a small network that names the shape in a 32x32 picture, and one picture of each shape.

Two convolutions with fixed filters and a Gemm whose weights are solved for in closed form, by ridge
regression on drawn pictures. It needs numpy and onnx only (Debian has both), and no registry.

Usage: tiny_cnn.py OUTPUT.onnx
  also writes OUTPUT_labels.txt (one name a line) and OUTPUT_<label>.bin, float32 [1,1,32,32].
"""
import os
import sys

import numpy as np
import onnx

from graph_builder import GraphBuilder

SIZE = 32
CHANNELS = (12, 24)
NUM_TRAINING, NUM_HELD_OUT = 2000, 800
RIDGE = 1.0
LOGIT_SCALE = 8.0  # the regression aims at 0 and 1; Softmax needs more than that to be sure
MIN_ACCURACY = 0.97


def in_triangle(x, y):
    """Apex at (0, -1), base from (-1, 1) to (1, 1)."""
    return (y <= 1) & (np.abs(x) <= (y + 1) / 2)


# The shapes as sets of points around (0, 0), about 1 in each direction.
SHAPES = {
    "disc": lambda x, y: x * x + y * y <= 1,
    "ring": lambda x, y: (x * x + y * y <= 1) & (x * x + y * y >= 0.4),
    "square": lambda x, y: np.maximum(np.abs(x), np.abs(y)) <= 0.9,
    "frame": lambda x, y: (np.maximum(np.abs(x), np.abs(y)) <= 0.9)
    & (np.maximum(np.abs(x), np.abs(y)) >= 0.6),
    "triangle": in_triangle,
    "plus": lambda x, y: (np.minimum(np.abs(x), np.abs(y)) <= 0.25)
    & (np.maximum(np.abs(x), np.abs(y)) <= 1),
    "cross": lambda x, y: (np.abs(np.abs(x) - np.abs(y)) <= 0.35)
    & (np.maximum(np.abs(x), np.abs(y)) <= 1),
    "bar": lambda x, y: (np.abs(x) <= 1) & (np.abs(y) <= 0.3),
}


def draw(shape, centre_x, centre_y, radius, contrast=1.0):
    """Returns [SIZE, SIZE] in [0, contrast]: the shape, 4x4 samples a pixel."""
    at = (np.arange(4 * SIZE) + 0.5) / 4
    inside = shape(((at - centre_x) / radius)[None, :], ((at - centre_y) / radius)[:, None])
    return contrast * inside.reshape(SIZE, 4, SIZE, 4).mean((1, 3))


def pictures(rng, count):
    """Returns drawn pictures [count, 1, SIZE, SIZE] with noise, and their labels."""
    labels = rng.integers(0, len(SHAPES), count)
    shapes = list(SHAPES.values())
    drawn = [draw(shapes[label], *rng.uniform(13, 19, 2), rng.uniform(7, 12), rng.uniform(0.6, 1))
             for label in labels]
    noise = rng.normal(0, 0.03, (count, SIZE, SIZE))
    return (np.stack(drawn) + noise)[:, None].astype(np.float32), labels


def filters(rng, in_channels, out_channels):
    """Random 3x3 filters of unit length and zero mean: edges and lines in all directions."""
    weights = rng.standard_normal((out_channels, in_channels, 3, 3))
    weights -= weights.mean((2, 3), keepdims=True)
    return (weights / np.sqrt((weights**2).sum((1, 2, 3), keepdims=True))).astype(np.float32)


def stage(x, weights):
    """Conv 3x3 with padding 1, Relu, MaxPool 2x2."""
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    y = np.tensordot(windows, weights, ((1, 4, 5), (1, 2, 3))).transpose(0, 3, 1, 2)
    n, c, h, w = y.shape
    return np.maximum(y, 0).reshape(n, c, h // 2, 2, w // 2, 2).max((3, 5))


def features(x, weights):
    for stage_weights in weights:
        x = stage(x, stage_weights)
    return x.reshape(len(x), -1)


def solve_classifier(x, labels):
    """Ridge regression from features to one-hot rows: returns weights [classes, n] and bias."""
    mean = x.mean(0)
    centred = (x - mean).astype(np.float64)
    target = np.eye(len(SHAPES))[labels] * LOGIT_SCALE
    gram = centred.T @ centred + RIDGE * np.eye(x.shape[1])
    weights = np.linalg.solve(gram, centred.T @ (target - target.mean(0)))
    bias = target.mean(0) - mean @ weights
    return weights.T.astype(np.float32), bias.astype(np.float32)


def write_graph(convolutions, weights, bias):
    b = GraphBuilder("tiny_cnn", opset=13, run_nodes=False)
    x = b.input("input", [1, 1, SIZE, SIZE], np.zeros((1, 1, SIZE, SIZE), np.float32))
    for i, array in enumerate(convolutions):
        with b.scope(f"conv{i + 1}"):
            x = b.node("Conv", x, b.weight("weight", array), kernel_shape=[3, 3], pads=[1] * 4)
            x = b.node("Relu", x)
            x = b.node("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    x = b.node("Flatten", x, axis=1)
    with b.scope("classifier"):
        x = b.node("Gemm", x, b.weight("weight", weights), b.weight("bias", bias), transB=1)
    b.output(b.node("Softmax", x, axis=1, output="probabilities"), [1, len(SHAPES)])
    return b.build({"labels": "\n".join(SHAPES)})


def tiny_cnn(seed=0):
    """Returns the model and its accuracy on pictures that it was not fitted to."""
    rng = np.random.default_rng(seed)
    convolutions = [filters(rng, i, o) for i, o in zip((1, *CHANNELS), CHANNELS)]
    x, labels = pictures(rng, NUM_TRAINING)
    weights, bias = solve_classifier(features(x, convolutions), labels)
    x, labels = pictures(rng, NUM_HELD_OUT)
    answers = (features(x, convolutions) @ weights.T + bias).argmax(1)
    return write_graph(convolutions, weights, bias), (answers == labels).mean()


def write(path):
    """Writes the model, its labels and its pictures; exits if it answers badly."""
    model, accuracy = tiny_cnn()
    if accuracy < MIN_ACCURACY:
        sys.exit(f"tiny_cnn: {accuracy:.1%} of the held-out pictures right, "
                 f"expected at least {MIN_ACCURACY:.0%}")
    onnx.save(model, path)
    stem = os.path.splitext(path)[0]
    with open(stem + "_labels.txt", "w") as file:
        file.writelines(label + "\n" for label in SHAPES)
    for label, shape in SHAPES.items():
        draw(shape, 16, 16, 10).astype(np.float32).tofile(f"{stem}_{label}.bin")
    print(f"{path}: {len(model.graph.node)} nodes, {model.ByteSize() / 1e6:.1f} MB, "
          f"{accuracy:.1%} of {NUM_HELD_OUT} held-out pictures right")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write(sys.argv[1])


if __name__ == "__main__":
    main()
