#include "package/memory_stream.hpp"

#include <algorithm>
#include <cstring>

namespace mechfmu {
namespace {

MemoryStream& stream_of(voidpf handle) { return *static_cast<MemoryStream*>(handle); }

voidpf open_stream(voidpf opaque, const void*, int) {
  stream_of(opaque).position = 0;
  return opaque;
}

uLong read_stream(voidpf, voidpf handle, void* to, uLong size) {
  MemoryStream& stream = stream_of(handle);
  if (stream.position >= stream.bytes.size()) return 0;
  const std::size_t count = std::min<std::size_t>(size, stream.bytes.size() - stream.position);
  std::memcpy(to, stream.bytes.data() + stream.position, count);
  stream.position += count;
  return count;
}

uLong write_stream(voidpf, voidpf handle, const void* from, uLong size) {
  MemoryStream& stream = stream_of(handle);
  if (stream.position + size > stream.bytes.size()) stream.bytes.resize(stream.position + size);
  std::memcpy(stream.bytes.data() + stream.position, from, size);
  stream.position += size;
  return size;
}

ZPOS64_T tell_stream(voidpf, voidpf handle) { return stream_of(handle).position; }

long seek_stream(voidpf, voidpf handle, ZPOS64_T offset, int origin) {
  MemoryStream& stream = stream_of(handle);
  const std::size_t size = stream.bytes.size();
  const std::size_t base = origin == ZLIB_FILEFUNC_SEEK_CUR   ? stream.position
                           : origin == ZLIB_FILEFUNC_SEEK_END ? size
                                                              : 0;
  if (offset > size || base > size - offset) return -1;  // a damaged archive points anywhere
  stream.position = base + static_cast<std::size_t>(offset);
  return 0;
}

int close_stream(voidpf, voidpf) { return 0; }
int find_error(voidpf, voidpf) { return 0; }

}  // namespace

zlib_filefunc64_def make_memory_functions(MemoryStream& stream) {
  zlib_filefunc64_def functions{};
  functions.zopen64_file = open_stream;
  functions.zread_file = read_stream;
  functions.zwrite_file = write_stream;
  functions.ztell64_file = tell_stream;
  functions.zseek64_file = seek_stream;
  functions.zclose_file = close_stream;
  functions.zerror_file = find_error;
  functions.opaque = &stream;
  return functions;
}

}  // namespace mechfmu
