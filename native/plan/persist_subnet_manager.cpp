#include "plan/persist_subnet_manager.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "opensm/options.h"
#include "opensm/partitions.h"
#include "plan/persist_text.h"

namespace pve_rdma {

namespace {

constexpr const char* service = "opensm.service";
constexpr const char* options_file = "/etc/opensm/opensm.conf";
constexpr const char* defaults_file = "/etc/default/opensm";  // Debian's package has it

class SubnetManagerFiles {
  public:
    SubnetManagerFiles(const DesiredSubnetManager& wanted, const NodeReport& report, eni::FileReader& files,
                       Persistence& out)
        : wanted_(wanted), report_(report), files_(files), out_(out) {}

    Result<void> run() {
        const auto defaults = file_content(files_, defaults_file);
        if (!defaults) return std::unexpected(defaults.error());
        if (!*defaults) {
            refuse("subnet_manager",
                   "opensm is not installed here as Debian has it: /etc/default/opensm is missing",
                   "apt install opensm; a manager in a switch, or the vendor's opensmd, is configured there");
            return {};
        }
        const auto options = file_content(files_, options_file);
        if (!options) return std::unexpected(options.error());
        if (wanted_.priority)
            persist_text(
                out_, options_file, *options,
                opensm::with_option(options->value_or(""), "sm_priority", std::to_string(*wanted_.priority)),
                service);
        if (wanted_.ports)
            if (const auto value = ports())
                persist_text(out_, defaults_file, *defaults, opensm::with_ports(**defaults, *value), service);
        if (wanted_.partitions.empty()) return {};
        return partitions(opensm::option(options->value_or(""), "partition_config_file")
                              .value_or("/etc/opensm/partitions.conf"));
    }

  private:
    void refuse(const std::string& subject, std::string message, std::string hint) {
        out_.refusals.push_back({.code = ErrorCode::bad_request,
                                 .subject = subject,
                                 .message = std::move(message),
                                 .hint = std::move(hint)});
    }

    // "ALL", "NONE" or GUIDs; none when a port is refused.
    std::optional<std::string> ports() {
        std::vector<std::string> words;
        for (const auto& port : *wanted_.ports) {
            if (port == "all" || port == "none") {
                if (wanted_.ports->size() == 1) return port == "all" ? "ALL" : "NONE";
                refuse("ports", fmt::format("\"{}\" stands beside other ports", port), "it stands alone");
                return std::nullopt;
            }
            const auto guid = guid_of(port);
            if (!guid) {
                refuse(port, "is neither a GUID nor a port of this node",
                       "as \"mlx4_0/1\"; pve-rdma probe lists them");
                return std::nullopt;
            }
            words.push_back(*guid);
        }
        if (words.empty()) return "NONE";
        return fmt::to_string(fmt::join(words, " "));
    }

    // As opensm's unit takes it for its name: 0x and 16 digits.
    std::optional<std::string> guid_of(const std::string& word) const {
        for (const auto& device : report_.devices)
            for (const auto& port : device.ports)
                if (word == fmt::format("{}/{}", device.name, port.number) && port.port_guid &&
                    port.link_layer == "InfiniBand")
                    return port.port_guid->text();
        const auto guid = word.starts_with("0x") ? Guid::parse(word) : Result<Guid>(std::unexpected(Error{}));
        if (!guid) return std::nullopt;
        return guid->text();
    }

    Result<void> partitions(const std::string& path) {
        const auto before = file_content(files_, path);
        if (!before) return std::unexpected(before.error());
        std::optional<std::string> text = *before;
        for (const auto& partition : wanted_.partitions) {
            if (!text && absent(partition.state)) continue;
            auto after = opensm::with_partition(text, path,
                                                {.name = partition.name,
                                                 .pkey = partition.key(),
                                                 .mtu = partition.mtu,
                                                 .members = partition.members,
                                                 .absent = absent(partition.state)});
            if (!after) {
                out_.refusals.push_back(after.error());
                return {};
            }
            text = std::move(*after);
        }
        if (text) persist_text(out_, path, *before, *text, service);
        return {};
    }

    const DesiredSubnetManager& wanted_;
    const NodeReport& report_;
    eni::FileReader& files_;
    Persistence& out_;
};

}  // namespace

Result<void> persist_subnet_manager(const DesiredSubnetManager& wanted, const NodeReport& report,
                                    eni::FileReader& files, Persistence& out) {
    return SubnetManagerFiles(wanted, report, files, out).run();
}

}  // namespace pve_rdma
