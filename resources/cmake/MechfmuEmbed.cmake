# mechfmu_embed(TARGET FUNCTION name=file ...): puts files into TARGET byte for byte; `FUNCTION()` in C++ returns them:
#   namespace mechfmu { struct EmbeddedFile { std::string_view name, content; };
#                       std::span<const EmbeddedFile> FUNCTION(); }
function(mechfmu_embed target function)
  set(assembly "    .section .rodata\n")
  set(declarations "")
  set(entries "")
  set(files "")
  set(index 0)
  foreach(pair IN LISTS ARGN)
    string(REGEX MATCH "^([^=]+)=(.+)$" _ "${pair}")
    set(name "${CMAKE_MATCH_1}")
    set(file "${CMAKE_MATCH_2}")
    set(symbol "mechfmu_${function}_${index}")
    string(APPEND assembly
      "    .balign 16\n    .global ${symbol}_begin\n${symbol}_begin:\n    .incbin \"${file}\"\n"
      "    .global ${symbol}_end\n${symbol}_end:\n    .byte 0\n")
    string(APPEND declarations "extern const char ${symbol}_begin[];\nextern const char ${symbol}_end[];\n")
    string(APPEND entries
      "      {\"${name}\", {${symbol}_begin, static_cast<std::size_t>(${symbol}_end - ${symbol}_begin)}},\n")
    list(APPEND files "${file}")
    math(EXPR index "${index} + 1")
  endforeach()
  string(APPEND assembly "    .section .note.GNU-stack,\"\",%progbits\n")
  set(base ${CMAKE_CURRENT_BINARY_DIR}/embedded_${function})
  file(CONFIGURE OUTPUT ${base}.s CONTENT "${assembly}" @ONLY)
  file(CONFIGURE OUTPUT ${base}.cpp CONTENT
"#include <array>\n#include \"support/embedded.hpp\"\nextern \"C\" {\n${declarations}}\nnamespace mechfmu {\nstd::span<const EmbeddedFile> ${function}() {\n  static const std::array<EmbeddedFile, ${index}> files{{\n${entries}  }};\n  return files;\n}\n}\n" @ONLY)
  set_source_files_properties(${base}.s PROPERTIES OBJECT_DEPENDS "${files}" LANGUAGE ASM)
  target_sources(${target} PRIVATE ${base}.s ${base}.cpp)
endfunction()
