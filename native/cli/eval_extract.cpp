#include "cli/eval_extract.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "claude/models.h"
#include "cli/cli.h"
#include "cli/extraction_figures.h"
#include "cli/model_run.h"
#include "learn/extract.h"
#include "learn/gate.h"

namespace selfmind::cli {
namespace {

using Json = nlohmann::ordered_json;

// What a run with a model adds to its figures.
struct Asked {
  std::string model;
  std::size_t of = 0;  // messages there were; as many as figures.n unless it was interrupted
  claude::Usage usage;
  std::optional<double> cost;           // US dollars
  std::vector<std::string> unreadable;  // ids whose answer was none
};

struct Report {
  ExtractionFigures figures;
  std::optional<Asked> asked;  // nothing: by the rules
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

// Null where a price is not known.
Json cost(const Report& report) {
  if (!report.asked) return 0;
  return report.asked->cost ? Json(*report.asked->cost) : Json(nullptr);
}

Json to_json(const Report& report) {
  const auto& figures = report.figures;
  auto types = Json::object();
  for (const auto& [type, share] : figures.types) types[type] = {{"n", share.of}, {"found", share.right}};
  Json document = {{"n", figures.n},
                   {"texts", to_json(figures.texts)},
                   {"quotes", to_json(figures.quotes)},
                   {"types", types},
                   {"cost_usd", cost(report)},
                   {"memories", {{"n", figures.memories.of}, {"precision", number(figures.memories)}}},
                   {"classes", classes(figures)},
                   {"missed", figures.missed},
                   {"wrong", figures.wrong}};
  if (report.asked) {
    const auto& usage = report.asked->usage;
    document["model"] = report.asked->model;
    document["messages"] = report.asked->of;
    document["usage"] = {{"input", usage.input},
                         {"output", usage.output},
                         {"cache_read", usage.cache_read},
                         {"cache_write", usage.cache_write}};
    document["unreadable"] = report.asked->unreadable;
  }
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

void print_figures(const ExtractionFigures& figures, const std::string& by, std::ostream& out) {
  out << fmt::format("{:<20}{:>6}{:>12}{:>9}\n", by, "n", "precision", "recall");
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

// 1234567 as "1,234,567".
std::string grouped(std::int64_t number) {
  auto text = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string dollars(double amount) { return fmt::format("{:.{}f} USD", amount, amount < 0.1 ? 4 : 2); }

std::string tokens_in_words(const claude::Usage& usage) {
  return fmt::format("{} tokens read, {} written", grouped(usage.input + usage.cache_read + usage.cache_write),
                     grouped(usage.output));
}

std::string cost_line(const Report& report) {
  if (!report.asked) return "cost: 0 USD\n";
  const auto& asked = *report.asked;
  std::string line = asked.unreadable.empty() ? "" : fmt::format("unreadable answers: {}\n", asked.unreadable.size());
  return line +
         fmt::format("cost: {}, {}\n", asked.cost ? dollars(*asked.cost) : "not known", tokens_in_words(asked.usage));
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
  print_figures(report.figures, report.asked ? report.asked->model : "without a model", out);
  if (report.answers) {
    out << fmt::format("\n{:<20}{:>6}{:>12}{:>9}{:>9}\n", "scripted answers", "n", "precision", "recall", "differ");
    out << fmt::format("{:<20}{:>6}{:>12}{:>9}{:>9}\n", "through the gate", report.answers->n,
                       percent(report.answers->memories.precision), percent(report.answers->memories.recall),
                       report.answers->differ.size());
    for (const auto& id : report.answers->differ) out << "  " << id << '\n';
  }
  if (!report.thresholds.empty()) print_thresholds(report, out);
  out << '\n' << cost_line(report);
}

Result<Report> measure_rest(const ExtractionSets& sets) {
  Report report;
  if (!sets.answers.empty()) {
    auto answers = answer_figures(sets.answers, sets.exchanges);
    if (!answers) return answers.error();
    report.answers = std::move(*answers);
  }
  report.pairs = sets.pairs.size();
  if (report.pairs > 0) report.thresholds = threshold_figures(sets.pairs);
  return report;
}

// As if it had been said just now.
store::QueueEntry entry_at(const Exchange& exchange, Time now) {
  auto entry = entry_of(exchange);
  entry.said_at = now;
  return entry;
}

// The same as learning asks, with nothing known.
std::vector<claude::Request> requests_for(const std::vector<Exchange>& exchanges, const learn::Settings& settings,
                                          Time now) {
  std::vector<claude::Request> requests;
  for (const auto& exchange : exchanges) {
    requests.push_back(learn::extraction(entry_at(exchange, now), {}, local_date(now), settings));
  }
  return requests;
}

// Four bytes a token, and an answer of a memory or two. A model that thinks all the same writes more.
claude::Usage estimated(const std::vector<claude::Request>& requests) {
  constexpr std::int64_t bytes_per_token = 4;
  constexpr std::int64_t answer_tokens = 200;
  claude::Usage usage;
  for (const auto& request : requests) {
    std::size_t bytes = request.system.size() + request.output_schema.size();
    for (const auto& message : request.messages) {
      for (const auto& block : message.blocks) {
        if (const auto* text = std::get_if<claude::TextBlock>(&block)) bytes += text->text.size();
      }
    }
    usage.input += static_cast<std::int64_t>(bytes) / bytes_per_token;
    usage.output += answer_tokens;
  }
  return usage;
}

std::string announcement(const std::vector<claude::Request>& requests, const host::Settings& settings) {
  const auto usage = estimated(requests);
  const auto price = claude::cost(usage, settings.memory_model);
  return fmt::format("{} at {}: {} {}, about {} tokens to read and {} to write, {}.\n", settings.memory_model,
                     host::without_credentials(settings.endpoint.base_url), requests.size(),
                     requests.size() == 1 ? "message" : "messages", grouped(usage.input), grouped(usage.output),
                     price ? fmt::format("about {} by the prices of {}", dollars(*price), claude::prices_as_of)
                           : "at a price that is not known here");
}

std::optional<double> cost_of(const std::vector<claude::Usage>& used, const std::string& model) {
  double sum = 0;
  for (const auto& usage : used) {
    const auto one = claude::cost(usage, model);
    if (!one) return std::nullopt;
    sum += *one;
  }
  return used.empty() && !claude::cost({}, model) ? std::nullopt : std::optional(sum);
}

void take_answers(const std::vector<Exchange>& exchanges, const ModelAnswers& answers, const learn::Settings& settings,
                  Time now, Report& report) {
  Asked asked{settings.model, exchanges.size(), {}, cost_of(answers.used, settings.model), {}};
  for (const auto& usage : answers.used) {
    asked.usage.input += usage.input;
    asked.usage.output += usage.output;
    asked.usage.cache_read += usage.cache_read;
    asked.usage.cache_write += usage.cache_write;
  }
  std::vector<Exchange> answered;
  std::vector<std::vector<store::MemoryDraft>> drafts;
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    if (!answers.replies[i]) continue;
    const auto read = learn::read_extraction(*answers.replies[i], settings.max_tokens);
    if (!read) asked.unreadable.push_back(exchanges[i].id);
    answered.push_back(exchanges[i]);
    drafts.push_back(read ? learn::gate(*read, entry_at(exchanges[i], now)) : std::vector<store::MemoryDraft>());
  }
  report.figures = figures_of(answered, drafts);
  report.asked = std::move(asked);
}

void print(const Report& report, bool json, std::ostream& out) {
  if (json) {
    out << to_json(report).dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    print_table(report, out);
  }
}

int fail(const Error& error, std::ostream& err) {
  err << error.message << '\n';
  return exit_failed;
}

// What was paid for is said, also where it came to nothing.
Error with_what_was_done(const Error& error, const ModelAnswers& answers, const std::string& model) {
  if (answers.used.empty()) return error;
  const auto cost = cost_of(answers.used, model);
  return {error.kind, fmt::format("After {} of {} messages{}: {}", answers.answered, answers.replies.size(),
                                  cost ? fmt::format(" and {}", dollars(*cost)) : "", error.message)};
}

int with_model(const EvalExtractArguments& arguments, const ModelAccess& access, const ExtractionSets& sets,
               Report report, std::ostream& out, std::ostream& err) {
  host::SettingsParams given;
  given.memory_model = arguments.model;
  const auto settings = host::settings(given, access.environment);
  if (!settings) return fail(settings.error(), err);
  const auto learning = settings->for_learning();
  const auto now = access.clock.now();
  const auto requests = requests_for(sets.exchanges, learning, now);
  if (!arguments.dry_run && !settings->online()) {
    return fail({ErrorKind::auth, "There is no API key; set ANTHROPIC_API_KEY in the environment."}, err);
  }
  err << announcement(requests, *settings) << std::flush;
  if (arguments.dry_run) return exit_done;
  ModelAnswers answers;
  access.network([&](Network& network) { answers = ask_all(network, settings->endpoint, requests, err); });
  if (answers.failed) return fail(with_what_was_done(*answers.failed, answers, learning.model), err);
  take_answers(sets.exchanges, answers, learning, now, report);
  print(report, arguments.json, out);
  if (answers.answered == requests.size()) return exit_done;
  return fail({ErrorKind::io, fmt::format("Stopped after {} of {} messages; the figures are of these.",
                                          answers.answered, requests.size())},
              err);
}

}  // namespace

int eval_extract_command(const EvalExtractArguments& arguments, const ModelAccess& access, std::ostream& out,
                         std::ostream& err) {
  const auto sets = read_extraction_sets(arguments.files);
  if (!sets) return fail(sets.error(), err);
  auto report = measure_rest(*sets);
  if (!report) return fail(report.error(), err);
  if (!arguments.model.empty()) return with_model(arguments, access, *sets, std::move(*report), out, err);
  report->figures = rule_figures(sets->exchanges);
  print(*report, arguments.json, out);
  return exit_done;
}

}  // namespace selfmind::cli
