// SPDX-License-Identifier: Apache-2.0
// Dynamic models: checks of the chosen batch, image size, dims or shape, and their setting.
#pragma once

#include "msame/dataset.h"
#include "msame/model.h"
#include "msame/options.h"

namespace msame {

/// Compares the options with what the model offers; prints the description for --debug. False after
/// a printed failure.
bool CheckGears(const Model& model, const Options& options);

/// Sets the chosen gear or shape on the input dataset. False after a printed failure.
bool SetGear(const Model& model, const Options& options, Dataset& inputs);

/// The largest batch of a model with dynamic batch, 0 for others.
uint64_t MaxBatch(const Model& model);

}  // namespace msame
