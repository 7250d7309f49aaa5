#include "guard/node.h"

#include <cerrno>

#include <sys/stat.h>
#include <sys/utsname.h>

#include "guard/files.h"

namespace pve_rdma::guard {

namespace {

constexpr std::size_t max_status = 256u << 20, max_note = 4u << 20, max_local = 1u << 20;

}  // namespace

Result<std::vector<Kept>> kept_packages() {
    utsname kernel{};
    ::uname(&kernel);
    auto kept = shipped_set(kernel.release);
    const auto texts = read_folder(local_folder, max_local);
    if (!texts) return std::unexpected(texts.error());
    for (const std::string& text : *texts)
        for (Kept& line : local_set(text, kernel.release))
            kept.push_back(std::move(line));
    return kept;
}

Result<void> read_node(Node& node, const std::string& admindir) {
    node.admindir = admindir;
    auto kept = kept_packages();
    if (!kept) return std::unexpected(kept.error());
    node.kept = std::move(*kept);
    auto status = MappedText::open(admindir + "/status", max_status);
    if (!status) return std::unexpected(status.error());
    node.status = std::move(*status);
    auto notes = read_folder(admindir + "/updates", max_note);
    if (!notes) return std::unexpected(notes.error());
    node.notes = std::move(*notes);
    node.packages = parse_database(node.status.text(), node.notes);
    return {};
}

bool same_file(const std::string& left, const std::string& right) {
    struct stat l{}, r{};
    return ::stat(left.c_str(), &l) == 0 && ::stat(right.c_str(), &r) == 0 && l.st_dev == r.st_dev &&
           l.st_ino == r.st_ino;
}

}  // namespace pve_rdma::guard
