#include "host/caretaker.h"

#include "base/limits.h"
#include "base/log.h"
#include "host/protocol.h"
#include "store/log.h"
#include "store/upkeep.h"

namespace selfmind::host {

void Caretaker::visit(store::Id chat) {
  if (store::is_private(chat)) return;  // nothing in the store shows that there was one
  store_.run<store::Upkeep>(
      Priority::background,
      [chat, last = last_, now = clock_.now()](store::Database& database) -> Result<store::Upkeep> {
        const auto session = store::session(database, chat);
        if (!session) return session.error();
        const auto before = last->find(session->project);
        if (before != last->end() && now - before->second < limits::upkeep_interval) return store::Upkeep{};
        store::View view;
        view.project = session->project;
        auto done = store::keep_up(database, view);
        if (done) (*last)[session->project] = now;
        return done;
      },
      [this](Result<store::Upkeep> done) {
        // Nobody has asked for it: the next visit tries again.
        if (!done) return log::info("the memories were not looked after: " + done.error().message);
        if (done->archived.empty()) return;
        editor_.event("upkeep/done", {{"archived", encode_list(done->archived)},
                                      {"why", done->why == store::Upkeep::Why::ended ? "ended" : "unused"}});
      });
}

}  // namespace selfmind::host
