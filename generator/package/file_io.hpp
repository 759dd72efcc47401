// Whole files, read and written so that every failure of the world has words: a missing folder, a
// full disk, a file size limit, a pipe where a file should be. The functions return the reason, or
// an empty text if all went well.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace mechfmu {

// Only regular files (opening a pipe or a terminal would wait for ever), at most `limit` bytes.
std::string read_file(const std::string& path, std::uint64_t limit, std::string& content);

enum class IfExists { fail, replace };

// The file is complete when "" is returned and gone when a reason is (it is left alone if it could
// not be opened). `replace` empties an existing file and follows links; `fail` never touches or
// follows what is there.
std::string write_file(const std::string& path, std::string_view content, IfExists if_exists);

// A folder and the folders above it.
std::string make_folders(const std::string& path);

// "8f0c41d29a77e3b6": letters nobody can guess, for names in folders that others can write to.
std::string make_random_name();

std::string error_text(int error_number);  // "No space left on device"

}  // namespace mechfmu
