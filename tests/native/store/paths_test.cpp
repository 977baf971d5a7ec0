#include "store/paths.h"

#include <cstdlib>
#include <optional>

#include "support/catch.h"

using selfmind::store::default_path;

namespace {

// Sets a variable for the length of a test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) { value == nullptr ? ::unsetenv(name_) : ::setenv(name_, value, 1); }

  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("the store is where the environment says, else in the user's data folder") {
  const Variable home("HOME", "/home/somebody");
  const Variable no_db("SELFMIND_DB", "");
  const Variable no_data("XDG_DATA_HOME", nullptr);
  CHECK(default_path() == "/home/somebody/.local/share/selfmind/memory.db");
  {
    const Variable empty("XDG_DATA_HOME", "");
    CHECK(default_path() == "/home/somebody/.local/share/selfmind/memory.db");
  }
  {
    const Variable relative("XDG_DATA_HOME", "data");
    CHECK(default_path() == "/home/somebody/.local/share/selfmind/memory.db");
  }
  {
    const Variable without("HOME", nullptr);
    CHECK((default_path().empty() || default_path().front() == '/'));
  }
  const Variable data("XDG_DATA_HOME", "/data");
  CHECK(default_path() == "/data/selfmind/memory.db");
  const Variable db("SELFMIND_DB", "/elsewhere/my.db");
  CHECK(default_path() == "/elsewhere/my.db");
}
