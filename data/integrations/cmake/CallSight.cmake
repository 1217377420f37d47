# SPDX-License-Identifier: MIT
# An instrumented build in a build folder of its own. In CMakeLists.txt, behind project():
#
#   list(APPEND CMAKE_MODULE_PATH "${CMAKE_SOURCE_DIR}/callsight")
#   include(CallSight)
#   add_executable(app ...)
#   callsight_instrument(app)
#
# and then:
#
#   cmake -B build-callsight -DCALLSIGHT_INSTRUMENT=ON
#   cmake --build build-callsight
#
# Without CALLSIGHT_INSTRUMENT=ON callsight_instrument() does nothing.

set(CALLSIGHT_INSTRUMENT OFF CACHE BOOL "Build with Callsight's hooks in what trace.config chooses")
set(CALLSIGHT_CONFIG "${CMAKE_SOURCE_DIR}/trace.config" CACHE FILEPATH "What Callsight traces")
set(CALLSIGHT_COMMAND "callsight-cli" CACHE STRING "The command that makes the compiler's options; may be a list")
set(CALLSIGHT_NO_PIE OFF CACHE BOOL "Link instrumented programs at fixed addresses")
mark_as_advanced(CALLSIGHT_CONFIG CALLSIGHT_COMMAND CALLSIGHT_NO_PIE)

# Once in a project, however often this is included.
if(CALLSIGHT_INSTRUMENT AND NOT TARGET callsight_runtime)
  enable_language(C)
  find_package(Threads REQUIRED)
  set_property(GLOBAL PROPERTY CALLSIGHT_LIBRARIES "${CMAKE_THREAD_LIBS_INIT}" ${CMAKE_DL_LIBS})

  # Beside this file in a project, in the folder of the runtime where Callsight is installed.
  unset(_callsight_trace)
  foreach(_callsight_folder "." "../../runtime" "../../../runtime")
    if(NOT DEFINED _callsight_trace AND EXISTS "${CMAKE_CURRENT_LIST_DIR}/${_callsight_folder}/trace.c")
      set(_callsight_trace "${CMAKE_CURRENT_LIST_DIR}/${_callsight_folder}/trace.c")
    endif()
  endforeach()
  if(NOT DEFINED _callsight_trace)
    message(FATAL_ERROR "callsight: ${CMAKE_CURRENT_LIST_DIR}/trace.c is missing — run callsight-cli init again")
  endif()

  # The project's own options are not for the runtime.
  add_library(callsight_runtime OBJECT "${_callsight_trace}")
  set_target_properties(callsight_runtime PROPERTIES
    COMPILE_OPTIONS "-O2;-pthread" COMPILE_DEFINITIONS "" INCLUDE_DIRECTORIES "" LINK_LIBRARIES ""
    C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
    INTERPROCEDURAL_OPTIMIZATION OFF UNITY_BUILD OFF C_CLANG_TIDY "" C_CPPCHECK "" C_INCLUDE_WHAT_YOU_USE ""
    EXCLUDE_FROM_ALL ON)
endif()

# The options for these sources, a list in a variable of the caller.
function(_callsight_get_options variable compiler)
  get_filename_component(folder "${CALLSIGHT_CONFIG}" DIRECTORY)
  execute_process(
    COMMAND ${CALLSIGHT_COMMAND} flags --config "${CALLSIGHT_CONFIG}" --format raw --compiler "${compiler}" -- ${ARGN}
    WORKING_DIRECTORY "${folder}"
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE told
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE)
  if(NOT result MATCHES "^-?[0-9]+$")
    message(FATAL_ERROR "callsight: ${CALLSIGHT_COMMAND}: ${result} — install Callsight, or say where it is: "
                        "-DCALLSIGHT_COMMAND=/path/to/callsight-cli")
  elseif(NOT result EQUAL 0)
    message(FATAL_ERROR "${told}")
  endif()
  if(NOT told STREQUAL "")
    message(STATUS "${told}")
  endif()
  separate_arguments(options UNIX_COMMAND "${output}")
  set(${variable} "${options}" PARENT_SCOPE)
endfunction()

# callsight_instrument(TARGET): a program gets hooks and the runtime, a library hooks; programs that link the library get
# the runtime.
function(callsight_instrument target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "callsight_instrument: ${target} is no target — call it behind add_executable or add_library")
  endif()
  if(NOT CALLSIGHT_INSTRUMENT)
    return()
  endif()
  if(NOT EXISTS "${CALLSIGHT_CONFIG}")
    message(FATAL_ERROR "callsight: ${CALLSIGHT_CONFIG} is missing — write one (callsight-cli init does), or name "
                        "another with -DCALLSIGHT_CONFIG=FILE")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "^(EXECUTABLE|STATIC_LIBRARY|SHARED_LIBRARY|MODULE_LIBRARY|OBJECT_LIBRARY)$")
    message(FATAL_ERROR "callsight_instrument: ${target} is compiled of no sources — name a program or library that is")
  endif()
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(names ${target} SOURCES)

  set(sources "")
  set(compiler "gcc")
  foreach(name IN LISTS names)
    if(name MATCHES "\\.(c|cc|cpp|cxx|c\\+\\+|C)$" AND NOT name MATCHES "\\$<")
      get_filename_component(path "${name}" ABSOLUTE BASE_DIR "${folder}")
      list(APPEND sources "${path}")
      set(language CXX)
      if(name MATCHES "\\.c$")
        set(language C)
      endif()
      if(CMAKE_${language}_COMPILER_ID MATCHES "Clang")
        set(compiler "clang")
      endif()
    endif()
  endforeach()

  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CALLSIGHT_CONFIG}")
  if(sources)
    # Where functions are chosen the options also depend on which functions the sources have.
    file(STRINGS "${CALLSIGHT_CONFIG}" lines REGEX "^[ \t]*include-func")
    if(lines)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
    endif()
    _callsight_get_options(options ${compiler} ${sources})
    set(language "$<OR:$<COMPILE_LANGUAGE:C>,$<COMPILE_LANGUAGE:CXX>>")
    foreach(option IN LISTS options)
      string(REPLACE ">" "$<ANGLE-R>" option "${option}")
      set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS "$<${language}:${option}>")
    endforeach()
  endif()

  get_property(libraries GLOBAL PROPERTY CALLSIGHT_LIBRARIES)
  set(is_program "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
  if(type STREQUAL "EXECUTABLE")
    set_property(TARGET ${target} APPEND PROPERTY SOURCES "$<TARGET_OBJECTS:callsight_runtime>")
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${libraries})
    if(CALLSIGHT_NO_PIE)
      set_property(TARGET ${target} PROPERTY POSITION_INDEPENDENT_CODE OFF)
      set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS "-fno-pie")
      set_property(TARGET ${target} APPEND PROPERTY LINK_OPTIONS "-no-pie")
    endif()
  else()
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_SOURCES
      "$<BUILD_INTERFACE:$<${is_program}:$<TARGET_OBJECTS:callsight_runtime>>>")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${libraries})
  endif()
endfunction()
