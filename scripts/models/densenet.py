#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes DenseNet-121 as torchvision's export has it: norm and ReLU stand before the convolutions."""
import numpy as np

import cli
import layers
from graph_builder import GraphBuilder
from samples import calibration_images

BLOCKS, GROWTH, WIDTH, FIRST_CHANNELS = (6, 12, 24, 16), 32, 128, 64


def norm_relu(b, x, name):
    """BatchNormalization with the statistics of the samples, and ReLU."""
    value = b.values[x]
    channels = value.shape[1]
    mean, variance = value.mean((0, 2, 3)), value.var((0, 2, 3))
    variance = np.maximum(variance, 0.01 * variance.mean())
    gamma = b.rng.uniform(0.8, 1.2, channels).astype(np.float32)
    beta = b.rng.normal(0, 0.2, channels).astype(np.float32)
    with b.scope(name):
        x = b.node("BatchNormalization", x, b.weight("weight", gamma), b.weight("bias", beta),
                   b.weight("running_mean", mean), b.weight("running_var", variance),
                   epsilon=layers.BATCH_NORM_EPSILON, momentum=0.9, training_mode=0)
    return b.node("Relu", x)


def plain_conv(b, x, channels, kernel):
    """Convolution without bias."""
    weight = layers.conv_weight(b, b.values[x].shape[1], channels, kernel, 1)
    return b.node("Conv", x, b.weight("weight", weight),
                  **layers.conv_attributes(kernel, 1, kernel // 2, 1))


def dense_layer(b, features):
    x = b.node("Concat", *features, axis=1)
    x = layers.conv_batch_norm(b, norm_relu(b, x, "norm1"), WIDTH, 1, fold=True,
                               names=("conv1", "norm2"))
    x = b.node("Relu", x)
    with b.scope("conv2"):
        return plain_conv(b, x, GROWTH, 3)


def densenet121(opset=17, seed=0):
    """Returns the model: `input` [1,3,224,224] -> `output` [1,1000]."""
    b = GraphBuilder("densenet121", opset, seed)
    shape = [1, 3, 224, 224]
    x = b.input("input", shape, calibration_images(b.rng, shape, -2.1, 2.6))
    with b.scope("features"):
        x = layers.conv_batch_norm(b, x, FIRST_CHANNELS, 7, 2, 3, fold=True,
                                   names=("conv0", "norm0"))
        x = b.node("MaxPool", b.node("Relu", x), kernel_shape=[3, 3], strides=[2, 2],
                   pads=[1, 1, 1, 1])
        for block, repeats in enumerate(BLOCKS, 1):
            features = [x]
            for layer in range(1, repeats + 1):
                with b.scope(f"denseblock{block}", f"denselayer{layer}"):
                    features.append(dense_layer(b, features))
            x = b.node("Concat", *features, axis=1)
            if block < len(BLOCKS):
                with b.scope(f"transition{block}"):
                    x = norm_relu(b, x, "norm")
                    with b.scope("conv"):
                        x = plain_conv(b, x, b.values[x].shape[1] // 2, 1)
                    x = b.node("AveragePool", x, kernel_shape=[2, 2], strides=[2, 2])
        x = norm_relu(b, x, "norm5")
    x = b.node("Flatten", b.node("GlobalAveragePool", x), axis=1)
    with b.scope("classifier"):
        x = layers.gemm(b, x, 1000, output="output")
    b.output(x, [1, 1000])
    return b.build()


if __name__ == "__main__":
    args = cli.parser(__doc__, opset=17).parse_args()
    cli.save(densenet121(args.opset, args.seed), args.output)
