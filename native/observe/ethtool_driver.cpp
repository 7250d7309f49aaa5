#include "observe/ethtool_driver.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <memory>

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <unistd.h>

namespace pve_rdma {

namespace {

class EthtoolSocket {
  public:
    EthtoolSocket() : fd_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {}
    EthtoolSocket(const EthtoolSocket&) = delete;
    EthtoolSocket& operator=(const EthtoolSocket&) = delete;
    ~EthtoolSocket() {
        if (fd_ >= 0) ::close(fd_);
    }
    // 0, or the errno.
    int call(const std::string& ifname, void* command) const {
        if (fd_ < 0) return EBADF;
        ifreq request{};
        std::strncpy(request.ifr_name, ifname.c_str(), sizeof request.ifr_name - 1);
        request.ifr_data = static_cast<char*>(command);
        return ::ioctl(fd_, SIOCETHTOOL, &request) == 0 ? 0 : errno;
    }

  private:
    int fd_;
};

// Fixed-width text; empty ones and "N/A" say nothing.
template <std::size_t size>
std::optional<std::string> field(const char (&text)[size]) {
    std::string value(text, ::strnlen(text, size));
    if (value.empty() || value == "N/A") return std::nullopt;
    return value;
}

constexpr std::uint32_t most_counters = 16'384;

// A command that a variable array follows, with the array's room.
template <class Command>
std::unique_ptr<std::byte[]> with_room(std::uint32_t command, std::uint32_t count, std::size_t each) {
    auto memory = std::make_unique<std::byte[]>(sizeof(Command) + count * each);
    std::memcpy(memory.get(), &command, sizeof command);
    return memory;
}

int read_counters(const EthtoolSocket& socket, const std::string& ifname, std::uint32_t count,
                  Ethernet& ethernet) {
    if (count == 0 || count > most_counters) return 0;
    auto strings = with_room<ethtool_gstrings>(ETHTOOL_GSTRINGS, count, ETH_GSTRING_LEN);
    auto* names = reinterpret_cast<ethtool_gstrings*>(strings.get());
    names->string_set = ETH_SS_STATS;
    names->len = count;
    if (const int failed = socket.call(ifname, names)) return failed;
    auto statistics = with_room<ethtool_stats>(ETHTOOL_GSTATS, count, sizeof(std::uint64_t));
    auto* values = reinterpret_cast<ethtool_stats*>(statistics.get());
    values->n_stats = count;
    if (const int failed = socket.call(ifname, values)) return failed;
    for (std::uint32_t i = 0; i < std::min({count, names->len, values->n_stats}); ++i) {
        const char* text = reinterpret_cast<const char*>(names->data) + std::size_t{i} * ETH_GSTRING_LEN;
        const std::string_view name(text, ::strnlen(text, ETH_GSTRING_LEN));
        if (is_kept_counter(name)) ethernet.statistics.emplace(name, values->data[i]);
    }
    return 0;
}

bool has_driver(const Link& link) {
    return (!link.info_kind || link.info_kind == "ipoib") && link.link_type != "loopback";
}

}  // namespace

bool is_kept_counter(std::string_view name) {
    // Of one queue: "rx12_drops", "tx_queue_0_drops", "ch3_...".
    if (name.find("queue_") != std::string_view::npos) return false;
    for (const std::string_view prefix : {"rx", "tx", "ch"})
        if (name.starts_with(prefix) && name.size() > 2 && std::isdigit(static_cast<unsigned char>(name[2])))
            return false;
    for (const std::string_view part :
         {"pause", "drop", "discard", "err", "out_of_buffer", "crc", "fec", "phy", "symbol"})
        if (name.find(part) != std::string_view::npos) return true;
    return false;
}

std::vector<Unread> read_drivers(std::vector<Link>& links) {
    std::vector<Unread> unread;
    const EthtoolSocket socket;
    for (auto& link : links) {
        if (!has_driver(link)) continue;
        const auto refused = [&](const char* command, int failed) {
            // No such thing in this driver, or the link went away: absent.
            if (failed == EOPNOTSUPP || failed == ENODEV) return;
            Error error = errno_error(failed, std::string(command) + " " + link.ifname, "the kernel refused");
            if (failed == EPERM) error.hint = "run as root (CAP_NET_ADMIN)";
            unread.push_back(Unread::from(error));
        };
        ethtool_drvinfo driver{};
        driver.cmd = ETHTOOL_GDRVINFO;
        if (const int failed = socket.call(link.ifname, &driver)) {
            refused("ETHTOOL_GDRVINFO", failed);
            continue;
        }
        if (!link.ethernet) link.ethernet.emplace();
        Ethernet& ethernet = *link.ethernet;
        ethernet.driver = field(driver.driver);
        ethernet.driver_version = field(driver.version);
        ethernet.firmware_version = field(driver.fw_version);
        ethernet.expansion_rom_version = field(driver.erom_version);
        ethernet.bus_info = field(driver.bus_info);
        if (link.parentbus)
            if (const int failed = read_counters(socket, link.ifname, driver.n_stats, ethernet))
                refused("ETHTOOL_GSTATS", failed);
    }
    return unread;
}

}  // namespace pve_rdma
