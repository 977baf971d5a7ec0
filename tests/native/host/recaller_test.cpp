// The recaller: what it recalls by, and when. The loop is turned by hand.
#include "host/recaller.h"

#include <optional>

#include "support/catch.h"
#include "support/fakes.h"
#include "support/manual_loop.h"

using namespace selfmind;

namespace {

struct Recalls {
  test::ManualLoop loop;
  test::FakeClock clock;
  host::Recaller recaller{loop, clock};

  void take(const char* text) {
    store::Feed feed;
    store::Item item;
    item.id = 1;
    item.text = text;
    item.at = clock.now();
    feed.put = {item};
    recaller.take(std::move(feed), /*loading=*/false);
  }

  std::vector<recall::Hit> ask(const char* query) {
    std::optional<std::vector<recall::Hit>> answer;
    recaller.ask(query, {}, 6, std::chrono::milliseconds(0),
                 [&answer](std::vector<recall::Hit> hits, bool) { answer = std::move(hits); });
    REQUIRE(loop.run_until([&answer] { return answer.has_value(); }));
    return std::move(*answer);
  }
};

}  // namespace

TEST_CASE("the index has the words of the preset that is used") {
  Recalls recalls;
  recalls.recaller.use(*recall::preset("selfmind"));
  recalls.take("The user likes strong teas.");
  CHECK(recalls.ask("teas").size() == 1);
  CHECK(recalls.ask("tea").empty());
}

TEST_CASE("without a word about it the default preset is used") {
  Recalls recalls;
  recalls.take("The user likes strong teas.");
  CHECK(recalls.ask("tea").size() == 1);
}

TEST_CASE("the age of what is recalled is counted from the clock") {
  Recalls recalls;
  auto preset = *recall::preset("anamnesis");
  preset.half_life_days = 10;
  preset.min_score = 0;
  recalls.recaller.use(preset);
  recalls.take("The user likes strong teas.");
  const auto fresh = recalls.ask("tea");
  recalls.clock.advance(std::chrono::hours(24 * 10));
  const auto old = recalls.ask("tea");
  REQUIRE(fresh.size() == 1);
  REQUIRE(old.size() == 1);
  CHECK(old[0].score == Approx(fresh[0].score / 2));
}
