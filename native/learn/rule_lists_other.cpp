#include "learn/rule_lists.h"

namespace selfmind::learn {
namespace {

// German ---------------------------------------------------------------------------------------------------------

constexpr const char* german_named[] = {
    "adv = wirklich|eigentlich|meistens|grundsätzlich|generell|immer|jetzt|nun|auch|sehr|lieber|normalerweise|"
    "inzwischen|endgültig|gemeinsam|heute|übrigens|hauptsächlich|überwiegend|noch|gern|gerne",
    "holds = läuft|laufen|liegt|liegen|steht|stehen|nutzt|nutzen|verwendet|verwenden|benutzt|heißt|heißen|hat|haben|"
    "gehört|gehören|besteht|bestehen|lauscht|hört_auf|dauert|dauern|braucht|brauchen|basiert|basieren|endet|beginnt|"
    "unterstützt|wohnt|arbeitet|erscheint",
    "my = mein|meine|unser|unsere|unsre",
};

constexpr WrittenRule german[] = {
    {"correction", addressed | whole | lasting, "nein|nee|nö , es|das|er|sie ist|sind|war|heißt|läuft|liegt|nutzt"},
    {"correction", addressed | whole | lasting, "nein|nee|nö , wir|ich|@my|der|die|das|es ~14 , nicht|sondern"},
    {"correction", addressed | whole | lasting, "nein|nee|nö , wir|ich|@my|der|die|das|es ~14 sondern|statt|anstatt"},
    {"correction", addressed | whole | states, "nein|nee|nö , @my *4 ist|sind|läuft|heißt|liegt"},
    {"correction", addressed | whole, "nein|nee|nö , ich|wir meinte|meinten|meine|nutze|nutzen|verwenden|haben"},
    {"correction", addressed | whole, "das|du stimmt|ist|war|liegst|irrst *1 nicht|falsch|veraltet|dich ,"},
    {"correction", addressed | whole, "eigentlich ist|sind|heißt|läuft|nutzen es|das|wir|@my"},
    {"correction", addressed | whole, "es|das ist|war|heißt ~8 , nicht|sondern"},
    {"correction", addressed | whole, "korrektur ,"},
    {"preference", standing | addressed | whole,
     "… ab_jetzt|von_jetzt_an|ab_sofort|künftig|in_zukunft|zukünftig|ab_heute"},
    {"preference", standing | addressed, "bitte immer|nie|niemals|stets"},
    {"preference", standing | addressed,
     "verwende|nutze|benutze|schreib|schreibe|antworte|nimm|mach|mache|setze|gib mir? bitte? mir? "
     "immer|nie|niemals|stets"},
    {"preference", addressed, "ich bevorzuge|favorisiere"},
    {"preference", addressed | complete, "ich ziehe ~10 vor"},
    {"preference", 0, "ich @adv? mag|liebe|hasse|meide|vermeide"},
    {"preference", 0,
     "ich @adv? arbeite|schreibe|nutze|verwende|trinke|esse|programmiere @adv? @adv? "
     "lieber|am_liebsten|gern|gerne|immer|nie|grundsätzlich"},
    {"preference", lasting, "ich nutze|benutze|verwende|schreibe|esse|trinke kein|keine|keinen *3"},
    {"preference", lasting | complete, "ich bin von *4 auf|zu ~4 umgestiegen|gewechselt"},
    {"preference", 0, "meiner_meinung_nach|meiner_ansicht_nach|aus_meiner_sicht|ich_halte"},
    {"identity", 0, "mein name|beruf|titel|muttersprache ist"},
    {"identity", 0, "meine muttersprache|rolle|stelle ist"},
    {"identity", 0, "ich heiße"},
    {"identity", 0, "ich arbeite als|bei|für|im|in|am"},
    {"identity", 0, "ich @adv? wohne|lebe in|bei|im|mit|nahe"},
    {"identity", 0, "ich komme_aus|stamme_aus|studiere|unterrichte|spreche"},
    {"identity", lasting | complete, "ich bin nach|in *3 gezogen|umgezogen"},
    {"decision", lasting | complete, "wir|ich haben|habe ~14 entschieden|beschlossen|festgelegt|geeinigt|entschlossen"},
    {"decision", lasting, "wir|ich haben|habe @adv? beschlossen|entschieden"},
    {"decision", lasting | complete, "das_team|die_leitung hat ~14 entschieden|beschlossen|geeinigt"},
    {"decision", lasting, "wir setzen_auf|bleiben_bei|bleiben_auf|steigen_um|stellen_um|wechseln_zu|wechseln_auf"},
    {"decision", lasting, "entscheidung|entschieden|beschlossen|beschluss ,"},
    {"decision", lasting, "die_entscheidung ~6 ist gefallen"},
    {"plan", timed, "ich|wir werde|werden ~20 bis|vor|am|im|in|nächste|nächsten|nächstes|ab"},
    {"plan", timed,
     "ich|wir schicke|schicken|liefere|liefern|mache|machen|schreibe|schreiben|stelle|stellen|veröffentlichen ~16 "
     "bis|am|vor"},
    {"plan", 0, "ich|wir plane|planen|beabsichtige|beabsichtigen"},
    {"plan", 0, "ich|wir habe|haben ~4 vor ,"},
    {"plan", lasting | complete, "ich|wir habe|haben ~14 versprochen|zugesagt"},
    {"plan", 0, "der|unser|mein plan|ziel ist"},
    {"task", 0, "ich|wir muss|müssen noch"},
    {"task", timed, "ich|wir muss|müssen ~12 bis|vor"},
    {"lesson", lasting, "es|das hat sich *1 herausgestellt|gezeigt"},
    {"lesson", lasting, "ich|wir habe|haben gelernt|herausgefunden|festgestellt dass"},
    {"lesson", lasting, "gelernt|merke|erkenntnis|fazit ,"},
    {"lesson", lasting, "im_nachhinein|rückblickend"},
    {"incident", lasting | whole, "der|die|das *6 wurde|war *1 durch|wegen"},
    {"incident", lasting | whole, "die_ursache|grund|ursache *5 war|ist"},
    {"incident", lasting | whole,
     "der|die|das|unser|unsere *5 ist|sind|fiel|stürzte ~4 ausgefallen|abgestürzt|aus|ab *1 weil|wegen"},
    {"risk", 0, "das|unser|ein größte|größtes|großes? risiko|gefahr ist|besteht"},
    {"risk", 0, "es besteht|gibt *2 gefahr|risiko"},
    {"context", 0,
     "ich|wir baue|bauen|entwickle|entwickeln|schreibe|schreiben ein|eine|einen *3 "
     "plugin|werkzeug|bibliothek|app|dienst|programm|spiel|compiler"},
    {"context", 0, "ich|wir arbeite|arbeiten *1 an einem|einer|unserem|unserer|meinem|meiner"},
    {"fact", standing | addressed, "bitte? merk_dir|denk_daran|beachte , dass"},
    {"fact", lasting | whole, "wir|ich sind|haben von|auf|zu ~8 umgestiegen|gewechselt|umgestellt|umgezogen|migriert"},
    {"fact", lasting | whole, "wir haben ~10 umbenannt|verschoben|ersetzt|umgestellt|migriert"},
    {"fact", lasting, "wir nutzen|verwenden|benutzen|haben *2 kein|keine|keinen|nicht_mehr"},
    {"fact", complete,
     "ich bin allergisch|vegetarier|vegetarierin|veganer|veganerin|farbenblind|linkshänder|linkshänderin|schwerhörig"},
    {"fact", 0,
     "ich|wir nutze|nutzen|verwende|verwenden|benutze|benutzen|betreibe|betreiben|besitze|besitzen|hosten|deployen"},
    {"fact", states, "@my *4 ist|sind"},
    {"fact", 0, "@my *4 @holds"},
    {"fact", whole,
     "der|die|das *4 läuft_auf|läuft_unter|liegt_in|liegt_auf|liegt_unter|gehört|heißt|steht_in|lauscht_auf"},
    {"fact", whole, "die|der|das frist|abgabe|abgabefrist|termin|stichtag|budget *6 ist|endet|liegt|beträgt"},
    {"preference", whole, "+4 bevorzugt"},
};

// French ---------------------------------------------------------------------------------------------------------

constexpr const char* french_named[] = {
    "adv = vraiment|toujours|généralement|souvent|surtout|beaucoup|aussi|maintenant|finalement|déjà|actuellement|"
    "principalement|bien|tous|clairement|nettement",
    "holds = "
    "compte|comptent|tourne|tournent|utilise|utilisent|s'_appelle|s'_appellent|se_trouve|se_trouvent|a|ont|dure|durent|"
    "écoute|"
    "appartient|appartiennent|contient|dépend|dépendent|exige|commence|finit|se_termine|supporte|repose",
    "my = mon|ma|mes|notre|nos",
};

constexpr WrittenRule french[] = {
    {"correction", addressed | whole | lasting, "non , c'_est|ce_sont|il_s'_agit|il_s'_appelle|elle_s'_appelle"},
    {"correction", addressed | whole | lasting, "non , nous|on|je|j'|@my|le|la|les|l' ~14 , pas|mais|et_non"},
    {"correction", addressed | whole | lasting,
     "non , nous|on|je|j' utilisons|utilise|avons|n'_utilisons|n'_utilise|travaille|habite"},
    {"correction", addressed | whole | states, "non , @my *4 est|sont|tourne|utilise"},
    {"correction", addressed | whole, "non je|j' voulais_dire|parlais"},
    {"correction", addressed | whole,
     "c'_est|ce_n'_est|c'_était|tu_te faux|pas_vrai|pas_ça|pas_exact|inexact|une_erreur|trompes ,"},
    {"correction", addressed | whole, "en_fait c'_est|ce_sont|nous|notre|mon|ma"},
    {"correction", addressed | whole, "c'_est ~8 , pas|et_non le|la|les|l'|un|une|du|sur|dans|à|en|celui|celle|au"},
    {"correction", addressed | whole, "correction|rectification ,"},
    {"preference", standing | addressed | whole,
     "… à_partir_de_maintenant|désormais|dorénavant|à_l'_avenir|à_partir_d'_aujourd'hui"},
    {"preference", standing | addressed, "toujours|jamais|s'_il_te_plaît|s'_il_vous_plaît toujours|jamais"},
    {"preference", standing | addressed,
     "ne|n' *1 mets|utilise|écris|fais|réponds|propose|ajoute|mettez|utilisez jamais|plus_jamais"},
    {"preference", standing | addressed, "utilise|écris|réponds|mets|ajoute|propose|utilisez *1 toujours"},
    {"preference", addressed, "je @adv? préfère"},
    {"preference", 0, "j'|je|nous @adv? aime|adore|déteste|évite"},
    {"preference", 0, "je n'_aime|ne_supporte pas"},
    {"preference", lasting, "je n'_utilise|ne_mange|ne_bois|n'_écris plus|pas|jamais"},
    {"preference", lasting, "je_suis|j'_ai passé|passée|basculé à|vers|de"},
    {"preference", 0, "à_mon_avis|selon_moi|je_suis_convaincu|je_suis_convaincue|je_suis_sceptique"},
    {"identity", 0, "je m'_appelle"},
    {"identity", 0, "mon|ma nom|métier|poste|rôle|prénom|langue_maternelle est"},
    {"identity", 0, "je travaille comme|chez|dans|pour|à|au|en|sur_le|sur_la"},
    {"identity", 0, "j'|je habite|vis|viens_de|étudie|enseigne|parle"},
    {"identity", lasting, "j'_ai_déménagé à|en|au"},
    {"identity", complete,
     "je_suis "
     "développeur|développeuse|ingénieur|ingénieure|étudiant|étudiante|enseignant|enseignante|médecin|administrateur|"
     "administratrice|chercheur|chercheuse"},
    {"decision", lasting, "on_a|nous_avons|j'_ai|l'_équipe_a @adv? décidé|choisi|convenu|tranché|opté|retenu"},
    {"decision", lasting, "nous_sommes|on_est convenus|tombés_d'_accord"},
    {"decision", lasting, "c'_est_décidé|décision_prise|décision|décidé"},
    {"decision", lasting, "nous|on part|partons|reste|restons|passe|passons sur|avec|à"},
    {"plan", timed, "nous|on|je|j' vais|va|allons ~20 avant|d'_ici|le|la|en|au|pour|fin|jusqu'|dans"},
    {"plan", timed,
     "je|nous|on|j' livrerai|livrerons|enverrai|enverrons|terminerai|terminerons|publierons|migrerons|ferai|ferons"},
    {"plan", 0, "je|nous|on prévois|prévoyons|prévoit|compte|comptons de"},
    {"plan", 0, "j'_ai|nous_avons|on_a prévu|l'_intention de"},
    {"plan", lasting, "j'_ai|nous_avons|on_a|je_me_suis promis|engagé|engagée à|de"},
    {"plan", 0, "l'|notre|mon objectif|but|plan est"},
    {"task", 0, "je|nous|on dois|devons|doit encore"},
    {"task", timed, "je|nous|on dois|devons|doit ~12 avant|d'_ici"},
    {"lesson", lasting, "il s'_est_avéré|s'_avère que?"},
    {"lesson", lasting, "leçon|à_retenir|avec_le_recul|leçon_apprise|la_leçon"},
    {"lesson", lasting, "j'_ai|nous_avons|on_a appris|découvert|compris que|qu'"},
    {"incident", lasting | whole, "le|la|l'|les|notre *6 a|ont été causé|causée|causés|provoqué|provoquée|due|dû"},
    {"incident", lasting | whole, "la|l' cause|origine *6 était|est"},
    {"incident", lasting | whole,
     "le|la|l'|les|notre *5 est_tombé|est_tombée|a_planté|s'_est_arrêté ~4 parce|à_cause|car"},
    {"risk", 0, "le|notre|un *2 risque|danger est que?"},
    {"risk", 0, "il_y_a un risque|danger que?"},
    {"context", 0,
     "je|nous|on développe|construis|écris|développons un|une *3 "
     "plugin|outil|bibliothèque|application|service|jeu|compilateur"},
    {"context", 0, "je travaille sur un|une|notre|mon|ma"},
    {"fact", standing | addressed, "souviens-toi|retiens|note|n'_oublie_pas que|qu'"},
    {"fact", lasting | whole, "nous_sommes|on_est passés|passé de|à|sur"},
    {"fact", lasting | whole, "nous_avons|on_a migré|déplacé|renommé|remplacé"},
    {"fact", lasting | whole, "nous|on n'_utilisons|n'_utilise|n'_avons|n'_a plus|pas"},
    {"fact", complete, "je_suis allergique|végétarien|végétarienne|végane|daltonien|daltonienne|gaucher|gauchère"},
    {"fact", 0, "j'|nous|on utilise|utilisons|possède|possédons|héberge|hébergeons"},
    {"fact", states, "@my *4 est|sont"},
    {"fact", 0, "@my *4 @holds"},
    {"fact", whole,
     "le|la|l'|les *4 tourne_sous|tourne_sur|est_hébergé|est_hébergée|se_trouve|s'_appelle|écoute_sur|appartient"},
    {"fact", whole, "la|le|l' date_limite|échéance|délai|budget *6 est|expire"},
    {"preference", whole, "+4 préfère"},
};

// Chinese: a character is a word ---------------------------------------------------------------------------------

constexpr const char* chinese_named[] = {
    "me = 我",
    "we = 我们|咱们|团队|我们团队",
    "mine = 我的|我们的|我们|咱们的",
    "never = 不要|别|永远不要|绝不|绝对不要|千万不要|永远别",
};

constexpr WrittenRule chinese[] = {
    {"correction", addressed | whole, "不对|不是|错了|说错了|你说错了|你错了|不 , =3"},
    {"correction", addressed | whole | lasting, "其实|实际上 *12 是 ~20 不是|而不是"},
    {"correction", addressed | whole | lasting, "其实|实际上 @mine *8 是|用|在"},
    {"correction", addressed | whole, "更正|纠正一下 ,"},
    {"preference", standing | addressed | whole, "… 从现在起|从现在开始|以后请|以后都|以后不要|今后|从今以后"},
    {"preference", standing | addressed, "请? 总是|始终|永远|一律"},
    {"preference", standing | addressed, "请? @never ~6 再|永远"},
    {"preference", addressed, "我 *4 更喜欢|偏好|倾向于|倾向|宁愿|更愿意|偏爱"},
    {"preference", 0, "我 *3 喜欢|讨厌|不喜欢|爱用|习惯用|习惯于|习惯|从不|从来不|总是|一直用"},
    {"preference", lasting | complete, "我 *3 不再用|不用|改用 ~10 了"},
    {"preference", 0, "我认为|我觉得|在我看来|依我看 *6 应该|被高估|不应该"},
    {"identity", 0, "我叫|我的名字是|我的职业是|我的母语是"},
    {"identity", complete, "我 *1 在 +12 工作|上班|做|当|任职|读书|上学|负责"},
    {"identity", 0, "我 *1 住在|来自|毕业于|从事|就职于|搬到"},
    {"identity", 0, "我是 一? 个|名|位"},
    {"identity", 0, "我是 *6 程序员|工程师|学生|老师|设计师|医生"},
    {"decision", lasting, "@we|我 *4 决定|选定|商定|敲定|一致同意|达成一致|选择了"},
    {"decision", lasting, "@we *6 决定|敲定|定下来"},
    {"decision", lasting, "最终决定|决定|经过讨论 ~10"},
    {"plan", 0, "@we|我 *4 计划|打算|准备在"},
    {"plan", timed, "@we|我 *4 会|将|要 *20 在|之前|前|底"},
    {"plan", timed, "@we|我 *2 会在|将在|要在"},
    {"plan", timed | complete, "@we|我 *8 之前|前|底 *3 会|将|要|完成|提交|交付"},
    {"plan", lasting, "@we|我 *2 答应|承诺|保证"},
    {"task", 0, "@we|我 还要|还得|还需要|必须在"},
    {"lesson", lasting, "后来发现|事实证明|结果发现|原来|教训 =4"},
    {"lesson", lasting, "@we|我 *2 学到|吸取|发现|发现了"},
    {"incident", lasting | whole, "… 故障|宕机|崩溃|事故 *6 原因|因为|由于|是由"},
    {"risk", 0, "最大的风险|风险是|风险在于|主要风险"},
    {"context", 0, "@we|我 *2 在开发|在做|在写 一个|一款"},
    {"fact", standing | addressed, "请? 记住|请记得"},
    {"fact", lasting | whole, "@we|我 *4 从 ~16 换成|迁移到|改成|切换到|迁到|搬到"},
    {"fact", lasting | whole, "@mine *10 改成|换成|改为|变成"},
    {"fact", lasting, "@we *2 不再|已经不"},
    {"fact", complete, "我 对 +8 过敏"},
    {"fact", complete, "我 *1 吃素|是色盲|是左撇子"},
    {"fact", states, "@mine +12 是|叫|跑在|运行在|部署在|使用|用的是|放在|托管在|位于|有"},
    {"fact", 0, "@we 用|使用 +2 做|作为|来"},
    {"fact", whole, "+8 部署在|运行在|跑在|托管在"},
    {"fact", whole, "+8 截止日期|截止时间|预算 *2 是|为"},
    {"preference", whole, "+4 更喜欢|偏好"},
};

}  // namespace

extern const WrittenLanguage german_rules = {
    .name = "de",
    .named = german_named,
    .rules = german,
    .leads =
        "und|aber|also|ok|okay|danke|hallo|hi|gut|super|ja|übrigens|außerdem|zur_info|nur_so|denn|dass|ehrlich_gesagt|"
        "generell|grundsätzlich",
    .questions =
        "was|welche|welcher|welches|welchen|welchem|wer|wen|wem|wann|wo|wohin|woher|warum|wieso|weshalb|wie|ist|sind|"
        "bin|war|hat|habe|haben|hast|kann|kannst|können|könnte|könntest|soll|sollte|sollen|darf|muss|wird|würdest|"
        "gibt|weißt|magst|stimmt_das",
    .requests =
        "bitte|schreib|schreibe|erkläre|erklär|zeig|zeige|hilf|gib|mach|mache|fasse|übersetze|korrigiere|lösche|"
        "füge|liste|erstelle|prüfe|teste|nenne|sag|sage|vergleiche|sortiere|ändere|nimm|lass|lasst|verwende|nutze|"
        "benutze|such|suche|finde; ich möchte|brauche|hätte_gern|hätte_gerne|will; kannst|könntest|kann",
    .unreal = "wenn|falls|angenommen|stell_dir|nehmen_wir|gesetzt|sagen_wir|zum_beispiel|z.b|hätte|wäre|sofern",
    .role_play =
        "angenommen|stell_dir|nehmen_wir|du_bist_ein|du_bist_eine|du_bist_jetzt|tu_so|spiel|spiele|gesetzt_den_fall",
    .unsure =
        "vielleicht|eventuell|möglicherweise|könnte|könnten|wahrscheinlich|vermutlich|würde|würden|angeblich|ob|"
        "nicht_sicher|glaube_ich|ich_glaube|unklar",
    .reported =
        "sagte|sagt|sagten|meinte|meint|meinten|schrieb|schreibt|behauptet|behauptete|laut|zufolge|erzählte|"
        "erwähnte; findet , dass",
    .passing =
        "hier|gerade|momentan|im_moment|heute|derzeit_nicht|heute_abend|heute_morgen|eben|gleich|kurz|vorübergehend|"
        "schon_wieder|wieder_mal|morgen",
    .to_assistant = "du|dich|dir|dein|deine|deinen|deinem|deiner|sie_mir|ihnen|ihr",
    .credentials = "passwort|passwörter|kennwort|zugangsdaten|token|schlüssel|api-schlüssel|geheimnis|pin",
    .not_kept =
        "@my|der|die|das *1 funktion|variable|klasse|methode|schleife|abfrage|skript|branch|test|tests|termin|meeting|"
        "tabelle|zeile|seite|container|anfrage|liste|pr|beispiel; @my "
        "frage|fragen|problem|vermutung|fehler|code|idee|verständnis|anfrage|gedanke|eingabe|funktion; "
        "immer|nie|niemals noch|wieder|gesehen|der|die|das|gleiche|dasselbe|mehr; "
        "ich mag|liebe|hasse es|das|dich|deine|wie; ich schreibe|arbeite *2 gerade",
    .dangling =
        "es|das|dies|diesen|dieses|diesem|diese|dieser|sie|ihn|dich|dir|dein|deine|das_erste|das_zweite|die_erste|die_"
        "zweite|den_ersten|"
        "den_zweiten|wie|was",
    .states =
        "@adv? @adv? "
        "kaputt|rot|grün|langsam|weg|tot|leer|voll|fertig|falsch|müde|krank|da|hier|down|offline|nicht|nass|"
        "zu|noch|fast|erreichbar|unklar|ok|gut|schlecht|egal|erledigt",
};

extern const WrittenLanguage french_rules = {
    .name = "fr",
    .named = french_named,
    .rules = french,
    .leads =
        "et|mais|donc|alors|ok|merci|bonjour|salut|bien|super|oui|au_fait|aussi|d'_accord|pour_info|car|que|"
        "honnêtement|en_général|personnellement",
    .questions =
        "que|quoi|quel|quelle|quels|quelles|qui|quand|où|pourquoi|comment|combien|est-ce|est-ce_que|qu'_est-ce|"
        "as-tu|peux-tu|pouvez-vous|dois-je|sais-tu|faut-il",
    .requests =
        "écris|explique|montre|donne|fais|aide|corrige|traduis|résume|supprime|ajoute|liste|crée|vérifie|compare|"
        "trie|change|utilise|mets|réponds|propose|cherche|trouve|dis; tu|vous peux|pouvez|pourrais; "
        "je voudrais|veux|souhaite; j' aimerais|ai_besoin; il me faut; s'_il_te_plaît|s'_il_vous_plaît",
    .unreal = "si|s'_il|supposons|imagine|imaginons|admettons|disons|par_exemple|au_cas_où|faisons_comme",
    .role_play = "supposons|imagine|imaginons|admettons|disons_que|faisons_comme|tu_es_un|tu_es_une|joue|fais_semblant",
    .unsure =
        "peut-être|probablement|sans_doute|pourrait|pourrions|éventuellement|il_se_peut|je_crois|je_pense|pas_sûr|"
        "pas_sûre|apparemment|devrait|serait",
    .reported =
        "a_dit|dit|disent|m'_a_dit|a_écrit|écrit|selon_le|selon_la|selon_les|d'_après|affirme|prétend|explique_que|"
        "pense_que",
    .passing =
        "ici|plante|en_ce_moment|aujourd'hui|en_train_de|pour_l'_instant|ce_soir|ce_matin|tout_de_suite|encore_une_"
        "fois|demain|"
        "à_l'_instant",
    .to_assistant = "tu|te|t'|toi|ton|ta|tes|vous|votre|vos",
    .credentials = "mot_de_passe|mots_de_passe|identifiants|jeton|clé_api|clé_privée|secret",
    .not_kept =
        "@my|le|la|l'|les *1 fonction|variable|classe|méthode|boucle|requête|script|branche|test|tests|réunion|"
        "tableau|ligne|page|conteneur|liste|exemple; @my "
        "question|questions|problème|erreur|code|idée|demande|fonction|hypothèse|faute; "
        "toujours|jamais le|la|les|pas|vu|rien; j'|je aime|adore bien? ça|cela|ta|ton|tes|comment; "
        "nous|on passe|passons à_autre; mon café",
    .dangling =
        "bien .; "
        "ça|cela|ce|ceci|celui-ci|celle-ci|le_premier|le_deuxième|la_première|la_deuxième|le_second|comment|te|tu",
    .states =
        "@adv? @adv? lent|lente|cassé|cassée|rouge|vert|verte|vide|plein|prêt|prête|fini|faux|froid|froide|fatigué|"
        "fatiguée|là|ici|bloqué|bloquée|en_panne|en_cours|mort|morte|pas|verrouillée|verrouillé|encore|presque|ok|"
        "malade|que|parti",
};

extern const WrittenLanguage chinese_rules = {
    .name = "zh",
    .named = chinese_named,
    .rules = chinese,
    .leads = "好的|谢谢|另外|还有|而且|但是|但|所以|因为|顺便说一下|对了|说明一下|其实|一般来说",
    .questions = "什么|怎么|为什么|为何|如何|哪个|哪|谁|是否|能不能|可不可以|请问",
    .requests = "请|帮我|帮|写|解释|告诉我|给我|麻烦|列出|翻译|总结; 我 想要|想|需要|要一|想请; 能否|可以",
    .unreal = "如果|假设|假如|要是|倘若|比如|例如|万一|设想; 我们 假设",
    .role_play = "假设|假如|想象|你是一|你现在是|扮演|请扮演|假装|设想",
    .unsure = "也许|可能|或许|大概|不确定|好像|似乎|说不定|听说|吗|呢|什么|哪|怎么|为什么",
    .reported = "他说|她说|他们说|同事说|客户说|老板说|文档说|写道|表示|据说|据称|据报|根据文档|认为我们",
    .passing = "还是|报错|不行|失败|今天|正在|刚刚|刚才|目前|这会儿|现在挂|我现在|明天|今晚|暂时",
    .to_assistant = "你|您",
    .credentials = "密码|口令|密钥|令牌|token",
    .not_kept =
        "@we|我 *2 在写|在做|在开发 一个 *2 函数|方法|脚本|测试|循环; @mine *2 "
        "函数|变量|脚本|测试用例|分支|会议|循环|报错|查询; @mine 问题|意思|错|代码|想法|猜测; 我 *3 喜欢 你|这; "
        "总是|始终|永远 报|失|出|是",
    .dangling = "这|那|它|你|这个|那个|第一|第二",
    .states = "挂|坏|慢|空|满|好了|错|没|不行|问题|为什|什么|累|怎",
};

}  // namespace selfmind::learn
