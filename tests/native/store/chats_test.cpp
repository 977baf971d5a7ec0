#include "store/chats.h"

#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;

namespace {

using IdList = std::vector<Id>;

IdList found(TestStore& store, Id project, std::string_view words) {
  IdList ids;
  for (const auto& chat : must(find_chats(store.database, project, words))) ids.push_back(chat.id);
  return ids;
}

// A chat in which this was said and answered, an hour after the one before.
Id chat(TestStore& store, Id project, const char* message, const char* reply) {
  store.clock.advance(std::chrono::hours(1));
  const auto id = must(new_session(store.database, project)).id;
  store.answer(store.say(id, message).id, reply);
  return id;
}

}  // namespace

TEST_CASE("the chats of a project are listed, the newest first, and none in which nothing was said") {
  TestStore store;
  const auto project = store.project("/srv/kiln");
  const auto old = chat(store, project, "How hot is the kiln?", "1,200 °C.");
  const auto newer = chat(store, project, "And the oven?", "Less.");
  chat(store, store.project("/srv/other"), "How hot is the kiln?", "No idea.");
  must(new_session(store.database, project));
  CHECK(found(store, project, "") == IdList{newer, old});
  const auto typed = must(new_session(store.database, project)).id;
  must(keep_draft(store.database, typed, "half a question"));
  CHECK(found(store, project, "  ").size() == 3);
  const auto first = must(find_chats(store.database, project, "")).back();
  CHECK(first.title == "How hot is the kiln?");
  CHECK(first.messages == 1);
  CHECK(first.turn == no_id);
}

TEST_CASE("a chat is found by words of a message, of a reply or of its title, in any case and order") {
  TestStore store;
  const auto project = store.project("/srv/kiln");
  const auto hot = chat(store, project, "How hot is it?\nThe KILN, I mean.", "1,200 °C at the Größe of yours.");
  const auto oven = chat(store, project, "And the oven?", "Cooler.");
  CHECK(found(store, project, "kiln hot") == IdList{hot});
  CHECK(found(store, project, "GRÖSSE") == IdList{hot});
  CHECK(found(store, project, "the") == IdList{oven, hot});
  CHECK(found(store, project, "kiln cooler").empty());  // each in another message
  CHECK(found(store, project, "kil").size() == 1);      // a part of a word
  const auto one = must(find_chats(store.database, project, "kiln")).front();
  CHECK(one.excerpt == "The KILN, I mean.");
  // Of a reply it is the message that it answers.
  CHECK(must(find_chats(store.database, project, "größe")).front().turn == one.turn);
}
