// The index of a whole store, for the subcommands that recall.
#pragma once
#include "base/result.h"
#include "recall/index.h"
#include "recall/presets.h"
#include "store/database.h"

namespace selfmind::cli {

Result<recall::Index> load_index(store::Database& database, const recall::Preset& preset);

}  // namespace selfmind::cli
