// Read top-down in three steps: bytes become plain text (no accents, no full-width forms), plain text becomes tokens of
// a kind (the lexicon), and patterns of kinds become spans (the rules). What stands before a date ("since", "late") is
// looked at last. Pure; any thread, any bytes.
#include "text/dates.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <optional>
#include <string>
#include <unordered_map>

namespace selfmind::text {
namespace {

using std::chrono::days;
using std::chrono::months;
using Days = std::chrono::sys_days;
using Date = std::chrono::year_month_day;

constexpr std::size_t bytes_read = 4096;

// --- The lexicon -----------------------------------------------------------------------------------------------------

enum Unit { minute, hour, day, week, weekend, month, quarter, year, part_of_day };

// A kind of word is one character, so that a rule is a short string. Words are in lower case and without accents.
struct Lexeme {
  char kind = 'x';    // 'x': any other word
  int lo = 0;         // its value; of a vague number the least
  int hi = 0;         // of a vague number the most; of a unit 1: a plural
  bool weak = false;  // also an ordinary word: a date only where what stands around it says so
};
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

// --- Text to tokens --------------------------------------------------------------------------------------------------

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The head of the text without accents and full-width forms, in the case it was written in.
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

struct Token : Lexeme {
  std::string_view text;
};

std::optional<Days> date_of(int y, int m, int d) {
  if (y < 1900 || y > 2099 || m < 1 || d < 1) return std::nullopt;
  const Date date{std::chrono::year(y), std::chrono::month(static_cast<unsigned>(m)),
                  std::chrono::day(static_cast<unsigned>(d))};
  return date.ok() ? std::optional<Days>(date) : std::nullopt;
}

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

// --- The calendar ----------------------------------------------------------------------------------------------------

using Made = std::optional<Span>;

// Months are counted from the year 0.
int month_index(Time time) {
  const Date date(std::chrono::floor<days>(time));
  return static_cast<int>(date.year()) * 12 + static_cast<int>(unsigned{date.month()}) - 1;
}
Days month_start(int index) { return Days((std::chrono::year(0) / 1 + months(index)) / 1); }

Made on(std::optional<Days> day) { return day ? Made({*day, *day + days(1)}) : std::nullopt; }
Made in_months(int first, int count) { return Span{month_start(first), month_start(first + count)}; }

// The same day so many months earlier, or the last of that month.
Days months_before(Days day, int count) {
  const Date date = Date(day) - months(count);
  return date.ok() ? Days(date) : Days(date.year() / date.month() / std::chrono::last);
}

// The start of a unit, so many after the present one.
Time start(int unit, int offset, Time now) {
  const Days today = std::chrono::floor<days>(now);
  const int this_month = month_index(today);
  switch (unit) {
    case minute:
      return std::chrono::floor<std::chrono::minutes>(now) + std::chrono::minutes(offset);
    case hour:
      return std::chrono::floor<std::chrono::hours>(now) + std::chrono::hours(offset);
    case day:
      return today + days(offset);
    case month:
      return month_start(this_month + offset);
    case quarter:
      return month_start((this_month / 3 + offset) * 3);
    case year:
      return month_start((this_month / 12 + offset) * 12);
    default:
      return today - (std::chrono::weekday(today) - std::chrono::Monday) + days(7 * offset);  // a week
  }
}

// From the first of these units through the last.
Span units(int unit, int first, int last, Time now) {
  if (unit == weekend) return {start(week, first, now) + days(5), start(week, last + 1, now)};
  if (unit == part_of_day)
    return {start(day, first, now) + std::chrono::hours(12), start(day, last + 1, now) + std::chrono::hours(12)};
  return {start(unit, first, now), start(unit, last + 1, now)};
}

// The last `count` units up to now, or the next ones.
Span rolling(int unit, int count, Time now) {
  const Days today = std::chrono::floor<days>(now);
  const auto shifted = [&](int by) -> Time {
    switch (unit) {
      case minute:
        return now + std::chrono::minutes(by);
      case hour:
        return now + std::chrono::hours(by);
      case month:
        return months_before(today, -by);
      case quarter:
        return months_before(today, -3 * by);
      case year:
        return months_before(today, -12 * by);
      default:
        return today + days(unit == day || unit == part_of_day ? by : 7 * by);
    }
  };
  return count < 0 ? Span{now, shifted(-count) + (unit > hour ? days(1) : days(0))} : Span{shifted(-count), now};
}

// --- The rules -------------------------------------------------------------------------------------------------------

bool one_of(char kind, std::string_view kinds) { return kinds.find(kind) != std::string_view::npos; }

struct Match {
  const Token* begin;
  const Token* end;
  char intro;  // the kind of what stands before; 'I' for "in the"
  Time now;

  const Token* find(char kind) const {  // the last of its kind
    for (const Token* token = end; token-- != begin;) {
      if (token->kind == kind) return token;
    }
    return nullptr;
  }
  int lo(char kind) const { return find(kind)->lo; }
  int which() const { return find('W') ? lo('W') : find('X') ? lo('X') : 0; }
  Days today() const { return std::chrono::floor<days>(now); }
  int this_month() const { return month_index(today()); }

  // The year it names, 0 when it names none, -1 when it names another unit.
  int named_year() const {
    for (const char kind : {'A', 'Y'}) {
      if (find(kind)) return lo(kind);
    }
    if (!find('U')) return 0;
    return lo('U') == year ? this_month() / 12 + which() : -1;
  }
  Lexeme count() const {
    if (find('V')) return *find('V');
    const int number = find('N') ? lo('N') : 1;
    return {'V', number, number};
  }
  bool is_repeated() const { return begin[-1].kind == 'x' && begin[-1].lo == 2; }  // "every Friday"
  // "Signing in may fail", "step 3 may fail", "in March 3 people came".
  bool is_verb() const {
    const bool at_end = find('M') == end - 1;
    if (end->kind != 'x' || one_of(intro, "oj") || find('Y') || find('U')) return false;
    return find('M')->text == "may" || (!at_end && intro == 'i');
  }
};

Made numeric_date(const Match& m) { return on(Days(days(m.lo('d')))); }
Made numeric_month(const Match& m) { return in_months(m.lo('e') * 12 + m.find('e')->hi - 1, 1); }

// The day `d` of month `month` of the year, or the latest such day.
Made day_of(const Match& m, int month, int d) {
  const int named = m.named_year();
  if (named < 0) return std::nullopt;
  if (named > 0) return on(date_of(named, month, d));
  for (int y = m.this_month() / 12, tries = 0; tries < 9; --y, ++tries) {  // 29 February
    const auto date = date_of(y, month, d);
    if (date && *date <= m.today()) return on(date);
  }
  return std::nullopt;
}

Made day_in_month(const Match& m) {
  if (m.is_verb()) return std::nullopt;
  const bool dotted = m.find('.') != nullptr;  // "3. Mai", but "3. May I ask"
  if (dotted && m.find('M')->weak && !one_of(m.intro, "oj")) return std::nullopt;
  if (m.find('p')) return day_of(m, m.lo('M'), m.lo('p'));
  const Token& number = m.find('V') ? *m.find('V') : *m.find('N');
  if (is_letter(number.text.front()) || number.text == "几" || number.text == "幾" || number.text == "数") {
    return std::nullopt;  // "a March on the city"
  }
  const Made first = day_of(m, m.lo('M'), number.lo);
  if (!first || number.kind == 'N') return first;
  return Span{first->from, first->to + days(number.hi - number.lo)};  // "May 5-7"
}

Made german_day(const Match& m) { return day_of(m, m.find('n')->hi, m.lo('n')); }

Made month_named(const Match& m) {
  if (m.is_verb()) return std::nullopt;
  const int month = m.lo('M') - 1;
  const int named = m.named_year();
  const int now = m.this_month();
  if (named < 0) return std::nullopt;
  if (named > 0) return in_months(named * 12 + month, 1);
  const int here = now / 12 * 12 + month;
  if (m.find('W') || m.find('X')) {
    if (m.which() == 0) return in_months(here, 1);
    if (m.which() > 0) return in_months(here > now ? here : here + 12, 1);
    return in_months(here < now ? here : here - 12, 1);
  }
  return in_months(here <= now ? here : here - 12, 1);
}

// The months of a season, and the three weeks by which the astronomical one is later.
Made season(const Match& m) {
  const Token& token = *m.find('S');
  if (token.hi == 1 && m.intro == 'i' && m.begin + 1 == m.end) return std::nullopt;
  const auto of = [&](int y) {
    const int first = y * 12 + token.lo - 1;
    return Span{month_start(first), month_start(first + 3) + days(21)};
  };
  const int named = m.named_year();
  if (named < 0) return std::nullopt;
  if (named > 0) return of(named);
  int y = m.this_month() / 12 + 1;
  if (m.which() > 0) {
    while (of(y - 1).from > m.now) --y;
  } else {
    while (of(y).from > m.now || (m.which() < 0 && of(y).to > m.now)) --y;
    if (m.find('W') && m.which() == 0 && of(y).to <= m.now) ++y;  // "this winter", in November
  }
  return of(m.which() < -1 ? y - 1 : y);
}

Made quarter_named(const Match& m) {
  const int named = m.named_year();
  const int now = m.this_month();
  const int first = (named > 0 ? named : now / 12) * 12 + (m.lo('Q') - 1) * 3;
  return named < 0 ? std::nullopt : in_months(named == 0 && first > now ? first - 12 : first, 3);
}

Made year_named(const Match& m) {
  const bool amount =
      one_of(m.end->kind, "UN") || (m.end->kind == 'x' && one_of(m.intro, "fbau"));  // "after 2000 runs"
  if (m.find('U') ? m.lo('U') != year : m.find('Y') && amount) return std::nullopt;
  return in_months((m.find('A') ? m.lo('A') : m.lo('Y')) * 12, 12);
}

Made weekday(const Match& m) {
  const Token& token = *m.find('K');
  const bool chinese = static_cast<unsigned char>(token.text.front()) >= 0x80;
  const bool relative = m.find('W') || m.find('X');
  if (m.find('U') && m.lo('U') != week) return std::nullopt;
  if (m.find('U') || (relative && (chinese || m.which() == 0)))
    return on(std::chrono::floor<days>(start(week, m.which(), m.now)) + days(token.lo - 1));
  if (m.is_repeated() || (chinese && m.begin[-1].kind == 'N')) return std::nullopt;  // 两周一次: once in two weeks
  const Days latest =
      m.today() - (std::chrono::weekday(m.today()) - std::chrono::weekday(static_cast<unsigned>(token.lo)));
  if (m.which() > 0) return on(latest + days(7));
  const int weeks = (relative && latest == m.today() ? 1 : 0) + (m.which() < -1 ? 1 : 0);
  return on(latest - days(7 * weeks));
}

Made ago(const Match& m) {
  const int unit = m.lo('U');
  const Lexeme count = m.count();
  if (unit == part_of_day || count.lo < 1) return std::nullopt;
  return units(unit, -count.hi, -count.lo, m.now);
}
Made half_ago(const Match& m) { return m.lo('U') == year ? Made(units(month, -7, -5, m.now)) : std::nullopt; }
Made some_ago(const Match& m) {  // "years ago"
  const Token& before = m.begin[-1];
  if (m.find('U')->hi != 1 || one_of(before.kind, "NV") || (before.kind == 'x' && is_digit(before.text.front())))
    return std::nullopt;
  return units(m.lo('U'), -6, -2, m.now);
}
Made sept_ago(const Match& m) {
  return m.find('M')->text == "sept" ? Made(units(m.lo('U'), -7, -7, m.now)) : std::nullopt;
}
Made french_year(const Match& m) {  // "an", which in English is one
  const int by = m.find('X') ? m.which() : -(m.end - 2)->lo;
  return m.find('N')->text == "an" ? Made(units(year, by, by, m.now)) : std::nullopt;
}

Made up_to_now(const Match& m) {
  const int count = m.count().hi;
  if (m.lo('U') == part_of_day || m.which() < -1 || count < 1) return std::nullopt;
  return rolling(m.lo('U'), m.which() > 0 ? -count : count, m.now);
}
Made the_last(const Match& m) {  // "in the last week", as against "last week"
  const int unit = m.lo('U');
  const bool english = m.begin->lo == 1 && m.which() == -1 && m.find('U')->hi == 0;
  return english && unit != minute && unit != day && unit != weekend ? up_to_now(m) : std::nullopt;
}
Made end_of_month(const Match& m) {
  const auto whole = month_named({m.find('M'), m.end, 'i', m.now});
  return whole && m.lo('U') == week && m.which() == -1 ? Made({whole->to - days(7), whole->to}) : std::nullopt;
}
Made other_day(const Match& m) { return m.lo('U') == day ? Made(units(day, -6, -2, m.now)) : std::nullopt; }
Made before_last(const Match& m) { return m.which() == -1 ? Made(units(m.lo('U'), -2, -2, m.now)) : std::nullopt; }

Made relative_unit(const Match& m) {
  const int unit = m.lo('U');
  const int which = m.which();
  if (m.find('U')->hi == 1) return which == -1 ? Made(rolling(unit, 6, m.now)) : std::nullopt;  // "in the last weeks"
  if (unit == minute || unit == day || (unit == hour && which != -1)) return std::nullopt;  // "last minute", "next day"
  if (unit == part_of_day)
    return which > 0 ? std::nullopt : Made(which == 0 ? units(day, 0, 0, m.now) : units(unit, which, which, m.now));
  return units(unit, which, which, m.now);
}
Made the_weekend(const Match& m) {
  if (m.lo('U') != weekend || m.find('U')->hi == 1 || m.is_repeated()) return std::nullopt;
  const Span present = units(weekend, 0, 0, m.now);
  return present.from <= m.now ? present : units(weekend, -1, -1, m.now);
}

Made near_day(const Match& m) { return units(day, m.lo('D'), m.lo('D'), m.now); }
Made morgen(const Match& m) {  // not "am Morgen", "guten Morgen"
  return m.begin[-1].kind == 'j' || m.is_repeated() ? std::nullopt : on(m.today() + days(1));
}
Made day_before(const Match& m) {
  if (m.find('U') ? m.lo('U') != day : m.find('D')->text != "hier") return std::nullopt;  // "avant hier"
  const int offset = m.lo('D') + (m.find('b') ? -1 : 1);
  return units(day, offset, offset, m.now);
}
Made recently(const Match& m) { return rolling(day, 30, m.now); }
Made near_year(const Match& m) { return units(year, m.lo('J'), m.lo('J'), m.now); }

// The first pattern that fits counts; "?": the kind before it may be missing. Where there are `intros`, a weak word
// needs one of them before it.
struct Rule {
  Made (*make)(const Match&);
  std::string_view patterns;
  std::string_view intros = {};
};

// clang-format off
constexpr Rule rules[] = {
    {numeric_date, "d", "j"},
    {numeric_month, "e"},
    {german_day, "n.", "j"},
    // With a year, then without.
    {day_in_month, "AMN N.?f?M,?f?Y pfM,?Y Mt?N,?Y N.?f?Mf?t?WU N.?f?Mf?t?UX Mt?Nf?WU WUi?f?MN WMt?N VM,?Y MV,?Y"},
    {month_named, "AM M,?f?Y Mf?t?WU Mf?t?UX WUi?f?M"},
    {day_in_month, "N.?f?M pfM Mt?N VM MV"},
    {month_named, "WM MX"},
    {month_named, "M", "iIfusbGaBE"},
    {season, "Af?S Sf?Y Sf?t?WU Sf?t?UX WUf?S WS SX"},
    {season, "S", "iIusbGaBE"},
    {quarter_named, "Qf?Y YQ Qf?WU WQ"},
    {quarter_named, "Q", "iIfojusbGaBE"},
    {year_named, "A UY"},
    {year_named, "Y", "ifusbGaBE"},
    {weekday, "Kf?WU Kf?t?UX WUf?o?j?K WK KX"},
    {weekday, "K", "ojusbGaB"},
    // So long ago.
    {half_ago, "HN?Ug GNHU"},
    {ago, "Nc?Ug Vf?c?Ug GNU GN?VU yNNU yNVU"},
    {some_ago, "Ug"},
    {sept_ago, "yNMU"},
    {french_year, "yNNN NX"},
    // Up to now.
    {up_to_now, "WNc?U WVf?c?U RNc?U RVf?c?U RU rf?Nc?U rVc?U gNc?U gVc?U sNUg? sVf?Ug? NXU VXU XNU"},
    {end_of_month, "tWUfM WUfM"},
    {the_last, "tWU"},
    // Seen from today.
    {other_day, "tkU"},
    {before_last, "Ubt?W"},
    {day_before, "UbD UaD bD"},
    {relative_unit, "Wc?U UX XU"},
    {near_day, "Dz D"},
    {morgen, "z"},
    {recently, "r Gr"},
    {near_year, "J"},
    {the_weekend, "U"},
};
// clang-format on

// Where the pattern ends that begins here; null when it does not fit. The tokens end with one of no pattern.
const Token* fit(std::string_view pattern, const Token* at) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool optional = i + 1 < pattern.size() && pattern[i + 1] == '?';
    if (at->kind == pattern[i]) {
      ++at;
    } else if (!optional) {
      return nullptr;
    }
    if (optional) ++i;
  }
  return at;
}

struct Named {
  Span span;
  const Token* begin;
  const Token* end;
};

struct Pattern {
  std::string_view kinds;
  const Rule* rule;
};

// The patterns that begin with a kind, in the order of the rules.
const std::vector<Pattern>& patterns_of(char kind) {
  static const auto* const table = [] {
    auto* patterns = new std::array<std::vector<Pattern>, 128>;  // never freed, as the lexicon
    for (const Rule& rule : rules) {
      for (std::string_view rest = rule.patterns; !rest.empty();) {
        const auto size = std::min(rest.find(' '), rest.size());
        (*patterns)[static_cast<unsigned char>(rest.front())].push_back({rest.substr(0, size), &rule});
        rest.remove_prefix(std::min(size + 1, rest.size()));
      }
    }
    return patterns;
  }();
  return (*table)[static_cast<unsigned char>(kind)];
}

std::optional<Named> date_at(const Token* at, char intro, Time now) {
  for (const auto& [kinds, rule] : patterns_of(at->kind)) {
    if (!rule->intros.empty() && at->weak && !one_of(intro, rule->intros)) continue;
    const Token* const end = fit(kinds, at);
    if (const Made made = end ? rule->make({at, end, intro, now}) : std::nullopt) return Named{*made, at, end};
  }
  return std::nullopt;
}

// --- What stands around a date ---------------------------------------------------------------------------------------

struct Introduction {
  char kind = 0;
  int part = -1;                // "early", "mid", "late"
  const Token* word = nullptr;  // the one of that kind
};

Introduction introduction(const Token* at) {
  Introduction found;
  bool article = false;
  const auto skip_articles = [&] {
    for (int most = 2; (--at)->kind == 't' && most > 0; --most) article = true;
  };
  skip_articles();
  const Token* const part = at->kind == 'f' || at->kind == '-' ? at - 1 : at;  // "end of", "mid-"
  if (part->kind == 'E') {
    found = {'E', part->lo};
    at = part;
    skip_articles();
  }
  if (one_of(at->kind, "oj") && one_of(at[-1].kind, "sbGaBu&")) --at;  // "seit dem"
  found.word = at;
  if (one_of(at->kind, "iofjusbGaB")) found.kind = at->kind;
  if (at->kind == '&' && at->lo == 2) found.kind = 'u';
  if (found.kind == 'i' && article) found.kind = 'I';
  return found;
}

// The early, middle or late third of a week or more.
Span part_of(Span whole, int part) {
  if (part < 0 || whole.to - whole.from < days(7)) return whole;
  const auto third = [&](int n) -> Time {
    return whole.from + std::chrono::floor<days>((whole.to - whole.from) * n / 3);
  };
  return {third(part), third(part + 1)};
}

// The span from the one to the other, of which one may give the other its year ("May 3 - May 5, 2025"), and the later
// may have been taken for the year or week before ("between November and February").
Span between(const Named& first, const Named& last) {
  const auto has_no_year = [](const Named& named) {
    const auto is = [&](std::string_view kinds) {
      return std::any_of(named.begin, named.end, [&](const Token& token) { return one_of(token.kind, kinds); });
    };
    return is("M") && !is("YAUWX");
  };
  const auto moved = [](Span span, int by) -> Span {
    const auto move = [&](Time time) { return months_before(std::chrono::floor<days>(time), by); };
    return {move(span.from), move(span.to)};
  };
  Span from = first.span;
  Span to = last.span;
  const int years = month_index(from.from) / 12 - month_index(to.from) / 12;
  if (has_no_year(first) && !has_no_year(last)) {
    from = moved(from, 12 * years);
    if (from.from >= to.to) from = moved(from, 12);
  } else if (has_no_year(last) && !has_no_year(first)) {
    to = moved(to, -12 * years);
    if (to.to <= from.from) to = moved(to, -12);
  }
  if (from.from < to.to) return {from.from, std::max(from.to, to.to)};
  return {from.from - to.from < days(7) ? from.from - days(7) : moved(from, 12).from, to.to};
}

// The time so long before or after a date: "two weeks before 3 May". One that is longer than a day reaches up to the
// date.
Span away(const Token* unit, bool after, Span date) {
  const Token& number = unit[-1];
  const int least = one_of(number.kind, "NV") ? number.lo : 1;
  const int most = number.kind == 'V' ? number.hi : least;
  Span span = units(unit->lo, after ? least : -most, after ? most : -least,
                    after ? date.to - std::chrono::milliseconds(1) : date.from);
  if (most == 1 && unit->lo > day && unit->lo != weekend) (after ? span.from : span.to) = after ? date.to : date.from;
  return span;
}

constexpr std::size_t edges =
    4;  // tokens of no pattern before the first and behind the last: looks to the sides end there

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens = Lexer(text).run();
  const bool german = std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    return (token.kind == 'x' && token.lo == 1) || (token.kind == 't' && token.lo == 2);
  });
  for (Token& token : tokens) {
    const bool hier = token.kind == 'D' && token.text.size() == 4 && lower(token.text.front()) == 'h';
    if (german && hier) token.kind = 'x';
  }
  tokens.insert(tokens.begin(), edges, {{'$'}, {}});
  tokens.insert(tokens.end(), edges, {{'$'}, {}});
  return tokens;
}

// The date that begins here; "Monday, 4 May" is the 4th.
std::optional<Named> whole_date(const Token* at, const Introduction& intro, Time now) {
  auto named = date_at(at, intro.kind, now);
  if (named && at->kind == 'K') {
    const Token* date = named->end;
    for (int most = 2; one_of(date->kind, ",tj") && most > 0; --most) ++date;
    const auto closer = one_of(date->kind, "NMd") ? date_at(date, 'o', now) : std::nullopt;
    if (closer) named = closer;
  }
  if (!named) return std::nullopt;
  const bool part_follows = named->end->kind == 'F';
  named->span = part_of(named->span, part_follows ? named->end->lo : intro.part);
  named->end += part_follows;
  return named;
}

// The other end of a range that begins with `first`: "between A and B", "A - B".
std::optional<Named> other_end(const Named& first, const Introduction& intro, Time now) {
  const Token& joint = *first.end;
  const Token* second = first.end + 1;
  for (int most = 2; one_of(second->kind, "tj") && most > 0; --most) ++second;
  const bool to = joint.kind == '-' || (joint.kind == '&' && joint.lo > 0);
  const bool alike = first.begin->kind == second->kind && one_of(second->kind, "MNd");
  const bool range = intro.kind == 'B' ? to || joint.kind == '&' : to && alike;
  return range ? date_at(second, 'B', now) : std::nullopt;
}

std::vector<Span> find_times(std::string_view text, Time now, bool first_only) {
  const std::string readable = plain(text);
  const std::vector<Token> tokens = tokens_of(readable);
  const Token* at = tokens.data() + edges;
  const Token* const end = tokens.data() + tokens.size() - edges;
  const Token* last_end = nullptr;
  std::vector<Span> times;
  while (at < end && !(first_only && !times.empty())) {
    const Introduction intro = patterns_of(at->kind).empty() ? Introduction{} : introduction(at);
    const auto named = intro.word ? whole_date(at, intro, now) : std::nullopt;
    if (!named) {
      ++at;
      continue;
    }
    at = named->end;
    Span span = named->span;
    const bool before = one_of(intro.kind, "bG");
    const bool after = intro.kind == 'a';
    const Token* const unit = intro.word - 1;
    if (const auto other = other_end(*named, intro, now)) {
      span = between(*named, *other);
      at = other->end;
    } else if ((before || after) && unit->kind == 'U' && unit->lo != part_of_day) {
      if (last_end == intro.word) times.pop_back();  // "the weekend before 3 May"
      span = away(unit, after, span);
    } else if ((intro.kind == 's' || at->kind == 'l') && span.from < now) {
      span.to = now;
    } else if (before || at->kind == 'g') {
      span = {std::min(Time{}, span.from), span.from};
    } else if ((after || at->kind == 'q') && span.to < now) {
      span = {span.to, now};
    }
    times.push_back(span);
    last_end = at;
  }
  return times;
}

}  // namespace

std::vector<Span> times_in(std::string_view question, Time now) { return find_times(question, now, false); }

bool names_time(std::string_view text) {
  static constexpr Time any_day = Days(std::chrono::year(2026) / 7 / 1);
  return !find_times(text, any_day, true).empty();
}

bool asks_when(std::string_view question) {
  // A word and what follows it; "." is the end of the text.
  static constexpr std::pair<std::string_view, std::string_view> pairs[] = {
      {"when", "did do does was were is are will have has had should must can exactly ."},
      {"since", "when"},
      {"until", "when"},
      {"tell me", "when"},
      {"know", "when"},
      {"remember", "when"},
      {"what", "date day week month quarter year"},
      {"which", "date day week month quarter year"},
      {"how long", "ago since"},
      {"welches", "datum jahr"},
      {"welchem", "datum tag monat jahr"},
      {"welchen", "tag monat"},
      {"welcher", "tag monat woche"},
      {"wie lange", "ist her"},
      {"quand", "est a as ai avons avez ont etait sont avait ."},
      {"depuis", "quand"},
      {"quelle", "date semaine annee"},
      {"quel", "jour mois"},
      {"combien de", "temps"},
  };
  static constexpr std::string_view anywhere =
      " wann "
      "|什么时候|什麼時候|什么时间|何时|何時|几号|幾號|几月|哪天|哪一天|哪年|哪一年|哪个月|哪周|哪个星期|星期几|周几|"
      "多久前|多久以前|多久之前|何日|何月|何年|何曜日|何週|どれくらい前|いつ";
  std::string words = " ";
  for (const char c : plain(question)) {
    const bool part = is_name(c) || static_cast<unsigned char>(c) >= 0x80;
    if (part || words.back() != ' ') words += part ? lower(c) : ' ';
  }
  words += words.back() == ' ' ? ". " : " . ";
  for (const std::string_view other : {"いつも", "いつの間", "あいつ", "こいつ", "そいつ", "どいつ", "いつか"}) {
    for (std::size_t at = 0; (at = words.find(other, at)) != std::string::npos; at += other.size()) {
      const bool since = other == "いつか" && words.compare(at + other.size(), 3, "ら") == 0;  // いつから
      if (!since) words.replace(at, other.size(), other.size(), ' ');
    }
  }

  const auto any = [&](std::string_view list, char separator, const std::string& before, std::string_view after) {
    while (!list.empty()) {
      const auto size = std::min(list.find(separator), list.size());
      if (words.find(before + std::string(list.substr(0, size)).append(after)) != std::string::npos) return true;
      list.remove_prefix(std::min(size + 1, list.size()));
    }
    return false;
  };
  return any(anywhere, '|', "", "") || std::any_of(std::begin(pairs), std::end(pairs), [&](const auto& pair) {
           return any(pair.second, ' ', " " + std::string(pair.first) + " ", " ");
         });
}

}  // namespace selfmind::text
