# SPDX-License-Identifier: Apache-2.0
"""Writes ONNX graphs node by node, under the names that torch.onnx.export gives.

While a graph grows, every node is also run on sample inputs (one-node ONNX Runtime sessions), so
that a model script can set a norm's statistics or a weight's scale from what really flows there.
"""
import contextlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

IR_VERSION = 8
ELEMENT_TYPES = {
    np.dtype(np.float32): TensorProto.FLOAT,
    np.dtype(np.int64): TensorProto.INT64,
    np.dtype(np.int32): TensorProto.INT32,
    np.dtype(np.bool_): TensorProto.BOOL,
}


class GraphBuilder:
    """One graph under construction. Values go by name; `values` holds their samples."""

    def __init__(self, name, opset, seed=0, run_nodes=True):
        self.name = name
        self.opset = opset
        self.rng = np.random.default_rng(seed)
        self.values = {}
        self._run_nodes = run_nodes
        self._scope = []
        self._used = {}
        self._nodes = []
        self._inputs = []
        self._outputs = []
        self._initializers = []

    @contextlib.contextmanager
    def scope(self, *names):
        """Prefixes the names of what is added inside: scope("layer1", "layer1.0") as torch does."""
        self._scope.extend(names)
        yield
        del self._scope[-len(names):]

    def input(self, name, shape, sample):
        """Adds a graph input; dims of `shape` are ints or symbol names.

        `sample` may be a larger batch than the input: it only decides what weights are made for.
        """
        element_type = ELEMENT_TYPES[sample.dtype]
        self._inputs.append(helper.make_tensor_value_info(name, element_type, shape))
        self.values[name] = sample
        return name

    def output(self, name, shape, dtype=np.float32):
        """Declares the value `name` a graph output."""
        element_type = ELEMENT_TYPES[np.dtype(dtype)]
        self._outputs.append(helper.make_tensor_value_info(name, element_type, shape))

    def stop_running(self):
        """Adds further nodes without running them: their values have no samples."""
        self._run_nodes = False

    def weight(self, name, array):
        """Adds an initializer named as a torch parameter: "layer1.0.conv1.weight"."""
        path = [s for s, inner in zip(self._scope, self._scope[1:] + [""])
                if not inner.startswith(s + ".")]
        full_name = self._unique(".".join(path + [name]))
        self._initializers.append(numpy_helper.from_array(np.ascontiguousarray(array), full_name))
        self.values[full_name] = array
        return full_name

    def constant(self, value, dtype=np.int64):
        """Adds a Constant node, the form in which torch exports literals."""
        array = np.asarray(value, dtype)
        name = self.node("Constant", value=numpy_helper.from_array(array))
        self.values[name] = array
        return name

    def node(self, op_type, *inputs, outputs=1, output=None, **attributes):
        """Adds a node and returns the name of its output (a tuple of names if `outputs` > 1).

        `output` names the single output, for a graph output. An input None is an absent one.
        """
        name = self._unique("/".join(["", *self._scope, op_type]))
        names = [output] if output else [f"{name}_output_{i}" for i in range(outputs)]
        node = helper.make_node(op_type, [i or "" for i in inputs], names, name, **attributes)
        self._nodes.append(node)
        if self._run_nodes and op_type != "Constant":
            feeds = {i: self.values[i] for i in inputs if i}
            self.values.update(zip(names, self._run(node, feeds)))
        return names[0] if outputs == 1 else tuple(names)

    def build(self, metadata=None):
        """Returns the checked model."""
        graph = helper.make_graph(self._nodes, self.name, self._inputs, self._outputs,
                                  self._initializers)
        model = helper.make_model(graph, producer_name="graph_builder", ir_version=IR_VERSION,
                                  opset_imports=[helper.make_opsetid("", self.opset)])
        helper.set_model_props(model, metadata or {})
        onnx.checker.check_model(model)
        return model

    def evaluate(self, op_type, *arrays, **attributes):
        """Returns the first output of a node on arrays, without adding it to the graph."""
        feeds = {f"x{i}": array for i, array in enumerate(arrays)}
        return self._run(helper.make_node(op_type, list(feeds), ["y"], **attributes), feeds)[0]

    def _unique(self, name):
        count = self._used.get(name, 0)
        self._used[name] = count + 1
        return f"{name}_{count}" if count else name

    def _run(self, node, feeds):
        import onnxruntime as ort  # here, because a graph without calibration does not need it
        graph = helper.make_graph(
            [node], "one_node",
            [helper.make_tensor_value_info(name, ELEMENT_TYPES[array.dtype], None)
             for name, array in feeds.items()],
            [onnx.ValueInfoProto(name=name) for name in node.output])
        model = helper.make_model(graph, ir_version=IR_VERSION,
                                  opset_imports=[helper.make_opsetid("", self.opset)])
        options = ort.SessionOptions()
        options.log_severity_level = 3
        session = ort.InferenceSession(model.SerializeToString(), options,
                                       providers=["CPUExecutionProvider"])
        return session.run(None, feeds)
