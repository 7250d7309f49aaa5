#include "eni/hook_command.h"

#include <algorithm>
#include <array>

#include "eni/document.h"

namespace pve_rdma::eni {

namespace {

using Words = std::vector<std::string>;

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

bool holds(const Words& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

// "a b && c | d" is three commands. Quotes are taken off; what they held together falls apart, which is
// enough for the words that matter here. The first word is the program without its folder.
std::vector<Words> simple_commands(std::string_view line) {
    std::vector<Words> commands(1);
    std::string word;
    const auto end_word = [&] {
        if (!word.empty()) commands.back().push_back(std::move(word));
        word.clear();
    };
    for (const char c : line) {
        if (c == '\'' || c == '"') continue;
        const bool separator = c == ';' || c == '&' || c == '|' || c == '(' || c == ')';
        if (separator || c == ' ' || c == '\t')
            end_word();
        else
            word += c;
        if (separator && !commands.back().empty()) commands.emplace_back();
    }
    end_word();
    std::erase_if(commands, [](const Words& words) { return words.empty(); });
    for (auto& words : commands)
        words.front().erase(0, words.front().rfind('/') + 1);
    return commands;
}

// ip(8) takes its object and verb in any short form: "ip r a", "ip route add".
bool is_short_for(std::string_view word, std::string_view whole) {
    return !word.empty() && whole.starts_with(word);
}

// What stands behind "ip OBJECT VERB", options of ip itself left out; empty when it is another command.
std::span<const std::string> behind_ip(const Words& words, std::string_view object,
                                       std::initializer_list<std::string_view> verbs) {
    if (words.front() != "ip") return {};
    std::size_t at = 1;
    while (at < words.size() && words[at].starts_with('-'))
        at += words[at] == "-f" || words[at] == "-family" ? 2 : 1;
    if (at + 1 >= words.size() || !is_short_for(words[at], object)) return {};
    const auto said = [&](std::string_view verb) { return is_short_for(words[at + 1], verb); };
    if (std::ranges::none_of(verbs, said)) return {};
    return std::span(words).subspan(at + 2);
}

constexpr std::array<std::string_view, 3> filters{"iptables", "ip6tables", "ebtables"};

bool adds_filter_rule(const Words& words) {
    if (is_one_of(filters, words.front()))
        return holds(words, "-A") || holds(words, "--append") || holds(words, "-I") ||
               holds(words, "--insert");
    return words.front() == "nft" && words.size() > 2 && (words[1] == "add" || words[1] == "insert") &&
           words[2] == "rule";
}

// -A CHAIN rule, -I CHAIN [N] rule and -D CHAIN rule name one rule by the words around the verb.
Words without_verb(Words words) {
    constexpr std::array<std::string_view, 6> verbs{"-A", "--append", "-I", "--insert", "-D", "--delete"};
    const auto verb = std::ranges::find_if(words, [&](const auto& word) { return is_one_of(verbs, word); });
    if (verb != words.end() && words.end() - verb > 2 &&
        (verb + 2)->find_first_not_of("0123456789") == std::string::npos)
        words.erase(verb + 2);
    std::erase_if(words, [&](const auto& word) { return is_one_of(verbs, word); });
    return words;
}

// Whether an earlier command takes the rule away, or makes the addition depend on a test.
bool makes_room(const Words& earlier, const Words& rule) {
    if (earlier.front() == "nft") return rule.front() == "nft" && holds(earlier, "flush");
    if (!is_one_of(filters, earlier.front())) return false;
    if (holds(earlier, "-F") || holds(earlier, "--flush") || holds(earlier, "-X")) return true;
    if (holds(earlier, "-C") || holds(earlier, "--check")) return true;
    return (holds(earlier, "-D") || holds(earlier, "--delete")) &&
           without_verb(earlier) == without_verb(rule);
}

std::string named(std::string word, std::string_view interface) {
    return word == "$IFACE" || word == "${IFACE}" ? std::string(interface) : word;
}

}  // namespace

bool command_option(std::string_view name) {
    const std::string option = canonical(name);
    return up_command_option(option) || option == "down" || option == "pre-down" || option == "post-down";
}

bool up_command_option(std::string_view name) {
    const std::string option = canonical(name);
    return option == "up" || option == "pre-up" || option == "post-up";
}

std::vector<std::size_t> piling_commands(std::span<const std::string_view> up_commands) {
    std::vector<std::size_t> piling;
    std::vector<Words> earlier;
    for (std::size_t index = 0; index < up_commands.size(); ++index) {
        bool piles_up = false;
        for (auto& words : simple_commands(up_commands[index])) {
            piles_up |= adds_filter_rule(words) && std::ranges::none_of(earlier, [&](const Words& one) {
                            return makes_room(one, words);
                        });
            earlier.push_back(std::move(words));
        }
        if (piles_up) piling.push_back(index);
    }
    return piling;
}

bool makes_interface(std::string_view command, std::string_view name) {
    for (const auto& words : simple_commands(command)) {
        const bool makes = !behind_ip(words, "link", {"add"}).empty() ||
                           !behind_ip(words, "tunnel", {"add"}).empty() ||
                           !behind_ip(words, "tuntap", {"add"}).empty() || words.front() == "tunctl" ||
                           (words.front() == "brctl" && holds(words, "addbr"));
        if (makes && std::ranges::any_of(words, [&](const auto& word) { return named(word, name) == name; }))
            return true;
    }
    return false;
}

std::vector<AddedRoute> added_routes(std::string_view command, std::string_view interface) {
    std::vector<AddedRoute> routes;
    for (const auto& words : simple_commands(command)) {
        auto rest = behind_ip(words, "route", {"add", "append", "replace", "change"});
        if (rest.empty() && words.front() == "route" && words.size() > 2 && words[1] == "add")
            rest = std::span(words).subspan(words[2].starts_with('-') ? 3 : 2);
        if (rest.empty()) continue;
        AddedRoute route;
        for (std::size_t at = 0; at < rest.size(); ++at) {
            const auto& word = rest[at];
            const bool has_value = at + 1 < rest.size();
            if ((word == "via" || word == "gw") && has_value) {
                route.via = rest[++at];
                if ((*route.via == "inet" || *route.via == "inet6") && at + 1 < rest.size())
                    route.via = rest[++at];
            } else if ((word == "dev" || word == "oif") && has_value) {
                route.dev = named(rest[++at], interface);
            } else if (word == "onlink") {
                route.onlink = true;
            } else if (route.destination.empty() && word != "to" && word != "unicast") {
                route.destination = word;
            }
        }
        routes.push_back(std::move(route));
    }
    return routes;
}

bool may_add_address(std::string_view command) {
    return std::ranges::any_of(simple_commands(command), [](const Words& words) {
        constexpr std::array<std::string_view, 16> harmless{
            "ip",   "route",   "iptables", "ip6tables", "iptables-restore", "ebtables", "nft",  "sysctl",
            "echo", "ethtool", "brctl",    "bridge",    "modprobe",         "sleep",    "true", "logger"};
        if (!behind_ip(words, "address", {"add", "replace", "change"}).empty()) return true;
        return !is_one_of(harmless, words.front());
    });
}

}  // namespace pve_rdma::eni
