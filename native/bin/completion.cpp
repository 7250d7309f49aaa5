// Prints the completion of bash for pve-rdma, from the operation table. Runs at build time only.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "operations/operation.h"

namespace {

using namespace pve_rdma;

using Words = std::vector<std::string>;

// What every subcommand takes (cli.cpp).
const Words everywhere{"--json", "--color", "--help"};

std::string with(std::string_view text, char from, char to) {
    std::string out(text);
    std::ranges::replace(out, from, to);
    return out;
}

bool is_path(std::string_view placeholder) {
    for (const std::string_view path : {"FILE", "DIR", "PATH", "REPORT", "BUNDLE"})
        if (placeholder == path) return true;
    return false;
}

// A bash case for one command line so far: what may follow, "@" where it may be a path.
void add(std::string& cases, const std::string& line, const Words& words) {
    cases += fmt::format("    '{}') words='{}' ;;\n", line, fmt::join(words, " "));
}

Words values(const Parameter& parameter) {
    if (is_path(parameter.placeholder)) return {"@"};
    return {parameter.choices.begin(), parameter.choices.end()};
}

struct Tables {
    std::string commands{};  // by command: subcommands, options, positionals
    std::string options{};   // by command and option: its values
};

void describe(const Operation& operation, Tables& tables) {
    const std::string command = with(operation.name, '-', ' ');
    Words words = everywhere;
    for (const auto& parameter : operation.parameters) {
        if (!parameter.offered_to(Face::cli) || parameter.rest) continue;
        if (parameter.positional) {
            std::ranges::move(values(parameter), std::back_inserter(words));
            continue;
        }
        const std::string option = "--" + with(parameter.name, '_', '-');
        words.push_back(option);
        if (parameter.type != ParameterType::flag)
            add(tables.options, command + " " + option, values(parameter));
    }
    add(tables.commands, command, words);
}

// "fabric-walk": after nothing comes fabric, after fabric comes walk.
std::map<std::string, Words> groups() {
    std::map<std::string, Words> below{{"", {"--help", "--version"}}};
    for (const auto& operation : operations()) {
        std::string above;
        for (std::string_view rest = operation.name; !rest.empty();) {
            const std::string word(rest.substr(0, rest.find('-')));
            auto& names = below[above];
            if (std::ranges::find(names, word) == names.end()) names.push_back(word);
            above += (above.empty() ? "" : " ") + word;
            rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        }
    }
    return below;
}

constexpr const char* script = R"(# bash completion for pve-rdma, written from its operation table
_pve_rdma() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command= words= next one
    COMPREPLY=()
    for one in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        [[ $one == -* ]] && continue
        next=$command${{command:+ }}$one
        _pve_rdma_follows "$next" && command=$next
    done
    if [ "$before" = --color ]; then
        words='auto always never'
    elif [[ $before != -* ]] || ! _pve_rdma_values "$command $before"; then
        _pve_rdma_follows "$command"
    fi
    mapfile -t COMPREPLY < <(compgen -W "${{words//@/}}" -- "$word")
    [[ $words == *@* ]] && mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -f -- "$word")
    return 0
}}
# Each sets `words` to what may stand there, @ for the path of a file; false: it knows nothing of that.
_pve_rdma_follows() {{
    case $1 in
{}    *) return 1 ;;
    esac
}}
_pve_rdma_values() {{
    case $1 in
{}    *) return 1 ;;
    esac
}}
complete -o filenames -F _pve_rdma pve-rdma
)";

}  // namespace

int main() {
    Tables tables;
    for (const auto& [command, names] : groups())
        if (!find_operation(with(command, ' ', '-'))) add(tables.commands, command, names);
    for (const auto& operation : operations())
        describe(operation, tables);
    std::cout << fmt::format(fmt::runtime(script), tables.commands, tables.options) << std::flush;
    return std::cout ? 0 : 1;
}
