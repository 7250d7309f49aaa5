#include "ofed/bundle/installer_text.h"

#include <algorithm>

#include "doctor/words.h"

namespace pve_rdma::ofed {

namespace {

constexpr std::size_t max_text = 4u << 20;
constexpr std::size_t max_names = 4096;
constexpr std::string_view name_signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-";

// The words of a Perl list: qw(a b c), or ("a", 'b', "$c"). `variables` fill in what begins with "$".
using Variables = std::map<std::string, std::string, std::less<>>;

std::vector<std::string> list_words(std::string_view list, const Variables& variables) {
    std::vector<std::string> words;
    while (words.size() < max_names) {
        const auto begin =
            list.find_first_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$@");
        if (begin == std::string_view::npos) break;
        list.remove_prefix(begin);
        const char sign = list.front();
        if (sign == '$' || sign == '@') list.remove_prefix(1);
        const auto end = std::min(list.find_first_not_of(name_signs), list.size());
        const std::string word(list.substr(0, end));
        list.remove_prefix(std::max<std::size_t>(end, sign == '$' || sign == '@' ? 0 : 1));
        if (word.empty() || sign == '@') continue;
        if (sign != '$') {
            words.push_back(word);
        } else if (const auto known = variables.find(word); known != variables.end()) {
            if (!known->second.empty()) words.push_back(known->second);
        }
    }
    return words;
}

// What stands between the first "(" behind `at` and its ")".
std::string_view in_parentheses(std::string_view text, std::size_t at, char open = '(', char close = ')') {
    const auto begin = text.find(open, at);
    if (begin == std::string_view::npos) return {};
    const auto end = text.find(close, begin);
    return end == std::string_view::npos ? std::string_view() : text.substr(begin + 1, end - begin - 1);
}

// `my $name = "value";`, the first one of each name.
Variables read_variables(std::string_view text) {
    Variables variables;
    constexpr std::string_view begin = "my $";
    for (auto at = text.find(begin); at != std::string_view::npos && variables.size() < max_names;
         at = text.find(begin, at + begin.size())) {
        auto rest = text.substr(at + begin.size());
        rest = rest.substr(0, rest.find('\n'));
        const auto end = rest.find_first_not_of(name_signs);
        if (end == std::string_view::npos) continue;
        const std::string name(rest.substr(0, end));
        rest.remove_prefix(end);
        const auto quote = rest.find_first_of("\"'");
        if (rest.substr(0, quote).find_first_not_of(" =\t") != std::string_view::npos) continue;
        if (quote == std::string_view::npos) continue;
        const auto close = rest.find(rest[quote], quote + 1);
        if (close == std::string_view::npos) continue;
        variables.try_emplace(name, rest.substr(quote + 1, close - quote - 1));
    }
    return variables;
}

void append_new(std::vector<std::string>& list, const std::vector<std::string>& more) {
    for (const auto& one : more)
        if (std::ranges::find(list, one) == list.end()) list.push_back(one);
}

// The condition of the "if" around a place: the last line before it that is not indented, when it is an if.
std::string_view condition_before(std::string_view text, std::size_t at) {
    auto before = text.substr(0, at);
    const auto line_begin = before.rfind('\n');
    if (line_begin == std::string_view::npos || line_begin + 1 == at) return {};  // it is not indented
    before = before.substr(0, line_begin);
    const auto previous = before.rfind('\n');
    const auto line = previous == std::string_view::npos ? before : before.substr(previous + 1);
    return line.starts_with("if") ? line : std::string_view();
}

// The list that holds on Debian 13 no more: "if ($distro !~ /ubuntu2[4-9]|debian1[3-9]/)".
bool excluded_by_distro(std::string_view condition, std::string_view debian) {
    if (condition.find("$distro !~") == std::string_view::npos ||
        condition.find("debian1[3-9]") == std::string_view::npos)
        return false;
    const auto numbers = doctor::version_numbers(debian);
    return !numbers.empty() && numbers.front() >= 13 && numbers.front() <= 19;
}

void read_pushes(std::string_view text, const Variables& variables, std::string_view debian, Installer& out) {
    constexpr std::string_view push = "push (@remove_debs, @";
    for (auto at = text.find(push); at != std::string_view::npos; at = text.find(push, at + push.size())) {
        const auto rest = text.substr(at + push.size());
        const auto list = rest.substr(0, rest.find_first_not_of(name_signs));
        const auto definition = text.find("my @" + std::string(list) + " = (");
        if (definition == std::string_view::npos) continue;
        const auto names = list_words(in_parentheses(text, definition), variables);
        const auto condition = condition_before(text, at);
        if (excluded_by_distro(condition, debian)) continue;
        const bool only_ovs = condition.find("ovs") != std::string_view::npos ||
                              condition.find("openvswitch") != std::string_view::npos;
        append_new(only_ovs ? out.open_vswitch : out.names, names);
    }
}

// %packages_info: 'name' => { ... dist_req_inst => ["a", "$b"], ... }
void read_packages(std::string_view text, const Variables& variables, Installer& out) {
    const auto table = text.find("%packages_info = (");
    if (table == std::string_view::npos) return;
    auto rest = text.substr(table);
    rest = rest.substr(0, rest.find("\n);"));
    constexpr std::string_view arrow = "' =>";
    for (auto at = rest.find(arrow); at != std::string_view::npos && out.own.size() < max_names;
         at = rest.find(arrow, at + arrow.size())) {
        const auto quote = rest.rfind('\'', at - 1);
        if (at == 0 || quote == std::string_view::npos) continue;
        const std::string name(rest.substr(quote + 1, at - quote - 1));
        out.own.push_back(name);
        const auto entry = rest.substr(at, rest.find(arrow, at + 1) - at);
        const auto requires_at = entry.find("dist_req_inst =>");
        if (requires_at == std::string_view::npos) continue;
        auto needs = list_words(in_parentheses(entry, requires_at, '[', ']'), variables);
        if (!needs.empty()) out.requires_of[name] = std::move(needs);
    }
    // Set or replaced afterwards: $packages_info{"openvswitch-switch"}{'dist_req_inst'} = [...];
    constexpr std::string_view member = "$packages_info{\"", field = "\"}{'dist_req_inst'} = [";
    for (auto at = text.find(member); at != std::string_view::npos;
         at = text.find(member, at + member.size())) {
        const auto name_end = text.find('"', at + member.size());
        if (name_end == std::string_view::npos) break;
        if (!text.substr(name_end).starts_with(field)) continue;
        const std::string name(text.substr(at + member.size(), name_end - at - member.size()));
        out.requires_of[name] = list_words(in_parentheses(text, name_end, '[', ']'), variables);
    }
}

// map {"qemu-system-$_"} qw(arm x86)
void read_immune(std::string_view text, Installer& out) {
    constexpr std::string_view begin = "@immune_debs_list =";
    const auto at = text.find(begin);
    if (at == std::string_view::npos) return;
    auto rest = text.substr(at + begin.size());
    rest = rest.substr(0, rest.find(';'));
    std::string prefix;
    if (const auto map = rest.find("map {\""); map != std::string_view::npos)
        prefix = rest.substr(map + 6, rest.find("$_", map) - map - 6);
    for (const auto& word : list_words(in_parentheses(rest, 0), {}))
        out.immune.push_back(prefix + word);
}

std::string_view body_of(std::string_view text, std::string_view function) {
    const auto at = text.find(std::string("sub ") + std::string(function));
    if (at == std::string_view::npos) return {};
    const auto body = text.substr(at);
    return body.substr(0, body.find("\n}"));
}

}  // namespace

std::optional<Installer> read_installer(std::string_view text, std::string_view common,
                                        std::string_view debian) {
    text = text.substr(0, max_text);
    const auto list = text.find("@remove_debs = qw(");
    if (list == std::string_view::npos) return std::nullopt;
    const auto variables = read_variables(text);
    Installer installer;
    installer.generation = "of the bundle";
    installer.certain = true;
    append_new(installer.names, list_words(in_parentheses(text, list), {}));
    read_pushes(text, variables, debian, installer);
    read_packages(text, variables, installer);
    read_immune(text, installer);
    if (const auto required = text.find("@required_debs = qw("); required != std::string_view::npos)
        installer.required = list_words(in_parentheses(text, required), {});
    constexpr std::string_view lose_arch = "s/:.*//g";
    const auto requirers = body_of(text, "get_requires");
    installer.direct_lose_arch =
        body_of(text, "get_all_matching_installed_debs").find(lose_arch) != std::string_view::npos;
    installer.dependents_lose_arch = requirers.find(lose_arch) != std::string_view::npos;
    installer.remembers = requirers.find("$check_uninstall") != std::string_view::npos;
    installer.kernel_filter =
        body_of(text, "remove_old_packages").find("components_filter") != std::string_view::npos &&
        (text.find("sub get_components_filter") != std::string_view::npos ||
         common.find("sub get_components_filter") != std::string_view::npos);
    installer.upstream_libs = text.find("MLNX_LIBS") == std::string_view::npos ||
                              text.find("$use_upstream_libs = 1;") < text.find("$use_upstream_libs = 0;");
    std::ranges::sort(installer.own);
    return installer;
}

}  // namespace pve_rdma::ofed
