#include "learn/rule_lists.h"

namespace selfmind::learn {
namespace {

constexpr const char* german_named[] = {
    "adv = "
    "wirklich|eigentlich|meistens|grundsätzlich|generell|immer|jetzt|nun|auch|sehr|lieber|normalerweise|inzwischen|"
    "endgültig|gemeinsam|heute|übrigens|hauptsächlich|überwiegend|noch|gern|gerne",
    "holds = "
    "läuft|laufen|liegt|liegen|steht|stehen|nutzt|nutzen|verwendet|verwenden|benutzt|heißt|heißen|hat|haben|gehört|"
    "gehören|besteht|bestehen|lauscht|hört_auf|dauert|dauern|braucht|brauchen|basiert|basieren|endet|beginnt|"
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
    {"correction", addressed | whole, "es|das heißt|liegt|läuft|steht ~8 , nicht|sondern"},
    {"correction", addressed | whole, "es|das ist|war port|version|in|im|auf|bei|für|der|die ~8 , nicht|sondern"},
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
    {"preference", 0, "meine *1 einschätzung|meinung|sicht|ansicht zu|zur|zum|ist"},
    {"preference", 0, "ich_bin|bin_ich *1 skeptisch|überzeugt|kein_freund|kein_fan"},
    {"preference", 0, "meiner_meinung_nach|meiner_ansicht_nach|aus_meiner_sicht|ich_halte"},
    {"identity", 0, "mein name|beruf|titel|muttersprache ist"},
    {"identity", 0, "meine muttersprache|rolle|stelle ist"},
    {"identity", 0, "ich heiße"},
    {"identity", 0, "ich leite|betreue|verantworte|führe"},
    {"identity", 0, "ich arbeite als|bei|für|im|in|am"},
    {"identity", 0, "ich @adv? wohne|lebe in|bei|im|mit|nahe"},
    {"identity", 0, "ich komme_aus|stamme_aus|studiere|unterrichte"},
    {"identity", complete,
     "ich spreche *3 "
     "deutsch|englisch|französisch|spanisch|italienisch|russisch|türkisch|polnisch|chinesisch|japanisch|"
     "niederländisch"},
    {"identity", complete,
     "ich bin *2 "
     "entwickler|entwicklerin|ingenieur|ingenieurin|student|studentin|lehrer|lehrerin|arzt|ärztin|informatiker|"
     "informatikerin|programmierer|programmiererin|administrator|administratorin|systemadministrator|"
     "systemadministratorin|wissenschaftler|wissenschaftlerin|forscher|forscherin|berater|beraterin|designer|"
     "designerin"},
    {"identity", lasting | complete, "ich bin nach|in *3 gezogen|umgezogen"},
    {"decision", lasting | complete, "wir|ich haben|habe ~14 entschieden|beschlossen|festgelegt|geeinigt|entschlossen"},
    {"decision", lasting, "wir|ich haben|habe @adv? beschlossen|entschieden"},
    {"decision", lasting | complete, "das_team|die_leitung hat ~14 entschieden|beschlossen|geeinigt"},
    {"decision", lasting, "wir setzen_auf|bleiben_bei|bleiben_auf|steigen_um|stellen_um|wechseln_zu|wechseln_auf"},
    {"decision", lasting, "entscheidung|beschluss *6 , =3"},
    {"decision", lasting | whole, "es wurde|ist ~10 entschieden|beschlossen"},
    {"decision", lasting, "entschieden|beschlossen , =3"},
    {"decision", lasting | whole, "+12 statt|für|gegen ~8 entschieden ."},
    {"decision", lasting, "die_entscheidung ~6 ist gefallen"},
    {"plan", timed, "ich|wir werde|werden ~20 bis|vor|am|im|in|nächste|nächsten|nächstes|ab"},
    {"plan", timed,
     "ich|wir schicke|schicken|liefere|liefern|mache|machen|schreibe|schreiben|stelle|stellen|veröffentlichen ~16 "
     "bis|am|vor"},
    {"plan", timed | whole,
     "bis|ab|im|am|in|nächste|nächsten|nächstes ~6 "
     "werden|werde|stellen|wollen|will|müssen|muss|migrieren|veröffentlichen|schalten|liefern|ziehen wir|ich"},
    {"plan", timed | complete, "ich|wir will|wollen|möchte|möchten ~14 bis|vor"},
    {"plan", 0, "ich|wir plane|planen|beabsichtige|beabsichtigen"},
    {"plan", 0, "ich|wir habe|haben ~4 vor ,"},
    {"plan", lasting | complete, "ich|wir habe|haben ~14 versprochen|zugesagt"},
    {"plan", lasting | complete, "habe|haben ~14 versprochen|zugesagt"},
    {"plan", lasting, "ich|wir verpflichte|verpflichten mich|uns"},
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
    {"fact", lasting | whole, "wir haben ~10 umbenannt|umgezogen|verlegt|verschoben|ersetzt|umgestellt|migriert"},
    {"fact", lasting, "wir nutzen|verwenden|benutzen|haben *2 kein|keine|keinen|nicht_mehr"},
    {"fact", complete,
     "ich bin allergisch|vegetarier|vegetarierin|veganer|veganerin|farbenblind|linkshänder|linkshänderin|schwerhörig"},
    {"fact", 0,
     "ich|wir nutze|nutzen|verwende|verwenden|benutze|benutzen|betreibe|betreiben|besitze|besitzen|hosten|deployen"},
    {"fact", states, "@my *4 ist|sind"},
    {"fact", 0, "@my *4 @holds"},
    {"fact", whole,
     "der|die|das *4 läuft_auf|läuft_unter|liegt_in|liegt_auf|liegt_unter|gehört|heißt|steht_in|lauscht_auf"},
    {"fact", whole | states,
     "die|der|das "
     "frist|abgabe|abgabefrist|einreichungsfrist|lieferfrist|kündigungsfrist|aufbewahrungsfrist|termin|liefertermin|"
     "stichtag|budget|zeitraum ~10 ist|endet|liegt|beträgt"},
    {"fact", whole | lasting, "gerade? bestätigt|info|kurze_info|zur_info|notiz *6 , =3"},
    {"preference", whole, "+4 bevorzugt"},
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
        "bin|war|hat|habe|haben|hast|kann|kannst|können|könnte|könntest|soll|sollte|sollen|darf|muss|wird|würdest|gibt|"
        "weißt|magst|stimmt_das",
    .requests =
        "bitte|schreib|schreibe|erkläre|erklär|zeig|zeige|hilf|gib|mach|mache|fasse|übersetze|korrigiere|lösche|füge|"
        "liste|erstelle|prüfe|teste|nenne|sag|sage|vergleiche|sortiere|ändere|nimm|lass|lasst|verwende|nutze|benutze|"
        "such|suche|finde; ich möchte|brauche|hätte_gern|hätte_gerne|will; kannst|könntest|kann",
    .unreal = "wenn|falls|angenommen|stell_dir|nehmen_wir|gesetzt|sagen_wir|zum_beispiel|z.b|hätte|wäre|sofern",
    .role_play =
        "angenommen|stell_dir|nehmen_wir|du_bist_ein|du_bist_eine|du_bist_jetzt|tu_so|spiel|spiele|gesetzt_den_fall",
    .unsure =
        "noch_nichts|noch_nicht|vielleicht|eventuell|möglicherweise|könnte|könnten|wahrscheinlich|vermutlich|würde|"
        "würden|angeblich|ob|nicht_sicher|glaube_ich|ich_glaube|unklar",
    .reported =
        "sagte|sagt|sagten|meinte|meint|meinten|schrieb|schreibt|behauptet|behauptete|laut|zufolge|erzählte|erwähnte; "
        "findet , dass",
    .passing =
        "hier|einen_fehler|fehlermeldung|gerade|momentan|im_moment|heute|derzeit_nicht|heute_abend|heute_morgen|eben|"
        "gleich|kurz|vorübergehend|schon_wieder|wieder_mal|morgen; diese|dieser|diesem|diesen|dieses *1 "
        "schleife|funktion|datei|methode|klasse|zeile|abfrage|aufgabe|frage",
    .times =
        "bis_ende|monatsende|quartalsende|jahresende|wochenende|feierabend|montagmorgen|montagmittag|montagnachmittag|"
        "montagabend|montagfrüh|dienstagmorgen|dienstagmittag|dienstagnachmittag|dienstagabend|dienstagfrüh|"
        "mittwochmorgen|mittwochmittag|mittwochnachmittag|mittwochabend|mittwochfrüh|donnerstagmorgen|donnerstagmittag|"
        "donnerstagnachmittag|donnerstagabend|donnerstagfrüh|freitagmorgen|freitagmittag|freitagnachmittag|"
        "freitagabend|freitagfrüh|samstagmorgen|samstagmittag|samstagnachmittag|samstagabend|samstagfrüh|sonntagmorgen|"
        "sonntagmittag|sonntagnachmittag|sonntagabend|sonntagfrüh",
    .to_assistant = "du|dich|dir|dein|deine|deinen|deinem|deiner|euch|euer",
    .credentials =
        "passwort|passwörter|kennwort|zugangsdaten|api-schlüssel|api-key|zugangstoken; mein|unser|meine|unsere "
        "token|schlüssel|geheimnis|pin; token|schlüssel|pin ist|lautet",
    .not_kept =
        "nein es|das ist ein|eine *1 liste|fehler|funktion|string|zahl|klasse|problem; ich arbeite an|am *1 "
        "bug|fehler|problem|ticket|test|fix; ich komme_aus dem|der *1 meeting|pause|urlaub|büro|besprechung; "
        "in_zukunft|künftig wird|werden|würde; @my|der|die|das *1 "
        "funktion|variable|klasse|methode|schleife|abfrage|skript|branch|test|tests|termin|meeting|tabelle|zeile|seite|"
        "container|anfrage|liste|pr|beispiel; @my "
        "frage|fragen|problem|vermutung|fehler|code|idee|verständnis|anfrage|gedanke|eingabe|funktion; "
        "immer|nie|niemals noch|wieder|gesehen|der|die|das|gleiche|dasselbe|mehr; ich mag|liebe|hasse "
        "es|das|dich|deine|wie; ich schreibe|arbeite *2 gerade",
    .dangling =
        "nicht .; "
        "nicht_mehr|auf_hochtouren|nichts|es|das|dies|diesen|dieses|diesem|diese|dieser|sie|ihn|dich|dir|dein|deine|"
        "das_erste|das_zweite|die_erste|die_zweite|den_ersten|den_zweiten|wie|was",
    .states =
        "@adv? @adv? "
        "der_beste|die_beste|das_beste|vorbei|abgelaufen|gleich|knapp|kaputt|rot|grün|langsam|weg|tot|leer|voll|fertig|"
        "falsch|müde|krank|da|hier|down|offline|nicht|nass|zu|noch|fast|erreichbar|unklar|ok|gut|schlecht|egal|"
        "erledigt",
    .copulas = "ist|sind|bin",
    .assent =
        "ja|jo|genau|einverstanden|ok|okay|passt|gut|gerne|richtig|stimmt|klar|nehmen_wir|machen_wir|mach_das; die|den|"
        "das|option erste|ersten|zweite|zweiten|dritte|dritten|letzte|letzten|a|b|c|1|2|3",
    .greetings =
        "hallo|hi|hey|guten_morgen|guten_tag|guten_abend|gute_nacht|danke|vielen_dank|tschüss|bis_später|bis_morgen|"
        "servus|moin|willkommen|noch_etwas; ich bin wieder",
    .change =
        "jetzt|nun|nicht_mehr|kein|keine|statt|stattdessen|umgezogen|gewechselt|wechselten|geändert|umbenannt|ersetzt|"
        "umgestellt|ab_sofort|ab_jetzt|seit|eigentlich|korrektur|früher|inzwischen|mittlerweile|neu|neue|neuer|falsch|"
        "sondern|doch; nein ,; nein .",
    .here = "hier; in|für diesem|dieses|unserem|unser projekt|repo|team; dieses|unser projekt|repo|team",
};

}  // namespace selfmind::learn
