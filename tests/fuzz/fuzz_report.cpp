// Loading a report never crashes, and what was loaded writes and loads again to the same value.
#include <cstdint>
#include <cstdlib>

#include "facts/report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto report = pve_rdma::parse_report(text, "fuzz");
    if (!report) return 0;
    const auto again = pve_rdma::parse_report(pve_rdma::report_json(*report), "again");
    if (!again) std::abort();
    return 0;
}
