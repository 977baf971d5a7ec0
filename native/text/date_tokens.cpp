#include "text/date_tokens.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <optional>
#include <unordered_map>

#include "text/calendar.h"

namespace selfmind::text::date_words {
namespace {

using namespace calendar;

constexpr std::size_t bytes_read = 4096;

struct Row {
  Lexeme lexeme;
  std::string_view words;  // "|": the value is one more from here on
};

// clang-format off
constexpr Row lexicon[] = {
    // x: words that matter to others; 1: German, where "hier" is "here"; 2: what follows is no one time. w: what may
    // follow "in may", where another word has "may" for its verb.
    {{'x', 1}, "ist nicht wir ich haben hat wie sind steht gibt auf mit fur wurde war wird kann auch noch nur bitte man oder"},
    {{'x', 2}, "guten jeden every each chaque 每 毎"},
    {{'x', 0}, "晚上 早上 马上 以上 线上 网上 以下"},
    {{'w'}, "we i you they he she it did do was were or about for at"},
    // t: articles (1: "the"; 2: German). What may introduce a date: i in, f of, o on, j the German "on", u by and until,
    // s since, b before, G the German "before" and "ago", a after, B between (and & between the two; 1: "to"; 2: "until" too).
    {{'t', 1}, "the"}, {{'t', 2}, "der das des"}, {{'t', 0}, "die la le les l"},
    {{'i'}, "in im during within en au dans durant pendant wahrend"},
    {{'f'}, "of de d du の 的"},
    {{'o'}, "on"}, {{'j'}, "am vom zum den dem"},
    {{'u'}, "by until till through around gegen jusqu"},
    {{'s'}, "since seit depuis 自从 自從"},
    {{'b'}, "before avant"}, {{'G'}, "vor"},
    {{'a'}, "after nach apres"},
    {{'B'}, "between from zwischen von entre 从 從"}, {{'&'}, "and et und 和"}, {{'&', 1}, "to|bis 到 至"},
    // What may follow one: l since, q after, F a part of it; and g, which after a date is "before".
    {{'l'}, "以来 以來 以降"}, {{'q'}, "之后 之後 以后 以後"}, {{'F', 0}, "上旬 初|中旬|下旬 底 末"},
    {{'E', 0}, "early beginning start anfang debut|mid middle mitte mi|late end ende fin"},
    // D: days from today. z: tomorrow, or the morning. J: years from this one. r: recently.
    {{'D', -3}, "大前天|vorgestern avant-hier 前天 一昨日 おととい|yesterday gestern hier 昨天 昨日 昨晚 昨夜 きのう"},
    {{'D', 0}, "today tonight heute aujourd 今天 今日 今晚 今早 今朝 本日 きょう|tomorrow demain 明天 明日 あした"},
    {{'D', 2}, "ubermorgen uebermorgen apres-demain 后天 後天 明後日 あさって"},
    {{'z', 1}, "morgen"},
    {{'J', -2}, "前年 一昨年 おととし"},
    {{'r'}, "recently lately neulich letztens kurzem kurzlich kuerzlich recemment dernierement 最近 近来 近來"},
    // W: which one, before its noun; X: after it; R: up to now.
    {{'W', -2}, "vorletzte vorletzten vorletzter vorletztes 上上 先々"},
    {{'W', -1}, "last previous letzte letzten letzter letztes vergangene vergangenen vergangener vergangenes"},
    {{'W', -1}, "vorige vorigen voriger voriges 上 上一 先 去 昨"},
    {{'W', 0}, "this these current diese diesen dieser dieses diesem ce cet cette ces 这 這 本 今 この"},
    {{'W', 1}, "next coming nachste nachsten nachster nachstes naechste naechsten naechster naechstes"},
    {{'W', 1}, "kommende kommenden kommender kommendes 下 来 來 明"},
    {{'W', 2}, "ubernachste ubernachsten 下下 再来 再來"},
    {{'X', -1}, "dernier derniere derniers dernieres passe passee passes passees"},
    {{'X', 1}, "prochain prochaine prochains prochaines"},
    {{'R'}, "past 过去 過去 近"},
    // U: units. c: what stands between a Chinese number and its unit. H: half. k: "the other day". y: "il y a".
    {{'U', minute}, "minute minutes minuten 分钟 分鐘"},
    {{'U', hour}, "hour stunde heure 小时 小時 時間"}, {{'U', hour, 1}, "hours stunden heures"},
    {{'U', day}, "day tag jour 天 日 日間"}, {{'U', day, 1}, "days tage tagen jours"},
    {{'U', week}, "week woche semaine 周 週 星期 礼拜 禮拜 週間"}, {{'U', week, 1}, "weeks wochen semaines"},
    {{'U', weekend}, "weekend week-end wochenende 周末 週末"}, {{'U', weekend, 1}, "weekends wochenenden week-ends"},
    {{'U', month}, "month monat monats mois 月 个月 個月 ヶ月 か月 カ月 ケ月 ヵ月"}, {{'U', month, 1}, "months monate monaten"},
    {{'U', quarter}, "quarter quartal quartals trimestre 季度 四半期"}, {{'U', quarter, 1}, "quarters quartale quartalen"},
    {{'U', year}, "year jahr jahre jahres annee 年 年間"}, {{'U', year, 1}, "years jahren annees ans"},
    {{'U', part_of_day}, "night morning afternoon evening nacht abend matin soir nuit"},
    {{'c'}, "个 個"}, {{'H'}, "half halben halbes demi 半"}, {{'k'}, "other"}, {{'g'}, "ago 前 之前 以前"}, {{'y'}, "y"},
    // N: numbers (digits, and Chinese ones, are read by the lexer). V: vague ones. p: first to tenth.
    {{'N', 1}, "a an one ein eine einem einen einer un une|two zwei deux|three drei trois|four vier quatre"},
    {{'N', 5}, "five funf fuenf cinq|six sechs|seven sieben|eight acht huit|nine neun neuf|ten zehn dix|eleven elf onze"},
    {{'N', 12}, "twelve zwolf zwoelf douze"},
    {{'V', 1, 3}, "couple"}, {{'V', 2, 6}, "few several some paar einige einigen einiger quelques plusieurs 几 幾 数"},
    {{'p', 1}, "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"},
    // M: months. K: days of the week. Q: quarters.
    {{'M', 1}, "january januar janner jaenner janvier|february februar feber fevrier|marz maerz|april avril|mai|june juni juin"},
    {{'M', 7}, "july juli juillet|august aout|september septembre|october oktober octobre|november novembre"},
    {{'M', 12}, "december dezember decembre"},
    {{'M', 1, 0, true}, "jan|feb|march mar mars|apr|may|jun|jul|aug|sep sept|oct okt|nov|dec dez"},
    {{'K', 1}, "monday montag lundi 周一 週一 星期一 礼拜一 月曜 月曜日|tuesday dienstag mardi 周二 週二 星期二 礼拜二 火曜 火曜日"},
    {{'K', 3}, "wednesday mittwoch mercredi 周三 週三 星期三 礼拜三 水曜 水曜日|thursday donnerstag jeudi 周四 週四 星期四 礼拜四 木曜 木曜日"},
    {{'K', 5}, "friday freitag vendredi 周五 週五 星期五 礼拜五 金曜 金曜日|saturday samstag sonnabend samedi 周六 週六 星期六 礼拜六 土曜 土曜日"},
    {{'K', 7}, "sunday sonntag dimanche 周日 週日 周天 星期日 星期天 礼拜天 礼拜日 日曜 日曜日"},
    {{'K', 1, 0, true}, "mon|tue tues|wed|thu thur thurs|fri|sat|sun"},
    {{'Q', 1, 0, true}, "q1|q2|q3|q4"},
    // S: seasons, by their first month; 1: not even after "in", where Spring is more often a library.
    {{'S', 3, 1, true}, "spring"}, {{'S', 3, 0, true}, "fruhling fruehling fruhjahr printemps 春 春天"},
    {{'S', 6, 0, true}, "summer sommer ete 夏 夏天"},
    {{'S', 9, 1, true}, "fall"}, {{'S', 9, 0, true}, "autumn herbst automne 秋 秋天"},
    {{'S', 12, 0, true}, "winter hiver 冬 冬天"},
};
// clang-format on
constexpr std::size_t longest_word = 12;  // bytes; four Chinese characters

constexpr std::string_view numerals = "〇一二三四五六七八九零两十兩";

struct Index {
  std::unordered_map<std::string_view, Lexeme> words;
  std::bitset<1 << 16> first;  // by its last two bytes, whether a Chinese or Japanese character may begin a word

  Index() {
    const auto mark = [&](std::string_view word) {
      if (word.size() >= 3) first.set(static_cast<unsigned char>(word[1]) << 8 | static_cast<unsigned char>(word[2]));
    };
    for (auto [lexeme, list] : lexicon) {
      while (!list.empty()) {
        const auto end = std::min(list.find_first_of(" |"), list.size());
        words.emplace(list.substr(0, end), lexeme);
        mark(list.substr(0, end));
        if (end < list.size() && list[end] == '|') ++lexeme.lo;
        list.remove_prefix(std::min(end + 1, list.size()));
      }
    }
    for (std::size_t at = 0; at < numerals.size(); at += 3) mark(numerals.substr(at, 3));
  }
};

const Index& index() {
  static const auto* const built = new Index;  // never freed: read until the process ends
  return *built;
}

const Lexeme* find_word(std::string_view word) {
  const auto found = index().words.find(word);
  return found == index().words.end() ? nullptr : &found->second;
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() && {
    tokens_.reserve(text_.size() / 4);
    while (at_ < text_.size()) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (is_digit(text_[at_])) {
        number();
      } else if (is_letter(text_[at_]) || (c >= 0x80 && c < 0xE0)) {
        word();
      } else if (c >= 0xE0) {
        character();
      } else {
        if (c > ' ' && c != '\'') push({c == '-' || c == '.' ? text_[at_] : ','}, at_ + 1);
        at_ += c <= ' ' || c == '\'';
      }
    }
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  void push(const Lexeme& lexeme, std::size_t end) {
    tokens_.push_back({lexeme, text_.substr(at_, end - at_)});
    at_ = end;
  }

  const Lexeme* find_lower(std::size_t end) const {
    std::array<char, longest_word> word;
    if (end - at_ > word.size()) return nullptr;
    std::transform(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.begin() + static_cast<std::ptrdiff_t>(end),
                   word.begin(), lower);
    return find_word({word.data(), end - at_});
  }

  // The end of an identifier or a number with its parts (v10.0, 2026-05-03T10:00, 192.168.1.1:80), which are one token.
  std::size_t end_of_name(std::size_t end) const {
    const auto glue = [&](std::size_t at) {
      return std::string_view(".:/+-").find(peek(at)) != std::string_view::npos && is_digit(peek(at + 1));
    };
    while (end < text_.size() && (is_name(text_[end]) || glue(end))) ++end;
    return end;
  }

  void word() {
    const auto is_part = [&](std::size_t at) {
      const auto c = static_cast<unsigned char>(peek(at));
      return is_letter(peek(at)) || (c >= 0x80 && c < 0xE0);
    };
    std::size_t end = at_;
    while (is_part(end)) ++end;
    if (peek(end) == '-' && is_letter(peek(end + 1))) {  // week-end
      std::size_t joined = end + 1;
      while (is_letter(peek(joined)) && joined - at_ <= longest_word) ++joined;
      if (const Lexeme* lexeme = find_lower(joined)) return push(*lexeme, joined);
    }
    const Lexeme* lexeme = find_lower(end);
    const bool file = peek(end) == '.' && (is_lower(peek(end + 1)) || is_digit(peek(end + 1)));  // march.py
    const bool name =
        is_name(peek(end)) || peek(end) == '@' || (!lexeme && peek(end) == '-' && is_digit(peek(end + 1)));
    if (!file && !name) return push(lexeme ? *lexeme : Lexeme{}, end);
    end = end_of_name(file ? end + 1 : end);
    lexeme = find_lower(end);  // q3
    push(lexeme && lexeme->kind == 'Q' ? *lexeme : Lexeme{}, end);
  }

  // Chinese, Japanese: the longest word of the lexicon, a number, or a character.
  void character() {
    std::size_t end = at_ + 1;
    while ((static_cast<unsigned char>(peek(end)) & 0xC0) == 0x80 && end < at_ + 4) ++end;
    const auto last_bytes = static_cast<unsigned char>(peek(at_ + 1)) << 8 | static_cast<unsigned char>(peek(at_ + 2));
    if (!index().first.test(static_cast<std::size_t>(last_bytes))) return push({}, end);
    for (std::size_t bytes = longest_word; bytes > 0; bytes -= 3) {
      if (at_ + bytes > text_.size()) continue;
      if (const Lexeme* lexeme = find_word(text_.substr(at_, bytes))) return push(*lexeme, at_ + bytes);
    }
    if (!numerals_at()) push({}, end);
  }

  // 五, 十二, 二十三, 二〇二六: at most five characters.
  bool numerals_at() {
    std::size_t end = at_;
    int value = 0;
    int digits = 0;
    for (bool after_ten = false; digits < 5 && end + 3 <= text_.size(); ++digits, end += 3) {
      const auto found = numerals.find(text_.substr(end, 3));
      if (found == std::string_view::npos || found % 3 != 0) break;
      const int numeral = static_cast<int>(found / 3);
      if (numeral == 12) {  // 十
        value = value == 0 ? 10 : value * 10;
      } else {
        const int digit = numeral == 10 ? 0 : numeral > 10 ? 2 : numeral;
        value = after_ten ? value + digit : value * 10 + digit;
      }
      after_ten = numeral == 12;
    }
    if (digits > 0) counted(value, digits, end);
    return digits > 0;
  }

  // A number, and what makes it part of a Chinese or Japanese date: 2026年, 5月, 5月3日.
  void counted(int value, int digits, std::size_t end) {
    const std::string_view next = text_.substr(end, 3);
    const bool after_month = !tokens_.empty() && tokens_.back().kind == 'M';
    const bool is_year = digits == 4 && value >= 1900 && value <= 2099;
    if (next == "年" && is_year) return push({'A', value}, end + 3);
    if (next == "月" && value >= 1 && value <= 12) return push({'M', value}, end + 3);
    if (after_month && (next == "日" || next == "号" || next == "號")) return push({'N', value}, end + 3);
    push(is_year ? Lexeme{'Y', value, 0, true} : Lexeme{'N', value, value}, end);
  }

  void number() {
    const std::size_t end = end_of_name(at_);
    const std::string_view name = text_.substr(at_, end - at_);
    std::array<int, 3> value{};
    std::array<std::size_t, 3> size{};
    std::size_t parts = 0;
    std::size_t at = 0;
    char separator = 0;
    for (; at < name.size() && parts < 3; ++parts) {
      if (parts > 0) {
        if (parts > 1 && name[at] != separator) break;
        separator = name[at];
        if (std::string_view("./-").find(separator) == std::string_view::npos || !is_digit(name[at + 1])) break;
        ++at;
      }
      const std::size_t first = at;
      for (; at < name.size() && is_digit(name[at]); ++at) {
        if (at - first < 5) value[parts] = value[parts] * 10 + (name[at] - '0');
      }
      size[parts] = at - first;
      if (size[parts] > 4) return push({}, end);
    }
    const std::string_view rest = name.substr(at);
    const auto as_date = [&](std::optional<Days> date, bool weak = false) {
      push(date ? Lexeme{'d', static_cast<int>(date->time_since_epoch().count()), 0, weak} : Lexeme{}, end);
    };
    const auto [a, b, c] = value;
    const bool short_parts = size[0] <= 2 && size[1] <= 2;

    if (parts == 1) {
      static constexpr std::string_view endings[] = {"",  "st",  "nd", "rd", "th", "er",
                                                     "e", "eme", "ST", "ND", "RD", "TH"};
      if (std::find(std::begin(endings), std::end(endings), rest) == std::end(endings)) return push({}, end);
      return counted(a, static_cast<int>(size[0]), end);
    }
    if (parts == 3 && separator == '-' && size[0] == 4 && size[1] == 2 && size[2] == 2 && !rest.empty()) {
      std::string upper(name);
      std::transform(upper.begin(), upper.end(), upper.begin(),
                     [](char l) { return l == 't' || l == 'z' ? l - 32 : l; });
      const auto time = parse_iso8601(upper);
      return as_date(time && date_of(a, b, c) ? std::optional(std::chrono::floor<days>(*time)) : std::nullopt);
    }
    if (!rest.empty()) return push({}, end);
    if (parts == 3 && size[0] == 4 && (separator != '.' || (size[1] == 2 && size[2] == 2)))
      return as_date(date_of(a, b, c));
    if (parts == 3 && separator == '/' && size[2] == 4) return as_date(a > 12 ? date_of(c, b, a) : date_of(c, a, b));
    if (parts == 3 && separator == '.' && size[2] == 4) return as_date(date_of(c, b, a));
    if (parts == 3 && separator == '.' && size[2] == 2) return as_date(date_of(2000 + c, b, a), true);
    if (parts == 2 && separator == '.' && short_parts) return push({'n', a, b, true}, end);
    if (parts == 2 && separator == '-' && short_parts && a < b) return push({'V', a, b}, end);
    if (parts == 2 && separator == '-' && size[1] == 2 && date_of(a, b, 1)) return push({'e', a, b}, end);
    push({}, end);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string plain(std::string_view text) {
  static constexpr std::string_view latin = "AAAAAAACEEEEIIIIDNOOOOO OUUUUYTsaaaaaaaceeeeiiiidnooooo ouuuuyty";
  text = text.substr(0, bytes_read);
  std::string out;
  out.reserve(text.size());
  const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const unsigned a = byte(at), b = byte(at + 1), c = byte(at + 2);
    if (a == 0xC3 && b >= 0x80 && b <= 0xBF) {
      out += latin[b - 0x80];
      at += 1;
    } else if ((a == 0xCC && b >= 0x80) || (a == 0xCD && b >= 0x80 && b < 0xB0)) {
      at += 1;  // a mark on the letter before
    } else if (a == 0xC2 && b == 0xA0) {
      out += ' ';
      at += 1;
    } else if (a == 0xEF && ((b == 0xBC && c >= 0x81) || (b == 0xBD && c >= 0x80 && c <= 0x9E))) {
      out += static_cast<char>(c - (b == 0xBC ? 0x60 : 0x20));
      at += 2;
    } else if (a == 0xE2 && b == 0x80 && (c == 0x93 || c == 0x99)) {
      out += c == 0x93 ? '-' : '\'';
      at += 2;
    } else {
      out += text[at];
    }
  }
  return out;
}

std::vector<Token> tokens(std::string_view plain_text) { return Lexer(plain_text).run(); }

}  // namespace selfmind::text::date_words
