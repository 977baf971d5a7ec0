// The recorded answers in fixtures/messages-api, for the tests that take them apart.
#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace selfmind::test {

inline std::filesystem::path transcript_folder() { return std::filesystem::path(SELFMIND_FIXTURES) / "messages-api"; }

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("not readable: " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Transcript {
  std::string name;
  std::string bytes;
};

inline std::vector<Transcript> transcripts() {
  std::vector<Transcript> out;
  for (const auto& entry : std::filesystem::directory_iterator(transcript_folder())) {
    if (entry.path().extension() == ".txt") out.push_back({entry.path().filename().string(), read_file(entry.path())});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

// Where a transcript is split, ascending: everywhere; in one too long for that, around each event border and at 2,000
// places that are the same in every run.
inline std::vector<std::size_t> split_positions(const std::string& bytes) {
  std::vector<std::size_t> out;
  if (bytes.size() < 10'000) {
    for (std::size_t at = 0; at <= bytes.size(); ++at) out.push_back(at);
    return out;
  }
  for (auto border = bytes.find("\n\n"); border != std::string::npos; border = bytes.find("\n\n", border + 2)) {
    const std::size_t first = border + 2 > 64 ? border + 2 - 64 : 0;
    for (std::size_t at = first; at <= std::min(border + 2 + 64, bytes.size()); ++at) out.push_back(at);
  }
  std::mt19937 random(20261130);
  for (int i = 0; i < 2000; ++i) out.push_back(random() % bytes.size());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace selfmind::test
