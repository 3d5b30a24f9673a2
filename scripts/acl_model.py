# SPDX-License-Identifier: Apache-2.0
"""Runs a compiled model through libascendcl.so: load once, execute with any shapes."""
import ctypes
import pathlib

import numpy as np

DTYPES = {0: np.float32, 1: np.float16, 2: np.int8, 3: np.int32, 4: np.uint8, 6: np.int16,
          7: np.uint16, 8: np.uint32, 9: np.int64, 10: np.uint64, 11: np.float64, 12: np.bool_}
POINTERS = ("aclmdlCreateDesc", "aclmdlCreateDataset", "aclCreateDataBuffer", "aclCreateTensorDesc",
            "aclmdlGetDatasetBuffer", "aclmdlGetDatasetTensorDesc", "aclGetDataBufferAddr")


class AclError(Exception):
    """A failed call with the library's text."""


class Library:
    """The library of one folder, initialised."""

    def __init__(self, lib_dir):
        self._lib = ctypes.CDLL(str(pathlib.Path(lib_dir) / "libascendcl.so"))
        for name in POINTERS:
            getattr(self._lib, name).restype = ctypes.c_void_p
        for name in ("aclGetTensorDescNumDims", "aclGetDataBufferSizeV2", "aclmdlGetNumOutputs"):
            getattr(self._lib, name).restype = ctypes.c_size_t
        self._lib.aclGetRecentErrMsg.restype = ctypes.c_char_p
        self.call("aclInit", None)
        self.call("aclrtSetDevice", 0)

    def raw(self, name, *arguments):
        return getattr(self._lib, name)(*arguments)

    def call(self, name, *arguments):
        code = self.raw(name, *arguments)
        if code != 0:
            text = self._lib.aclGetRecentErrMsg()
            raise AclError(f"{name}: {code}: {text.decode(errors='replace') if text else ''}")


class Model:
    """A loaded model of open shapes."""

    def __init__(self, library, path):
        self._acl = library
        self._id = ctypes.c_uint32()
        library.call("aclmdlLoadFromFile", str(path).encode(), ctypes.byref(self._id))
        self._desc = ctypes.c_void_p(library.raw("aclmdlCreateDesc"))
        library.call("aclmdlGetDesc", self._desc, self._id)
        self._num_outputs = library.raw("aclmdlGetNumOutputs", self._desc)

    def run(self, arrays):
        """Executes on numpy arrays in the order of the inputs; returns the outputs."""
        acl = self._acl
        arrays = [np.ascontiguousarray(array) for array in arrays]
        inputs = ctypes.c_void_p(acl.raw("aclmdlCreateDataset"))
        outputs = ctypes.c_void_p(acl.raw("aclmdlCreateDataset"))
        buffers = []
        try:
            for index, array in enumerate(arrays):
                buffers.append(self._add(inputs, array.ctypes.data, array.nbytes))
                self._set_shape(inputs, index, array.shape)
            for _ in range(self._num_outputs):
                buffers.append(self._add(outputs, None, 0))
            acl.call("aclmdlExecute", self._id, inputs, outputs)
            return [self._take(outputs, index) for index in range(self._num_outputs)]
        finally:
            for buffer in buffers:
                acl.raw("aclDestroyDataBuffer", buffer)
            acl.raw("aclmdlDestroyDataset", inputs)
            acl.raw("aclmdlDestroyDataset", outputs)

    def unload(self):
        self._acl.call("aclmdlUnload", self._id)
        self._acl.raw("aclmdlDestroyDesc", self._desc)

    def _add(self, dataset, address, size):
        buffer = ctypes.c_void_p(self._acl.raw("aclCreateDataBuffer", ctypes.c_void_p(address),
                                               ctypes.c_size_t(size)))
        self._acl.call("aclmdlAddDatasetBuffer", dataset, buffer)
        return buffer

    def _set_shape(self, dataset, index, shape):
        dims = (ctypes.c_int64 * max(len(shape), 1))(*shape)
        desc = ctypes.c_void_p(self._acl.raw("aclCreateTensorDesc", 0, len(shape), dims, 2))
        self._acl.call("aclmdlSetDatasetTensorDesc", dataset, desc, ctypes.c_size_t(index))
        self._acl.raw("aclDestroyTensorDesc", desc)

    def _take(self, dataset, index):
        acl = self._acl
        desc = ctypes.c_void_p(acl.raw("aclmdlGetDatasetTensorDesc", dataset,
                                       ctypes.c_size_t(index)))
        shape = []
        for axis in range(acl.raw("aclGetTensorDescNumDims", desc)):
            dim = ctypes.c_int64()
            acl.call("aclGetTensorDescDimV2", desc, ctypes.c_size_t(axis), ctypes.byref(dim))
            shape.append(dim.value)
        dtype = np.dtype(DTYPES[acl.raw("aclGetTensorDescType", desc)])
        buffer = ctypes.c_void_p(acl.raw("aclmdlGetDatasetBuffer", dataset, ctypes.c_size_t(index)))
        address = acl.raw("aclGetDataBufferAddr", buffer)
        count = int(np.prod(shape, dtype=np.int64))
        if count == 0 or address is None:
            return np.zeros(shape, dtype)
        data = ctypes.string_at(address, count * dtype.itemsize)
        acl.call("aclrtFree", ctypes.c_void_p(address))
        return np.frombuffer(data, dtype).reshape(shape)
