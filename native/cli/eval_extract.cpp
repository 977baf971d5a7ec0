#include "cli/eval_extract.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "cli/cli.h"
#include "cli/extraction_figures.h"

namespace selfmind::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Report {
  ExtractionFigures rules;
  std::optional<AnswerFigures> answers;
  std::size_t pairs = 0;
  std::vector<Threshold> thresholds;  // empty: there are no pairs
};

Json number(const Share& share) {
  const auto value = share.value();
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const Quality& quality) {
  return {{"precision", number(quality.precision)}, {"recall", number(quality.recall)}};
}

Json classes(const ExtractionFigures& figures) {
  auto object = Json::object();
  for (const auto& [name, quality] : figures.classes) {
    object[name] = {{"n", figures.class_sizes.at(name)},
                    {"wanted", quality.recall.of},
                    {"found", quality.recall.right},
                    {"wrong", quality.precision.of - quality.precision.right},
                    {"texts", to_json(quality)}};
  }
  return object;
}

Json to_json(const Report& report) {
  const auto& rules = report.rules;
  auto types = Json::object();
  for (const auto& [type, share] : rules.types) types[type] = {{"n", share.of}, {"found", share.right}};
  Json document = {{"n", rules.n},
                   {"texts", to_json(rules.texts)},
                   {"quotes", to_json(rules.quotes)},
                   {"types", types},
                   {"cost_usd", 0},
                   {"memories", {{"n", rules.memories.of}, {"precision", number(rules.memories)}}},
                   {"classes", classes(rules)},
                   {"missed", rules.missed},
                   {"wrong", rules.wrong}};
  if (report.answers) {
    document["answers"] = {
        {"n", report.answers->n}, {"memories", to_json(report.answers->memories)}, {"differ", report.answers->differ}};
  }
  if (report.thresholds.empty()) return document;
  auto thresholds = Json::object();
  for (const auto& at : report.thresholds) {
    thresholds[fmt::format("{:.1f}", at.threshold)] = {{"jaccard", to_json(at.overlap)},
                                                       {"find_duplicate", to_json(at.duplicate)}};
  }
  document["pairs"] = {{"n", report.pairs}, {"thresholds", thresholds}};
  return document;
}

std::string percent(const Share& share) {
  const auto value = share.value();
  return value ? fmt::format("{:.1f}", *value * 100) : "-";
}

std::string row(const std::string& name, std::size_t n, const Quality& quality) {
  return fmt::format("{:<20}{:>6}{:>12}{:>9}\n", name, n, percent(quality.precision), percent(quality.recall));
}

void print_rules(const ExtractionFigures& figures, std::ostream& out) {
  out << fmt::format("{:<20}{:>6}{:>12}{:>9}\n", "without a model", "n", "precision", "recall");
  out << row("texts", figures.n, figures.texts);
  out << row("quotes", figures.quotes.recall.of, figures.quotes);
  out << fmt::format("{:<20}{:>6}{:>12}{:>9}\n", "memories kept", figures.memories.of, percent(figures.memories), "-");
  if (!figures.classes.empty()) {
    out << fmt::format("\n{:<20}{:>6}{:>12}{:>9}{:>9}\n", "class", "n", "to find", "found", "wrong");
    for (const auto& [name, quality] : figures.classes) {
      out << fmt::format("{:<20}{:>6}{:>12}{:>9}{:>9}\n", name, figures.class_sizes.at(name), quality.recall.of,
                         quality.recall.right, quality.precision.of - quality.precision.right);
    }
  }
  out << fmt::format("\n{:<20}{:>6}{:>21}\n", "type", "n", "of that kind");
  for (const auto& [type, share] : figures.types)
    out << fmt::format("{:<20}{:>6}{:>21}\n", type, share.of, share.right);
}

void print_thresholds(const Report& report, std::ostream& out) {
  const auto name = fmt::format("{} pairs", report.pairs);
  out << fmt::format("\n{:<12}{:>14}{:>12}{:>22}{:>9}\n", name, "Jaccard prec.", "recall", "find_duplicate prec.",
                     "recall");
  for (const auto& at : report.thresholds) {
    out << fmt::format("{:<12.1f}{:>14}{:>12}{:>22}{:>9}\n", at.threshold, percent(at.overlap.precision),
                       percent(at.overlap.recall), percent(at.duplicate.precision), percent(at.duplicate.recall));
  }
}

void print_table(const Report& report, std::ostream& out) {
  print_rules(report.rules, out);
  if (report.answers) {
    out << fmt::format("\n{:<20}{:>6}{:>12}{:>9}{:>9}\n", "scripted answers", "n", "precision", "recall", "differ");
    out << fmt::format("{:<20}{:>6}{:>12}{:>9}{:>9}\n", "through the gate", report.answers->n,
                       percent(report.answers->memories.precision), percent(report.answers->memories.recall),
                       report.answers->differ.size());
    for (const auto& id : report.answers->differ) out << "  " << id << '\n';
  }
  if (!report.thresholds.empty()) print_thresholds(report, out);
  out << "\ncost: 0 USD\n";
}

Result<Report> measure(const EvalExtractArguments& arguments) {
  const auto sets = read_extraction_sets(arguments.files);
  if (!sets) return sets.error();
  Report report;
  report.rules = rule_figures(sets->exchanges);
  if (!sets->answers.empty()) {
    auto answers = answer_figures(sets->answers, sets->exchanges);
    if (!answers) return answers.error();
    report.answers = std::move(*answers);
  }
  report.pairs = sets->pairs.size();
  if (report.pairs > 0) report.thresholds = threshold_figures(sets->pairs);
  return report;
}

}  // namespace

int eval_extract_command(const EvalExtractArguments& arguments, std::ostream& out, std::ostream& err) {
  if (!arguments.model.empty()) {
    err << "Runs with a real model are not available yet; without --model the rules are measured.\n";
    return exit_failed;
  }
  const auto report = measure(arguments);
  if (!report) {
    err << report.error().message << '\n';
    return exit_failed;
  }
  if (arguments.json) {
    out << to_json(*report).dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    print_table(*report, out);
  }
  return exit_done;
}

}  // namespace selfmind::cli
