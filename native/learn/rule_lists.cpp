#include "learn/rule_lists.h"

#include <string>

namespace selfmind::learn {
namespace {

std::vector<Pattern> read(std::string_view list, const Pattern::Lists& named) {
  std::vector<Pattern> patterns;
  while (!list.empty()) {
    const auto end = std::min(list.find("; "), list.size());
    if (const auto one = list.substr(0, end); !one.empty()) patterns.emplace_back(one, named);
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  return patterns;
}

LanguageRules compile(const WrittenLanguage& written) {
  constexpr std::string_view sign = " = ";
  Pattern::Lists named;
  for (const std::string_view line : written.named) {
    const auto at = line.find(sign);
    named.emplace(line.substr(0, at), line.substr(at + sign.size()));
  }
  LanguageRules rules;
  rules.name = written.name;
  for (const auto& rule : written.rules) rules.rules.push_back({rule.kind, rule.flags, Pattern(rule.pattern, named)});
  rules.leads = read(written.leads, named);
  rules.questions = read(written.questions, named);
  rules.requests = read(written.requests, named);
  rules.unreal = read(written.unreal, named);
  rules.role_play = read(written.role_play, named);
  rules.unsure = read(written.unsure, named);
  rules.reported = read(written.reported, named);
  rules.passing = read(written.passing, named);
  rules.times = read(written.times, named);
  rules.to_assistant = read(written.to_assistant, named);
  rules.credentials = read(written.credentials, named);
  rules.not_kept = read(written.not_kept, named);
  rules.dangling = read(written.dangling, named);
  rules.states = read(written.states, named);
  rules.copulas = read(written.copulas, named);
  rules.assent = read(written.assent, named);
  rules.greetings = read(written.greetings, named);
  rules.change = read(written.change, named);
  rules.here = read(written.here, named);
  return rules;
}

}  // namespace

const std::vector<LanguageRules>& rules_by_language() {
  static const std::vector<LanguageRules> all = {compile(english_rules), compile(german_rules), compile(french_rules),
                                                 compile(chinese_rules)};
  return all;
}

const std::vector<Pattern>& directing_words() {
  static const auto patterns = read(
      "always|never|must|should|shall|ignore|disregard|instruction|instructions|from_now_on|remember|please|do_not|"
      "don't|make_sure|ensure|assistant|assistants|you|your|the_user|users_of|i'm|i've|i'd|i'll|my|mine|we|we've|our|"
      "us; "
      "immer|nie|niemals|muss|müssen|soll|sollen|sollte|ignoriere|anweisung|anweisungen|ab_sofort|ab_jetzt|merke|bitte|"
      "assistent|du|dein|deine|der_nutzer|die_nutzerin|ich|mein|meine|wir|unser|unsere; "
      "toujours|jamais|dois|doit|devez|ignore|ignorez|instruction|instructions|désormais|souviens-toi|assistant|tu|ton|"
      "vous|votre|l'_utilisateur|je|mon|ma|mes|nous|notre|nos; j'; "
      "总是|必须|不要|忽略|指令|从现在|记住|请|助手|你|您|用户|我",
      {});
  return patterns;
}

const std::vector<Pattern>& announcing_words() {
  static const auto patterns = read(
      "summarize|summarise|summary|translate|proofread|rewrite|rephrase|correct|improve|following|below|article|email|"
      "e-mail|mail|text|paragraph|message|letter|draft|log|logs|output|file|readme|snippet|document|quote|page|post; "
      "zusammenfassen|fasse|übersetze|übersetzen|korrigiere|folgende|folgenden|folgender|folgendes|unten|artikel|"
      "nachricht|brief|entwurf|datei|ausgabe|dokument|seite|zitat; "
      "résume|résumer|traduis|traduire|corrige|corriger|voici|suivant|suivante|ci-dessous|texte|lettre|fichier|sortie|"
      "citation|courriel; "
      "总结|翻译|润色|以下|如下|下面|文章|邮件|日志|文件|报错|引用",
      {});
  return patterns;
}

}  // namespace selfmind::learn
