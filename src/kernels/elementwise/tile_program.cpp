// SPDX-License-Identifier: Apache-2.0
// The instruction loop of the element-wise engine.
#include "kernels/elementwise/tile_program.h"

#include <algorithm>

namespace cairn::kernels {

TileProgram PrepareTileProgram(Isa isa, const EltProgram& program) {
  TileProgram prepared{};
  prepared.program = &program;
  prepared.lanes = VectorFloats(isa);
  for (int i = 0; i < program.num_instructions; ++i) {
    prepared.ops[i] = GetTileOp(isa, program.code[i].op);
  }
  prepared.copy = GetTileOp(isa, EltOp::kCopy);
  return prepared;
}

void FillConstants(const EltProgram& program, TileScratch& scratch) {
  for (int i = 0; i < program.num_constants; ++i) {
    std::fill_n(scratch.constants[i], kMaxLanes, program.constants[i]);
  }
}

void RunTileProgram(const TileProgram& prepared, TileScratch& scratch, const TileSource* inputs,
                    const TileSink* sinks, ptrdiff_t rows, ptrdiff_t vectors) {
  const EltProgram& program = *prepared.program;
  const ptrdiff_t lanes = prepared.lanes, row_floats = vectors * lanes;
  TileSource values[kEltNumValues];
  bool dense = true;  // Rows follow each other in all operands: one long row is the same.
  for (int i = 0; i < program.num_inputs; ++i) {
    values[i] = inputs[i];
    dense = dense && inputs[i].row_step == vectors * inputs[i].vector_step;
  }
  for (int i = 0; i < program.num_constants; ++i) {
    values[kEltConstant0 + i] = {scratch.constants[i], 0, 0};
  }
  TileSink places[kEltMaxTemps];
  for (int i = 0; i < kEltMaxTemps; ++i) places[i] = {scratch.temps[i], row_floats};
  for (int i = 0; i < program.num_outputs; ++i) {
    if (program.outputs[i] >= kEltTemp0) places[program.outputs[i] - kEltTemp0] = sinks[i];
    dense = dense && sinks[i].row_step == row_floats;
  }
  if (vectors == 1) {
    // A row is one vector: walk the rows as the vectors of one row, whatever their distance.
    bool sinks_dense = true;
    for (int i = 0; i < program.num_outputs; ++i) {
      sinks_dense = sinks_dense && sinks[i].row_step == lanes;
    }
    if (sinks_dense) {
      for (int i = 0; i < program.num_inputs; ++i) values[i].vector_step = values[i].row_step;
      vectors = rows;
      rows = 1;
    }
  } else if (dense) {
    vectors *= rows;
    rows = 1;
  }
  for (int i = 0; i < kEltMaxTemps; ++i) {
    values[kEltTemp0 + i] = {places[i].data, places[i].row_step, lanes};
  }
  for (int i = 0; i < program.num_instructions; ++i) {
    const EltInstruction& code = program.code[i];
    const TileSink& place = places[code.dst - kEltTemp0];
    const auto source = [&](uint8_t value) {
      return values[std::min<int>(value, kEltNumValues - 1)];
    };
    const EltTileArgs args{place.data,
                           place.row_step,
                           {source(code.a), source(code.b), source(code.c)},
                           rows,
                           vectors};
    prepared.ops[i](args);
  }
  for (int i = 0; i < program.num_outputs; ++i) {
    if (program.outputs[i] >= kEltTemp0) continue;
    const TileSource& from = values[program.outputs[i]];
    prepared.copy({sinks[i].data, sinks[i].row_step, {from, from, from}, rows, vectors});
  }
}

}  // namespace cairn::kernels
