// Knowledge is what is known of each model at each server: the table's word, corrected by what the server says of its
// model and by what it has refused. In memory, for the life of its Client; chat and learning share it. Loop thread
// only.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "claude/fields.h"
#include "claude/lookup.h"
#include "claude/models.h"

namespace selfmind::claude {

class Knowledge {
 public:
  Accepts about(const Endpoint& endpoint, const std::string& model) const;
  // A request was refused. `thinking` are the fingerprints of the thinking blocks that went with it.
  void refused(const Endpoint& endpoint, const std::string& model, const Refused& what,
               const std::set<std::size_t>& thinking);
  void said(const Endpoint& endpoint, const std::string& model, const Description& description);
  // True once for each model of each server.
  bool first_request(const Endpoint& endpoint, const std::string& model);

 private:
  struct Entry {
    bool asked = false;
    Description description;
    std::vector<Refused> refusals;
    std::set<std::size_t> thinking;
  };
  std::map<std::pair<std::string, std::string>, Entry> entries_;  // by base URL and model
};

}  // namespace selfmind::claude
