// From what `config edit` is asked for to the change of one file.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "eni/change.h"
#include "eni/view.h"

namespace pve_rdma {

enum class ConfigEdit {
    set,     // an option's value
    add,     // a further line of an option
    unset,   // an option, or the line of it that has that value
    create,  // a stanza
    remove,  // an interface, or its stanza of one family
    rename,  // an interface
    source,  // a source line
};

struct AskedEdit {
    ConfigEdit kind = ConfigEdit::set;
    std::string interface{};
    std::optional<std::string> family{};
    std::string option{};                                        // set, add, unset
    std::optional<std::string> value{};                          // of the option; the method, name or path
    std::vector<std::pair<std::string, std::string>> options{};  // create
};

struct ConfigChange {
    std::string path{};
    std::optional<std::string> before{};  // what the file holds; nullopt: there is no such file yet
    eni::Change change{};
    std::string after{};
};

// An option that stands somewhere is changed there; a new one is put where eni/placement.h keeps it. What
// belongs into our own file gets a stanza of its own there. ErrorCode::conflict when more than one file would
// change.
Result<ConfigChange> config_change(const eni::View&, const AskedEdit&);

}  // namespace pve_rdma
