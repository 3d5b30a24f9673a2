#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes YOLOv8n for detection in the form that ultralytics exports, with seeded weights.

Convolutions carry their folded batch norms; the head turns distances into boxes (x, y, w, h) in the
graph. --simplify replaces the head's Shape arithmetic by constants, as the exporter's option does.
"""
import numpy as np

import cli
import layers
from graph_builder import GraphBuilder
from samples import calibration_images

NUM_CLASSES = 80
NUM_BINS = 16  # of the distribution over each side's distance
IMAGE_SIZE = 640
STRIDES = (8, 16, 32)
CLASS_DEVIATION, CLASS_MEAN = 1.5, -3.0  # of the class logits: few, but some, confident answers


def conv_silu(b, x, module, channels, kernel=1, stride=1):
    with b.scope(module):
        x = layers.conv_batch_norm(b, x, channels, kernel, stride, kernel // 2, fold=True)
        with b.scope("act"):
            return b.node("Mul", x, b.node("Sigmoid", x))


def split(b, x, sizes, axis):
    """Split; its sizes are an attribute before opset 13."""
    if b.opset < 13:
        return b.node("Split", x, outputs=len(sizes), axis=axis, split=sizes)
    return b.node("Split", x, b.constant(sizes), outputs=len(sizes), axis=axis)


def c2f(b, x, module, channels, repeats, shortcut):
    hidden = channels // 2
    with b.scope(module):
        x = conv_silu(b, x, "cv1", channels)
        parts = list(split(b, x, [hidden, hidden], 1))
        for i in range(repeats):
            with b.scope(f"m.{i}"):
                y = conv_silu(b, parts[-1], "cv1", hidden, 3)
                y = conv_silu(b, y, "cv2", hidden, 3)
                parts.append(b.node("Add", parts[-1], y) if shortcut else y)
        return conv_silu(b, b.node("Concat", *parts, axis=1), "cv2", channels)


def sppf(b, x, module, channels):
    with b.scope(module):
        parts = [conv_silu(b, x, "cv1", channels // 2)]
        with b.scope("m"):
            for _ in range(3):
                parts.append(b.node("MaxPool", parts[-1], ceil_mode=0, dilations=[1, 1],
                                    kernel_shape=[5, 5], pads=[2] * 4, strides=[1, 1]))
        return conv_silu(b, b.node("Concat", *parts, axis=1), "cv2", channels)


def upsample(b, x, module):
    with b.scope(module):
        roi = None if b.opset >= 13 else b.constant([], "float32")
        scales = b.constant([1, 1, 2, 2], "float32")
        return b.node("Resize", x, roi, scales, coordinate_transformation_mode="asymmetric",
                      cubic_coeff_a=-0.75, mode="nearest", nearest_mode="floor")


def concat(b, module, *parts):
    with b.scope(module):
        return b.node("Concat", *parts, axis=1)


def backbone_and_neck(b, x):
    """Returns the three feature maps of the head, strides 8, 16 and 32."""
    x = conv_silu(b, x, "model.0", 16, 3, 2)
    x = conv_silu(b, x, "model.1", 32, 3, 2)
    x = c2f(b, x, "model.2", 32, 1, True)
    x = conv_silu(b, x, "model.3", 64, 3, 2)
    p3 = c2f(b, x, "model.4", 64, 2, True)
    x = conv_silu(b, p3, "model.5", 128, 3, 2)
    p4 = c2f(b, x, "model.6", 128, 2, True)
    x = conv_silu(b, p4, "model.7", 256, 3, 2)
    x = c2f(b, x, "model.8", 256, 1, True)
    p5 = sppf(b, x, "model.9", 256)
    x = concat(b, "model.11", upsample(b, p5, "model.10"), p4)
    n4 = c2f(b, x, "model.12", 128, 1, False)
    x = concat(b, "model.14", upsample(b, n4, "model.13"), p3)
    out3 = c2f(b, x, "model.15", 64, 1, False)
    x = concat(b, "model.17", conv_silu(b, out3, "model.16", 64, 3, 2), n4)
    out4 = c2f(b, x, "model.18", 128, 1, False)
    x = concat(b, "model.20", conv_silu(b, out4, "model.19", 128, 3, 2), p5)
    out5 = c2f(b, x, "model.21", 256, 1, False)
    return out3, out4, out5


def head_branch(b, x, branch, level, hidden, out_channels, deviation, mean):
    with b.scope(f"{branch}.{level}"):
        x = conv_silu(b, x, f"{branch}.{level}.0", hidden, 3)
        x = conv_silu(b, x, f"{branch}.{level}.1", hidden, 3)
        with b.scope(f"{branch}.{level}.2"):
            return layers.conv(b, x, out_channels, 1, deviation=deviation, mean=mean)


def distances(b, boxes, num_anchors):
    """The expected distance of each side: softmax over the bins, then their weighted mean."""
    with b.scope("dfl"):
        x = b.node("Reshape", boxes, b.constant([1, 4, NUM_BINS, num_anchors]))
        x = b.node("Transpose", x, perm=[0, 2, 1, 3])
        x = softmax_channels(b, x)
        with b.scope("conv"):
            bins = np.arange(NUM_BINS, dtype=np.float32).reshape(1, NUM_BINS, 1, 1)
            x = b.node("Conv", x, b.weight("weight", bins), **layers.conv_attributes(1, 1, 0, 1))
        return b.node("Reshape", x, b.constant([1, 4, num_anchors]))


def softmax_channels(b, x):
    """Softmax over axis 1 of a rank 4 tensor; before opset 13 it flattens, so axis 1 goes last."""
    if b.opset >= 13:
        return b.node("Softmax", x, axis=1)
    x = b.node("Transpose", x, perm=[0, 3, 2, 1])
    return b.node("Transpose", b.node("Softmax", x, axis=3), perm=[0, 3, 2, 1])


def halves(b, x, simplify):
    """Splits axis 1 in two; the export computes the middle from the shape."""
    axes = b.constant([1])
    if simplify:
        middle = b.constant([2])
        end = b.constant([4])
    else:
        size = b.node("Gather", b.node("Shape", x), b.constant([1]), axis=0)
        step = b.node("Div", b.node("Add", size, b.constant([1])), b.constant([2]))
        middle = b.node("Mul", step, b.constant([1]))
        end = b.node("Mul", step, b.constant([2]))
    return (b.node("Slice", x, b.constant([0]), middle, axes),
            b.node("Slice", x, middle, end, axes))


def anchors():
    """Returns the cell centres [1, 2, n] in units of their stride, and the strides [1, n]."""
    points, strides = [], []
    for stride in STRIDES:
        centres = np.arange(IMAGE_SIZE // stride, dtype=np.float32) + 0.5
        y, x = np.meshgrid(centres, centres, indexing="ij")
        points.append(np.stack([x.ravel(), y.ravel()]))
        strides.append(np.full((1, x.size), stride, np.float32))
    return np.concatenate(points, 1)[None], np.concatenate(strides, 1)


def detect(b, features, simplify):
    levels = []
    for level, x in enumerate(features):
        boxes = head_branch(b, x, "cv2", level, 64, 4 * NUM_BINS, 1.0, 0.0)
        classes = head_branch(b, x, "cv3", level, NUM_CLASSES, NUM_CLASSES, CLASS_DEVIATION,
                              CLASS_MEAN)
        levels.append(b.node("Concat", boxes, classes, axis=1))
    b.stop_running()  # no weights to calibrate follow, and shapes are those of one image
    shape = b.constant([1, 4 * NUM_BINS + NUM_CLASSES, -1])
    x = b.node("Concat", *[b.node("Reshape", level, shape) for level in levels], axis=2)
    boxes, classes = split(b, x, [4 * NUM_BINS, NUM_CLASSES], 1)

    points, strides = anchors()
    left_top, right_bottom = halves(b, distances(b, boxes, strides.size), simplify)
    points = b.constant(points, "float32")
    corner1 = b.node("Sub", points, left_top)
    corner2 = b.node("Add", points, right_bottom)
    centre = b.node("Div", b.node("Add", corner1, corner2), b.constant(2.0, "float32"))
    size = b.node("Sub", corner2, corner1)
    boxes = b.node("Mul", b.node("Concat", centre, size, axis=1), b.constant(strides, "float32"))
    return b.node("Concat", boxes, b.node("Sigmoid", classes), axis=1, output="output0")


def yolov8n(opset=17, simplify=False, seed=0):
    """Returns the model: `images` [1,3,640,640] -> `output0` [1,84,8400]."""
    b = GraphBuilder("yolov8n", opset, seed)
    shape = [1, 3, IMAGE_SIZE, IMAGE_SIZE]
    x = b.input("images", shape, calibration_images(b.rng, shape, 0, 1))
    features = backbone_and_neck(b, x)
    with b.scope("model.22"):
        x = detect(b, features, simplify)
    b.output(x, [1, 4 + NUM_CLASSES, sum((IMAGE_SIZE // s) ** 2 for s in STRIDES)])
    return b.build({"stride": "32", "task": "detect", "imgsz": str([IMAGE_SIZE, IMAGE_SIZE])})


def main():
    parser = cli.parser(__doc__, opset=17)
    parser.add_argument("--simplify", action="store_true", help="constants for shape arithmetic")
    args = parser.parse_args()
    cli.save(yolov8n(args.opset, args.simplify, args.seed), args.output)


if __name__ == "__main__":
    main()
