# NAME.csv of the layer TARGET becomes BINARY_DIR/TARGET/NAME.inc: one ROW("field", "field", ...) for each row. A .cpp
# turns the fields into typed constants. The files have no quotes, and no commas inside a field, so that this is
# all the reading they need; a line that begins with # is a comment.
function(pve_rdma_compile_tables target)
  foreach(name ${ARGN})
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/${target}/${name}.csv)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    if(text MATCHES "[\"\\]")
      message(FATAL_ERROR "${file}: a quote or a backslash")
    endif()
    string(REGEX REPLACE "#[^\n]*\n" "" text "${text}")
    string(REPLACE "," "\", \"" text "${text}")
    string(REGEX REPLACE "([^\n]+)\n" "ROW(\"\\1\")\n" text "${text}")
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}/${name}.inc CONTENT "${text}" @ONLY)
  endforeach()
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
