// The operation table: what the product can do, stated once.
//
// The command line, the C interface, the Perl and Proxmox schemas, the Ansible argument specifications and
// `pve-rdma schema` are all driven from this table. One file per operation holds its entry and its function.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pve_rdma {

class Request;
struct Reply;

// The faces that may offer a parameter: a path on the node's disk is for the command line only.
enum class Face : unsigned { cli = 1, api = 2, ansible = 4 };
inline constexpr unsigned every_face = 7;
inline constexpr unsigned cli_only = 1, api_only = 2;

enum class ParameterType { text, integer, flag, list };

struct Parameter {
    std::string_view name;  // JSON key, snake_case; the command line writes it with dashes
    ParameterType type = ParameterType::text;
    std::string_view description;
    std::string_view placeholder = {};  // the command line's word for the value: FILE, LID
    bool required = false;
    bool commas = true;       // on the command line a list may be given as A,B too
    bool positional = false;  // on the command line given without --name, in table order
    bool rest = false;        // on the command line: the words behind "--"
    unsigned faces = every_face;
    std::optional<std::int64_t> minimum = {}, maximum = {};
    std::optional<std::int64_t> default_value = {};
    std::vector<std::string_view> choices = {};  // for text and list: the only values allowed

    bool offered_to(Face face) const { return faces & static_cast<unsigned>(face); }
};

enum class Effect { read, write };

// Whom Proxmox lets call a method of the API: who has Sys.Audit, or Sys.Modify, on /nodes/{node}; or root@pam
// alone, not by a token.
enum class Access { audit, modify, root };

// One method of the API below /nodes/{node}/rdma. An operation may have several: reading is for more people
// than writing.
struct ApiMethod {
    std::string_view method, path;  // "GET", "transactions/{id}"; {id} is the parameter id, required then
    Access access = Access::audit;
    // A worker task of Proxmox: what changes the network, or takes longer than a request may. The method
    // answers with the task's UPID.
    bool task = false;
    std::vector<std::string_view> without = {};  // parameters that it does not offer
    std::vector<std::pair<std::string_view, std::string_view>> preset = {};  // and those that it gives itself
    // The answer is the result alone, an array, and this key of its members names the paths below: Proxmox
    // lists (pvesh ls) what is an array.
    std::string_view children = {};
};

struct TextStyle {
    bool color = false;
    int width = 80;  // columns
};

struct Operation {
    std::string_view name;  // "fabric-port"; the command line writes it as words: pve-rdma fabric port
    std::string_view summary;
    std::string_view description;
    std::vector<Parameter> parameters;
    Effect effect = Effect::read;
    bool needs_root =
        false;  // root is needed for the whole of it; a part that needs root says so in its reply
    std::vector<ApiMethod> api = {};   // empty = not in the API
    std::string_view ansible = {};     // module name in the collection pve.rdma; empty = not in Ansible
    std::string_view result_key = {};  // the reply's member that holds the answer
    std::string (*result_schema)() = nullptr;  // its JSON Schema

    Reply (*run)(const Request&) = nullptr;
    std::string (*text)(const Reply&,
                        const TextStyle&) = nullptr;  // the reply for a person; ends with a newline
};

std::span<const Operation> operations();
const Operation* find_operation(std::string_view name);
const Operation* find_ansible_operation(std::string_view module);

// Runs it; what lack of privilege stopped says so.
Reply run_operation(const Operation&, const Request&);

// Runs by name: the one entry of the C interface and of every face that speaks JSON.
Reply call(std::string_view operation, Face face, std::string_view request_json);

}  // namespace pve_rdma
