// Text as it might stand in a store, made up from a fixed seed: word frequencies by Zipf's law as Mandelbrot mended it,
// a vocabulary that grows with the text by Heaps' law, English function words on its top ranks and invented words
// below. Pure; the same on every machine.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace selfmind::bench {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  // The library's distributions differ between systems; these do not.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  bool chance(double probability) { return unit() < probability; }

 private:
  std::mt19937_64 engine_;
};

// What a chat is about: words that come again and again in it, and else as often as any.
using Topic = std::vector<std::uint32_t>;

class Writer {
 public:
  // `words`: how many there will be in all texts together.
  Writer(double words, std::uint64_t seed);

  Topic topic();
  // Sentences of `words` words together; `asks`: the last one is a question.
  std::string text(std::size_t words, const Topic& topic, bool asks);

  std::size_t vocabulary() const { return vocabulary_.size(); }

 private:
  std::string new_word(std::size_t rank);
  std::size_t draw();

  Random random_;
  std::vector<std::string> vocabulary_;  // by rank
  std::vector<double> up_to_;            // how likely a word is of this rank or a higher one
};

// Questions as somebody would ask them: four to ten words that say something, some that do not between them.
std::string question_about(const std::string& text, Random& random);
std::string question_about_nothing_known(Random& random);
std::string question_of_frequent_words(Random& random);

}  // namespace selfmind::bench
