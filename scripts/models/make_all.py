#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the generated networks of the tests (--bench: also the large ones) and tries each of them.

Each network must pass the ONNX checker, give finite outputs of reasonable size in ONNX Runtime, and
answer two different inputs differently. A network that is there already is not made again; after a
change of the scripts, --force makes it.
"""
import argparse
import os
import sys
import time

import numpy as np
import onnx
import onnxruntime as ort

import tiny_cnn
from bert import bert
from densenet import densenet121
from efficientnet import efficientnet_b0
from gpt2 import gpt2
from mobilenetv2 import mobilenetv2
from mobilenetv3 import mobilenetv3_large
from resnet import resnet
from samples import random_image
from shufflenetv2 import shufflenetv2
from unet import unet
from vgg16 import vgg16
from vit import vit_b16
from whisper_encoder import whisper_tiny_encoder
from yolov8n import yolov8n

BERT_SMALL = dict(layers=2, vocabulary=1000)
TEST_MODELS = {
    "resnet50": lambda: resnet(50),
    "resnet50_bn": lambda: resnet(50, fold_bn=False),
    "resnet18_bn_op11": lambda: resnet(18, fold_bn=False, opset=11),
    "mobilenetv2": mobilenetv2,
    "yolov8n": yolov8n,
    "yolov8n_simplified_op12": lambda: yolov8n(opset=12, simplify=True),
    "bert_2layers_op11": lambda: bert(**BERT_SMALL, opset=11),
    "bert_2layers_op14_where": lambda: bert(**BERT_SMALL, opset=14, mask="where"),
    "bert_2layers_op18": lambda: bert(**BERT_SMALL, opset=18),
}
BENCH_MODELS = {
    "bert_base": bert,
    "resnet18": lambda: resnet(18),
    "vgg16": vgg16,
    "efficientnet_b0": efficientnet_b0,
    "mobilenetv3_large": mobilenetv3_large,
    "shufflenetv2": shufflenetv2,
    "densenet121": densenet121,
    "unet_256": unet,
    "vit_b_16": vit_b16,
    "whisper_tiny_encoder": whisper_tiny_encoder,
    "gpt2_1_past128": lambda: gpt2(1, 128),
    "gpt2_128": lambda: gpt2(128, 0),
}
IMAGE_RANGES = {"input": (-2.1, 2.6), "images": (0, 1)}
SYMBOLS = {"batch_size": 1, "sequence_length": 64}
MIN_DEVIATION, MAX_DEVIATION = 1e-3, 1e3
MIN_DIFFERENCE = 1e-2  # of the outputs for two inputs, relative to their deviation


def sample_inputs(model, seed):
    rng = np.random.default_rng(seed)
    feeds = {}
    for value in model.graph.input:
        shape = [SYMBOLS.get(d.dim_param, d.dim_value)
                 for d in value.type.tensor_type.shape.dim]
        if value.name in IMAGE_RANGES:
            feeds[value.name] = random_image(rng, shape, *IMAGE_RANGES[value.name])
        elif value.type.tensor_type.elem_type == onnx.TensorProto.FLOAT:
            feeds[value.name] = rng.uniform(-1, 1, shape).astype(np.float32)
        else:  # valid as token ids, mask and token types
            feeds[value.name] = rng.integers(0, 2, shape)
    return feeds


def fault(model, path):
    """Returns what is wrong with the outputs, or None."""
    session = ort.InferenceSession(path, providers=["CPUExecutionProvider"])
    first, second = (session.run(None, sample_inputs(model, seed)) for seed in (1, 2))
    for info, x, y in zip(session.get_outputs(), first, second):
        if not np.isfinite(x).all():
            return f"output {info.name} is not finite"
        if not MIN_DEVIATION < x.std() < MAX_DEVIATION:
            return f"output {info.name} has deviation {x.std():.3g}"
        if (x - y).std() < MIN_DIFFERENCE * x.std():
            return f"output {info.name} hardly depends on the input"
    return None


def make(name, write, path):
    """Writes and tries one model; returns whether it is good."""
    start = time.time()
    model = write()
    part = path + ".part"
    onnx.save(model, part)
    reason = fault(model, part)
    if reason:
        os.remove(part)
        print(f"{name}: {reason}", file=sys.stderr)
        return False
    os.replace(part, path)
    print(f"{name}: {len(model.graph.node)} nodes, {model.ByteSize() / 1e6:.1f} MB, "
          f"{time.time() - start:.1f} s", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", nargs="?", default="build/models")
    parser.add_argument("--bench", action="store_true", help="also the large networks")
    parser.add_argument("--force", action="store_true", help="make again what is there")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these networks alone")
    args = parser.parse_args()
    os.makedirs(args.directory, exist_ok=True)

    models = TEST_MODELS | (BENCH_MODELS if args.bench or args.only else {})
    unknown = set(args.only or ()) - set(models) - {"tiny_cnn"}
    if unknown:
        known = ", ".join([*models, "tiny_cnn"])
        parser.error(f"unknown networks {sorted(unknown)}; known: {known}")
    good = True
    for name, write in models.items():
        path = os.path.join(args.directory, name + ".onnx")
        if (not args.only or name in args.only) and (args.force or not os.path.exists(path)):
            good = make(name, write, path) and good
    path = os.path.join(args.directory, "tiny_cnn.onnx")
    if (not args.only or "tiny_cnn" in args.only) and (args.force or not os.path.exists(path)):
        tiny_cnn.write(path)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
