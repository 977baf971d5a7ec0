#include "learn/rule_lists.h"

namespace selfmind::learn {
namespace {

constexpr const char* french_named[] = {
    "adv = "
    "vraiment|toujours|généralement|souvent|surtout|beaucoup|aussi|maintenant|finalement|déjà|actuellement|"
    "principalement|bien|tous|clairement|nettement",
    "holds = "
    "compte|comptent|tourne|tournent|utilise|utilisent|s'_appelle|s'_appellent|se_trouve|se_trouvent|a|ont|dure|durent|"
    "écoute|appartient|appartiennent|contient|dépend|dépendent|exige|commence|finit|se_termine|supporte|repose",
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
    {"correction", addressed | whole,
     "c'_est dans|sur|à|en|au|le|la ~8 , pas|et_non dans|sur|à|en|au|le|la|celui|celle"},
    {"correction", addressed | whole, "rectification , =3"},
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
    {"preference", 0, "mon *1 avis|opinion|point_de_vue sur|est"},
    {"preference", 0, "à_mon_avis|selon_moi|je_suis_convaincu|je_suis_convaincue|je_suis_sceptique"},
    {"identity", 0, "je m'_appelle"},
    {"identity", 0, "mon|ma nom|métier|poste|rôle|prénom|langue_maternelle est"},
    {"identity", 0, "je travaille comme|chez|dans|pour|à|au|en|sur_le|sur_la"},
    {"identity", 0, "j'|je habite|étudie|enseigne"},
    {"identity", 0, "je dirige|gère|encadre|pilote"},
    {"identity", 0, "je vis à|en|au|aux|dans|avec|près|chez"},
    {"identity", 0, "je_suis originaire|né|née|basé|basée"},
    {"identity", complete,
     "je parle *2 anglais|français|allemand|espagnol|italien|chinois|japonais|portugais|russe|néerlandais|arabe"},
    {"identity", lasting, "j'_ai_déménagé à|en|au"},
    {"identity", complete,
     "je_suis "
     "développeur|développeuse|ingénieur|ingénieure|étudiant|étudiante|enseignant|enseignante|médecin|administrateur|"
     "administratrice|chercheur|chercheuse"},
    {"decision", lasting, "on_a|nous_avons|j'_ai|l'_équipe_a @adv? décidé|choisi|convenu|tranché|opté|retenu"},
    {"decision", lasting, "nous_sommes|on_est convenus|tombés_d'_accord|mis_d'_accord|mises_d'_accord"},
    {"decision", lasting, "nous ~8 nous_sommes|avons mis_d'_accord|décidé|convenu ,"},
    {"decision", lasting, "décision *6 , =3"},
    {"decision", lasting | whole, "il a_été|est *1 décidé|convenu"},
    {"plan", timed | whole,
     "d'_ici|avant|en|à_la_fin|fin ~6 nous|on|je|j' allons|va|vais|aurons|aura|aurai|voulons|veut"},
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
    {"fact", whole | states, "la|le|l' date_limite|échéance|délai|budget ~10 est|expire"},
    {"fact", whole | lasting, "confirmé|vient_d'_être_confirmé|info|info_rapide|pour_info *6 , =3"},
    {"preference", whole, "+4 préfère"},
};

}  // namespace

extern const WrittenLanguage french_rules = {
    .name = "fr",
    .named = french_named,
    .rules = french,
    .leads =
        "et|mais|donc|alors|ok|merci|bonjour|salut|bien|super|oui|au_fait|aussi|d'_accord|pour_info|car|que|"
        "honnêtement|en_général|personnellement",
    .questions =
        "que|quoi|quel|quelle|quels|quelles|qui|quand|où|pourquoi|comment|combien|est-ce|est-ce_que|qu'_est-ce|as-tu|"
        "peux-tu|pouvez-vous|dois-je|sais-tu|faut-il",
    .requests =
        "écris|explique|montre|donne|fais|aide|corrige|traduis|résume|supprime|ajoute|liste|crée|vérifie|compare|trie|"
        "change|utilise|mets|réponds|propose|cherche|trouve|dis; tu|vous peux|pouvez|pourrais; je "
        "voudrais|veux|souhaite; j' aimerais|ai_besoin; il me faut; s'_il_te_plaît|s'_il_vous_plaît",
    .unreal = "si|s'_il|supposons|imagine|imaginons|admettons|disons|par_exemple|au_cas_où|faisons_comme",
    .role_play = "supposons|imagine|imaginons|admettons|disons_que|faisons_comme|tu_es_un|tu_es_une|joue|fais_semblant",
    .unsure =
        "rien_décidé|pas_encore|peut-être|probablement|sans_doute|pourrait|pourrions|éventuellement|il_se_peut|je_"
        "crois|je_pense|pas_sûr|pas_sûre|apparemment|devrait|serait",
    .reported =
        "a_dit|dit|disent|m'_a_dit|a_écrit|écrit|selon_le|selon_la|selon_les|d'_après|affirme|prétend|explique_que|"
        "pense_que",
    .passing =
        "ici|une_erreur|plante|en_ce_moment|aujourd'hui|en_train_de|pour_l'_instant|ce_soir|ce_matin|tout_de_suite|"
        "encore_une_fois|demain|à_l'_instant; cette|ce|cet *1 "
        "boucle|fonction|fichier|méthode|classe|ligne|requête|tâche|question",
    .times =
        "d'_ici|avant_la_fin|fin_de_mois|fin_de_semaine|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|ce_week-"
        "end",
    .to_assistant = "tu|te|t'|toi|ton|ta|tes|vous|votre|vos",
    .credentials =
        "mot_de_passe|mots_de_passe|identifiants|clé_api|clé_privée; mon|notre jeton|secret|code; jeton|secret est",
    .not_kept =
        "non c'_est un|une *1 liste|fonction|erreur|chaîne|classe|bug|problème; je travaille sur le|la|un|une|ce *1 "
        "bug|problème|ticket|correctif|test|erreur; à_l'_avenir tout|ça|cela|il; nous|on passons|passe "
        "à_la_suite|à_autre_chose; @my|le|la|l'|les *1 "
        "fonction|variable|classe|méthode|boucle|requête|script|branche|test|tests|réunion|tableau|ligne|page|"
        "conteneur|liste|exemple; @my question|questions|problème|erreur|code|idée|demande|fonction|hypothèse|faute; "
        "toujours|jamais le|la|les|pas|vu|rien; j'|je aime|adore bien? ça|cela|ta|ton|tes|comment; nous|on "
        "passe|passons à_autre; mon café",
    .dangling =
        "bien .; "
        "ça|cela|ce|ceci|celui-ci|celle-ci|le_premier|le_deuxième|la_première|la_deuxième|le_second|comment|te|tu",
    .states =
        "@adv? @adv? "
        "le_meilleur|la_meilleure|passé|passée|dépassé|proche|dans_cinq|dans_une|dans_dix|lent|lente|cassé|cassée|"
        "rouge|vert|verte|vide|plein|prêt|prête|fini|faux|froid|froide|fatigué|fatiguée|là|ici|bloqué|bloquée|en_panne|"
        "en_cours|mort|morte|pas|verrouillée|verrouillé|encore|presque|ok|malade|que|parti",
    .copulas = "est|sont|suis",
    .assent =
        "oui|ouais|ok|d'_accord|exactement|parfait|bien_sûr|entendu|ça_marche|va_pour; la|le|l'|option "
        "première|premier|deuxième|seconde|second|troisième|dernière|dernier|a|b|c|1|2|3",
    .greetings =
        "bonjour|bonsoir|salut|coucou|merci|au_revoir|à_bientôt|à_demain|bonne_nuit|bienvenue; je suis de_retour",
    .change =
        "maintenant|désormais|plus|au_lieu|plutôt|changé|passé|déménagé|renommé|remplacé|migré|dorénavant|depuis|"
        "correction|avant|nouveau|nouvelle|faux; non ,; non .",
    .here = "ici; dans|pour ce|notre projet|dépôt; ce|notre projet|dépôt",
};

}  // namespace selfmind::learn
