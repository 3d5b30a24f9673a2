# SPDX-License-Identifier: Apache-2.0
# The install tree, and its copy in the build folder that every full build refreshes.

set(CAIRN_RUNPATH "$ORIGIN/../lib64")

# cairn_install_program(<target>): bin/, finding its libraries beside it.
function(cairn_install_program target)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${CAIRN_RUNPATH}")
  install(TARGETS ${target} RUNTIME DESTINATION bin)
endfunction()

# Appends the programs and shared libraries of `folder` and below to `result`.
function(_cairn_installable folder result)
  get_property(here DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS here)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "EXECUTABLE|SHARED_LIBRARY")
      list(APPEND ${result} ${target})
    endif()
  endforeach()
  get_property(subfolders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    _cairn_installable("${subfolder}" ${result})
  endforeach()
  set(${result} ${${result}} PARENT_SCOPE)
endfunction()

# cairn_add_stage(): the target `stage` installs into <build>/stage at the end of each full build.
function(cairn_add_stage)
  set(targets)
  foreach(folder src tools examples)
    if(EXISTS "${CMAKE_SOURCE_DIR}/${folder}/CMakeLists.txt")
      _cairn_installable("${CMAKE_SOURCE_DIR}/${folder}" targets)
    endif()
  endforeach()
  add_custom_target(stage ALL
    COMMAND "${CMAKE_COMMAND}" --install "${CMAKE_BINARY_DIR}" --prefix "${CMAKE_BINARY_DIR}/stage"
            > "${CMAKE_BINARY_DIR}/stage.log"
    COMMENT "Installing into ${CMAKE_BINARY_DIR}/stage"
    VERBATIM)
  add_dependencies(stage ${targets})
endfunction()
