#include "ofed/ask_reader.h"

#include <chrono>
#include <filesystem>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "apply/run_program.h"
#include "base/json_read.h"
#include "base/json_write.h"

namespace pve_rdma::ofed {

namespace {

namespace fs = std::filesystem;

constexpr auto time_limit = std::chrono::minutes(3);
constexpr std::size_t max_answer = 256u << 20;
constexpr const char* program = "pve-rdma-ofed-reader";
constexpr const char* installed = PVE_RDMA_LIBEXEC "/pve-rdma-ofed-reader";

// In a build the program, or the library that this code is in, lies beside it or beside its folder.
Result<std::string> find_reader() {
    Dl_info info{};
    std::vector<fs::path> places;
    if (::dladdr(reinterpret_cast<const void*>(&ask_reader), &info) != 0 && info.dli_fname) {
        std::error_code failure;
        const fs::path own = fs::canonical(info.dli_fname, failure);
        if (!failure)
            places = {own.parent_path() / program, own.parent_path().parent_path() / "bin" / program};
    }
    places.emplace_back(installed);
    for (const auto& place : places)
        if (::access(place.c_str(), X_OK) == 0) return place.string();
    return std::unexpected(Error{.code = ErrorCode::unavailable,
                                 .subject = installed,
                                 .message = "is not there",
                                 .hint = "the package pve-rdma installs it"});
}

ErrorCode code_of(std::string_view word) {
    for (const auto code :
         {ErrorCode::bad_request, ErrorCode::not_found, ErrorCode::permission, ErrorCode::unavailable,
          ErrorCode::timeout, ErrorCode::machine, ErrorCode::malformed, ErrorCode::conflict})
        if (to_string(code) == word) return code;
    return ErrorCode::internal;
}

}  // namespace

Result<ReaderAnswer> ask_reader(const ReaderQuestion& question) {
    const auto reader = find_reader();
    if (!reader) return std::unexpected(reader.error());
    const std::string text = json_text(question, -1);
    const auto run =
        run_program({*reader}, time_limit, {.text = text, .max_output = max_answer, .errors_apart = true});
    if (!run) return std::unexpected(run.error());
    if (run->status != 0)
        return std::unexpected(
            Error{.code = ErrorCode::machine,
                  .subject = *reader,
                  .message = fmt::format("ended with status {} and gave no answer", run->status),
                  .hint = "the bundle may be larger or slower to read than the reader's limits allow"});
    const auto document = parse_json(run->output, *reader, {.max_octets = max_answer});
    if (!document) return std::unexpected(document.error());
    ReaderAnswer answer;
    if (auto read = JsonReader(run->output, *reader).read(*document, answer); !read)
        return std::unexpected(read.error());
    if (answer.failure)
        return std::unexpected(Error{.code = code_of(answer.failure->code),
                                     .subject = answer.failure->subject,
                                     .message = answer.failure->message,
                                     .hint = answer.failure->hint});
    return answer;
}

}  // namespace pve_rdma::ofed
