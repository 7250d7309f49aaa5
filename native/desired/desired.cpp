#include "desired/desired.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_read.h"
#include "base/number.h"
#include "base/pkey.h"
#include "network/port_type.h"
#include "network/settings.h"
#include "network/sysctl_profile.h"

namespace pve_rdma {

namespace {

// Where an error stands: the value that a JSON pointer leads to.
class Places {
  public:
    Places(std::string_view text, const std::string& file, const Json::Value& root)
        : text_(text), file_(file), root_(root) {}

    Error error(const std::string& pointer, std::string message, std::string hint = {}) const {
        Error error = json_error(text_, file_, at(pointer), pointer, std::move(message));
        error.code = ErrorCode::bad_request;
        if (!hint.empty()) error.hint = std::move(hint);
        return error;
    }
    const Json::Value& at(std::string_view pointer) const {
        const Json::Value* value = &root_;
        while (!pointer.empty()) {
            pointer.remove_prefix(1);
            const auto end = std::min(pointer.find('/'), pointer.size());
            const std::string_view word = pointer.substr(0, end);
            pointer.remove_prefix(end);
            if (value->isArray()) {
                const auto index = parse_number<Json::ArrayIndex>(word);
                if (!index || *index >= value->size()) return *value;
                value = &(*value)[*index];
            } else if (value->isObject() && value->isMember(unescaped(word))) {
                value = &(*value)[unescaped(word)];
            } else {
                return *value;
            }
        }
        return *value;
    }

  private:
    static std::string unescaped(std::string_view word) {  // RFC 6901, 4
        std::string plain;
        for (std::size_t i = 0; i < word.size(); ++i) {
            if (word[i] == '~' && i + 1 < word.size()) {
                plain += word[++i] == '1' ? '/' : '~';
            } else {
                plain += word[i];
            }
        }
        return plain;
    }
    std::string_view text_;
    const std::string& file_;
    const Json::Value& root_;
};

// Text, a whole number or a truth value, as text.
std::optional<std::string> scalar(const Json::Value& value) {
    if (value.isString()) return value.asString();
    if (value.isBool()) return value.asBool() ? "true" : "false";
    if (value.isUInt64()) return std::to_string(value.asUInt64());
    if (value.isInt64()) return std::to_string(value.asInt64());
    return std::nullopt;
}

bool a_setting_of_any_kind(std::string_view name, bool vf) {
    return std::ranges::any_of(setting_rules(), [&](const SettingRule& rule) {
        return rule.name() == name && (rule.kind == "vf") == vf && rule.key != "master";
    });
}

// Settings are what the described members leave over.
template <class T>
Result<void> take_settings(const Places& places, const std::string& pointer, const Json::Value& object,
                           const std::set<std::string>& members, bool vf, T& out) {
    for (const auto& name : object.getMemberNames()) {
        if (members.contains(name)) continue;
        const std::string at = pointer + "/" + name;
        if (!a_setting_of_any_kind(name, vf)) {
            std::vector<std::string> names(members.begin(), members.end());
            for (const auto& rule : setting_rules())
                if ((rule.kind == "vf") == vf && rule.key != "master") names.emplace_back(rule.name());
            const auto near = std::ranges::find_if(names, [&](const std::string& known) {
                return known.size() > 2 && name.size() > 2 && known.substr(0, 3) == name.substr(0, 3);
            });
            return std::unexpected(
                places.error(at, fmt::format("\"{}\" is no member and no setting here", name.substr(0, 40)),
                             near == names.end() ? "" : fmt::format("did you mean \"{}\"?", *near)));
        }
        auto value = scalar(object[name]);
        if (!value)
            return std::unexpected(places.error(at, "text, a whole number or true or false is expected"));
        out.settings[name] = std::move(*value);
    }
    return {};
}

struct NameCollector {
    std::set<std::string>& names;
    template <class M>
    void operator()(const char* name, M&) const {
        names.insert(name);
    }
};
template <class T>
std::set<std::string> member_names() {
    std::set<std::string> names;
    T value{};
    T::fields(value, NameCollector{names});
    return names;
}

// Keys of a list's objects that no member has; links and functions have settings, which come later.
Result<void> refuse_unknown(const Places& places, const std::vector<UnknownKey>& unknown) {
    for (const auto& key : unknown) {
        if (key.pointer.starts_with("/links/") || key.pointer == "/sysctl") continue;
        return std::unexpected(places.error(key.pointer, "no such member"));
    }
    return {};
}

Result<void> refuse_states(const Places& places, const Desired& desired) {
    const auto check = [&](const std::optional<std::string>& state,
                           const std::string& pointer) -> Result<void> {
        if (!state || *state == "present" || *state == "absent") return {};
        return std::unexpected(places.error(pointer + "/state", "present or absent is expected"));
    };
    std::set<std::string> names;
    for (std::size_t i = 0; i < desired.links.size(); ++i) {
        const auto& link = desired.links[i];
        const std::string pointer = fmt::format("/links/{}", i);
        if (link.name.empty()) return std::unexpected(places.error(pointer, "a link needs a name"));
        if (!names.insert(link.name).second)
            return std::unexpected(places.error(pointer + "/name", link.name + " stands there twice"));
        if (auto good = check(link.state, pointer); !good) return good;
        for (std::size_t k = 0; k < link.addresses.size(); ++k)
            if (auto good = check(link.addresses[k].state, fmt::format("{}/addresses/{}", pointer, k)); !good)
                return good;
    }
    for (std::size_t i = 0; i < desired.routes.size(); ++i) {
        const std::string pointer = fmt::format("/routes/{}", i);
        if (auto good = check(desired.routes[i].state, pointer); !good) return good;
        const auto& to = desired.routes[i].to;
        if (to.empty()) return std::unexpected(places.error(pointer, "a route needs \"to\""));
        if (const auto prefix = IpPrefix::parse(to); !prefix)
            return std::unexpected(places.error(pointer + "/to", prefix.error().message));
    }
    for (std::size_t i = 0; i < desired.rules.size(); ++i) {
        const std::string pointer = fmt::format("/rules/{}", i);
        if (auto good = check(desired.rules[i].state, pointer); !good) return good;
        if (!desired.rules[i].priority)
            return std::unexpected(places.error(pointer, "a rule needs a priority from 1 on"));
    }
    const auto partitions = desired.subnet_manager.value_or(DesiredSubnetManager{}).partitions;
    for (std::size_t i = 0; i < partitions.size(); ++i)
        if (auto good = check(partitions[i].state, fmt::format("/subnet_manager/partitions/{}", i)); !good)
            return good;
    return {};
}

Result<void> refuse_port_types(const Places& places, const Desired& desired) {
    for (std::size_t i = 0; i < desired.port_types.size(); ++i) {
        const auto& want = desired.port_types[i];
        const std::string pointer = fmt::format("/port_types/{}", i);
        if (!PortTypeName::parse(PortTypeName{want.device, want.port}.text()))
            return std::unexpected(places.error(pointer,
                                                "the card's PCI function and its port 1 or 2 are expected",
                                                "as \"device\": \"0000:03:00.0\", \"port\": 1"));
        if (want.type != "ib" && want.type != "eth" && want.type != "auto")
            return std::unexpected(places.error(pointer + "/type", "ib, eth or auto is expected"));
    }
    return {};
}

Result<void> refuse_subnet_manager(const Places& places, const Desired& desired) {
    if (!desired.subnet_manager) return {};
    const auto wrong = [&](const std::string& below, std::string message, std::string hint = {}) {
        return std::unexpected(places.error("/subnet_manager" + below, std::move(message), std::move(hint)));
    };
    const auto& manager = *desired.subnet_manager;
    if (manager.priority.value_or(0) > 15) return wrong("/priority", "a priority from 0 to 15 is expected");
    const auto word = [](const std::string& text, std::string_view more) {
        return !text.empty() && std::ranges::all_of(text, [&](char c) {
            return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                   more.contains(c);
        });
    };
    std::set<std::string> names;
    for (std::size_t i = 0; i < manager.partitions.size(); ++i) {
        const auto& partition = manager.partitions[i];
        const std::string pointer = fmt::format("/partitions/{}", i);
        if (!word(partition.name, "_-") || (partition.name[0] >= '0' && partition.name[0] <= '9'))
            return wrong(pointer + "/name", "a partition needs a name of letters, digits, _ and -");
        if (!names.insert(partition.name).second)
            return wrong(pointer + "/name", partition.name + " stands there twice");
        if (!partition.pkey && partition.name != "Default")
            return wrong(pointer, "a partition needs a \"pkey\"",
                         "without one opensm makes one up, and another manager another one");
        if (partition.pkey)
            if (const auto key = PKey::parse(*partition.pkey); !key || key->partition() == 0)
                return wrong(pointer + "/pkey",
                             "a P_Key from 0x0001 to 0x7fff, or with the top bit, is expected");
        if (const auto mtu = partition.mtu)
            if (*mtu < 256 || *mtu > 4096 || (*mtu & (*mtu - 1)) != 0)
                return wrong(pointer + "/mtu", "InfiniBand has the MTUs 256, 512, 1024, 2048 and 4096",
                             "IPoIB's own MTU is 4 less: 2044 and 4092");
        for (const auto& member : partition.members.value_or(std::vector<std::string>{}))
            if (!word(member, "_="))
                return wrong(pointer + "/members", "\"ALL=full\" or \"0x...=limited\" is expected");
    }
    return {};
}

Result<void> read_sysctls(const Places& places, const Json::Value& root, Desired& desired) {
    if (!root.isMember("sysctl")) return {};
    const Json::Value& object = root["sysctl"];
    if (!object.isObject()) return std::unexpected(places.error("/sysctl", "an object is expected"));
    for (const auto& name : object.getMemberNames()) {
        auto value = scalar(object[name]);
        const bool sound = !name.empty() &&
                           name.find_first_not_of(
                               "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/") == std::string::npos &&
                           name.find("..") == std::string::npos && name.front() != '.' && name.front() != '/';
        if (!sound || !name.starts_with("net."))
            return std::unexpected(places.error("/sysctl/" + name, "a sysctl below net. is expected"));
        if (!value || value->find('\n') != std::string::npos)
            return std::unexpected(places.error("/sysctl/" + name, "one value, or several in one text"));
        desired.sysctl[name] = std::move(*value);
    }
    return {};
}

}  // namespace

std::uint16_t DesiredPartition::key() const {
    return pkey ? PKey::parse(*pkey).value_or(PKey{}).partition() : PKey::default_partition;
}

std::string Cidr::text() const {
    return fmt::format("{}/{}", address.text(), length);
}

Result<Cidr> Cidr::parse(std::string_view text) {
    const auto slash = text.find('/');
    const auto address = IpAddress::parse(text.substr(0, slash));
    if (!address) return std::unexpected(address.error());
    const unsigned whole = address->length * 8U;
    const auto length =
        slash == text.npos ? std::optional(whole) : parse_number<unsigned>(text.substr(slash + 1));
    if (!length || *length > whole)
        return std::unexpected(
            Error{.code = ErrorCode::malformed,
                  .subject = std::string(text.substr(0, 80)),
                  .message = fmt::format("a prefix length from 0 to {} is expected", whole)});
    return Cidr{*address, static_cast<std::uint8_t>(*length)};
}

Result<Desired> parse_desired(std::string_view text, const std::string& file) {
    const auto root = parse_json(text, file);
    if (!root) return std::unexpected(root.error());
    const Places places(text, file, *root);
    Desired desired;
    JsonReader reader(text, file);
    if (auto read = reader.read(*root, desired); !read) return std::unexpected(read.error());
    if (auto good = refuse_unknown(places, reader.take_unknown()); !good)
        return std::unexpected(good.error());
    if (auto good = read_sysctls(places, *root, desired); !good) return std::unexpected(good.error());
    const auto link_members = member_names<DesiredLink>(), vf_members = member_names<DesiredVf>();
    for (std::size_t i = 0; i < desired.links.size(); ++i) {
        const std::string pointer = fmt::format("/links/{}", i);
        const Json::Value& object = (*root)["links"][static_cast<Json::ArrayIndex>(i)];
        DesiredLink& link = desired.links[i];
        if (auto good = take_settings(places, pointer, object, link_members, false, link); !good)
            return std::unexpected(good.error());
        for (std::size_t k = 0; k < link.virtual_functions.size(); ++k)
            if (auto good = take_settings(places, fmt::format("{}/virtual_functions/{}", pointer, k),
                                          object["virtual_functions"][static_cast<Json::ArrayIndex>(k)],
                                          vf_members, true, link.virtual_functions[k]);
                !good)
                return std::unexpected(good.error());
    }
    if (auto good = refuse_states(places, desired); !good) return std::unexpected(good.error());
    if (auto good = refuse_port_types(places, desired); !good) return std::unexpected(good.error());
    if (auto good = refuse_subnet_manager(places, desired); !good) return std::unexpected(good.error());
    if (desired.sysctl_profile && !find_sysctl_profile(*desired.sysctl_profile))
        return std::unexpected(
            places.error("/sysctl_profile", "there is no such profile",
                         fmt::format("there is: {}", fmt::join(sysctl_profile_names(), ", "))));
    return desired;
}

}  // namespace pve_rdma
