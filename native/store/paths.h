// Where the store is when nobody says otherwise.
#pragma once
#include <string>

namespace selfmind::store {

// $SELFMIND_DB, else $XDG_DATA_HOME/selfmind/memory.db, else ~/.local/share/selfmind/memory.db; empty variables count
// as unset, and without HOME the account's folder is taken. Empty when there is none.
std::string default_path();

}  // namespace selfmind::store
