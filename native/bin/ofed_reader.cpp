// pve-rdma-ofed-reader: reads bundles and asks libapt-pkg, for `pve-rdma ofed`. A question on standard input,
// an answer on standard output (ofed/plan/question.h). A process of its own, so that what others wrote is
// never parsed with privileges, and no other process loads libapt-pkg or libarchive.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>

#include <sys/resource.h>
#include <sys/wait.h>

#include <unistd.h>

#include "base/json_read.h"
#include "base/json_write.h"
#include "ofed_reader/apt_world.h"
#include "ofed_reader/bundle_reader.h"
#include "ofed_reader/confine.h"

namespace {

using namespace pve_rdma;
using namespace pve_rdma::ofed;

constexpr unsigned time_limit = 70;              // seconds, of one process
constexpr int failed = 3, take_whole_lists = 4;  // exit codes of the processes that work

Result<ReaderQuestion> read_question(std::string_view text) {
    const auto document = parse_json(text, "question");
    if (!document) return std::unexpected(document.error());
    ReaderQuestion question;
    if (auto read = JsonReader(text, "question").read(*document, question); !read)
        return std::unexpected(read.error());
    return question;
}

// nullopt: it takes the whole lists.
Result<std::optional<ReaderAnswer>> answer(std::string_view text, const std::string& scratch, Lists lists) {
    const auto question = read_question(text);
    if (!question) return std::unexpected(question.error());
    ReaderAnswer answer;
    for (const auto& path : question->bundles) {
        auto bundle = read_bundle(path, {.files = question->files, .debian = question->debian});
        if (!bundle) return std::unexpected(bundle.error());
        answer.bundles.push_back(std::move(*bundle));
    }
    if (!question->questions.empty()) {
        answer.apt_version = apt_library_version();
        auto world = AptWorld::open(*question, answer.bundles, scratch, lists);
        if (!world) return std::unexpected(world.error());
        answer.index_packages = world->index_packages();
        for (const auto& one : question->questions) {
            answer.plans.push_back(world->plan(one));
            if (world->weighed() && lists == Lists::reached) return std::nullopt;
        }
    }
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) == 0)
        answer.peak_memory_kib = static_cast<std::uint64_t>(usage.ru_maxrss);
    return answer;
}

int work(std::string_view text, const std::string& scratch, Lists lists) {
    ::alarm(time_limit);
    auto result = answer(text, scratch, lists);
    if (result && !*result) return take_whole_lists;
    ReaderAnswer said;
    if (result)
        said = std::move(**result);
    else
        said.failure = {std::string(to_string(result.error().code)), result.error().subject,
                        result.error().text(), result.error().hint};
    std::cout << json_text(said, -1) << std::flush;
    return std::cout ? 0 : failed;
}

// In a process of its own, because libapt-pkg loads one world of packages for a process.
int work_apart(std::string_view text, const std::string& folder, Lists lists) {
    const std::string scratch = folder + (lists == Lists::whole ? "/whole" : "/reached");
    const pid_t child = ::fork();
    if (child == 0) {
        int code = failed;
        try {
            code = work(text, scratch, lists);
        } catch (const std::exception& exception) {
            std::cerr << "pve-rdma-ofed-reader: " << exception.what() << '\n';
        }
        std::cout.flush();
        ::_exit(code);
    }
    int status = 0;
    while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : failed;
}

// $TMPDIR of root may be closed to the user that the reader has become (libpam-tmpdir makes it so).
std::string make_scratch() {
    std::error_code ignored;
    for (const auto& folder : {std::filesystem::temp_directory_path(ignored).string(), std::string("/tmp")}) {
        std::string name = folder + "/pve-rdma-ofed-XXXXXX";
        if (::mkdtemp(name.data())) return name;
        std::perror(name.c_str());
    }
    return {};
}

}  // namespace

// The scratch folder outlives the processes that work, however they end.
int main() {
    if (const auto confined = confine(); !confined) {
        std::cerr << confined.error().text() << '\n';
        return failed;
    }
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const std::string scratch = make_scratch();
    if (scratch.empty()) return failed;
    int code = work_apart(text, scratch, Lists::reached);
    if (code == take_whole_lists) code = work_apart(text, scratch, Lists::whole);
    std::error_code ignored;
    std::filesystem::remove_all(scratch, ignored);
    return code;
}
