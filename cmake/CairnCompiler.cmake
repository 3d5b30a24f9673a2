# SPDX-License-Identifier: Apache-2.0
# Compiler flags that hold for every target: warnings as errors, reproducible floating point, sanitizers, ccache.

find_program(CAIRN_CCACHE ccache)
if(CAIRN_CCACHE)
  # Without this leniency ccache does not keep what was compiled with precompiled headers.
  set(CMAKE_C_COMPILER_LAUNCHER env "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
      "${CAIRN_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_C_COMPILER_LAUNCHER}")
endif()

add_compile_options(-Wall -Wextra -Werror -Wno-missing-field-initializers)
# Rounding is decided by the source alone: no contraction of a*b+c outside explicit FMA calls.
add_compile_options(-ffp-contract=off)
# g++ 12 reports impossible accesses inside inlined standard containers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict
                      -Wno-maybe-uninitialized)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_C_FLAGS_RELEASE "-O2")
# The sanitizers' build: line numbers are enough, and -O1 compiles in little more than half the time of -O2.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1")
add_compile_definitions($<$<CONFIG:Debug>:CAIRN_DCHECKS>)

if(CAIRN_SANITIZE)
  add_compile_options(-fsanitize=${CAIRN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CAIRN_SANITIZE})
  add_compile_definitions(CAIRN_DCHECKS)
endif()
if(CAIRN_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
