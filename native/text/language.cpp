#include "text/language.h"

#include <libstemmer.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace selfmind::text {
namespace {

constexpr const char* stemmer_names[languages] = {"english", "german",     "french", "spanish",
                                                  "italian", "portuguese", "dutch",  "russian"};

// clang-format off

// By language, folded. "What", "how" and their like are among them: a question's own words say nothing of its subject.
constexpr const char* stop_words[languages] = {
    // English
    "a an the this that these those i me my mine myself you your yours yourself he him his himself she her hers "
    "herself it its itself we us our ours ourselves they them their theirs themselves who whom whose which what when "
    "where why how am is are was were be been being isnt arent wasnt werent do does did done doing dont doesnt didnt "
    "have has had having havent hasnt hadnt can could cannot cant couldnt may might must shall should shouldnt will "
    "would wont wouldnt and or but nor so if then than because as until while of at by for with about against between "
    "into through during before after above below to from up down in out on off over under again further once here "
    "there all any both each few more most other some such no not only own same too very just also ever even still "
    "yet already really let lets tell please thats im ive youre hes shes theyre weve got get gets getting like one "
    "would much many lot",
    // German
    "der die das den dem des ein eine einen einem einer eines ich mich mir mein meine meinen meinem meiner du dich "
    "dir dein deine er ihn ihm sein seine seinen sie ihr ihre ihren ihrem es wir uns unser unsere unseren euch euer "
    "man sich wer wen wem wessen was welche welcher welches wann wo wohin woher warum wieso weshalb wie bin bist ist "
    "sind seid war waren warst wird werden wurde wurden worden hat habe haben hast hatte hatten kann kannst konnen "
    "konnte konnten können könnte könnten muss müssen musste soll sollen sollte darf dürfen will wollen wollte mag "
    "möchte und oder aber denn weil dass ob wenn als auch nur noch schon sehr so dann da dort hier nicht kein keine "
    "keinen mit ohne von vom zu zum zur bei beim nach vor für fur gegen durch um über uber unter an am auf aus in im "
    "ins bis seit während doch ja nein mal etwas alle alles viel viele mehr dies diese dieser dieses diesen diesem "
    "jede jeder jedes",
    // French
    "le la les l un une des du de d au aux ce cet cette ces c je j me m moi mon ma mes tu te toi ton ta tes il elle "
    "on nous notre nos vous votre vos ils elles leur leurs lui se s y en qui que qu quoi quel quelle quels quelles "
    "dont ou où quand comment pourquoi combien suis es est sommes êtes sont était étaient été être ai as a avons avez "
    "ont avait avaient avoir eu fait faire peut peux pouvoir doit et mais donc car ni si comme plus moins très aussi "
    "encore déjà ne n pas jamais rien avec sans sous sur dans par pour chez entre vers depuis avant après pendant",
    // Spanish
    "el la los las lo un una unos unas de del al a y o u e que qué quien quién cual cuál cuando cuándo donde dónde "
    "como cómo por para porque con sin sobre entre hasta desde en yo mi mis me mí tú tu tus te él ella su sus se nos "
    "nosotros nuestro nuestra ellos ellas le les es son soy eres era eran fue fueron ser estar está están estaba he "
    "ha has han había haber hay tiene tengo puede puedo no si sí ya muy más pero también este esta esto estos estas "
    "ese esa eso",
    // Italian
    "il lo la i gli le l un uno una di del della dei degli delle dello a al alla ai alle da dal dalla in nel nella "
    "con su sul sulla per tra fra e ed o ma che chi cosa quale quali quando dove come perché io mi mio mia miei tu ti "
    "tuo tua lui lei si suo sua noi ci nostro voi vi loro è sono sei siamo era erano essere stato ho hai ha abbiamo "
    "hanno aveva avere può posso non più molto anche già ancora se questo questa questi queste quello quella",
    // Portuguese
    "o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela para com sem sobre entre até desde e "
    "ou mas que quem qual quais quando onde como porque eu me meu minha meus tu te teu você ele ela seu sua seus se "
    "nós nosso nossa eles elas é são sou era eram foi foram ser estar está estão estava tem tenho ter há pode posso "
    "não sim já muito mais também este esta isto esse essa isso",
    // Dutch
    "de het een ik mij me mijn jij je jou jouw u uw hij hem zijn zij ze haar wij we ons onze jullie hun die dat deze "
    "dit wie wat welke wanneer waar waarom hoe ben bent is was waren wordt worden werd heb hebt heeft hebben had "
    "hadden kan kunnen kon moet moeten zal zullen zou wil en of maar want omdat als dan ook nog al zeer niet geen er "
    "hier daar met zonder van voor naar bij op in uit aan om over onder door tot sinds tegen te",
    // Russian
    "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только её мне было вот от меня "
    "ещё нет о из ему теперь когда даже ну ли если уже или ни быть был него до вас нибудь вам ведь там потом себя "
    "ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под "
    "будет кто этот того потому этого какой какая какие ним здесь этом один почти мой моя моё мои тем чтобы нее были "
    "куда зачем всех можно при об наш наша наши это эта эти",
};

// Characters and pairs that are grammar. Single hiragana are all left out below.
constexpr const char* ideograph_stop_words =
    "的 了 吗 呢 吧 啊 是 在 我 你 他 她 它 们 我们 你们 他们 她们 这 那 哪 这个 那个 哪个 有 和 与 就 都 也 很 什 么 什么 怎 怎么 为 为什 多少 几 请 问 请问 告诉 一 个 一个 给 把 "
    "被 让 对 对于 关于 这些 那些 哪些 的是 是什 是多 です ます した して する この その あの どの これ それ なに 何 から まで には では とは ので のに 은 는 이 가 을 를 의 에 도 와 과 로 "
    "나 내 그 저";

// English forms that no rule of endings brings together: what they are looked up as, then the forms.
constexpr const char* irregular_english[] = {
    "become became",
    "begin began begun",
    "bite bit bitten",
    "blow blew blown",
    "break broke broken",
    "bring brought",
    "build built",
    "buy bought",
    "catch caught",
    "choose chose chosen",
    "come came",
    "deal dealt",
    "draw drew drawn",
    "dream dreamt",
    "drink drank drunk",
    "drive drove driven",
    "eat ate eaten",
    "fall fell fallen",
    "feed fed",
    "feel felt",
    "fight fought",
    "find found",
    "fly flew flown",
    "forget forgot forgotten",
    "forgive forgave forgiven",
    "freeze froze frozen",
    "give gave given",
    "go went gone goes",
    "grow grew grown",
    "hang hung",
    "hear heard",
    "hide hid hidden",
    "hold held",
    "keep kept",
    "know knew known",
    "lead led",
    "learn learnt",
    "leave left",
    "lend lent",
    "lose lost",
    "make made",
    "mean meant",
    "meet met",
    "pay paid",
    "prove proven",
    "ride rode ridden",
    "ring rang rung",
    "rise rose risen",
    "run ran",
    "say said",
    "see saw seen",
    "seek sought",
    "sell sold",
    "send sent",
    "shake shook shaken",
    "shine shone",
    "shoot shot",
    "show shown",
    "shrink shrank shrunk",
    "sing sang sung",
    "sink sank sunk",
    "sit sat",
    "sleep slept",
    "speak spoke spoken",
    "spend spent",
    "stand stood",
    "steal stole stolen",
    "stick stuck",
    "strike struck",
    "swear swore sworn",
    "sweep swept",
    "swim swam swum",
    "swing swung",
    "take took taken",
    "teach taught",
    "tear tore torn",
    "tell told",
    "think thought",
    "throw threw thrown",
    "understand understood",
    "wake woke woken",
    "wear wore worn",
    "win won",
    "write wrote written",
    "overwrite overwrote overwritten",
    "rebuild rebuilt",
    "rewrite rewrote rewritten",
    "lie lies lying", "die dies died dying", "tie ties tied tying", "do does did done", "child children",
    "foot feet",
    "man men",
    "mouse mice",
    "tooth teeth",
    "woman women",
    "wife wives",
    "life lives",
    "knife knives",
    "half halves",
    "index indices",
    "vertex vertices",
    "matrix matrices",
    "person people",
    "good better best",
    "bad worse worst",
};

// Calls `each` with every word of a list.
template <class Each>
void for_each_word(std::string_view list, Each each) {
  while (!list.empty()) {
    const auto end = std::min(list.find(' '), list.size());
    if (end > 0) each(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

std::unordered_map<std::string_view, std::string_view> read_irregular() {
  std::unordered_map<std::string_view, std::string_view> base;
  for (const std::string_view list : irregular_english) {
    const auto first = list.substr(0, list.find(' '));
    for_each_word(list, [&](std::string_view form) { base[form] = first; });
  }
  return base;
}

// Words that stand in talk about anything, so that sharing one says little even in a store too small to show it; among
// them the words one asks about a conversation with. By language, folded.
constexpr const char* common_words[] = {
    // English: talking
    "say says said saying tell tells told mention mentions mentioned mentioning discuss discusses discussed "
    "discussion discussions talk talks talked talking chat chats conversation conversations session sessions speak "
    "ask asks asked asking question questions answer answers answered remember reminds remind recall forget bring "
    "brings brought explain explained explaining describe described show shows shown suggest suggested suggestion "
    "suggestions recommend recommended recommendation recommendations advise advice call called write summary "
    "summarize summarise clear comprehensive throughout across order walk step steps"
    // English: thinking, doing
    "know knew known think thought thinks want wants wanted need needs needed help helps helped make makes made "
    "making take takes took taken taking give gives gave given giving go goes going went gone come comes came coming "
    "look looks looked looking find found use uses used using try tries tried trying work works worked working start "
    "started starting begin began end ended ending finish finished complete completed completing do keep kept put set "
    "setup run happen happened happening plan plans planned planning decide decided change changed changes changing "
    "add added adding include included including includes involve involved create created creating build built "
    "building improve improved improving improvement handle handled handling implement implemented implementing "
    "develop developed developing development manage managed learn learned meet met believe feel felt seem seems mean "
    "means like liked love likely consider considering based related regarding focus focused ensure approach "
    "approached receive received prefer choose chose chosen pick understand understanding see saw seen"
    // English: things and time
    "thing things something anything everything someone anyone everyone people person way ways kind kinds type types "
    "sort part parts aspect aspects feature features item items example examples case cases point points reason "
    "reasons idea ideas result results number numbers total amount project projects app application problem problems "
    "issue issues task tasks detail details information time times day days week weeks month months year years today "
    "now currently recently new old first last next second previous different same several various specific certain "
    "main possible good great best better bad big small long short high low right left able far away back around "
    "often usually always never ever sometimes together along upon two three four five six seven eight nine ten name "
    "named favorite favourite",
    // German
    "sagen sagt sagte gesagt erwähnt erwähnte besprochen gesprochen sprechen reden frage fragen gefragt antwort "
    "erklären erklärt zeigen zeig empfehlen empfohlen vorgeschlagen vorschlag denken dachte wissen weiss wollte "
    "wollten brauche brauchen braucht machen macht gemacht mache tun getan gehen geht gegangen kommen kommt gekommen "
    "geben gibt gegeben nehmen nimmt finden gefunden benutzen benutzt benutze verwenden verwendet nutzen nutzt "
    "arbeiten arbeitet anfangen angefangen fertig entschieden geändert ändern hinzufügen bauen gebaut verbessern "
    "lernen sehen gesehen sache sachen ding dinge leute art arten teil teile beispiel grund gründe idee problem "
    "probleme aufgabe aufgaben projekt zeit zeiten tag tage tagen woche wochen monat monate jahr jahre heute jetzt "
    "neu neue neuen neues alt alte erste ersten erster letzte letzten letzter nächste verschiedene gut gute besser "
    "beste gross klein lange kurz immer oft wieder zusammen zwei drei vier fünf eigentlich genau",
    // French
    "dire dit parler parlé question réponse expliquer montrer proposé penser savoir vouloir voulu besoin utiliser "
    "utilise utilisé travailler commencer finir décidé changé ajouter chose choses gens façon type partie exemple "
    "raison idée problème projet temps jour jours semaine semaines mois an ans année années aujourd hui maintenant "
    "nouveau nouvelle premier première dernier dernière bon bonne grand petit toujours souvent deux trois",
    // Chinese and Japanese, as pairs
    "说过 提到 讨论 告诉 记得 问题 回答 解释 建议 推荐 认为 觉得 知道 想要 需要 使用 开始 完成 决定 改变 东西 事情 时候 时间 今天 现在 昨天 最近 项目 方法 方式 原因 主要 内容 情况 具体 哪个 "
    "哪里 哪些 可以 能够 应该 已经 言い 言っ 話し 質問 教え 思い 思う 使う 使っ 始め 決め 問題 理由 方法 時間 今日 最近 必要 場合",
};

// clang-format on

std::unordered_set<std::string_view> read_common() {
  std::unordered_set<std::string_view> words;
  for (const std::string_view list : common_words) {
    for_each_word(list, [&](std::string_view word) { words.insert(word); });
  }
  return words;
}

std::unordered_map<std::string_view, LanguageSet> read_lists() {
  std::unordered_map<std::string_view, LanguageSet> words;
  const auto read = [&words](std::string_view list, LanguageSet in) {
    for_each_word(list, [&](std::string_view word) { words[word] |= in; });
  };
  for (std::size_t i = 0; i < languages; ++i) read(stop_words[i], static_cast<LanguageSet>(1u << i));
  read(ideograph_stop_words, every_language);
  return words;
}

// A longer run of letters is no word, and Snowball takes quadratic time for some.
constexpr std::size_t longest_word = 64;

// One character of hiragana (U+3041 to U+3096) is an ending or a particle.
bool is_single_hiragana(std::string_view word) {
  if (word.size() != 3 || word[0] != '\xE3') return false;
  const auto second = static_cast<unsigned char>(word[1]);
  const auto third = static_cast<unsigned char>(word[2]);
  return second == 0x81 || (second == 0x82 && third <= 0x96);
}

}  // namespace

LanguageSet stop_word_in(std::string_view word) {
  static const auto words = read_lists();
  if (is_single_hiragana(word)) return every_language;
  const auto found = words.find(word);
  return found == words.end() ? LanguageSet{0} : found->second;
}

bool is_common(std::string_view word) {
  static const auto words = read_common();
  return words.count(word) > 0;
}

bool names_the_user(std::string_view word) {
  static const std::unordered_set<std::string_view> words = {
      "user",         "users",    "user's",  "utilisateur", "utilisateurs", "l'utilisateur",
      "utilisatrice", "nutzer",   "nutzers", "nutzerin",    "benutzer",     "benutzers",
      "benutzerin",   "anwender", "usuario", "usuaria",     "utente",       "usuário",
      "gebruiker",    "用户",     "用",      "户",          "ユーザー",     "пользователь"};
  return words.count(word) > 0;
}

void LanguageVotes::flush() {
  for (std::size_t i = 0; i < languages; ++i) votes_[i] += (bytes_ >> (8 * i)) & 0xFF;
  bytes_ = 0;
  added_ = 0;
}

Language LanguageVotes::winner() {
  flush();
  const auto most = std::max_element(votes_.begin(), votes_.end());  // the first of equals; English is first
  // One word is no language: "OS", "car" and "die" are stop words somewhere.
  return *most < 2 ? Language::english : static_cast<Language>(most - votes_.begin());
}

void Stemmer::Free::operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }

std::string Stemmer::stem(std::string_view word, Language language) {
  const auto is_letter_byte = [](char c) { return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80; };
  if (word.size() > longest_word || !std::all_of(word.begin(), word.end(), is_letter_byte)) return std::string(word);
  if (language == Language::english) {
    static const auto irregular = read_irregular();
    if (const auto found = irregular.find(word); found != irregular.end()) word = found->second;
  }
  auto& stemmer = stemmers_[static_cast<std::size_t>(language)];
  if (!stemmer) stemmer.reset(sb_stemmer_new(stemmer_names[static_cast<std::size_t>(language)], "UTF_8"));
  if (!stemmer) return std::string(word);  // a libstemmer without this language
  const auto* stem =
      sb_stemmer_stem(stemmer.get(), reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
  if (stem == nullptr) return std::string(word);
  return std::string(reinterpret_cast<const char*>(stem), static_cast<std::size_t>(sb_stemmer_length(stemmer.get())));
}

}  // namespace selfmind::text
