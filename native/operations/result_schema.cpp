// Described types as JSON Schema (draft 2020-12 words): the one list of fields, seen from outside.
#include "operations/result_schema.h"

#include "apply/transaction.h"
#include "base/json_document.h"
#include "desired/desired.h"
#include "doctor/finding.h"
#include "facts/mtu.h"
#include "facts/report.h"
#include "mad/fabric.h"
#include "network/settings.h"
#include "ofed/stack.h"
#include "ofed/verdict.h"
#include "operations/change_reply.h"
#include "operations/config_reply.h"
#include "operations/guard_reply.h"

namespace pve_rdma {

namespace {

OrderedJson of_type(const char* type) {
    OrderedJson schema = OrderedJson::object();
    schema["type"] = type;
    return schema;
}

OrderedJson of_type(const char* type, const char* key, OrderedJson&& inner) {
    OrderedJson schema = of_type(type);
    schema[key] = std::move(inner);
    return schema;
}

class ObjectSchema {
  public:
    void add(const char* name, bool required, OrderedJson&& schema) {
        properties_[name] = std::move(schema);
        if (required) required_.push_back(name);
    }
    OrderedJson finish() {
        OrderedJson schema = of_type("object", "properties", std::move(properties_));
        schema["required"] = std::move(required_);
        return schema;
    }

  private:
    OrderedJson properties_ = OrderedJson::object(), required_ = OrderedJson::array();
};

template <class T>
OrderedJson schema_of();

struct MemberSchema {
    ObjectSchema& object;
    template <class M>
    void operator()(const char* name, const M&) const {
        object.add(name, !Optional<M>, schema_of<M>());
    }
};

template <class T>
OrderedJson schema_of() {
    if constexpr (Optional<T>) {
        return schema_of<typename T::value_type>();
    } else if constexpr (Vector<T>) {
        return of_type("array", "items", schema_of<typename T::value_type>());
    } else if constexpr (StringMap<T>) {
        return of_type("object", "additionalProperties", schema_of<typename T::mapped_type>());
    } else if constexpr (Described<T>) {
        ObjectSchema object;
        T value{};
        T::fields(value, MemberSchema{object});
        return object.finish();
    } else if constexpr (std::is_same_v<T, bool>) {
        return of_type("boolean");
    } else if constexpr (std::is_integral_v<T>) {
        return of_type("integer");
    } else if constexpr (std::is_floating_point_v<T>) {
        return of_type("number");
    } else {
        return of_type("string");
    }
}

}  // namespace

std::string report_schema() {
    return schema_of<NodeReport>().dump();
}
std::string fabric_sm_schema() {
    return schema_of<FabricSm>().dump();
}
std::string fabric_port_schema() {
    return schema_of<FabricPort>().dump();
}
std::string fabric_walk_schema() {
    return schema_of<FabricWalk>().dump();
}
std::string fabric_path_schema() {
    return schema_of<FabricPath>().dump();
}
std::string mtu_schema() {
    return schema_of<MtuAnswer>().dump();
}
std::string config_schema() {
    return schema_of<ConfigReply>().dump();
}
std::string guard_schema() {
    return schema_of<GuardReply>().dump();
}
std::string findings_schema() {
    return schema_of<std::vector<doctor::Finding>>().dump();
}
std::string plan_schema() {
    return schema_of<std::vector<PlannedStep>>().dump();
}
std::string transaction_schema() {
    return schema_of<TransactionView>().dump();
}
std::string transactions_schema() {
    return schema_of<std::vector<TransactionView>>().dump();
}

// The desired document: its described members, and the table of settings.
std::string network_schema() {
    OrderedJson schema = schema_of<Desired>();
    OrderedJson& link = schema["properties"]["links"]["items"]["properties"];
    OrderedJson& vf = link["virtual_functions"]["items"]["properties"];
    for (const auto& rule : setting_rules()) {
        const bool truth = !rule.words.empty() && rule.words.front() == "true";
        OrderedJson setting = of_type(truth ? "boolean" : rule.minimum ? "integer" : "string");
        if (rule.minimum) {
            setting["minimum"] = *rule.minimum;
            setting["maximum"] = *rule.maximum;
        }
        if (!truth && !rule.words.empty()) setting["enum"] = rule.words;
        const std::string name(rule.name());
        OrderedJson& members = rule.kind == "vf" ? vf : link;
        // One name may mean different words for different kinds of links (mode).
        if (members.contains(name) && members[name].contains("enum"))
            for (const auto word : rule.words)
                members[name]["enum"].push_back(word);
        else if (rule.key != "master")
            members[name] = std::move(setting);
    }
    schema["properties"]["sysctl"] = of_type("object", "additionalProperties", of_type("string"));
    schema["required"] = OrderedJson::array();
    OrderedJson& items = schema["properties"]["links"]["items"];
    items["required"] = OrderedJson::array({"name"});
    link["virtual_functions"]["items"]["required"] = OrderedJson::array({"vf"});
    link["addresses"]["items"]["required"] = OrderedJson::array({"address"});
    return schema.dump();
}
std::string ofed_check_schema() {
    return schema_of<ofed::Verdict>().dump();
}
std::string ofed_status_schema() {
    return schema_of<ofed::DriverStack>().dump();
}

}  // namespace pve_rdma
