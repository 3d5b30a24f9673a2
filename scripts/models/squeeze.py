# SPDX-License-Identifier: Apache-2.0
"""Pieces of the networks that torchvision builds from squeeze-and-excitation blocks."""
import layers


def squeeze_excitation(b, x, squeezed, activate, gate):
    """x scaled per channel by gate(fc2(activate(fc1(mean of x)))); fc1 and fc2 are 1x1 convolutions."""
    channels = b.values[x].shape[1]
    with b.scope("avgpool"):
        y = b.node("GlobalAveragePool", x)
    with b.scope("fc1"):
        y = layers.conv(b, y, squeezed, 1)
    y = activate(b, y)
    with b.scope("fc2"):
        y = layers.conv(b, y, channels, 1)
    return b.node("Mul", gate(b, y), x)


def relu(b, x):
    return b.node("Relu", x)


def sigmoid(b, x):
    return b.node("Sigmoid", x)


def silu(b, x):
    return b.node("Mul", x, b.node("Sigmoid", x))


def hard_sigmoid(b, x):
    return b.node("HardSigmoid", x, alpha=1 / 6)


def hard_swish(b, x):
    return b.node("HardSwish", x)


def conv_norm_act(b, x, module, channels, kernel, stride=1, groups=1, activate=None):
    """torchvision's Conv2dNormActivation `module`: children 0 (conv), 1 (norm, folded), 2."""
    with b.scope(module):
        x = layers.conv_batch_norm(b, x, channels, kernel, stride, kernel // 2, groups, fold=True,
                                   names=(f"{module}.0", f"{module}.1"))
        if activate is None:
            return x
        with b.scope(f"{module}.2"):
            return activate(b, x)


def classifier(b, x, features, classes=1000, hidden=None, activate=None):
    """Global mean, flatten, an optional hidden layer, and the linear layer of the classes."""
    with b.scope("avgpool"):
        x = b.node("GlobalAveragePool", x)
    x = b.node("Flatten", x, axis=1)
    assert b.values[x].shape[1] == features
    with b.scope("classifier"):
        if hidden:
            with b.scope("classifier.0"):
                x = activate(b, layers.gemm(b, x, hidden))
        with b.scope("classifier.1"):
            return layers.gemm(b, x, classes, output="output")
