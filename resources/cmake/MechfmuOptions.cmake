# Compile options as targets; nothing global.
add_library(mechfmu_warnings INTERFACE)
target_compile_options(mechfmu_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  $<$<BOOL:${MECHFMU_WERROR}>:-Werror>
  # g++ 12 sees an overlap in "text" + std::string that is not there (GCC bug 105651)
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)

add_library(mechfmu_sanitizers INTERFACE)
if(MECHFMU_SANITIZE)
  target_compile_options(mechfmu_sanitizers INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(mechfmu_sanitizers INTERFACE -fsanitize=address,undefined)
endif()

# What may go into an FMU: no exceptions, no RTTI, no symbol that libc and libm do not have, the same rounding on
# every machine (facts: -ffp-contract=off, no -march, no -ffast-math).
add_library(mechfmu_fmu_flags INTERFACE)
target_compile_options(mechfmu_fmu_flags INTERFACE
  -O2 -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -fno-exceptions -fno-rtti -fno-threadsafe-statics
  -ffunction-sections -fdata-sections -ffp-contract=off -fno-math-errno)
target_compile_definitions(mechfmu_fmu_flags INTERFACE EIGEN_MAX_ALIGN_BYTES=16 NDEBUG)
