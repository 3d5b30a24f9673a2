#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes GPT-2 small for one pass over `tokens` new tokens after `past` earlier ones.

With a past, keys and values of the earlier tokens are inputs, and outputs with the new ones appended.
"""
import math

import numpy as np

import cli
import transformer
from graph_builder import GraphBuilder

WIDTH, HEADS, HIDDEN, LAYERS, VOCABULARY, MAX_POSITIONS = 768, 12, 3072, 12, 50257, 1024
SIZE = WIDTH // HEADS


def fused_projection(b, x, out_features, gain=1.0):
    """transformers' Conv1D: a Gemm on the flattened rows."""
    batch, rows, width = b.values[x].shape
    weight = b.rng.standard_normal((width, out_features)) * (gain / math.sqrt(width))
    bias = b.rng.normal(0, 0.1, out_features).astype(np.float32)
    x = b.node("Reshape", x, b.constant([-1, width]))
    x = b.node("Gemm", x, b.weight("weight", weight.astype(np.float32)), b.weight("bias", bias),
               alpha=1.0, beta=1.0)
    return b.node("Reshape", x, b.constant([batch, rows, out_features]))


def with_past(b, x, layer, kind, past):
    """Appends the new keys or values to the past ones, both [1, heads, tokens, size]."""
    if not past:
        return x
    shape = [1, HEADS, past, SIZE]
    name = b.input(f"past_{layer}_{kind}", shape, b.rng.standard_normal(shape).astype(np.float32))
    total = past + b.values[x].shape[2]
    x = b.node("Concat", name, x, axis=2, output=f"present_{layer}_{kind}")
    b.output(x, [1, HEADS, total, SIZE])
    return x


def causal_mask(b, tokens, past):
    """0 where a token may look, the most negative number after it; [1, 1, tokens, past + tokens]."""
    allowed = np.tril(np.ones((tokens, past + tokens), bool), past)
    mask = np.where(allowed, 0, np.finfo(np.float32).min).astype(np.float32)
    return b.constant(mask[None, None], "float32")


def attention(b, x, layer, mask, past):
    with b.scope("c_attn"):
        projected = fused_projection(b, x, 3 * WIDTH)
    query, key, value = b.node("Split", projected, b.constant([WIDTH] * 3), outputs=3, axis=2)
    query, key, value = (transformer.split_heads(b, part, HEADS) for part in (query, key, value))
    key = with_past(b, key, layer, "key", past)
    value = with_past(b, value, layer, "value", past)
    context = transformer.attend(b, query, b.node("Transpose", key, perm=[0, 1, 3, 2]), value, mask)
    with b.scope("c_proj"):
        return fused_projection(b, context, WIDTH)


def block(b, x, layer, mask, past):
    with b.scope("attn"):
        x = b.node("Add", attention(b, transformer.layer_norm(b, x, "ln_1"), layer, mask, past), x)
    with b.scope("mlp"):
        y = transformer.layer_norm(b, x, "ln_2")
        with b.scope("c_fc"):
            y = fused_projection(b, y, HIDDEN)
        y = transformer.gelu_tanh(b, y)
        with b.scope("c_proj"):
            return b.node("Add", x, fused_projection(b, y, WIDTH))


def gpt2(tokens, past, layers=LAYERS, vocabulary=VOCABULARY, opset=17, seed=0):
    """Returns the model: int64 `input_ids` [1, tokens] -> `logits` [1, tokens, vocabulary]."""
    b = GraphBuilder("gpt2", opset, seed)
    ids = b.input("input_ids", [1, tokens], b.rng.integers(0, vocabulary, (1, tokens)))
    table = b.rng.normal(0, 0.2, (vocabulary, WIDTH)).astype(np.float32)
    positions = b.rng.normal(0, 0.2, (MAX_POSITIONS, WIDTH)).astype(np.float32)
    with b.scope("transformer"):
        with b.scope("wte"):
            word_table = b.weight("weight", table)
            x = b.node("Gather", word_table, ids)
        with b.scope("wpe"):
            places = b.constant(np.arange(past, past + tokens)[None])
            x = b.node("Add", x, b.node("Gather", b.weight("weight", positions), places))
        mask = causal_mask(b, tokens, past)
        for layer in range(layers):
            with b.scope("h", f"h.{layer}"):
                x = block(b, x, layer, mask, past)
        x = transformer.layer_norm(b, x, "ln_f")
    with b.scope("lm_head"):
        b.node("MatMul", x, b.node("Transpose", word_table, perm=[1, 0]), output="logits")
    b.output("logits", [1, tokens, vocabulary])
    return b.build()


if __name__ == "__main__":
    parser = cli.parser(__doc__, opset=17)
    parser.add_argument("--tokens", type=int, default=1)
    parser.add_argument("--past", type=int, default=128)
    args = parser.parse_args()
    cli.save(gpt2(args.tokens, args.past, opset=args.opset, seed=args.seed), args.output)
