#include "http/fake.h"

#include "support/catch.h"

namespace selfmind::http {

TEST_CASE("a header is found by its lower-case name") {
  const Headers headers = {{"retry-after", "12"}, {"empty", ""}};
  REQUIRE(find(headers, "retry-after") != nullptr);
  CHECK(*find(headers, "retry-after") == "12");
  CHECK(find(headers, "empty")->empty());
  CHECK(find(headers, "date") == nullptr);
}

namespace {

struct Heard {
  std::string log;
  Listener listener() {
    return {[this](int status, const Headers&) { log += std::to_string(status) + ";"; },
            [this](std::string_view bytes) { log += std::string(bytes) + ";"; },
            [this](const Result<void>& end) { log += end ? "end;" : end.error().message + ";"; }};
  }
};

Request request() {
  Request out;
  out.url = "http://localhost/v1/messages";
  out.body = "{}";
  return out;
}

}  // namespace

TEST_CASE("the fake plays an answer and keeps the request") {
  FakeHttp http;
  Heard heard;
  const auto transfer = http.send(request(), heard.listener());
  CHECK(heard.log.empty());
  http.last().head(200);
  http.last().body("a");
  http.last().end();
  CHECK(heard.log == "200;a;end;");
  CHECK(http.count() == 1);
  CHECK(http.at(0).request().body == "{}");
  CHECK_FALSE(http.last().cancelled());
}

TEST_CASE("after a cancel the fake calls nothing") {
  FakeHttp http;
  Heard heard;
  auto transfer = http.send(request(), heard.listener());
  http.last().head(200);
  transfer.reset();
  CHECK(http.last().cancelled());
  http.last().body("a");
  http.last().fail({ErrorKind::network, "gone"});
  CHECK(heard.log == "200;");
}

TEST_CASE("the fake refuses what no transfer could be or do") {
  FakeHttp http;
  Heard heard;
  Request odd = request();
  odd.url = "ftp://localhost";
  CHECK_THROWS(http.send(odd, heard.listener()));
  CHECK_THROWS(http.send(request(), Listener{}));
  const auto transfer = http.send(request(), heard.listener());
  CHECK_THROWS(http.last().body("before the head"));
  CHECK_THROWS(http.last().end());
  http.last().head(200);
  CHECK_THROWS(http.last().head(200));
  CHECK_THROWS(http.last().fail({ErrorKind::auth, "not the transport's to say"}));
  http.last().end();
  CHECK_THROWS(http.last().end());
}

}  // namespace selfmind::http
