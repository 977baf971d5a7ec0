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
using recall::Mean;

constexpr int k_max = 1000;             // more is no list that anyone reads
constexpr std::size_t name_width = 18;  // with three ks a line has 95 columns
constexpr std::size_t category_width = 40;

struct Report {
  std::vector<std::size_t> ks;
  std::vector<Figures> sets;
  Figures all;
};

Json number(const Mean& mean) { return mean ? Json(*mean) : Json(nullptr); }

Json by_k(const Report& report, const std::vector<Mean>& means) {
  auto object = Json::object();
  for (std::size_t i = 0; i < means.size(); ++i) object[std::to_string(report.ks[i])] = number(means[i]);
  return object;
}

Json to_json(const Report& report, const Figures& figures) {
  auto categories = Json::object();
  for (const auto& [name, category] : figures.categories) {
    categories[name] = {{"n", category.n}, {"recall", by_k(report, category.recall)}};
  }
  return {{"set", figures.set},
          {"n", figures.n},
          {"recall", by_k(report, figures.recall)},
          {"any", by_k(report, figures.any)},
          {"mrr", number(figures.mrr)},
          {"none", number(figures.none)},
          {"categories", categories},
          {"ms", {{"p50", number(figures.p50)}, {"p95", number(figures.p95)}, {"p99", number(figures.p99)}}}};
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
  if (report.all.categories.empty()) return;
  out << '\n' << name_column("category", category_width) << fmt::format("{:>6}", "n");
  for (const auto k : report.ks) out << fmt::format("{:>6}", fmt::format("R@{}", k));
  out << '\n';
  for (const auto& [name, category] : report.all.categories) {
    out << name_column(name, category_width) << fmt::format("{:>6}", category.n);
    for (const auto& mean : category.recall) out << fmt::format("{:>6}", percent(mean));
    out << '\n';
  }
}

void print_table(const Report& report, std::ostream& out) {
  out << name_column("set") << fmt::format("{:>6}", "n");
  for (const auto k : report.ks) out << fmt::format("{:>6}", fmt::format("R@{}", k));
  for (const auto k : report.ks) out << fmt::format("{:>7}", fmt::format("any@{}", k));
  out << fmt::format("{:>7}{:>6}{:>7}{:>7}{:>7}\n", "MRR", "none", "p50 ms", "p95 ms", "p99 ms");
  for (const auto& set : report.sets) out << table_row(set) << '\n';
  out << table_row(report.all) << '\n';
  print_categories(report, out);
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

Result<Report> measure(const EvalArguments& arguments, const recall::EvalOptions& options) {
  Report report;
  report.ks = options.ks;
  std::vector<recall::Answer> pooled;
  for (const auto& file : arguments.files) {
    const auto set = recall::read_set(file, arguments.turns_only);
    if (!set) return set.error();
    const auto answers = recall::ask(*set, options);
    report.sets.push_back(recall::figures(set->name, answers, options.ks.size()));
    pooled.insert(pooled.end(), answers.begin(), answers.end());
  }
  report.all = recall::figures("all", pooled, options.ks.size());
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
  const auto report = measure(arguments, options);
  if (!report) return fail(1, report.error().message, err);
  arguments.json ? print_json(*report, out) : print_table(*report, out);
  return 0;
}

}  // namespace selfmind::cli
