# SPDX-License-Identifier: Apache-2.0
"""Layers shared by the model scripts, with random weights scaled to what flows through them."""
import numpy as np

BATCH_NORM_EPSILON = 1e-5


def conv_weight(b, in_channels, out_channels, kernel, groups):
    shape = (out_channels, in_channels // groups, kernel, kernel)
    deviation = np.sqrt(2 / np.prod(shape[1:]))
    return (b.rng.standard_normal(shape) * deviation).astype(np.float32)


def conv_attributes(kernel, stride, padding, groups):
    return dict(dilations=[1, 1], group=groups, kernel_shape=[kernel] * 2, pads=[padding] * 4,
                strides=[stride] * 2)


def conv(b, x, out_channels, kernel, stride=1, padding=0, groups=1, deviation=1.0, mean=0.0):
    """Conv with bias; its outputs get the given statistics on the samples, over all channels."""
    weight = conv_weight(b, b.values[x].shape[1], out_channels, kernel, groups)
    attributes = conv_attributes(kernel, stride, padding, groups)
    raw = b.evaluate("Conv", b.values[x], weight, **attributes)
    scale = deviation / raw.std()
    weight = (weight * scale).astype(np.float32)
    bias = b.rng.normal(mean - raw.mean() * scale, 0.1 * deviation, out_channels)
    return b.node("Conv", x, b.weight("weight", weight), b.weight("bias", bias.astype(np.float32)),
                  **attributes)


def conv_batch_norm(b, x, out_channels, kernel, stride=1, padding=0, groups=1, *, fold,
                    gain=1.0, names=("conv", "bn")):
    """Conv and BatchNormalization with the statistics of the samples, as one Conv if `fold`."""
    conv_name, norm_name = names
    weight = conv_weight(b, b.values[x].shape[1], out_channels, kernel, groups)
    attributes = conv_attributes(kernel, stride, padding, groups)
    raw = b.evaluate("Conv", b.values[x], weight, **attributes)
    mean = raw.mean((0, 2, 3))
    variance = raw.var((0, 2, 3))
    variance = np.maximum(variance, 0.01 * variance.mean())  # no idle channel is blown up
    gamma = (gain * b.rng.uniform(0.8, 1.2, out_channels)).astype(np.float32)
    beta = (gain * b.rng.normal(0, 0.2, out_channels)).astype(np.float32)
    if fold:
        scale = gamma / np.sqrt(variance + BATCH_NORM_EPSILON)
        with b.scope(conv_name):
            return b.node("Conv", x, b.weight("weight", weight * scale[:, None, None, None]),
                          b.weight("bias", beta - mean * scale), **attributes)
    with b.scope(conv_name):
        x = b.node("Conv", x, b.weight("weight", weight), **attributes)
    with b.scope(norm_name):
        modes = {"training_mode": 0} if b.opset >= 14 else {}
        return b.node("BatchNormalization", x, b.weight("weight", gamma), b.weight("bias", beta),
                      b.weight("running_mean", mean), b.weight("running_var", variance),
                      epsilon=BATCH_NORM_EPSILON, momentum=0.9, **modes)


def gemm(b, x, out_features, deviation=1.0, output=None):
    """torch.nn.Linear on a matrix; its outputs get the given standard deviation on the samples."""
    in_features = b.values[x].shape[1]
    weight = b.rng.standard_normal((out_features, in_features)).astype(np.float32)
    scale = deviation / (b.values[x] @ weight.T).std()
    bias = (b.rng.standard_normal(out_features) * 0.1 * deviation).astype(np.float32)
    return b.node("Gemm", x, b.weight("weight", (weight * scale).astype(np.float32)),
                  b.weight("bias", bias), alpha=1.0, beta=1.0, transB=1, output=output)
