// `selfmind-host eval`.
#include "cli/eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "base/utf8.h"
#include "recall/eval.h"

namespace selfmind::cli {
namespace {

using Json = nlohmann::ordered_json;
using recall::Figures;
using recall::FloorFigures;
using recall::Mean;

constexpr int k_max = 1000;             // more is no list that anyone reads
constexpr std::size_t name_width = 18;  // with three ks a line has 95 columns
constexpr std::size_t category_width = 40;

struct Row {
  Figures figures;
  std::optional<FloorFigures> floor;  // with --unrelated
};

struct Report {
  std::vector<std::size_t> ks;
  std::vector<Row> sets;
  Row all;
};

Json number(const Mean& mean) { return mean ? Json(*mean) : Json(nullptr); }

Json by_k(const Report& report, const std::vector<Mean>& means) {
  auto object = Json::object();
  for (std::size_t i = 0; i < means.size(); ++i) object[std::to_string(report.ks[i])] = number(means[i]);
  return object;
}

Json to_json(const Report& report, const Row& row) {
  const auto& figures = row.figures;
  auto categories = Json::object();
  for (const auto& [name, category] : figures.categories) {
    categories[name] = {{"n", category.n}, {"recall", by_k(report, category.recall)}};
  }
  Json set = {{"set", figures.set},
              {"n", figures.n},
              {"recall", by_k(report, figures.recall)},
              {"any", by_k(report, figures.any)},
              {"mrr", number(figures.mrr)},
              {"none", number(figures.none)},
              {"categories", categories},
              {"ms", {{"p50", number(figures.p50)}, {"p95", number(figures.p95)}, {"p99", number(figures.p99)}}}};
  if (row.floor) {
    set["unrelated"] = {
        {"n", row.floor->n}, {"none", number(row.floor->none)}, {"lost", by_k(report, row.floor->lost)}};
  }
  return set;
}

void print_json(const Report& report, std::ostream& out) {
  auto sets = Json::array();
  for (const auto& set : report.sets) sets.push_back(to_json(report, set));
  const Json document = {{"sets", sets}, {"all", to_json(report, report.all)}};
  out << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

std::string name_column(const std::string& name, std::size_t width = name_width) {
  return fmt::format("{:<{}}", utf8::excerpt(name, width - 2), width);
}

std::string percent(const Mean& mean) { return mean ? fmt::format("{:.1f}", *mean * 100) : "-"; }

std::string fixed(const Mean& mean) { return mean ? fmt::format("{:.3f}", *mean) : "-"; }

std::string table_row(const Figures& figures) {
  auto line = name_column(figures.set) + fmt::format("{:>6}", figures.n);
  for (const auto& mean : figures.recall) line += fmt::format("{:>6}", percent(mean));
  for (const auto& mean : figures.any) line += fmt::format("{:>7}", percent(mean));
  line += fmt::format("{:>7}{:>6}", fixed(figures.mrr), percent(figures.none));
  for (const auto& mean : {figures.p50, figures.p95, figures.p99}) line += fmt::format("{:>7}", fixed(mean));
  return line;
}

void print_categories(const Report& report, std::ostream& out) {
  const auto& categories = report.all.figures.categories;
  if (categories.empty()) return;
  out << '\n' << name_column("category", category_width) << fmt::format("{:>6}", "n");
  for (const auto k : report.ks) out << fmt::format("{:>6}", fmt::format("R@{}", k));
  out << '\n';
  for (const auto& [name, category] : categories) {
    out << name_column(name, category_width) << fmt::format("{:>6}", category.n);
    for (const auto& mean : category.recall) out << fmt::format("{:>6}", percent(mean));
    out << '\n';
  }
}

std::string floor_row(const Row& row) {
  auto line = name_column(row.figures.set) + fmt::format("{:>6}{:>6}", row.floor->n, percent(row.floor->none));
  for (const auto& mean : row.floor->lost) line += fmt::format("{:>8}", percent(mean));
  return line;
}

// Questions of the other files, and what it costs a file's own that they find nothing.
void print_floor(const Report& report, std::ostream& out) {
  out << '\n' << name_column("unrelated") << fmt::format("{:>6}{:>6}", "n", "none");
  for (const auto k : report.ks) out << fmt::format("{:>8}", fmt::format("lost@{}", k));
  out << '\n';
  for (const auto& set : report.sets) out << floor_row(set) << '\n';
  out << floor_row(report.all) << '\n';
}

void print_table(const Report& report, std::ostream& out) {
  out << name_column("set") << fmt::format("{:>6}", "n");
  for (const auto k : report.ks) out << fmt::format("{:>6}", fmt::format("R@{}", k));
  for (const auto k : report.ks) out << fmt::format("{:>7}", fmt::format("any@{}", k));
  out << fmt::format("{:>7}{:>6}{:>7}{:>7}{:>7}\n", "MRR", "none", "p50 ms", "p95 ms", "p99 ms");
  for (const auto& set : report.sets) out << table_row(set.figures) << '\n';
  out << table_row(report.all.figures) << '\n';
  print_categories(report, out);
  if (report.all.floor) print_floor(report, out);
}

std::optional<std::string> wrong_usage(const EvalArguments& arguments) {
  if (arguments.files.empty()) return "eval needs at least one recall set: eval FILE…";
  const auto in_range = [](int k) { return k >= 1 && k <= k_max; };
  if (arguments.ks.empty() || !std::all_of(arguments.ks.begin(), arguments.ks.end(), in_range)) {
    return fmt::format("--k takes numbers from 1 to {}, as in --k 3,6,10.", k_max);
  }
  return std::nullopt;
}

std::vector<std::size_t> each_once(const std::vector<int>& numbers) {
  std::vector<std::size_t> ks(numbers.begin(), numbers.end());
  std::sort(ks.begin(), ks.end());
  ks.erase(std::unique(ks.begin(), ks.end()), ks.end());
  return ks;
}

Result<std::vector<recall::Set>> read_sets(const EvalArguments& arguments) {
  std::vector<recall::Set> sets;
  for (const auto& file : arguments.files) {
    auto set = recall::read_set(file, arguments.turns_only);
    if (!set) return set.error();
    sets.push_back(*std::move(set));
  }
  return sets;
}

template <class Value>
void append(std::vector<Value>& to, const std::vector<Value>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

Report measure(const std::vector<recall::Set>& sets, const recall::EvalOptions& options, bool unrelated) {
  const auto ks = options.ks.size();
  Report report;
  report.ks = options.ks;
  std::vector<recall::Answer> pooled;
  recall::Floor pooled_floor;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto answers = recall::ask(sets[i], options);
    append(pooled, answers);
    Row row{recall::figures(sets[i].name, answers, ks), std::nullopt};
    if (unrelated) {
      const auto floor = recall::try_floor(sets, i, options);
      append(pooled_floor.nothing, floor.nothing);
      append(pooled_floor.unbarred, floor.unbarred);
      row.floor = recall::floor_figures(floor, row.figures, ks);
    }
    report.sets.push_back(std::move(row));
  }
  report.all.figures = recall::figures("all", pooled, ks);
  if (unrelated) report.all.floor = recall::floor_figures(pooled_floor, report.all.figures, ks);
  return report;
}

int fail(int code, const std::string& why, std::ostream& err) {
  err << why << '\n';
  return code;
}

}  // namespace

int eval_command(const EvalArguments& arguments, std::ostream& out, std::ostream& err) {
  if (const auto why = wrong_usage(arguments)) return fail(2, *why, err);
  const auto preset = recall::preset(arguments.preset);
  if (!preset) return fail(2, preset.error().message, err);

  recall::EvalOptions options;
  options.ks = each_once(arguments.ks);
  options.preset = *preset;
  // The first design is measured as it was written: ASCII letters and digits.
  if (preset->method == recall::Method::bm25) options.preset.analysis = recall::Analysis::ascii;
  if (const auto lacking = recall::lacking(*preset); !lacking.empty()) err << lacking << '\n';
  const auto sets = read_sets(arguments);
  if (!sets) return fail(1, sets.error().message, err);
  const auto report = measure(*sets, options, arguments.unrelated);
  arguments.json ? print_json(report, out) : print_table(report, out);
  return 0;
}

}  // namespace selfmind::cli
