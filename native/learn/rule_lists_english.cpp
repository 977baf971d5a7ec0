#include "learn/rule_lists.h"

namespace selfmind::learn {
namespace {

constexpr const char* named[] = {
    "adv = "
    "really|strongly|much|very_much|generally|usually|definitely|clearly|personally|greatly|still|just|simply|also|"
    "normally|mostly|typically|now|finally|recently|already|actually|both|all|officially|jointly|unanimously|"
    "internally|originally|primarily|mainly|currently|only",
    "habit = "
    "use|write|run|start|keep|put|name|work|deploy|commit|rebase|squash|merge|test|review|read|format|indent|wear|"
    "drink|eat|go|take|build|avoid|prefer|choose|pick|buy|order|travel|fly|drive|walk|cook|sleep|wake|save|open|split|"
    "add|document|type|log|pair|push|tag|sign|plan|buy|listen|code|edit|compile|profile|benchmark|lint|prefix",
    "holds = "
    "runs|run|uses|use|lives_in|live_in|lives_at|live_at|is_hosted|are_hosted|is_written_in|are_written_in|listens|"
    "listen|consists_of|belongs_to|belong_to|is_called|is_named|are_called|are_named|defaults_to|depends_on|depend_on|"
    "expires|expire|is_stored|are_stored|is_located|are_located|is_deployed|are_deployed|is_owned_by|is_maintained_by|"
    "is_mine|are_mine|is_due|are_due|is_built_with|is_built_on|are_kept_for|is_kept_for|is_limited_to|starts_at|ends_"
    "at|starts_on|ends_on|supports_only|is_licensed|are_licensed|is_scheduled|sits_behind|lives_on|live_on|is_based_on|"
    "talks_to|talk_to|is_required|are_required",
    // Things of the code at hand, and of the day.
    "local = "
    "function|functions|variable|class|string|value|values|loop|method|query|array|regex|snippet|error|parameter|"
    "argument|dockerfile|pr|table|line|field|column|object|input|output|container|page|request|list|dictionary|struct|"
    "enum|pointer|macro|callback|component|test|tests|exception|solution|example|script|call|thread|question|answer|"
    "paragraph|sentence|essay|story|homework|assignment",
    "code = "
    "function|snippet|loop|example|solution|query|method|file|script|class|test|regex|paragraph|sentence|essay|story|"
    "homework|assignment|answer|task",
    "broken = "
    "outage|incident|crash|crashes|downtime|breach|data_loss|failure|leak|regression|slowdown|corruption|corrupted_"
    "data|lost_data|delay|interruption|hang|disruption",
    "day = "
    "monday|mondays|tuesday|tuesdays|wednesday|wednesdays|thursday|thursdays|friday|fridays|saturday|saturdays|sunday|"
    "sundays|day|night|morning|evening|hour",
    "we = we|i|we've|i've|we_have|i_have|the_team|our_team|my_team|we_all|they_and_i|management_and_i",
    "will = i'll|we'll|i_will|we_will|i_shall|we_shall|i'm_going_to|i_am_going_to|we're_going_to|we_are_going_to",
};

constexpr WrittenRule rules[] = {
    // put right
    {"correction", addressed | whole | lasting,
     "no|nope|nah , *1 it's|it_is|that's|that_is|they're|they_are "
     "a|an|the|called|named|in|on|at|version|port|about|for|with|from|our|my"},
    {"correction", addressed | whole | lasting,
     "no|nope|nah , it's|it_is|that's|that_is|they're|they_are|the|our|my|we|i ~12 , not|rather_than|instead_of"},
    {"correction", addressed | whole | states, "no|nope|nah , our|my *5 is|are|runs|uses|lives"},
    {"correction", addressed | whole | lasting,
     "no|nope|nah , we|i use|run|have|deploy|work|live|don't_use|do_not_use|don't_have|never_use"},
    {"correction", addressed | whole, "no|nope|nah|sorry|actually i|we meant|mean"},
    {"correction", addressed | whole,
     "actually , it's|it_is|that's|that_is a|an|the|called|named|in|on|at|version|port|for|with|from|our|my"},
    {"correction", addressed | whole,
     "actually it's|it_is|that's|that_is a|an|the|called|named|in|on|at|version|port|for|with|from|our|my"},
    {"correction", addressed | whole | states, "actually our|my *5 is|are|runs|uses|lives"},
    {"correction", addressed | whole, "actually we|i use|run|have|deploy|work|live|don't_use|never_use"},
    {"correction", addressed | whole,
     "that's|that_is|this_is|you're|you_are|that_was wrong|incorrect|mistaken|false|outdated , =3"},
    {"correction", addressed | whole,
     "that's|that_is|this_is|that_was|that|this not|isn't|wasn't right|correct|true|accurate , =3"},
    {"correction", addressed | whole, "it's|it_is|that's|that_is called|named|version|port|on|in|at|from|for ~8 , not"},
    {"correction", addressed | whole, "correction , =3"},
    {"correction", addressed | whole, "i meant the|our|my|that"},
    // how the user wants things
    {"preference", standing | addressed | whole,
     "… from_now_on|going_forward|henceforth|from_here_on|from_here_on_out|from_today_on"},
    {"preference", standing | addressed | complete,
     "please? don't|do_not ~10 ever|when_you|in_your_answers|in_your_replies|unless_i_ask"},
    {"preference", standing | addressed,
     "in_future|in_the_future|next_time|for_future_reference "
     "please|always|never|use|write|don't|do_not|i_want|answer|keep"},
    {"preference", standing | addressed | lasting | order, "please? always|never|don't_ever|do_not_ever|never_ever"},
    {"preference", standing | addressed, "i|we want|need|expect|would_like|prefer|'d_like you to? always|never"},
    {"preference", standing | addressed, "you should|must|shall always|never"},
    {"preference", standing | addressed, "make_sure|be_sure|remember to|that|you? always|never"},
    {"preference", addressed, "i|we @adv? @adv? prefer"},
    {"preference", addressed,
     "i @adv? want|expect answers|replies|responses|examples|comments|explanations|code_comments"},
    {"preference", 0, "for_me , =3"},
    {"preference", lasting | whole, "i|i've|i_have changed_my_mind *2 prefer|like|love|want|use|avoid"},
    {"preference", 0, "i'd|i_would|we'd @adv? rather"},
    {"preference", 0, "i @adv? like|love *8 more_than|better_than|over"},
    {"preference", 0, "i @adv? love|like|hate|dislike|don't_like|can't_stand it when"},
    {"preference", 0, "i @adv? @adv? like|love|enjoy|favor|favour|hate|dislike|detest|avoid|loathe"},
    {"preference", 0, "i don't|do_not @adv? like|eat|drink|use"},
    {"preference", 0, "i can't|cannot stand"},
    {"preference", 0, "my|our preference|preferred|favorite|favourite *3 is|are"},
    {"preference", 0, "i always|never|usually|normally|typically|rarely|mostly|tend_to @habit"},
    {"preference", lasting, "i no_longer use|write|eat|drink|like|want"},
    {"preference", lasting, "i|i've|i_have @adv? stopped|quit using|eating|drinking|writing"},
    {"preference", lasting, "i|i've|i_have @adv? switched|migrated ~5 to"},
    {"preference", 0, "in_my_opinion|imo|imho|in_my_view|my_take|my_view|in_my_experience"},
    {"preference", 0, "i'm|i_am|i_remain *1 skeptical|sceptical|convinced|not_a_fan|a_fan|a_big_fan|a_huge_fan"},
    {"preference", 0, "i firmly|strongly|honestly believe|think that?"},
    // who the user is
    {"identity", 0, "my name|job|role|profession|occupation|native_language|mother_tongue|pronouns is|are"},
    {"identity", 0, "i work at|for|with|as|in|on the|a|an|our|my"},
    {"identity", 0, "i work at|for|as"},
    {"identity", 0, "i @adv? live|reside in|near|at|with|on"},
    {"identity", 0, "i was_born|grew_up|come_from|am_from|study|teach|speak"},
    {"identity", 0, "i'm from|based|located"},
    {"identity", lasting, "i've|i_have|i @adv? moved to"},
    {"identity", complete, "i'm|i_am *3 years_old"},
    {"identity", 0,
     "i'm|i_am @adv? the|one_of_the *3 "
     "maintainer|owner|lead|author|admin|head|cto|founder|developer|maintainers|owners|engineer|architect"},
    {"identity", states, "i'm|i_am @adv? a|an"},
    {"identity", 0,
     "i @adv? lead|manage|head|run|organise|organize a|an|the|our|two|three *2 "
     "team|group|department|company|lab|project|shop|business|agency|club|studio|office"},
    {"identity", 0, "i've_been|i_have_been a|an"},
    // decided
    {"decision", lasting, "@we @adv? @adv? decided|agreed|opted|settled|resolved that|to|on|for|against"},
    {"decision", lasting, "@we @adv? @adv? decided|agreed|opted|settled|resolved"},
    {"decision", lasting, "we ~6 and|then decided|agreed that|to|on|for|against"},
    {"decision", lasting, "we ~6 and|then decided|agreed ,"},
    {"decision", lasting | whole,
     "after|during|at|in|following|last|yesterday|this *6 we|i|the_team decided|agreed|chose to|on|against|that|for"},
    {"decision", lasting,
     "we|we've|the_team @adv? chose|chosen|picked|went_with|adopted|standardized_on|standardised_on"},
    {"decision", lasting | whole, "it|that was|is|has_been *1 decided|agreed ~8 that|to"},
    {"decision", lasting, "i @adv? chose|picked ~6 over|because|instead_of|rather_than"},
    {"decision", lasting,
     "we|we've|we_have @adv? dropped|abandoned|cancelled|canceled|postponed|discontinued|shelved "
     "the|our|support|plans"},
    {"decision", lasting,
     "we're|we_are|i'm|i_am @adv? going_with|sticking_with|sticking_to|standardizing_on|standardising_on"},
    {"decision", lasting,
     "we're|we_are @adv? switching|moving|migrating|dropping|adopting|deprecating|replacing|retiring|abandoning over? "
     "to|from|away_from?"},
    {"decision", lasting, "we|we'll|we_will stick_with|go_with|stick_to|keep_using"},
    {"decision", lasting, "decided|agreed|decision_made|final_decision|final_call|decision on|to|against|that|for"},
    {"decision", lasting, "decided|decision|decision_made|final_decision|final_call , =3"},
    {"decision", lasting | whole, "decision|resolution *6 , =3"},
    {"decision", lasting, "decision_made|final_decision|final_call"},
    {"decision", lasting, "the|our|my *1 decision is|was to|that"},
    // done by a day
    {"plan", 0, "i'm|i_am|we're|we_are @adv? planning|committing|committed to|on"},
    {"plan", 0, "i|we @adv? plan|intend|aim|commit to|on"},
    {"plan", lasting, "i|we|i've|we've promised|pledged"},
    {"plan", lasting, "promised"},
    {"plan", 0, "the|our|my *1 plan|goal|aim is"},
    {"plan", timed, "@will @adv? ~20 by|before|until|on|next|in|at|this|end_of"},
    {"plan", timed | whole, "by|until|before|in|on|at|next|this ~6 we|i will|plan|intend|want_to|are_going_to"},
    {"plan", timed, "i|we want_to|hope_to ~12 by|before|until"},
    {"plan", timed | states, "the|our|my *4 will|is_going_to|goes_live|ships|launches"},
    {"task", 0, "i|we still have_to|need_to|must"},
    {"task", timed, "i|we have_to|need_to|must *8 by|before|until"},
    {"task", 0, "todo|to-do|open_task|action_item , =3"},
    // learned the hard way
    {"lesson", lasting,
     "lesson_learned|lessons_learned|the_lesson|the_takeaway|note_to_self|in_hindsight|in_retrospect"},
    {"lesson", lasting | standing, "what i|we @adv? learned|learnt *8 , =3"},
    {"lesson", lasting | standing, "what i|we @adv? learned|learnt *4 is|was that?"},
    {"decision", lasting | standing, "what i|we @adv? decided|agreed|settled *4 is|was that?"},
    {"lesson", lasting, "it|this|that turned_out|turns_out that?"},
    {"lesson", lasting, "turns_out|turned_out that?"},
    {"lesson", lasting, "i|i've @adv? learned|learnt that|the_hard_way|not_to that?"},
    {"lesson", lasting,
     "we|we've @adv? learned|learnt|realised|realized|discovered|found_out that|the_hard_way|not_to that?"},
    // went wrong
    {"incident", lasting | whole,
     "the|our|my|a|an|yesterday's|last *4 @broken *5 was|were|is|happened caused_by|due_to|because|when"},
    {"incident", lasting | whole, "the|our *1 root_cause|cause of *6 is|was"},
    {"incident", lasting | whole, "the *1 root_cause is|was"},
    {"incident", lasting | whole,
     "the|our|my *5 crashed|broke|failed|died|went_down|was_down|leaked ~6 because|due_to"},
    {"incident", lasting | whole, "we|i lost|had *6 outage|incident|breach|data_loss|downtime"},
    {"incident", lasting | whole, "we|i lost|deleted|overwrote|wiped|corrupted ~10 because|due_to"},
    // may go wrong
    {"incident", lasting | timed | whole,
     "+8 deleted|lost|overwrote|corrupted|wiped|leaked|crashed|broke ~8 because|due_to"},
    {"risk", 0, "the|our|one|a *3 risk|danger|threat here? is that?"},
    {"risk", 0, "there's|there_is a|the|some *2 risk|danger that|of|when|if"},
    {"risk", 0, "i'm|i_am|we're|we_are *1 worried|concerned that|about the|our|we"},
    {"risk", 0, "risk , =3"},
    // what the user works on
    {"context", 0,
     "i'm|i_am|we're|we_are @adv? working_on|building|developing|designing|porting|maintaining a|an|our|my"},
    {"context", 0, "i'm|i_am|we're|we_are @adv? writing a|an"},
    {"context", 0, "my|this *1 project|repository|repo|app|plugin|thesis *1 is|uses|targets|has"},
    // as things are
    {"fact", standing | addressed, "please? remember|keep_in_mind|bear_in_mind|note|don't_forget|take_note that"},
    {"fact", lasting | whole, "the|our|my|all *6 now @holds"},
    {"fact", lasting | whole, "the|our|my *6 is|are *4 now , it|they used_to|was|were"},
    {"fact", lasting | whole, "the|our|my ~12 used_to_be"},
    {"fact", lasting | whole, "the|our|my *4 moved|changed|switched from ~5 to"},
    {"fact", lasting | whole,
     "the|our|my *4 has|have|was|were|got changed|raised|lowered|increased|reduced|bumped ~4 from|to"},
    {"fact", lasting | whole,
     "the|our|my *5 has_been|have_been|got|was|were renamed|moved|migrated|deprecated|retired"},
    {"fact", lasting | whole,
     "we|we've|we_have @adv? moved|switched|migrated|upgraded|downgraded|renamed|replaced ~8 "
     "to|from|with|by|onto|into"},
    {"fact", lasting, "we no_longer|don't use|run|have|support|deploy|allow"},
    {"fact", complete,
     "i'm|i_am @adv? "
     "allergic|intolerant|colour-blind|color-blind|left-handed|right-handed|vegetarian|vegan|deaf|dyslexic"},
    {"fact", 0, "i|we @adv? use"},
    {"fact", 0, "i|we @adv? own|maintain|play|host|deploy|ship|store|support|release|rely_on|follow"},
    {"fact", 0, "we @adv? keep|track|log|run|write|build|review|test|pay|buy|sell|send|rent|sponsor"},
    {"fact", 0, "we have_a|have_an|have_two|have_three|have_four|have_five|have_no"},
    {"fact", complete,
     "i_have|i've_got *3 "
     "dog|dogs|cat|cats|daughter|daughters|son|sons|kids|children|allergy|mac|macbook|laptop|monitor|monitors|degree|"
     "phd|license|licence|diabetes|asthma"},
    {"fact", states, "my|our *5 is|are|isn't|aren't"},
    {"fact", 0,
     "my|our *5 "
     "@holds|has|have|needs|need|supports|lasts|costs|closes|opens|starts|ends|targets|requires|contains|takes|deploys|"
     "works|returns|accepts|stores|sends|receives|provides|exposes|covers|includes|sells|pays|meets|speaks|closes"},
    {"fact", whole, "the|each|every|all *6 @holds"},
    {"fact", whole, "only +5 has_access|have_access|may|can|is_allowed|are_allowed"},
    {"fact", whole | states,
     "the ~4 deadline|due_date|release_date|release_day|budget|retention_period|code_freeze *6 is"},
    {"fact", whole | states, "the +4 ~6 every|each *1 @day|week|month|quarter|year"},
    {"fact", whole,
     "+4 leave|leaves|happen|happens|ship|ships|start|starts|run|runs|is|are|go|goes *4 on|every|each *1 "
     "@day|week|month|quarter"},
    {"fact", whole | lasting, "just? confirmed|fact|quick_fact|good_to_know *4 ,"},
    {"preference", whole, "+4 @adv? prefers|dislikes|hates"},
};

}  // namespace

extern const WrittenLanguage english_rules = {
    .name = "en",
    .named = named,
    .rules = rules,
    .leads =
        "and|but|so|also|then|plus|because|ok|okay|thanks|thank_you|hi|hello|hey|great|perfect|fine|nice|cool|sure|yes|"
        "yeah|well|oh|btw|by_the_way|fyi|heads-up|heads_up|for_the_record|honestly|frankly|in_general|generally|"
        "personally|as_a_rule|for_context|that|please_note_that|note_that",
    .questions =
        "what|which|who|whom|whose|when|where|why|how|is|are|am|was|were|do|does|did|can|could|would|will|shall|should|"
        "may|might|has|have|had|isn't|aren't|don't_you|doesn't|didn't|won't|any_idea|any_ideas|wondering|i_wonder|do_"
        "you",
    .requests =
        "please|can|could|would|will|let's|lets|let_me|help|explain|show|write|fix|make|add|create|give|tell|refactor|"
        "list|summarize|summarise|translate|rename|remove|delete|check|convert|generate|implement|find|compare|"
        "describe|sort|rewrite|rephrase|proofread|run|try|change|update|move|build|draw|suggest|recommend|use|put|"
        "replace|format|optimize|optimise|debug|test|review|look|read|open|print|calculate|compute|draft|sketch|answer|"
        "continue|go|do|stop|keep|merge|split|extract|ignore|pretend|act; i|we need|want you|a|an|some|help|the; "
        "i'd_like|i_would_like|i'd_love|i_was_hoping; i|we want you",
    .unreal =
        "if|suppose|supposing|imagine|assuming|assume|say|let's_say|let's_pretend|pretend|what_if|hypothetically|in_"
        "theory|as_an_example|an_example|for_example|for_instance|e.g|provided|unless|had|were|once; let's|lets "
        "say|assume|pretend|imagine|suppose",
    .role_play =
        "suppose|supposing|imagine|assume|assuming|pretend|hypothetically|roleplay|role-play|act_as|you_are_a|you_are_"
        "an|you're_a|you're_an|you_are_now|let's_pretend|let's_play|let's_imagine|let's_say|play_the; say "
        "we're|we|i|i'm; say we're|we|i|i'm",
    .unsure =
        "maybe|perhaps|might|could|i_guess|i_suppose|probably|possibly|not_sure|unsure|who_knows|unclear|allegedly|"
        "apparently|rumor|rumour|i_think_i|i_think_we|should_we|whether|would_have|if_i|if_we|how_can|how_do|how_"
        "should|how_would|can_you|could_you|would_you|what_should|help_me|any_ideas|any_suggestions|kidding|joking|lol|"
        "haha|it_works|it_still|still_fails|my_last_commit|syntax_error|close_it|skip_it|leave_it|in_this_game; "
        "in|of|for|with|inside this|that|the_above|the_following *1 @code|version|paragraph; in|inside the "
        "loop|function|snippet|example",
    .reported =
        "said|says|told_me|tells_me|tell_me|claims|claimed|according_to|argues|argued|insists|mentioned|suggested_that|"
        "suggests_that|quoted|asked_me|thinks_that|states_that|goes_like|starts_with|begins_with; wrote|writes|reads "
        "that|me|to_me|,; he|she|they wrote|writes; he|she|they think|thinks",
    .passing =
        "right_now|at_the_moment|today|tonight|this_morning|this_afternoon|this_evening|just_now|for_now|brb|in_a_"
        "minute|in_a_moment|in_a_second|temporarily|for_a_moment|again|so_far|as_we_speak|this_time|tomorrow|here_is|"
        "here's|here_are|"
        "above|below|fails|crashes|throws|doesn't_work|does_not_work|isn't_working|won't|undefined|null|stack_"
        "trace|error_message|attached|in_line|on_line; "
        "is|was|has|had|have|made|find|found|fix|fixed|spotted|there's a|the|another typo; "
        "typo in|on this|that|my|your|the_above; in *2 seconds|minutes|hours; "
        "i|we|i've|we've|i_have|we_have just restarted|rebooted|pushed|pulled|committed|fixed|tried|ran; this|these *1 "
        "@local",
    .times = "end_of|month-end|quarter-end|year-end|eod|eow|the_weekend|the_holidays|q1|q2|q3|q4",
    .to_assistant = "you|your|yours|you're|you've|you'll",
    .credentials =
        "password|passwords|passphrase|api_key|api-key|api_keys|credential|credentials|pin_code|private_key|access_"
        "token|auth_token|api_token|secret_key|client_secret; my|our token|secret|pin; token|secret|pin is",
    .not_kept =
        "my|our|the *1 @local; my *1 branch; we run into|out; i|i've @adv? switched to "
        "main|master|the|this|another|branch; never say; my|our *1 plan|goal|attempt was; going_forward with; "
        "from_now_on i'm; no|nope|nah|actually it's|it_is|that's|they're a|an *2 @local; i use the_word; i'm "
        "developing a headache|cold|fever|feeling; my name is in|on|at|not|a|the|below|above|unimportant; it|this|that "
        "turned_out|turns_out that? i|i'm; i|we @adv? learned|learnt that the_hard_way; my|our *5 has|have been; "
        "my|our *1 "
        "question|questions|problem|guess|point|bad|mistake|apologies|code|error|errors|understanding|request|idea|"
        "thought|thoughts|hope|issue|bug|output|script|input|attempt|first|next|last|query|function|loop|fault; "
        "always|never|please "
        "mind|seen|had|heard|the|a|an|happened|failing|works|worked|gets|fails|been|again|happy|tried|knew|thought|"
        "said|got|wrong|know|knows|mind|ever|good|nice|is|was|has|returns|returning; please always|never the|a|an; "
        "i|we have_a|have_an|have_two|have_three *2 "
        "question|questions|problem|feeling|bug|idea|error|doubt|issue|hunch|look|request|file|function|list|string|"
        "array|test|meeting|few|lot|hard|chance; i|we use|used this|that|it|the|a|an *2 "
        "function|loop|variable|method|macro|call|flag; i'm|i_am a|an bit|little|while|idiot|lot|huge_fan; "
        "i'm|i_am|we're|we_are @adv? working_on|building my|our|a *1 "
        "way|bug|issue|fix|test|problem|ticket|pull|review|github|presentation; i like|love "
        "the|your|their|these|those|how|what|to_see; @will "
        "try|check|see|look|let|be_back|get_back|think|post|paste|test|give|do|wait|restart|rerun|be; we @adv? "
        "moved|switched|replaced on|back|the_loop; the *3 will|is_going_to be? fail|crash|return|throw; no|nope|nah , "
        "that's|that_is not; i work on|in|with it|this|that; i'm|i_am|we're|we_are @adv? writing a|an *2 @local",
    .dangling =
        "nothing|myself|the_flow|not_to_say; not .; "
        "it|this|that|these|those|them|you|your|him|her|the_first|the_second|the_third|the_last|the_latter|the_former|"
        "the_other|the_idea|the_way|the_one|how|what|one|both|neither|so|option|either|to_do; to .",
    .states =
        "@adv? @adv? "
        "awesome|amazing|super|open|so|failing|broken|down|slow|hanging|stuck|crashing|green|red|empty|full|done|ready|"
        "wrong|fine|ok|okay|good|bad|nice|great|gone|dead|weird|tired|sick|hungry|busy|sorry|back|here|there|confused|"
        "lost|sure|happy|glad|curious|afraid|unable|new_to|stupid|off|up|out|over|in_an|in_a|in_one|in_two|in_five|in_"
        "ten|at_step|at_line|the_best|the_worst|missing|unreachable|late|about_to|on_its_way|not|getting|running|"
        "waiting|looking|trying|going|happening|complaining|loading|compiling|building|too|unimportant|almost|nearly|"
        "offline|bit|little|while|fan|idiot|mess; @adv? why|how|it|this|to|what_to|what_i|what_it|what_happens",
    .copulas = "is|are|am|i'm|we're|it's|they're",
    .assent =
        "yes|yeah|yep|yup|ok|okay|sure|agreed|exactly|right|correct|fine|perfect|sounds_good|go_with|let's_go_with|"
        "let's_do|do_that|i_agree; the|option first|second|third|last|latter|former|a|b|c|1|2|3",
    .greetings =
        "hi|hello|hey|good_morning|good_afternoon|good_evening|good_night|thanks|thank_you|cheers|bye|goodbye|see_you|"
        "welcome_back|one_more_thing|never_mind|remind_me; before_i_forget it? .; i|we want|need to? see|know",
    .change =
        "now|no_longer|not_anymore|anymore|any_more|instead|instead_of|switched|moved|changed|renamed|replaced|"
        "migrated|from_now_on|as_of|since|actually|correction|used_to|stopped|rather|new|wrong|meanwhile|upgraded|"
        "postponed|"
        "increased|raised|lowered|reduced; no .; no ,; not *4 but",
    .here = "here; in|for this|our|the project|repo|repository|codebase|team|workspace; this|our project|repo|team",
};

}  // namespace selfmind::learn
