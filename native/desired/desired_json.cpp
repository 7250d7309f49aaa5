#include "base/json_document.h"
#include "base/json_write.h"
#include "base/number.h"
#include "desired/desired.h"
#include "network/settings.h"

namespace pve_rdma {

namespace {

// As its rule counts: numbers and truth values are no text.
OrderedJson value_of(std::string_view name, const std::string& value) {
    for (const auto& rule : setting_rules()) {
        if (rule.name() != name) continue;
        if (rule.minimum)
            if (const auto number = parse_number<std::uint64_t>(value)) return *number;
        if (!rule.words.empty() && rule.words.front() == "true") return value == "true";
    }
    return value;
}

template <class T>
OrderedJson with_settings(const T& object) {
    auto json = OrderedJson::parse(json_text(object, -1));
    for (const auto& [name, value] : object.settings)
        json[name] = value_of(name, value);
    return json;
}

}  // namespace

std::string desired_json(const Desired& desired, int indent) {
    auto json = OrderedJson::parse(json_text(desired, -1));
    for (std::size_t i = 0; i < desired.links.size(); ++i) {
        OrderedJson& link = json["links"][i] = with_settings(desired.links[i]);
        for (std::size_t k = 0; k < desired.links[i].virtual_functions.size(); ++k)
            link["virtual_functions"][k] = with_settings(desired.links[i].virtual_functions[k]);
        for (const char* list : {"addresses", "virtual_functions"})
            if (link[list].empty()) link.erase(list);
    }
    if (!desired.sysctl.empty()) json["sysctl"] = desired.sysctl;
    for (const char* list : {"links", "routes", "rules", "port_types"})
        if (json[list].empty()) json.erase(list);
    return document_text(json, indent);
}

}  // namespace pve_rdma
