#include "guard/apt_plan.h"

#include <array>

#include "base/number.h"

namespace pve_rdma::guard {

namespace {

Error bad_plan(int line, const char* message) {
    return {.code = ErrorCode::malformed,
            .subject = "what apt says it will do",
            .message = message + (" in line " + std::to_string(line))};
}

// apt writes octets that would not survive a line as %XX.
std::string unquoted(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto code =
            text[at] == '%' ? parse_number<unsigned char>(text.substr(at + 1, 2), 16) : std::nullopt;
        if (!code || at + 2 >= text.size()) {
            plain += text[at];
            continue;
        }
        plain += static_cast<char>(*code);
        at += 2;
    }
    return plain;
}

// Name, old version, architecture and Multi-Arch, direction, the same of the new one, and the file or a word
// in asterisks. What is not there is "-".
Result<AptStep> read_step(std::string_view line, int number) {
    std::array<std::string_view, 9> words;
    for (std::size_t index = 0; index < words.size(); ++index) {
        const auto end =
            index + 1 < words.size() ? line.find(' ') : line.size();  // a file's name may have blanks
        words[index] = line.substr(0, end);
        if (words[index].empty()) return std::unexpected(bad_plan(number, "a word is missing"));
        line.remove_prefix(std::min(line.size(), end == std::string_view::npos ? line.size() : end + 1));
    }
    const auto known = [](std::string_view word) { return word == "-" ? std::string() : std::string(word); };
    AptStep step{std::string(words[0]), known(words[2]), known(words[1]), known(words[5])};
    if (step.architecture.empty()) step.architecture = known(words[6]);
    step.removal = words[8] == "**REMOVE**";
    return step;
}

}  // namespace

Result<AptPlan> read_apt_plan(std::string_view text) {
    AptPlan plan;
    int number = 0;
    const auto take_line = [&] {
        const auto end = text.find('\n');
        const auto line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++number;
        return line;
    };
    if (take_line() != "VERSION 3") return std::unexpected(bad_plan(1, "VERSION 3 is expected"));
    constexpr std::string_view status = "Dir::State::status=";
    while (true) {
        if (text.empty()) return std::unexpected(bad_plan(number, "the end came"));
        const auto line = take_line();
        if (line.empty()) break;
        if (line.starts_with(status)) plan.status_file = unquoted(line.substr(status.size()));
    }
    while (!text.empty()) {
        auto step = read_step(take_line(), number);
        if (!step) return std::unexpected(step.error());
        plan.steps.push_back(std::move(*step));
    }
    return plan;
}

}  // namespace pve_rdma::guard
