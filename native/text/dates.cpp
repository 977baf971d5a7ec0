// Read top-down in three steps: bytes become plain text, plain text becomes tokens of a kind (both date_tokens.h), and
// patterns of kinds become spans (the rules). What stands before a date ("since", "late") is looked at last. Pure; any
// thread, any bytes.
#include "text/dates.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <unordered_map>

#include "text/calendar.h"
#include "text/date_tokens.h"

namespace selfmind::text {
namespace {

using namespace calendar;
using namespace date_words;

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
  std::vector<Token> tokens = date_words::tokens(text);
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
