#include "support/messages_server/gzip.h"

#include <cassert>
#include <utility>

namespace messages_server {
namespace {

std::string little_endian(std::uint32_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

std::string block(bool last, const std::string& bytes) {
  const auto length = static_cast<std::uint16_t>(bytes.size());
  return (last ? '\1' : '\0') + little_endian(length, 2) + little_endian(static_cast<std::uint16_t>(~length), 2) +
         bytes;
}

std::uint32_t crc32(std::uint32_t crc, const std::string& bytes) {
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
  }
  return crc;
}

}  // namespace

std::string Gzip::begin() {
  // Magic, deflate, no flags, no time, no hints, system unknown.
  return std::exchange(begun_, true) ? "" : std::string("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
}

std::string Gzip::piece(const std::string& bytes) {
  assert(bytes.size() <= 0xFFFF);
  crc_ = crc32(crc_, bytes);
  size_ += static_cast<std::uint32_t>(bytes.size());
  return begin() + block(/*last=*/false, bytes);
}

std::string Gzip::end() {
  return begin() + block(/*last=*/true, {}) + little_endian(~crc_, 4) + little_endian(size_, 4);
}

}  // namespace messages_server
