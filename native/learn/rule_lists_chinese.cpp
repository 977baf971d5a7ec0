#include "learn/rule_lists.h"

namespace selfmind::learn {
namespace {

// A character is a word.

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
    {"preference", 0, "我 *3 喜欢|讨厌|不喜欢|爱用|习惯用|习惯于|习惯|从不|从来不|一直用"},
    {"preference", 0, "我 *3 总是 用|写|先|在|把"},
    {"preference", lasting | complete, "我 *3 不再用|不用|改用 ~10 了"},
    {"preference", 0, "我认为|我觉得|在我看来|依我看 *6 应该|被高估|不应该"},
    {"preference", whole, "我对 +16 看法|怀疑态度|持怀疑|深信不疑"},
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
    {"task", timed, "@we|我 必须|得 ~20 之前|前"},
    {"task", 0, "@we|我 还要|还得|还需要|必须在"},
    {"lesson", lasting, "后来发现|事实证明|结果发现|教训 =4"},
    {"lesson", lasting, "@we|我 *2 学到|吸取"},
    {"lesson", lasting, "@we 发现"},
    {"incident", lasting | whole, "… 故障|宕机|崩溃|事故 *6 原因|因为|由于|是由"},
    {"risk", 0, "最大的风险|风险是|风险在于|主要风险"},
    {"context", 0, "@we|我 *2 在开发|在做|在写 一个|一款"},
    {"fact", standing | addressed, "请? 记住|请记得"},
    {"fact", lasting | whole, "@we|我 *12 从 ~16 换成|迁移到|改成|切换到|迁到|搬到"},
    {"fact", lasting | whole, "@mine *10 改成|换成|改为|变成"},
    {"fact", lasting, "@we *2 不再|已经不"},
    {"fact", complete, "我 对 +8 过敏"},
    {"fact", complete, "我 *1 吃素|是色盲|是左撇子"},
    {"fact", states, "@mine +12 是|叫|跑在|运行在|部署在|使用|用的是|放在|托管在|位于|有"},
    {"fact", complete, "我们 公司|团队|部门|组 *4 用|使用 +6"},
    {"fact", 0, "@we 用|使用 +2 做|作为"},
    {"fact", whole, "+8 部署在|运行在|跑在|托管在"},
    {"fact", whole, "+8 截止日期|截止时间|预算 *2 是|为"},
    {"fact", whole | lasting, "*12 确认|证实|备忘|备注|记录 , =3"},
    {"preference", whole, "+4 更喜欢|偏好|强烈喜欢"},
};

}  // namespace

extern const WrittenLanguage chinese_rules = {
    .name = "zh",
    .named = chinese_named,
    .rules = chinese,
    .leads = "好的|谢谢|另外|还有|而且|但是|但|所以|因为|顺便说一下|对了|说明一下|其实|一般来说",
    .questions = "什么|怎么|为什么|为何|如何|哪个|哪|谁|是否|能不能|可不可以|请问",
    .requests = "请|帮我|帮|写|解释|告诉我|给我|麻烦|列出|翻译|总结; 我 想要|想|需要|要一|想请; 能否|可以",
    .unreal = "如果|假设|假如|要是|倘若|比如|例如|万一|设想; 我们 假设",
    .role_play = "假设|假如|想象|你是一|你现在是|扮演|请扮演|假装|设想",
    .unsure = "还没|尚未|没有决定|也许|可能|或许|大概|不确定|好像|似乎|说不定|听说|吗|呢|什么|哪|怎么|为什么",
    .reported = "他说|她说|他们说|同事说|客户说|老板说|文档说|写道|表示|据说|据称|据报|根据文档|认为我们",
    .passing =
        "已经过|这个循环|这个函数|这段代码|还是|报错|不行|失败|今天|正在|刚刚|刚才|目前|这会儿|现在挂|我现在|明天|今晚|"
        "暂时",
    .times = "月底|周末|年底|季度末|之前|以前",
    .to_assistant = "你|您",
    .credentials = "密码|口令|密钥|令牌|token",
    .not_kept =
        "不对|不 它|这|那; @we|我 发现|发现了 一个; @mine *1 看法|建议|猜想; @we|我 *2 在写|在做|在开发 一个 *2 "
        "函数|方法|脚本|测试|循环; @mine *2 函数|变量|脚本|测试用例|分支|会议|循环|报错|查询; @mine "
        "问题|意思|错|代码|想法|猜测; 我 *3 喜欢 你|这; 总是|始终|永远 报|失|出|是",
    .dangling = "这|那|它|你|这个|那个|第一|第二",
    .states = "最好|最棒|挂|坏|慢|空|满|好了|错|没|不行|问题|为什|什么|累|怎",
    .copulas = {},
    .assent = "是|好|对|可以|同意|行|没错|第一|第二|第三|就这|用第",
    .greetings = "你好|您好|嗨|早上好|晚上好|谢谢|再见|辛苦|我回来",
    .change = "现在|改|不再|换|搬|已经|以后|从现在|新|其实|不是|错|更正|原来|以前",
    .here = "这里|这个项目|本项目|此项目|我们项目",
};

}  // namespace selfmind::learn
