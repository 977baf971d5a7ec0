#include "text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>
#include <string_view>
#include <unordered_set>

#include "text/language.h"

namespace selfmind::bench {
namespace {

// Zipf and Mandelbrot: the word of rank r is as likely as 1 / (r + q)^s. Heaps: n words of text have k n^h different
// ones, 50,000 in 1.8 million and 200,000 in 18 million.
constexpr double s = 1.07, q = 2.7;
constexpr double k = 8.8, h = 0.6;

constexpr double from_topic = 0.3;  // of the words that say something
constexpr std::size_t topic_words = 40;
constexpr double inflected = 0.35;  // of the different words
constexpr double identifiers = 0.06;
constexpr double names = 0.02;

// About half of any English text, in about this order.
constexpr std::string_view function_words =
    "the of to and a in is it you that for on was with as be this are at or from have i not but by we they an if can "
    "which will one all there their what so when your do has would about how out up more them then some my these no "
    "than its into other could only our over also after should because where just who did most any been had were her "
    "his she he me us him before between through too very each both here why while does such those being under again "
    "same until against still few must may might shall yet whose during off down once cannot within";

// What one talks about while making programs, all of it frequent.
constexpr std::string_view ordinary_words =
    "use file time work make new code need test run error project build server change user set data way want first "
    "line name add call list problem think find start version function remember fix value type system decide case "
    "look database key read write number service check log try open word request message release week page long tell "
    "support point end script state config team issue branch update default cache memory path old link show part "
    "client fail port token plan review search index thread table result option event module method string table2 "
    "deploy customer meeting design question answer reason export import network password account";

constexpr std::string_view starts[] = {
    "What did we decide about", "How do I",     "Why does the", "Where is the", "When did we", "Which",
    "Do you remember the",      "Tell me about"};
constexpr std::string_view links[] = {"and", "of the", "in", "for", "with the", "to", "on the", "from", "is"};

constexpr std::string_view onsets[] = {"b",  "c",  "d",  "f",  "g",  "h",  "j",  "k",  "l",  "m",  "n",  "p",  "r",
                                       "s",  "t",  "v",  "w",  "z",  "br", "cr", "dr", "fr", "gr", "pr", "tr", "bl",
                                       "cl", "fl", "gl", "pl", "sl", "st", "sp", "sk", "sh", "ch", "th"};
constexpr std::string_view vowels[] = {"a", "e", "i", "o", "u", "a", "e", "i", "o", "ai", "ea", "ee", "io", "oa", "ou"};
constexpr std::string_view codas[] = {"", "", "", "", "n", "r", "l", "s", "t", "m", "d", "k", "nd", "rt", "st", "ng"};
constexpr std::string_view endings[] = {"s", "s", "s", "ed", "ing", "er", "ly", "ation"};

// No text has it: invented words do not double a z.
constexpr std::string_view unknown_ending = "zzup";

template <std::size_t N>
std::string_view one_of(const std::string_view (&list)[N], Random& random) {
  return list[random.below(N)];
}

std::vector<std::string> split(std::string_view list) {
  std::istringstream stream{std::string(list)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::size_t function_word_count() {
  static const std::size_t count = split(function_words).size();
  return count;
}

bool is_function_word(const std::string& word) {
  static const auto list = split(function_words);
  static const std::unordered_set<std::string> known(list.begin(), list.end());
  return known.count(word) > 0;
}

std::string capitalised(std::string word) {
  word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  return word;
}

std::string invented(Random& random) {
  std::string word;
  const std::size_t syllables = 1 + random.below(2);
  for (std::size_t i = 0; i < syllables; ++i) {
    word += one_of(onsets, random);
    word += one_of(vowels, random);
  }
  return word + std::string(one_of(codas, random));
}

std::string number(std::size_t below, Random& random) { return std::to_string(random.below(below)); }

std::string identifier(Random& random) {
  const auto first = invented(random);
  const auto second = invented(random);
  switch (random.below(7)) {
    case 0:
      return first + capitalised(second);
    case 1:
      return first + "_" + second;
    case 2:
      return "src/" + first + "/" + second + ".cpp";
    case 3:
      return first + "." + second + "()";
    case 4:
      return "E1" + number(9'000, random);
    case 5:
      return number(20, random) + "." + number(20, random) + "." + number(20, random);
    default:
      return number(100'000, random);
  }
}

std::string ask(const std::vector<std::string>& words, Random& random) {
  std::string question(one_of(starts, random));
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0 && random.chance(0.5)) question += " " + std::string(one_of(links, random));
    question += " " + words[i];
  }
  return question + "?";
}

std::size_t some(Random& random) { return 4 + random.below(7); }

}  // namespace

Writer::Writer(double words, std::uint64_t seed) : random_(seed), vocabulary_(split(function_words)) {
  for (auto& word : split(ordinary_words)) vocabulary_.push_back(std::move(word));
  std::unordered_set<std::string> known(vocabulary_.begin(), vocabulary_.end());
  const auto size = std::max(static_cast<std::size_t>(k * std::pow(words, h)), vocabulary_.size());
  while (vocabulary_.size() < size) {
    auto word = new_word(vocabulary_.size());
    if (word.size() < 3 || text::stop_word_in(word) != 0 || !known.insert(word).second) continue;
    vocabulary_.push_back(std::move(word));
  }
  double sum = 0;
  for (std::size_t rank = 0; rank < size; ++rank) {
    sum += std::pow(static_cast<double>(rank + 1) + q, -s);
    up_to_.push_back(sum);
  }
}

// The more frequent, the shorter.
std::string Writer::new_word(std::size_t rank) {
  const bool far_down = rank > 300;
  if (far_down && random_.chance(identifiers)) return identifier(random_);
  if (far_down && random_.chance(inflected)) {
    return vocabulary_[function_word_count() + random_.below(rank - function_word_count())] +
           std::string(one_of(endings, random_));
  }
  std::string word = invented(random_);
  const std::size_t more = (rank > 2'000 ? 1 : 0) + random_.below(rank > 20'000 ? 2 : 1);
  for (std::size_t i = 0; i < more; ++i) word += invented(random_);
  return random_.chance(names) ? capitalised(word) : word;
}

std::size_t Writer::draw() {
  const double at = random_.unit() * up_to_.back();
  return static_cast<std::size_t>(std::lower_bound(up_to_.begin(), up_to_.end(), at) - up_to_.begin());
}

Topic Writer::topic() {
  Topic topic;
  while (topic.size() < topic_words) {
    const std::size_t rank = draw();
    if (rank >= function_word_count()) topic.push_back(static_cast<std::uint32_t>(rank));
  }
  return topic;
}

std::string Writer::text(std::size_t words, const Topic& topic, bool asks) {
  std::string text;
  std::size_t left_in_sentence = 0;
  for (std::size_t i = 0; i < words; ++i) {
    std::size_t rank = draw();
    if (rank >= function_word_count() && random_.chance(from_topic)) rank = topic[random_.below(topic.size())];
    const bool begins = left_in_sentence == 0;
    if (begins) left_in_sentence = std::min(6 + random_.below(11), words - i);
    if (!text.empty()) text += ' ';
    text += begins ? capitalised(vocabulary_[rank]) : vocabulary_[rank];
    --left_in_sentence;
    if (left_in_sentence == 0) {
      text += asks && i + 1 == words ? '?' : '.';
    } else if (random_.chance(0.06)) {
      text += ',';
    }
  }
  return text;
}

std::string question_about(const std::string& text, Random& random) {
  std::vector<std::string> words;
  bool begins = true;
  for (auto& word : split(text)) {
    if (begins) word[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(word[0])));
    begins = word.back() == '.' || word.back() == '?';
    word.resize(word.find_last_not_of(",.?") + 1);
    if (!is_function_word(word) && std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  const auto wanted = std::min(some(random), words.size());
  while (words.size() > wanted) words.erase(words.begin() + static_cast<std::ptrdiff_t>(random.below(words.size())));
  return ask(words, random);
}

std::string question_about_nothing_known(Random& random) {
  std::vector<std::string> words(some(random));
  for (auto& word : words) word = invented(random) + std::string(unknown_ending);
  return ask(words, random);
}

std::string question_of_frequent_words(Random& random) {
  static const auto frequent = split(ordinary_words);
  std::vector<std::string> words(some(random));
  for (auto& word : words) word = frequent[random.below(frequent.size())];
  return ask(words, random);
}

}  // namespace selfmind::bench
