// A gzip stream whose blocks are stored as they are, one for each piece, so that it needs no compressor and holds no
// piece back. Pure.
#pragma once
#include <cstdint>
#include <string>

namespace messages_server {

class Gzip {
 public:
  // `bytes`: 65,535 at most, the size of a stored block.
  std::string piece(const std::string& bytes);
  std::string end();

 private:
  std::string begin();

  bool begun_ = false;
  std::uint32_t crc_ = 0xFFFFFFFF;
  std::uint32_t size_ = 0;
};

}  // namespace messages_server
