// What the guard reads as root: apt's plan, dpkg's words and process, its status file, relations, tar
// archives. The first octet picks the reader.
#include <cstdint>
#include <cstdlib>

#include "guard/apt_plan.h"
#include "guard/caller.h"
#include "guard/debian_version.h"
#include "guard/dpkg_call.h"
#include "guard/judge.h"
#include "guard/overwrites.h"
#include "guard/relation.h"
#include "guard/stanza.h"
#include "guard/tar_names.h"

namespace {

using namespace pve_rdma::guard;

void must(bool holds) {
    if (!holds) std::abort();
}

void check_plan(std::string_view text) {
    const auto plan = read_apt_plan(text);
    if (!plan) return;
    for (const AptStep& step : plan->steps)
        must(!step.name.empty());
}

// Words as /proc shows them; what dpkg takes for names is a tail of them.
void check_call(std::string_view text) {
    const auto process = parse_process(1, "1 (x) S 1 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 1 9", text);
    must(process.has_value());
    must(process->line().size() <= 303);
    parse_process(1, text, text);
    is_shell_of(*process, "guard");
    for (const char* action : {"install", "unpack", "remove", "purge"}) {
        const auto call = read_dpkg_call(process->words, action);
        if (!call) continue;
        must(call->names.size() < process->words.size());
        for (std::size_t back = 1; back <= call->names.size(); ++back)
            must(call->names[call->names.size() - back] == process->words[process->words.size() - back]);
    }
}

// Removing all that is listed loses it; changing nothing loses nothing.
void check_database(std::string_view text) {
    constexpr std::size_t enough = 64u << 10;  // judging is for real sizes, not for thousands of odd packages
    const auto packages = parse_database(text.substr(0, enough));
    if (packages.size() > 200) return;
    const auto kept = local_set("a*\nb | c*", "6.8");
    must(judge(packages, kept, {}).empty());
    needed_packages(packages, kept);
    Change change;
    for (const Package& package : packages)
        change.removed.emplace_back(package.name);
    for (const Loss& loss : judge(packages, kept, change))
        must(is_protected(kept, loss.package) && !loss.reason.empty());
    if (packages.size() < 2) return;
    const auto text_of = [](std::string_view one) { return std::string(one); };
    const Package& last = packages.back();
    judge(packages, kept,
          {.incoming = {{.name = text_of(last.name),
                         .architecture = text_of(last.architecture),
                         .version = text_of(packages.front().version),
                         .provides = text_of(last.provides),
                         .conflicts = text_of(last.depends)}}});
}

void check_relations(std::string_view text) {
    const auto half = text.substr(0, text.size() / 2), rest = text.substr(half.size());
    must(compare_versions(half, half) == std::strong_ordering::equal);
    must((compare_versions(half, rest) < 0) == (compare_versions(rest, half) > 0));
    fits(parse_relation(half), rest, half, text);
    local_set(text, half);
}

void check_tar(std::string_view text) {
    TarNames whole, pieces;
    whole.feed(text);
    for (std::size_t at = 0; at < text.size(); at += 100)
        pieces.feed(text.substr(at, 100));
    must(whole.names() == pieces.names() && whole.complete() == pieces.complete());
    for (const std::string& name : whole.names())
        must(name.starts_with('/'));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 5) {
        case 0:
            check_plan(text);
            break;
        case 1:
            check_call(text);
            break;
        case 2:
            check_database(text);
            break;
        case 3:
            check_relations(text);
            break;
        default:
            check_tar(text);
            break;
    }
    return 0;
}
