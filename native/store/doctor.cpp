#include "store/doctor.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "store/bytes.h"
#include "store/references.h"
#include "store/statement.h"
#include "store/stats.h"
#include "store/stray_secrets.h"
#include "store/upkeep.h"

namespace selfmind::store {
namespace {

namespace fs = std::filesystem;

std::string counted(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

class Doctor {
 public:
  Doctor(std::string path, Clock& clock, Ids& ids, bool fix)
      : path_(std::move(path)), clock_(clock), ids_(ids), fix_(fix) {}

  std::vector<Finding> examine() {
    std::error_code failed;
    const bool there = fs::exists(path_, failed);
    if (failed) {
      found("store", fmt::format("{} cannot be looked at: {}", path_, failed.message()), "give yourself the right to");
      return std::move(findings_);
    }
    if (!there) {
      fine("store", path_ + " is not there yet; it is made when it is first used");
      return std::move(findings_);
    }
    check_rights();
    if (open()) check_rows();
    return std::move(findings_);
  }

 private:
  void fine(const char* check, std::string text) { findings_.push_back({check, Finding::fine, std::move(text), {}}); }
  void found(const char* check, std::string text, std::string advice) {
    findings_.push_back({check, Finding::found, std::move(text), std::move(advice)});
  }
  void mended(const char* check, std::string text) {
    findings_.push_back({check, Finding::mended, std::move(text), {}});
  }
  // What could not be looked at, or could not be mended.
  void failed(const char* check, const Error& error) { found(check, error.message, "then run doctor again"); }

  // The store's file, and what belongs to it: journals, the writers' queue, the key, backups.
  std::vector<std::string> files() const {
    std::vector<std::string> all;
    std::error_code failed;
    const fs::path store = path_;
    for (const auto& entry : fs::directory_iterator(store.parent_path(), failed)) {
      const auto name = entry.path().filename().string();
      const auto own = store.filename().string();
      const bool beside = name.starts_with(own + "-") || name.starts_with(own + ".");
      if (name == own || beside) all.push_back(entry.path().string());
    }
    std::sort(all.begin(), all.end());
    return all;
  }
  std::vector<std::string> backups() const {
    auto all = files();
    std::erase_if(all, [this](const std::string& file) {
      return !file.starts_with(path_ + ".backup-") || file.ends_with(".unfinished") || file.ends_with(".queue");
    });
    return all;
  }

  void check_rights() {
    const auto before = findings_.size();
    check_rights_of(fs::path(path_).parent_path().string(), 0700);
    for (const auto& file : files()) check_rights_of(file, 0600);
    if (findings_.size() == before) fine("rights", "the store's folder and files are yours alone");
  }

  void check_rights_of(const std::string& path, mode_t wanted) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return;
    if (status.st_uid != ::geteuid()) {
      return found("rights", fmt::format("{} belongs to another user", path),
                   "own the store: copy it with `backup` to a place of yours, and set SELFMIND_DB to that");
    }
    const mode_t open_to_others = status.st_mode & 077u;
    if (open_to_others == 0) return;
    const std::string what = fmt::format("{} is open to others (mode {:04o})", path, status.st_mode & 07777u);
    if ((status.st_mode & S_ISVTX) != 0) {
      return found("rights", what, "everybody's folder is no place for the store: move it, and set SELFMIND_DB");
    }
    if (!fix_) return found("rights", what, fmt::format("`doctor --fix` makes it {:04o}", wanted));
    if (::chmod(path.c_str(), wanted) != 0) {
      return found("rights", what,
                   fmt::format("make it {:04o} yourself: {}", wanted, std::generic_category().message(errno)));
    }
    mended("rights", fmt::format("{} was open to others and is yours alone now", path));
  }

  bool open() {
    auto opened = fix_ ? Database::open(path_, clock_, ids_) : Database::open_to_look(path_, clock_, ids_);
    if (!opened) {
      std::error_code ignored;
      if (!fix_ && opened.error().kind == ErrorKind::io && fs::exists(path_ + "-journal", ignored)) {
        found("store", path_ + " was left in the middle of a change, by a program or a machine that stopped",
              "any command that opens it takes that change back, as `stats` does; then run doctor again");
        return false;
      }
      const auto copies = backups();
      found("store", opened.error().message,
            copies.empty() ? "there is no backup beside it" : "the newest backup beside it is " + copies.back());
      return false;
    }
    database_.emplace(std::move(*opened));
    writable_ = database_->writable().ok();
    return true;
  }

  bool can_fix() const { return fix_ && writable_; }

  void check_rows() {
    check_schema();
    if (!check_whole()) return;
    check_journal();
    check_secrets();
    check_backups();
    if (redacted_) check_bytes();
    check_validity();
    check_queue();
  }

  void check_schema() {
    const auto version = number(query(*database_, "PRAGMA user_version"));
    if (!version) return failed("store", version.error());
    if (const auto known = database_->writable(); !known) {
      return found("schema", known.error().message, "until then it is only looked at");
    }
    if (*version < schema_version) {
      return fine("schema", fmt::format("{}: schema {}, brought to {} when it is next used, after a backup", path_,
                                        *version, schema_version));
    }
    fine("schema", fmt::format("{}: schema {}", path_, *version));
  }

  bool check_whole() {
    const auto said =
        collect(query(*database_, "PRAGMA integrity_check(3)"), [](const Statement& row) { return row.text(0); });
    const auto broken = broken_references(*database_);
    std::string why;
    if (!said) {
      why = said.error().message;
    } else if (said->size() != 1 || said->front() != "ok") {
      why = fmt::format("{}", fmt::join(*said, "; "));
    } else if (!broken) {
      why = broken.error().message;
    } else if (*broken > 0) {
      why = counted(*broken, "row refers to one that is gone", "rows refer to some that are gone");
    }
    if (why.empty()) {
      fine("file", "every page, index and reference is in order");
      return true;
    }
    const auto copies = backups();
    std::string advice = copies.empty() ? "there is no backup beside it; `export` saves what can still be read"
                                        : "move it away and `restore " + copies.back() + "`";
    found("file", "the file is damaged: " + why, std::move(advice));
    return false;
  }

  void check_journal() {
    const auto mode = database_->journal_mode();
    const std::string with = fmt::format("journal {}, SQLite {}", mode, sqlite_version());
    if (mode == "wal" && !wal_is_safe()) {
      return found("journal", with + ": this version can damage a store in this mode",
                   "close every Neovim, then run `doctor --fix` alone; or update SQLite");
    }
    fine("journal", with);
  }

  static std::string places(const StraySecrets& strays) {
    constexpr std::size_t shown = 5;
    std::string text;
    for (const auto& [what, rows] : strays.rows) {
      const auto some = std::vector<Id>(rows.begin(), rows.begin() + std::min<std::ptrdiff_t>(shown, std::ssize(rows)));
      text += fmt::format("{}{} {}{}", text.empty() ? "" : "; ", what, fmt::join(some, ", "),
                          rows.size() > shown ? fmt::format(" and {} more", rows.size() - shown) : "");
    }
    return text;
  }

  void check_secrets() {
    const auto there = find_stray_secrets(*database_);
    if (!there) return failed("secrets", there.error());
    if (!there->any()) return fine("secrets", "none in any row");
    if (!can_fix()) {
      return found("secrets", fmt::format("{} ({})", text::in_words(there->found), places(*there)),
                   "`doctor --fix` takes them out");
    }
    auto strays = redact(*database_);
    if (!strays) return failed("secrets", strays.error());
    mended("secrets", fmt::format("taken out: {} ({})", text::in_words(strays->found), places(*strays)));
    keep_for_later(*strays);
  }

  void check_backups() {
    for (const auto& path : backups()) {
      if (auto done = check_backup(path); !done) {
        found("backup", fmt::format("{} cannot be read: {}", path, done.error().message), "remove it");
      }
    }
  }

  // A backup stays what it is, of its own schema.
  Result<void> check_backup(const std::string& path) {
    {
      auto copy = Database::open_to_look(path, clock_, ids_);
      if (!copy) return copy.error();
      const auto strays = find_stray_secrets(*copy);
      if (!strays) return strays.error();
      if (!strays->any()) return {};
      const std::string what = text::in_words(strays->found);
      if (!can_fix()) {
        found("backup", fmt::format("{} has {} in it", path, what), "`doctor --fix` takes them out, or remove it");
        return {};
      }
    }
    auto copy = Database::open_copy(path, clock_, ids_);
    if (!copy) return copy.error();
    auto strays = redact(*copy);
    if (!strays) return strays.error();
    if (auto rebuilt = rebuild(*copy); !rebuilt) return rebuilt;
    mended("backup", fmt::format("taken out of {}: {}", path, text::in_words(strays->found)));
    keep_for_later(*strays);
    return {};
  }

  void keep_for_later(const StraySecrets& strays) {
    values_.insert(values_.end(), strays.values.begin(), strays.values.end());
    redacted_ = true;
  }

  static Result<StraySecrets> redact(Database& database) {
    auto transaction = Transaction::write(database);
    if (!transaction) return transaction.error();
    auto strays = redact_stray_secrets(database, *transaction);
    if (!strays) return strays;
    if (auto done = transaction->commit(); !done) return done.error();
    return strays;
  }

  // After everything: a backup may have had one that the store no longer had.
  void check_bytes() {
    const auto remain = [this](const std::string& file) {
      found("secrets", fmt::format("the bytes of one still stand in {}", file),
            "close every Neovim, then run `doctor --fix`");
    };
    if (const auto rebuilt = rebuild(*database_); !rebuilt) return failed("secrets", rebuilt.error());
    if (stand_in_store(*database_, values_)) remain(path_);
    for (const auto& file : backups()) {
      if (stand_in_file(file, values_)) remain(file);
    }
  }

  // The host does this once a day; here it is seen where no Neovim was opened for long.
  void check_validity() {
    const auto version = number(query(*database_, "PRAGMA user_version"));
    if (!version) return failed("memories", version.error());
    if (*version < schema_version) return;  // it may not know of any end
    View everything;
    everything.all = true;
    const auto over = ended(*database_, everything);
    if (!over) return failed("memories", over.error());
    if (over->empty()) return fine("memories", "none is active whose time is over");
    std::vector<Id> ids;
    for (const auto& memory : *over) ids.push_back(memory.id);
    const std::string what = fmt::format("the time of {} is over ({})", counted(std::ssize(ids), "memory", "memories"),
                                         fmt::join(ids, ", "));
    if (!can_fix()) return found("memories", what, "`doctor --fix` archives them; `undo` takes that back");
    if (auto done = keep_up(*database_, everything); !done) return failed("memories", done.error());
    mended("memories", what + "; archived");
  }

  void check_queue() {
    const auto parked = number(query(*database_, "SELECT count(*) FROM learn_queue WHERE parked = 1"));
    if (!parked) return failed("queue", parked.error());
    const auto waiting = number(query(*database_, "SELECT count(*) FROM learn_queue"));
    if (!waiting) return failed("queue", waiting.error());
    if (*parked == 0) return fine("queue", counted(*waiting, "message waits", "messages wait") + " to be learned from");
    const auto why =
        first(query(*database_, "SELECT failure FROM learn_queue WHERE parked = 1 ORDER BY id DESC LIMIT 1"),
              [](const Statement& row) { return row.text(0); });
    if (!why) return failed("queue", why.error());
    const std::string what = fmt::format("{} could not be learned from and {} given up: {}",
                                         counted(*parked, "message", "messages"), *parked == 1 ? "was" : "were", **why);
    if (!can_fix()) return found("queue", what, "mend that, then `doctor --fix` has them tried again");
    const auto done = run(*database_,
                          "UPDATE learn_queue SET parked = 0, attempts = 0, lease = '', lease_until = 0 "
                          "WHERE parked = 1");
    if (!done) return failed("queue", done.error());
    mended("queue", what + "; tried again from now on");
  }

  std::string path_;
  Clock& clock_;
  Ids& ids_;
  bool fix_;
  std::vector<Finding> findings_;
  std::optional<Database> database_;
  bool writable_ = false;
  bool redacted_ = false;
  std::vector<std::string> values_;  // secrets that were taken out
};

}  // namespace

std::vector<Finding> examine(const std::string& path, Clock& clock, Ids& ids, bool fix) {
  std::error_code ignored;
  return Doctor(fs::absolute(path, ignored).string(), clock, ids, fix).examine();
}

}  // namespace selfmind::store
