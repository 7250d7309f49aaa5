#include "guard/dpkg_call.h"

#include <algorithm>
#include <array>

#include "guard/relation.h"

namespace pve_rdma::guard {

namespace {

// Options whose value may be the next word (src/main/main.c, "cmdinfos").
constexpr std::array<std::string_view, 17> with_value{
    "pre-invoke",    "post-invoke", "path-exclude", "path-include",   "verify-format",
    "status-logger", "status-fd",   "log",          "root",           "abort-after",
    "admindir",      "instdir",     "debug",        "ignore-depends", "force",
    "refuse",        "no-force"};

struct Action {
    std::string_view name;
    char letter;
};
constexpr std::array<Action, 4> actions{{{"install", 'i'}, {"unpack", 0}, {"remove", 'r'}, {"purge", 'P'}}};

struct Reader {
    std::string_view action;
    DpkgCall call{};
    bool asked = false;          // the action was among the words
    bool value_follows = false;  // the next word is an option's value

    void long_option(std::string_view option) {
        if (option == "dry-run" || option == "no-act" || option == "simulate") call.dry_run = true;
        if (option == "pending") call.pending = true;
        if (option == "recursive") call.folders = true;
        if (option == action) asked = true;
        value_follows = std::ranges::find(with_value, option) != with_value.end();
    }

    void letters(std::string_view word) {
        for (std::size_t at = 1; at < word.size() && !value_follows; ++at) {
            if (word[at] == 'a') call.pending = true;
            if (word[at] == 'R') call.folders = true;
            for (const Action& one : actions)
                if (one.letter == word[at] && one.name == action) asked = true;
            if (word[at] == 'D') {  // the rest of the word is its value
                value_follows = at + 1 == word.size();
                return;
            }
        }
    }
};

}  // namespace

Result<DpkgCall> read_dpkg_call(const std::vector<std::string>& words, std::string_view action) {
    Reader reader{action};
    std::size_t at = 1;
    for (; at < words.size(); ++at) {
        const std::string& word = words[at];
        if (reader.value_follows) {
            reader.value_follows = false;
            continue;
        }
        if (word.size() < 2 || word[0] != '-') break;
        if (word == "--") {
            ++at;
            break;
        }
        if (word[1] == '-')
            reader.long_option(std::string_view(word).substr(2));
        else
            reader.letters(word);
    }
    if (!reader.asked)
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .subject = words.empty() ? "dpkg" : words[0],
                                     .message = "its words do not ask for " + std::string(action)});
    reader.call.names.assign(words.begin() + static_cast<std::ptrdiff_t>(std::min(at, words.size())),
                             words.end());
    return std::move(reader.call);
}

bool forces(std::string_view dpkg_force, std::string_view word) {
    while (const auto one = take_part(dpkg_force, ','))
        if (*one == word) return true;
    return false;
}

}  // namespace pve_rdma::guard
