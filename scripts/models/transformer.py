# SPDX-License-Identifier: Apache-2.0
"""Pieces of pre-norm transformers with fixed shapes, as exports with opset 17 have them."""
import math

import numpy as np


def linear(b, x, out_features, gain=1.0, bias=True):
    """torch.nn.Linear on rows of about unit deviation: MatMul, then Add with the bias first."""
    in_features = b.values[x].shape[-1]
    weight = b.rng.standard_normal((in_features, out_features)) * (gain / math.sqrt(in_features))
    x = b.node("MatMul", x, b.weight("weight", weight.astype(np.float32)))
    if not bias:
        return x
    return b.node("Add", b.weight("bias", b.rng.normal(0, 0.1, out_features).astype(np.float32)), x)


def layer_norm(b, x, name, epsilon=1e-5, output=None):
    width = b.values[x].shape[-1]
    with b.scope(name):
        return b.node("LayerNormalization", x,
                      b.weight("weight", b.rng.uniform(0.8, 1.2, width).astype(np.float32)),
                      b.weight("bias", b.rng.normal(0, 0.1, width).astype(np.float32)),
                      axis=-1, epsilon=epsilon, output=output)


def gelu(b, x):
    """The form with Erf."""
    erf = b.node("Erf", b.node("Div", x, b.constant(math.sqrt(2), "float32")))
    product = b.node("Mul", x, b.node("Add", erf, b.constant(1, "float32")))
    return b.node("Mul", product, b.constant(0.5, "float32"))


def gelu_tanh(b, x):
    """The form with Tanh."""
    cube = b.node("Pow", x, b.constant(3, "float32"))
    inner = b.node("Add", x, b.node("Mul", cube, b.constant(0.044715, "float32")))
    inner = b.node("Tanh", b.node("Mul", inner, b.constant(math.sqrt(2 / math.pi), "float32")))
    half = b.node("Mul", x, b.constant(0.5, "float32"))
    return b.node("Mul", half, b.node("Add", inner, b.constant(1, "float32")))


def split_heads(b, x, heads, perm=(0, 2, 1, 3)):
    """[batch, rows, width] -> [batch, heads, rows, size], or what `perm` makes of it."""
    batch, rows, width = b.values[x].shape
    x = b.node("Reshape", x, b.constant([batch, rows, heads, width // heads]))
    return b.node("Transpose", x, perm=list(perm))


def attend(b, query, key, value, mask=None):
    """Attention of [batch, heads, rows, size] operands, `key` with its last axes swapped; returns
    [batch, rows, width]. `mask` is added to the scores."""
    batch, heads, rows, size = b.values[query].shape
    scores = b.node("MatMul", query, key)
    scores = b.node("Mul", scores, b.constant(1 / math.sqrt(size), "float32"))
    if mask:
        scores = b.node("Add", scores, mask)
    context = b.node("MatMul", b.node("Softmax", scores, axis=-1), value)
    context = b.node("Transpose", context, perm=[0, 2, 1, 3])
    return b.node("Reshape", context, b.constant([batch, rows, heads * size]))


def self_attention(b, x, heads, key_bias=True):
    """Three projections, attention, and the output projection."""
    projected = {}
    for name in ("q_proj", "k_proj", "v_proj"):
        with b.scope(name):
            projected[name] = linear(b, x, b.values[x].shape[-1],
                                     bias=key_bias or name != "k_proj")
    context = attend(b, split_heads(b, projected["q_proj"], heads),
                     split_heads(b, projected["k_proj"], heads, (0, 2, 3, 1)),
                     split_heads(b, projected["v_proj"], heads))
    with b.scope("out_proj"):
        return linear(b, context, b.values[x].shape[-1])


def mlp(b, x, hidden, activate):
    width = b.values[x].shape[-1]
    with b.scope("fc1"):
        x = linear(b, x, hidden)
    x = activate(b, x)
    with b.scope("fc2"):
        return linear(b, x, width)


def encoder_layer(b, x, heads, hidden, key_bias=True, epsilon=1e-5):
    """x + attention(norm(x)), then x + mlp(norm(x))."""
    with b.scope("self_attn"):
        y = self_attention(b, layer_norm(b, x, "norm1", epsilon), heads, key_bias)
    x = b.node("Add", x, y)
    with b.scope("mlp"):
        y = mlp(b, layer_norm(b, x, "norm2", epsilon), hidden, gelu)
    return b.node("Add", x, y)
