#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes BERT-base as transformers' export has it: every norm, GELU and attention decomposed.

Batch and sequence length are symbolic, so reshapes take their targets from Shape chains.
"""
import math

import numpy as np
from onnx import TensorProto

import cli
from graph_builder import GraphBuilder

HIDDEN, HEADS, FEED_FORWARD, MAX_POSITIONS = 768, 12, 3072, 512
HEAD_SIZE = HIDDEN // HEADS
LAYER_NORM_EPSILON = 1e-12
SAMPLE_SHAPE = (2, 24)
# Of weights: a product's outputs have deviation * sqrt(fan-in) times that of its inputs. With 0.04,
# attention scores have a deviation of about 1: far from uniform and from one-hot.
ATTENTION_DEVIATION, DENSE_DEVIATION = 0.04, 0.02


def scalar(b, value):
    return b.constant(value, "float32")


def unsqueeze(b, x, axis):
    """Unsqueeze; the axis is an attribute before opset 13."""
    if b.opset < 13:
        return b.node("Unsqueeze", x, axes=[axis])
    return b.node("Unsqueeze", x, b.constant([axis]))


def reduce_mean(b, x):
    """ReduceMean of the last axis; the axis is an attribute before opset 18."""
    if b.opset < 18:
        return b.node("ReduceMean", x, axes=[-1])
    return b.node("ReduceMean", x, b.constant([-1]))


def dimension(b, x, axis):
    return b.node("Gather", b.node("Shape", x), b.constant(axis), axis=0)


def reshape(b, x, *dims):
    """Reshape as x.view(...) exports: ints are constants, names are scalar values."""
    parts = [b.constant([d]) if isinstance(d, int) else unsqueeze(b, d, 0) for d in dims]
    return b.node("Reshape", x, b.node("Concat", *parts, axis=0))


def linear(b, x, out_features, deviation=DENSE_DEVIATION):
    """torch.nn.Linear on a tensor of rank 3: MatMul, then Add with the bias first."""
    in_features = b.values[x].shape[-1]
    weight = b.rng.normal(0, deviation, (in_features, out_features)).astype(np.float32)
    bias = b.rng.normal(0, 0.02, out_features).astype(np.float32)
    x = b.node("MatMul", x, b.weight("weight", weight))
    return b.node("Add", b.weight("bias", bias), x)


def layer_norm(b, x, output=None):
    with b.scope("LayerNorm"):
        centred = b.node("Sub", x, reduce_mean(b, x))
        variance = reduce_mean(b, b.node("Pow", centred, scalar(b, 2)))
        deviation = b.node("Sqrt", b.node("Add", variance, scalar(b, LAYER_NORM_EPSILON)))
        x = b.node("Div", centred, deviation)
        gamma = b.rng.uniform(0.8, 1.2, HIDDEN).astype(np.float32)
        beta = b.rng.normal(0, 0.1, HIDDEN).astype(np.float32)
        x = b.node("Mul", x, b.weight("weight", gamma))
        return b.node("Add", x, b.weight("bias", beta), output=output)


def gelu(b, x):
    with b.scope("intermediate_act_fn"):
        erf = b.node("Erf", b.node("Div", x, scalar(b, math.sqrt(2))))
        product = b.node("Mul", x, b.node("Add", erf, scalar(b, 1)))
        return b.node("Mul", product, scalar(b, 0.5))


def lookup(b, name, rows, indices):
    table = b.rng.standard_normal((rows, HIDDEN)).astype(np.float32)
    with b.scope(name):
        return b.node("Gather", b.weight("weight", table), indices)


def embeddings(b, input_ids, token_type_ids, vocabulary):
    with b.scope("embeddings"):
        length = unsqueeze(b, dimension(b, input_ids, 1), 0)
        positions = b.constant(np.arange(MAX_POSITIONS)[None])
        positions = b.node("Slice", positions, b.constant([0]), length, b.constant([1]),
                           b.constant([1]))
        x = b.node("Add", lookup(b, "word_embeddings", vocabulary, input_ids),
                   lookup(b, "token_type_embeddings", 2, token_type_ids))
        x = b.node("Add", x, lookup(b, "position_embeddings", MAX_POSITIONS, positions))
        return layer_norm(b, x)


def additive_mask(b, attention_mask, form):
    """[batch, seq] of 1 and 0 -> [batch, 1, 1, seq] of 0 and a large negative number.

    `sub` multiplies by that number; `where` fills it in, as newer releases of transformers do.
    """
    x = unsqueeze(b, unsqueeze(b, attention_mask, 1), 2)
    x = b.node("Cast", x, to=TensorProto.FLOAT)
    x = b.node("Sub", scalar(b, 1), x)
    lowest = scalar(b, np.finfo(np.float32).min)
    if form == "where":
        return b.node("Where", b.node("Cast", x, to=TensorProto.BOOL), lowest, x)
    return b.node("Mul", x, lowest)


def heads(b, x, perm):
    """[batch, seq, hidden] -> [batch, heads, seq, size], or what `perm` makes of it."""
    x = reshape(b, x, dimension(b, x, 0), dimension(b, x, 1), HEADS, HEAD_SIZE)
    return b.node("Transpose", x, perm=perm)


def attention(b, x, mask):
    with b.scope("attention"):
        with b.scope("self"):
            projected = []
            for name, deviation in (("query", ATTENTION_DEVIATION), ("key", ATTENTION_DEVIATION),
                                    ("value", DENSE_DEVIATION)):
                with b.scope(name):
                    projected.append(linear(b, x, HIDDEN, deviation))
            query, key, value = projected
            key = heads(b, key, [0, 2, 3, 1])
            value = heads(b, value, [0, 2, 1, 3])
            query = heads(b, query, [0, 2, 1, 3])
            scores = b.node("Div", b.node("MatMul", query, key), scalar(b, math.sqrt(HEAD_SIZE)))
            weights = b.node("Softmax", b.node("Add", scores, mask),
                             axis=-1 if b.opset >= 13 else 3)
            context = b.node("Transpose", b.node("MatMul", weights, value), perm=[0, 2, 1, 3])
            context = reshape(b, context, dimension(b, context, 0), dimension(b, context, 1),
                              HIDDEN)
        with b.scope("output"):
            with b.scope("dense"):
                y = linear(b, context, HIDDEN, 2 * DENSE_DEVIATION)
            return layer_norm(b, b.node("Add", y, x))


def encoder_layer(b, x, mask, output):
    x = attention(b, x, mask)
    with b.scope("intermediate"):
        with b.scope("dense"):
            y = linear(b, x, FEED_FORWARD)
        y = gelu(b, y)
    with b.scope("output"):
        with b.scope("dense"):
            y = linear(b, y, HIDDEN)
        return layer_norm(b, b.node("Add", y, x), output)


def pooler(b, x):
    """The first token's vector through a dense layer and Tanh."""
    first = b.node("Gather", x, b.constant(0), axis=1)
    weight = b.rng.normal(0, 0.03, (HIDDEN, HIDDEN)).astype(np.float32)
    with b.scope("dense"):
        y = b.node("Gemm", first, b.weight("weight", weight),
                   b.weight("bias", np.zeros(HIDDEN, np.float32)), alpha=1.0, beta=1.0, transB=1)
    with b.scope("activation"):
        return b.node("Tanh", y, output="pooler_output")


def bert(layers=12, vocabulary=30522, opset=14, mask="sub", seed=0):
    """Returns the model: int64 `input_ids`, `attention_mask` and `token_type_ids` [batch, sequence]
    -> `last_hidden_state`, `pooler_output`."""
    b = GraphBuilder("bert", opset, seed)
    sample_mask = np.ones(SAMPLE_SHAPE, np.int64)
    sample_mask[-1, -5:] = 0
    dims = ["batch_size", "sequence_length"]
    input_ids = b.input("input_ids", dims, b.rng.integers(0, vocabulary, SAMPLE_SHAPE))
    attention_mask = b.input("attention_mask", dims, sample_mask)
    token_type_ids = b.input("token_type_ids", dims, b.rng.integers(0, 2, SAMPLE_SHAPE))

    bias = additive_mask(b, attention_mask, mask)
    x = embeddings(b, input_ids, token_type_ids, vocabulary)
    with b.scope("encoder"):
        for i in range(layers):
            with b.scope(f"layer.{i}"):
                x = encoder_layer(b, x, bias, "last_hidden_state" if i == layers - 1 else None)
    b.output(x, [*dims, HIDDEN])
    with b.scope("pooler"):
        b.output(pooler(b, x), ["batch_size", HIDDEN])
    return b.build()


def main():
    parser = cli.parser(__doc__, opset=14)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--vocabulary", type=int, default=30522)
    parser.add_argument("--mask", choices=["sub", "where"], default="sub")
    args = parser.parse_args()
    cli.save(bert(args.layers, args.vocabulary, args.opset, args.mask, args.seed), args.output)


if __name__ == "__main__":
    main()
