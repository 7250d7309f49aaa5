#include "wishes/wishes.h"

#include <algorithm>

#include <fmt/format.h>

#include "eni/inherits.h"
#include "eni/limits.h"
#include "wishes/words.h"

namespace pve_rdma::ifup {

namespace {

std::vector<const eni::Option*> options_of(const eni::View& view, const eni::Interface& interface,
                                           std::string_view name, Inherits inherits) {
    return inherits == Inherits::followed ? eni::inherited_and_own(view, interface, name)
                                          : view.options(interface, name);
}

class Reader {
  public:
    Reader(const eni::View& view, const std::string& name, Inherits inherits)
        : view_(view), interface_(view.find(name)), inherits_(inherits) {}

    Wishes read() {
        if (!interface_) return {};
        one("ib-mode", wishes_.mode, [](std::string_view value) -> Result<IpoibMode> {
            if (value == "connected") return IpoibMode::connected;
            if (value == "datagram") return IpoibMode::datagram;
            return std::unexpected(Words::bad(value, "is no IPoIB mode", "connected or datagram"));
        });
        one("ib-parent", wishes_.parent, [](std::string_view value) -> Result<std::string> {
            if (interface_name(value)) return std::string(value);
            return std::unexpected(Words::bad(value, "is no interface's name"));
        });
        one("ib-pkey", wishes_.pkey, [](std::string_view value) { return pkey(value); });
        one("mtu", wishes_.mtu, number);
        one("sriov-numvfs", wishes_.virtual_functions, number);
        one("rdma-metric", wishes_.metric, number);
        each("rdma-route", wishes_.routes, parse_route);
        each("rdma-rule", wishes_.rules, parse_rule);
        addresses();
        return std::move(wishes_);
    }

  private:
    // The child's group is that of full members: 0x8001, and 0x0001 names the same partition.
    static Result<PKey> pkey(std::string_view value) {
        auto key = PKey::parse(value);
        if (key) key->value |= 0x8000;
        if (key && key->partition() == 0)
            return std::unexpected(Words::bad(value, "names no partition", "0x8001 to 0xffff"));
        return key;
    }

    static Result<std::uint32_t> number(std::string_view value) {
        const auto number = parse_number<std::uint32_t>(value);
        if (!number) return std::unexpected(Words::bad(value, "is no number"));
        return *number;
    }

    Origin origin(const eni::Option& option) const {
        return {view_.files[option.place.file].name(), option.place.number, option.place.column};
    }

    template <class T, class Parse>
    std::optional<Wish<T>> wish(const eni::Option& option, Parse&& parse) {
        auto value = parse(std::string_view(option.value));
        if (value) return Wish<T>{std::move(*value), origin(option)};
        wishes_.errors.push_back(origin(option).error(value.error()));
        return std::nullopt;
    }

    // Where a scalar stands twice, the first holds, as under ifupdown2.
    template <class T, class Parse>
    void one(const char* name, std::optional<Wish<T>>& into, Parse&& parse) {
        if (const auto all = options_of(view_, *interface_, name, inherits_); !all.empty())
            into = wish<T>(*all.front(), parse);
    }

    template <class T, class Parse>
    void each(const char* name, std::vector<Wish<T>>& into, Parse&& parse) {
        for (const auto* option : options_of(view_, *interface_, name, inherits_))
            if (auto one = wish<T>(*option, parse)) into.push_back(std::move(*one));
    }

    // Addresses are ifupdown's; what it cannot read is a finding of eni's checks, not ours.
    void addresses() {
        for (const auto* option : options_of(view_, *interface_, "address", inherits_)) {
            const std::string_view value = option->value;
            const auto slash = value.find('/');
            if (slash == value.npos) continue;
            const auto address = IpAddress::parse(value.substr(0, slash));
            const auto length = parse_number<std::uint8_t>(value.substr(slash + 1));
            if (address && length && *length <= address->length * 8)
                wishes_.addresses.push_back({{*address, *length}, origin(*option)});
        }
    }

    const eni::View& view_;
    const eni::Interface* interface_;
    Inherits inherits_;
    Wishes wishes_;
};

}  // namespace

Error Origin::error(Error error) const {
    error.file = file;
    error.line = line;
    error.column = column;
    return error;
}

Wishes wishes_of(const eni::View& view, const std::string& name, Inherits inherits) {
    return Reader(view, name, inherits).read();
}

std::vector<RuleEntry> rules_of_others(const eni::View& view, const std::string& name, Inherits inherits) {
    std::vector<RuleEntry> rules;
    for (const auto& interface : view.interfaces) {
        if (interface.name == name) continue;
        for (const auto* option : options_of(view, interface, "rdma-rule", inherits))
            if (auto rule = parse_rule(option->value)) rules.push_back(std::move(*rule));
    }
    return rules;
}

std::vector<eni::Diagnostic> check_wishes(const eni::View& view) {
    std::vector<eni::Diagnostic> findings;
    for (const auto& interface : view.interfaces)
        for (const auto& error : wishes_of(view, interface.name, Inherits::not_followed).errors) {
            if (findings.size() >= eni::max_diagnostics) return findings;
            findings.push_back(
                {.id = "option-value",
                 .severity = eni::Severity::error,
                 .file = error.file,
                 .line = error.line,
                 .column = error.column,
                 .message = fmt::format("{}: {} {}", interface.name, error.subject, error.message),
                 .hint = error.hint});
        }
    return findings;
}

}  // namespace pve_rdma::ifup
