// Dates and relative time out of questions, in five languages; and what only looks like one.
#include "text/dates.h"

#include <string>

#include "support/catch.h"

using namespace selfmind;

namespace {

// A Wednesday.
const Time now = *parse_iso8601("2026-06-17T12:00:00Z");

std::string describe(Time time) {
  if (time == Time{}) return "start";
  if (time == now) return "now";
  const std::string whole = iso8601(time);
  return whole.substr(10) == "T00:00:00.000Z" ? whole.substr(0, 10) : whole.substr(0, 16);
}

std::string times(std::string_view text, Time at = now) {
  std::string all;
  for (const auto& [from, to] : text::times_in(text, at)) {
    if (!all.empty()) all += ", ";
    all += describe(from) + ".." + describe(to);
  }
  return all;
}

struct Case {
  std::string_view text;
  std::string_view times;
};

void check(std::initializer_list<Case> cases) {
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    CHECK(times(text) == expected);
    CHECK(text::names_time(text) == !expected.empty());
  }
}

}  // namespace

TEST_CASE("English: days, weeks and months seen from today") {
  check({
      {"what did we decide yesterday?", "2026-06-16..2026-06-17"},
      {"Today's plan", "2026-06-17..2026-06-18"},
      {"is it due tomorrow", "2026-06-18..2026-06-19"},
      {"the day before yesterday", "2026-06-15..2026-06-16"},
      {"the day after tomorrow", "2026-06-19..2026-06-20"},
      {"last night", "2026-06-16T12:00..now"},
      {"this morning", "2026-06-17..2026-06-18"},
      {"this week", "2026-06-15..2026-06-22"},
      {"what did we decide LAST WEEK?", "2026-06-08..2026-06-15"},
      {"last week's bug", "2026-06-08..2026-06-15"},
      {"next week", "2026-06-22..2026-06-29"},
      {"two weekends ago", "2026-06-06..2026-06-08"},
      {"the week before last", "2026-06-01..2026-06-08"},
      {"last weekend", "2026-06-13..2026-06-15"},
      {"this weekend", "2026-06-20..2026-06-22"},
      {"at the weekend", "2026-06-13..2026-06-15"},
      {"this month", "2026-06-01..2026-07-01"},
      {"last month", "2026-05-01..2026-06-01"},
      {"previous quarter", "2026-01-01..2026-04-01"},
      {"this quarter", "2026-04-01..2026-07-01"},
      {"last year and this year", "2025-01-01..2026-01-01, 2026-01-01..2027-01-01"},
      {"recently", "2026-05-18..now"},
      {"what have I been doing lately", "2026-05-18..now"},
      {"the other day", "2026-06-11..2026-06-16"},
  });
}

TEST_CASE("English: days of the week") {
  check({
      {"Monday", "2026-06-15..2026-06-16"},
      {"on Wednesday", "2026-06-17..2026-06-18"},
      {"on Thursday", "2026-06-11..2026-06-12"},
      {"last Monday", "2026-06-15..2026-06-16"},
      {"last Wednesday", "2026-06-10..2026-06-11"},
      {"last Sunday", "2026-06-14..2026-06-15"},
      {"this Friday", "2026-06-19..2026-06-20"},
      {"next Friday", "2026-06-19..2026-06-20"},
      {"next Wednesday", "2026-06-24..2026-06-25"},
      {"Friday of last week", "2026-06-12..2026-06-13"},
      {"last week on Tuesday", "2026-06-09..2026-06-10"},
      {"on sat", "2026-06-13..2026-06-14"},
      {"last Sun", "2026-06-14..2026-06-15"},
      {"since Monday", "2026-06-15..now"},
      {"since the weekend", "2026-06-13..now"},
  });
}

TEST_CASE("English: so long ago, and up to now") {
  check({
      {"three days ago", "2026-06-14..2026-06-15"},
      {"3 weeks ago", "2026-05-25..2026-06-01"},
      {"two months ago", "2026-04-01..2026-05-01"},
      {"a year ago", "2025-01-01..2026-01-01"},
      {"half a year ago", "2025-11-01..2026-02-01"},
      {"an hour ago", "2026-06-17T11:00..now"},
      {"a couple of weeks ago", "2026-05-25..2026-06-15"},
      {"a few days ago", "2026-06-11..2026-06-16"},
      {"2-3 weeks ago", "2026-05-25..2026-06-08"},
      {"years ago", "2020-01-01..2025-01-01"},
      {"in the last 3 days", "2026-06-14..now"},
      {"in the past two weeks", "2026-06-03..now"},
      {"over the past month", "2026-05-17..now"},
      {"in the last week", "2026-06-10..now"},
      {"in the last few days", "2026-06-11..now"},
      {"in the last couple of weeks", "2026-05-27..now"},
      {"in the last 24 hours", "2026-06-16T12:00..now"},
      {"since last week", "2026-06-08..now"},
      {"since two weeks ago", "2026-06-03..now"},
      {"before last month", "start..2026-05-01"},
      {"after yesterday", "2026-06-17..now"},
  });
}

TEST_CASE("English: dates") {
  check({
      {"2026-05-03", "2026-05-03..2026-05-04"},
      {"at 2026-05-03T10:00, it broke", "2026-05-03..2026-05-04"},
      {"2026-05-03T23:30:00-05:00", "2026-05-04..2026-05-05"},
      {"2026-05", "2026-05-01..2026-06-01"},
      {"5/3/2026", "2026-05-03..2026-05-04"},
      {"24/12/2025", "2025-12-24..2025-12-25"},
      {"2026/05/03", "2026-05-03..2026-05-04"},
      {"on 3 May 2026", "2026-05-03..2026-05-04"},
      {"3rd of May", "2026-05-03..2026-05-04"},
      {"the 3rd of May, 2025", "2025-05-03..2025-05-04"},
      {"May 3rd, 2026", "2026-05-03..2026-05-04"},
      {"May 3", "2026-05-03..2026-05-04"},
      {"what happened on may 3?", "2026-05-03..2026-05-04"},
      {"3 May", "2026-05-03..2026-05-04"},
      {"the second of May", "2026-05-02..2026-05-03"},
      {"June 18", "2025-06-18..2025-06-19"},
      {"29 February", "2024-02-29..2024-03-01"},
      {"in March", "2026-03-01..2026-04-01"},
      {"in may", "2026-05-01..2026-06-01"},
      {"in may we decided", "2026-05-01..2026-06-01"},
      {"last May", "2026-05-01..2026-06-01"},
      {"last June", "2025-06-01..2025-07-01"},
      {"May 2026", "2026-05-01..2026-06-01"},
      {"March of 2025", "2025-03-01..2025-04-01"},
      {"March last year", "2025-03-01..2025-04-01"},
      {"in Sept", "2025-09-01..2025-10-01"},
      {"the August release", "2025-08-01..2025-09-01"},
      {"in May one of us said", "2026-05-01..2026-06-01"},
      {"in March 3 people asked", "2026-03-01..2026-04-01"},
      {"May 5-7, 2025", "2025-05-05..2025-05-08"},
      {"last May 3", "2026-05-03..2026-05-04"},
      {"Monday, May 4", "2026-05-04..2026-05-05"},
      {"early March", "2026-03-01..2026-03-11"},
      {"mid-March", "2026-03-11..2026-03-21"},
      {"in late March 2025", "2025-03-21..2025-04-01"},
      {"at the end of March", "2026-03-21..2026-04-01"},
      {"since the end of March", "2026-03-21..now"},
      {"the last week of March", "2026-03-25..2026-04-01"},
      {"last week of March", "2026-03-25..2026-04-01"},
      {"last summer", "2025-06-01..2025-09-22"},
      {"last winter", "2025-12-01..2026-03-22"},
      {"in the spring of 2025", "2025-03-01..2025-06-22"},
      {"this fall", "2026-09-01..2026-12-22"},
      {"Q3 2025", "2025-07-01..2025-10-01"},
      {"in Q3", "2025-07-01..2025-10-01"},
      {"in 2024", "2024-01-01..2025-01-01"},
      {"during 2024, was it slow?", "2024-01-01..2025-01-01"},
      {"the winners of 2024", "2024-01-01..2025-01-01"},
      {"since 2024", "2024-01-01..now"},
      {"early last week", "2026-06-08..2026-06-10"},
      {"an hour before May 3", "2026-05-02T23:00..2026-05-03"},
      {"early 2025", "2025-01-01..2025-05-02"},
      {"since May 3", "2026-05-03..now"},
      {"before 3 May 2026", "start..2026-05-03"},
      {"after March", "2026-04-01..now"},
      {"between March and May", "2026-03-01..2026-06-01"},
      {"between November and February", "2025-11-01..2026-03-01"},
      {"between June and August", "2025-06-01..2025-09-01"},
      {"from Monday to Wednesday", "2026-06-15..2026-06-18"},
      {"between March and May 2024", "2024-03-01..2024-06-01"},
      {"from November 2023 to February", "2023-11-01..2024-03-01"},
      {"March 11 - March 17, 2024", "2024-03-11..2024-03-18"},
      {"3 May to 5 May", "2026-05-03..2026-05-06"},
      {"two weeks before August 11, 2023", "2023-07-24..2023-07-31"},
      {"a few days before May 7", "2026-05-01..2026-05-06"},
      {"the week before 16 November 2023", "2023-11-06..2023-11-16"},
      {"last weekend before April 10, 2023", "2023-04-08..2023-04-10"},
      {"the week after last summer", "2025-09-22..2025-09-29"},
      {"the day after 3 May", "2026-05-04..2026-05-05"},
      {"between 2023 and 2024", "2023-01-01..2025-01-01"},
      {"between May 3 and May 5", "2026-05-03..2026-05-06"},
      {"yesterday, or in April?", "2026-06-16..2026-06-17, 2026-04-01..2026-05-01"},
  });
}

TEST_CASE("German") {
  check({
      {"was haben wir gestern entschieden?", "2026-06-16..2026-06-17"},
      {"vorgestern", "2026-06-15..2026-06-16"},
      {"Heute Morgen", "2026-06-17..2026-06-18"},
      {"morgen", "2026-06-18..2026-06-19"},
      {"übermorgen", "2026-06-19..2026-06-20"},
      {"letzte Woche", "2026-06-08..2026-06-15"},
      {"vorletzte Woche", "2026-06-01..2026-06-08"},
      {"in der letzten Woche", "2026-06-08..2026-06-15"},
      {"letzten Monat", "2026-05-01..2026-06-01"},
      {"letztes Jahr", "2025-01-01..2026-01-01"},
      {"nächste Woche", "2026-06-22..2026-06-29"},
      {"am Wochenende", "2026-06-13..2026-06-15"},
      {"vor drei Tagen", "2026-06-14..2026-06-15"},
      {"vor einem Monat", "2026-05-01..2026-06-01"},
      {"vor ein paar Tagen", "2026-06-11..2026-06-16"},
      {"vor einem halben Jahr", "2025-11-01..2026-02-01"},
      {"in den letzten 3 Tagen", "2026-06-14..now"},
      {"in den letzten Tagen", "2026-06-11..now"},
      {"im März", "2026-03-01..2026-04-01"},
      {"IM MÄRZ 2025", "2025-03-01..2025-04-01"},
      {"Anfang Mai", "2026-05-01..2026-05-11"},
      {"am 3. Mai", "2026-05-03..2026-05-04"},
      {"am 3. Mai 2025", "2025-05-03..2025-05-04"},
      {"am 3.5. war", "2026-05-03..2026-05-04"},
      {"seit dem 3.5.2026", "2026-05-03..now"},
      {"am 3.5.26", "2026-05-03..2026-05-04"},
      {"3.5.2026", "2026-05-03..2026-05-04"},
      {"seit Montag", "2026-06-15..now"},
      {"letzten Freitag", "2026-06-12..2026-06-13"},
      {"vorletzten Freitag", "2026-06-05..2026-06-06"},
      {"Freitag letzter Woche", "2026-06-12..2026-06-13"},
      {"im letzten Sommer", "2025-06-01..2025-09-22"},
      {"vor Mai", "start..2026-05-01"},
      {"zwischen März und Mai", "2026-03-01..2026-06-01"},
      {"im Jahr 2024", "2024-01-01..2025-01-01"},
      {"neulich", "2026-05-18..now"},
      {"steht das hier?", ""},
      {"jeden Montag", ""},
      {"vor Kurzem", "2026-05-18..now"},
      {"Montag, den 4. Mai 2026", "2026-05-04..2026-05-05"},
      {"Guten Morgen", ""},
      {"vor der Migration", ""},
      {"Schritt 3. Mai", "2026-05-03..2026-05-04"},
  });
}

TEST_CASE("French") {
  check({
      {"qu'avons-nous décidé hier ?", "2026-06-16..2026-06-17"},
      {"avant-hier", "2026-06-15..2026-06-16"},
      {"aujourd'hui", "2026-06-17..2026-06-18"},
      {"après-demain", "2026-06-19..2026-06-20"},
      {"la semaine dernière", "2026-06-08..2026-06-15"},
      {"la semaine derni\u0065\u0300re", "2026-06-08..2026-06-15"},
      {"le mois dernier", "2026-05-01..2026-06-01"},
      {"l’année dernière", "2025-01-01..2026-01-01"},
      {"l'an dernier", "2025-01-01..2026-01-01"},
      {"le week-end dernier", "2026-06-13..2026-06-15"},
      {"cette semaine", "2026-06-15..2026-06-22"},
      {"la semaine prochaine", "2026-06-22..2026-06-29"},
      {"il y a trois jours", "2026-06-14..2026-06-15"},
      {"il y a sept jours", "2026-06-10..2026-06-11"},
      {"il y a un an", "2025-01-01..2026-01-01"},
      {"il y a quelques jours", "2026-06-11..2026-06-16"},
      {"ces trois derniers jours", "2026-06-14..now"},
      {"depuis lundi", "2026-06-15..now"},
      {"depuis trois jours", "2026-06-14..now"},
      {"lundi dernier", "2026-06-15..2026-06-16"},
      {"en mars", "2026-03-01..2026-04-01"},
      {"le 3 mai", "2026-05-03..2026-05-04"},
      {"le lundi 4 mai 2026", "2026-05-04..2026-05-05"},
      {"le 1er août 2025", "2025-08-01..2025-08-02"},
      {"fin mars", "2026-03-21..2026-04-01"},
      {"l'été dernier", "2025-06-01..2025-09-22"},
      {"en 2024", "2024-01-01..2025-01-01"},
      {"entre mars et mai", "2026-03-01..2026-06-01"},
      {"avant mars 2026", "start..2026-03-01"},
      {"il a été lent", ""},
      {"avant la migration", ""},
  });
}

TEST_CASE("Chinese") {
  check({
      {"我们昨天决定了什么", "2026-06-16..2026-06-17"},
      {"今天", "2026-06-17..2026-06-18"},
      {"前天", "2026-06-15..2026-06-16"},
      {"上周我们决定", "2026-06-08..2026-06-15"},
      {"上週", "2026-06-08..2026-06-15"},
      {"上个星期", "2026-06-08..2026-06-15"},
      {"上上周", "2026-06-01..2026-06-08"},
      {"上周三", "2026-06-10..2026-06-11"},
      {"下下周六", "2026-07-04..2026-07-05"},
      {"这周五", "2026-06-19..2026-06-20"},
      {"周一", "2026-06-15..2026-06-16"},
      {"上周末", "2026-06-13..2026-06-15"},
      {"上个月", "2026-05-01..2026-06-01"},
      {"上個月", "2026-05-01..2026-06-01"},
      {"本月", "2026-06-01..2026-07-01"},
      {"去年", "2025-01-01..2026-01-01"},
      {"今年", "2026-01-01..2027-01-01"},
      {"前年", "2024-01-01..2025-01-01"},
      {"去年五月", "2025-05-01..2025-06-01"},
      {"去年夏天", "2025-06-01..2025-09-22"},
      {"三天前", "2026-06-14..2026-06-15"},
      {"3天前", "2026-06-14..2026-06-15"},
      {"十二天之前", "2026-06-05..2026-06-06"},
      {"两个星期前", "2026-06-01..2026-06-08"},
      {"三个月前", "2026-03-01..2026-04-01"},
      {"几天前", "2026-06-11..2026-06-16"},
      {"半年前", "2025-11-01..2026-02-01"},
      {"最近", "2026-05-18..now"},
      {"最近三天", "2026-06-14..now"},
      {"过去两个星期", "2026-06-03..now"},
      {"前几天", "2026-06-11..now"},
      {"2026年5月3日", "2026-05-03..2026-05-04"},
      {"２０２６年５月３日", "2026-05-03..2026-05-04"},
      {"二〇二六年五月二十三日", "2026-05-23..2026-05-24"},
      {"2025年5月", "2025-05-01..2025-06-01"},
      {"2024年", "2024-01-01..2025-01-01"},
      {"5月", "2026-05-01..2026-06-01"},
      {"五月", "2026-05-01..2026-06-01"},
      {"5月3号", "2026-05-03..2026-05-04"},
      {"5月初", "2026-05-01..2026-05-11"},
      {"5月以来", "2026-05-01..now"},
      {"5月之前", "start..2026-05-01"},
      {"从三月到五月", "2026-03-01..2026-06-01"},
      {"两周一次", ""},
      {"三个月", ""},
      {"端口2024", ""},
      {"今晚上线", "2026-06-17..2026-06-18"},
  });
}

TEST_CASE("Japanese") {
  check({
      {"昨日何を決めましたか", "2026-06-16..2026-06-17"},
      {"一昨日", "2026-06-15..2026-06-16"},
      {"きのう", "2026-06-16..2026-06-17"},
      {"先週", "2026-06-08..2026-06-15"},
      {"先週の金曜日", "2026-06-12..2026-06-13"},
      {"先月", "2026-05-01..2026-06-01"},
      {"去年", "2025-01-01..2026-01-01"},
      {"今年の3月", "2026-03-01..2026-04-01"},
      {"最近の3日間", "2026-06-14..now"},
      {"昨年の夏", "2025-06-01..2025-09-22"},
      {"来週", "2026-06-22..2026-06-29"},
      {"3日前", "2026-06-14..2026-06-15"},
      {"３日前", "2026-06-14..2026-06-15"},
      {"2週間前", "2026-06-01..2026-06-08"},
      {"3ヶ月前", "2026-03-01..2026-04-01"},
      {"数日前", "2026-06-11..2026-06-16"},
      {"5月3日", "2026-05-03..2026-05-04"},
      {"月曜日", "2026-06-15..2026-06-16"},
      {"日本語", ""},
  });
}

TEST_CASE("what only looks like a time is none") {
  check({
      {"May I ask", ""},
      {"how may I help", ""},
      {"it may 3 times fail", ""},
      {"step 3 may fail", ""},
      {"signing in may fail", ""},
      {"1. May I use it?", ""},
      {"the March on the city", ""},
      {"we march on", ""},
      {"it was a March on the city", ""},
      {"they want to march", ""},
      {"march.py, in may.txt", ""},
      {"we sat in the sun", ""},
      {"they wed", ""},
      {"wait a second", ""},
      {"the second one", ""},
      {"in a second may fail", ""},
      {"port 2024", ""},
      {"after 2000 requests", ""},
      {"in 2000 days", ""},
      {"version 1.2.3", ""},
      {"v10.0", ""},
      {"since 3.5.", ""},
      {"gpt-4 may", ""},
      {"192.168.1.10:8080", ""},
      {"10.0.0.1", ""},
      {"at 10:30", ""},
      {"at 5 pm", ""},
      {"before the migration", ""},
      {"after lunch", ""},
      {"last line, next step, this file", ""},
      {"a last minute change", ""},
      {"the next day it worked", ""},
      {"3 days", ""},
      {"within 30 days", ""},
      {"every week", ""},
      {"every Friday", ""},
      {"on weekends", ""},
      {"april@example.com", ""},
      {"in Spring Boot", ""},
      {"Q3: what is it", ""},
      {"2026-13-45", ""},
      {"CVE-2024-12345", ""},
      {"31.2.2026 and 2/30/2026", ""},
      {"0 days ago", ""},
      {"99999999999 days ago", ""},
      {"feb 30", ""},
      {"", ""},
  });
}

TEST_CASE("a text that asks for a time") {
  for (const auto* text :
       {"When did we move to Postgres?", "what date was that", "Which month did it start", "how long ago was it",
        "We moved. When?", "tell me when we decided", "since when", "Wann haben wir das entschieden?", "an welchem Tag",
        "seit wann", "Quand avons-nous décidé ?", "c'était quand ?", "quelle année", "什么时候决定的", "是几号",
        "哪一天", "いつ決めましたか", "いつから", "何月ですか"}) {
    CAPTURE(text);
    CHECK(text::asks_when(text));
  }
  for (const auto* text :
       {"when I run it, it fails", "it fails when is_open is set", "whenever", "it means a lot to me when you help",
        "what did we decide", "quand je lance le test", "いつも使う", "あいつ", "日本", "how long is it", ""}) {
    CAPTURE(text);
    CHECK_FALSE(text::asks_when(text));
  }
}

TEST_CASE("any bytes are accepted, and only the first 4 KB are looked at") {
  const std::string zeros(1'000'000, '0');
  const std::string sentence =
      "昨天 between March 3rd, 2025 and 上个月, l’été dernier am 3.5. 2026-05-03T10:00-05:00 二十三日前";
  std::vector<std::string> texts = {zeros,
                                    std::string(1'000'000, '-'),
                                    std::string(1'000'000, '\xE4'),
                                    std::string("yesterday\0last", 14),
                                    "\xff\xfe last week \xc3",
                                    "May \xe5\xb9",
                                    "9999 years ago",
                                    "3 May - 9999 years ago",
                                    "between May and 9999 years ago",
                                    "between May 2025 and"};
  for (std::size_t size = 0; size <= sentence.size(); ++size) {
    texts.push_back(sentence.substr(0, size));
    texts.push_back(sentence.substr(size));
  }
  for (const char* piece : {"last ", "1.", "十", "上", "between May and ", "the end of ", "the ", "Monday,,", "W",
                            "\xcc\x88", "\xef\xbc"}) {
    std::string text;
    while (text.size() < 10'000) text += piece;
    texts.push_back(text);
  }
  for (const std::string& text : texts) {
    CAPTURE(text.size());
    CHECK(text::names_time(text) == !text::times_in(text, now).empty());
    text::asks_when(text);
  }

  CHECK(times(std::string("yesterday\0last", 14)) == "2026-06-16..2026-06-17");
  CHECK(times("\xff\xfe last week \xc3") == "2026-06-08..2026-06-15");
  CHECK(times(std::string(4000, ' ') + "yesterday") == "2026-06-16..2026-06-17");
  CHECK(times(std::string(4096, ' ') + "yesterday") == "");
}
