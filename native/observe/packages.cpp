#include "observe/packages.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "observe/sysfs_values.h"

namespace pve_rdma {

namespace {

constexpr const char* status_file = "/var/lib/dpkg/status";
constexpr std::size_t max_status = 256u << 20;
constexpr std::size_t max_line = 64u << 10;
constexpr std::size_t chunk = 128u << 10;

struct Pattern {
    std::string_view text;
    bool prefix;  // the name begins with it; otherwise it is it
};
constexpr Pattern patterns[] = {
    {"bnxt", true},
    {"ceph", true},
    {"corosync", false},
    {"dkms", false},
    {"doca-", true},
    {"dpcp", true},
    {"ethtool", false},
    {"hcoll", true},
    {"ibacm", false},
    {"ibsim", true},
    {"ibutils", true},
    {"ibverbs-", true},
    {"ifupdown", true},
    {"infiniband-diags", false},
    {"iproute2", false},
    {"irdma", true},
    {"iser", true},
    {"isert", true},
    {"kernel-mft", true},
    {"kmod-", true},
    {"knem", true},
    {"libib", true},
    {"libknet", true},
    {"libmlx", true},
    {"libopensm", true},
    {"libosmcomp", true},
    {"libosmvendor", true},
    {"libpve-network-perl", false},
    {"libpve-rdma-perl", false},
    {"librdmacm", true},
    {"libumad2sim", true},
    {"libvma", true},
    {"mft", true},
    {"mlnx-", true},
    {"mlnx_", true},
    {"mlx-", true},
    {"mlxbf-", true},
    {"mpitests", true},
    {"mstflint", true},
    {"nvidia-peer-memory", true},
    {"ofed", true},
    {"opensm", true},
    {"openvswitch", true},
    {"perftest", false},
    {"proxmox-default-", true},
    {"proxmox-headers", true},
    {"proxmox-kernel", true},
    {"proxmox-ve", false},
    {"pve-", true},
    {"qperf", false},
    {"rdma", true},
    {"rshim", true},
    {"sharp", true},
    {"srp", true},

    {"ucx", true},
    {"xpmem", true},
};

std::string_view value_of(std::string_view line, std::string_view key) {
    line.remove_prefix(key.size());
    while (!line.empty() && line.front() == ' ')
        line.remove_prefix(1);
    return line;
}

// dpkg replaces the file by rename, so one open file is one state of it.
Result<void> feed_file(const std::string& path, PackageScanner& scanner) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return std::unexpected(errno_error(errno, path, "cannot open"));
    std::string buffer(chunk, '\0');
    std::size_t total = 0;
    ssize_t got = 0;
    int failure = 0;
    while (total < max_status) {
        got = ::read(fd, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) failure = errno;
        if (got <= 0) break;
        total += static_cast<std::size_t>(got);
        scanner.feed(std::string_view(buffer).substr(0, static_cast<std::size_t>(got)));
    }
    ::close(fd);
    if (failure) return std::unexpected(errno_error(failure, path, "cannot read"));
    return {};
}

Result<void> feed_machine(const Machine& machine, PackageScanner& scanner) {
    if (machine.live()) return feed_file(status_file, scanner);
    const auto content = machine.bytes(status_file, max_status);
    if (!content) return std::unexpected(content.error());
    scanner.feed(*content);
    return {};
}

}  // namespace

bool package_of_interest(std::string_view name) {
    return std::ranges::any_of(patterns, [&](const Pattern& pattern) {
        return pattern.prefix ? name.starts_with(pattern.text) : name == pattern.text;
    });
}

void PackageScanner::feed(std::string_view piece) {
    while (!piece.empty()) {
        if (skip_ && rest_.empty() && !piece.starts_with("Package:")) skip_stanza(piece);
        const auto newline = piece.find('\n');
        if (newline == std::string_view::npos) {
            if (rest_.size() < max_line) rest_.append(piece.substr(0, max_line - rest_.size()));
            return;
        }
        if (rest_.empty()) {
            line(piece.substr(0, newline));
        } else {
            rest_.append(piece.substr(0, newline));
            line(rest_);
            rest_.clear();
        }
        piece.remove_prefix(newline + 1);
    }
}

// To the next stanza, which dpkg begins with this field, or to the last line of the piece. memmem(3): nearly
// all of the file is of packages that nobody asks for, and a needle this long lets it leap.
void PackageScanner::skip_stanza(std::string_view& piece) {
    constexpr std::string_view next = "\nPackage:";
    const void* found = ::memmem(piece.data(), piece.size(), next.data(), next.size());
    const auto newline =
        found ? static_cast<std::size_t>(static_cast<const char*>(found) - piece.data()) : piece.rfind('\n');
    if (newline != std::string_view::npos) piece.remove_prefix(newline + 1);
}

void PackageScanner::line(std::string_view text) {
    if (text.empty()) return end_of_stanza();
    text = text.substr(0, max_line);
    if (text.starts_with("Package:")) {
        const auto name = value_of(text, "Package:");
        skip_ = !package_of_interest(name);
        inside_ = !skip_;
        if (inside_) current_.name = printable(name);
    } else if (skip_) {
        return;
    } else if (text.starts_with("Status:")) {  // "install ok installed": wish, flag, state
        const auto words = value_of(text, "Status:");
        current_.hold = words.starts_with("hold ");
        const auto last = words.rfind(' ');
        current_.status = printable(last == std::string_view::npos ? words : words.substr(last + 1));
    } else if (text.starts_with("Version:")) {
        current_.version = printable(value_of(text, "Version:"));
    } else if (text.starts_with("Architecture:")) {
        current_.architecture = printable(value_of(text, "Architecture:"));
    }
}

void PackageScanner::end_of_stanza() {
    if (inside_ && current_.status != "not-installed") found_.push_back(std::move(current_));
    current_ = {};
    inside_ = skip_ = false;
}

std::vector<Package> PackageScanner::finish() {
    if (!rest_.empty()) line(std::exchange(rest_, {}));
    end_of_stanza();
    std::ranges::stable_sort(found_, {}, &Package::name);
    return std::exchange(found_, {});
}

void observe_packages(const Machine& machine, NodeReport& report) {
    PackageScanner scanner;
    Source& source = report.sources["packages"];
    if (const auto fed = feed_machine(machine, scanner); !fed) {
        source = Source::failed(fed.error());
        return;
    }
    report.system.packages = scanner.finish();
    for (const auto& package : report.system.packages)
        if (package.name == "pve-manager" && package.status == "installed")
            report.system.proxmox_version = package.version;
}

}  // namespace pve_rdma
