# SPDX-License-Identifier: Apache-2.0
"""Reads tests/models/models.json: which networks are tested and measured, on which inputs."""
import dataclasses
import json
import pathlib
import zlib

import numpy as np

from samples import random_image, text_image

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST_FILE = ROOT / "tests" / "models" / "models.json"


def prefix_mask(rng, shape, _low, _high):
    """Ones, then zeros from a random place in the second half of each row."""
    lengths = rng.integers(shape[-1] // 2, shape[-1] + 1, shape[:-1])
    return np.arange(shape[-1]) < lengths[..., None]


def uniform(rng, shape, low, high):
    return rng.uniform(low, high, shape)


def integers(rng, shape, low, high):
    return rng.integers(low, high, shape)


FILLS = {"image": random_image, "text": text_image, "uniform": uniform, "integers": integers,
         "prefix_mask": prefix_mask}


@dataclasses.dataclass(frozen=True)
class Model:
    """One entry of the list: a network with one set of input shapes."""
    name: str
    path: pathlib.Path
    tags: list
    inputs: dict  # name -> {shape, fill, low, high}
    parts: dict  # output name -> {axis, at}: an output whose parts have scales of their own
    tolerance: float
    reason: str  # why the tolerance is not the default
    no_conversions: bool  # compiled with no TransData inside

    def shapes_option(self):
        """The value of atc's --input_shape."""
        return ";".join(f"{name}:{','.join(map(str, spec['shape']))}"
                        for name, spec in self.inputs.items())

    def make_inputs(self, dtypes, seed=0):
        """Returns arrays by input name; `dtypes` gives each input's element type."""
        rng = np.random.default_rng([seed, zlib.crc32(self.name.encode())])
        return {name: FILLS[spec["fill"]](rng, spec["shape"], spec.get("low"), spec.get("high"))
                .astype(dtypes[name]) for name, spec in self.inputs.items()}


def load_models(directory, names=(), tags=("default",)):
    """Returns the models called `names`, or those that have one of `tags` if no names are given."""
    content = json.loads(LIST_FILE.read_text())
    known = {entry["name"]: entry for entry in content["models"]}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"unknown models {', '.join(unknown)}; known: {', '.join(known)}")
    entries = [known[name] for name in names] or [
        entry for entry in known.values() if set(tags) & set(entry["tags"])]
    return [make_model(entry, pathlib.Path(directory), content["tolerance"]) for entry in entries]


def make_model(entry, directory, default_tolerance):
    tolerance = entry.get("tolerance", default_tolerance)
    reason = entry.get("reason", "")
    if tolerance != default_tolerance and not reason:
        raise SystemExit(f"{LIST_FILE}: {entry['name']}: a tolerance of its own needs a reason")
    return Model(entry["name"], directory / entry["file"], entry["tags"], entry["inputs"],
                 entry.get("parts", {}), tolerance, reason, entry.get("no_conversions", False))
