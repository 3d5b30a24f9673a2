# SPDX-License-Identifier: Apache-2.0
# Functions that declare the targets of this project.

# cairn_layer(<layer> SOURCES <files...> [DEPS <targets...>] [PRIVATE_DEPS <targets...>])
# One static library per layer, `cairn_<layer>`; includes are written from src/ ("ir/graph.h").
function(cairn_layer layer)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  string(REPLACE "/" "_" target "cairn_${layer}")
  add_library(${target} STATIC ${ARG_SOURCES})
  target_include_directories(${target} PUBLIC "${CMAKE_SOURCE_DIR}/src")
  target_link_libraries(${target} PUBLIC ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS})
  cairn_precompile(${target})
endfunction()

# cairn_kernel_sources(<target> <files...>)
# Adds kernel sources that Highway compiles for every instruction set of CAIRN_KERNEL_FLAGS and up.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # The lowest x86 target is x86-64-v3: AVX2, FMA and F16C are the baseline, AVX-512 is added by Highway.
  # Highway counts AES among the features of AVX2; without it the baseline would be SSE4.
  set(CAIRN_KERNEL_FLAGS -march=haswell -maes -O3)
else()
  set(CAIRN_KERNEL_FLAGS -O3)
endif()
# Instrumented register tiles take g++ minutes at -O3.
if(CAIRN_SANITIZE)
  list(TRANSFORM CAIRN_KERNEL_FLAGS REPLACE "^-O3$" "-O1")
endif()
function(cairn_kernel_sources target)
  target_sources(${target} PRIVATE ${ARGN})
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${CAIRN_KERNEL_FLAGS}"
                              SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# cairn_test(<name> SOURCES <files...> [DEPS <targets...>] [LABELS <labels...>] [TIMEOUT <seconds>])
# A GoogleTest program registered with ctest as one test per program.
function(cairn_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gtest GTest::gtest_main)
  cairn_precompile(${name} TEST)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  if(ARG_LABELS)
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}")
  endif()
endfunction()
