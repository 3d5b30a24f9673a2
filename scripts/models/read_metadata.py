#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints one metadata property of an ONNX model; needs nothing but Python.

Usage: read_metadata.py MODEL.onnx KEY
"""
import sys

METADATA_PROPS = 14  # onnx.ModelProto.metadata_props, of StringStringEntryProto {1: key, 2: value}
VARINT, FIXED64, LENGTH_DELIMITED, FIXED32 = 0, 1, 2, 5


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """Yields (number, bytes) of each length-delimited field of a serialised protobuf message."""
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        number, wire_type = tag >> 3, tag & 7
        if wire_type == VARINT:
            _, at = read_varint(data, at)
        elif wire_type == FIXED64:
            at += 8
        elif wire_type == FIXED32:
            at += 4
        elif wire_type == LENGTH_DELIMITED:
            length, at = read_varint(data, at)
            yield number, data[at:at + length]
            at += length
        else:
            raise ValueError(f"wire type {wire_type} at byte {at}: not a serialised ONNX model")


def metadata(model):
    entries = (dict(fields(value)) for number, value in fields(model) if number == METADATA_PROPS)
    return {bytes(e[1]).decode(): bytes(e[2]).decode() for e in entries}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    path, key = sys.argv[1:]
    with open(path, "rb") as file:
        found = metadata(memoryview(file.read()))
    if key not in found:
        known = ", ".join(found) or "none"
        sys.exit(f"read_metadata: {path}: no property '{key}'; it has: {known}")
    sys.stdout.write(found[key])


if __name__ == "__main__":
    main()
