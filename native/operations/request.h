// A request: the parameters of one call, checked once at the edge and typed from there on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "operations/operation.h"

namespace pve_rdma {

class Request {
  public:
    // From JSON text (API, XS, Ansible): strict JSON, every key known to the operation and offered to that
    // face, types and bounds as its parameters say. Text that holds a number or a truth value is taken as
    // one, since Ansible's k=v and Proxmox's form parameters arrive so. Empty text is an empty request.
    static Result<Request> from_json(const Operation&, Face, std::string_view text);
    // From the command line: each option or positional with the words given for it.
    static Result<Request> from_words(const Operation&,
                                      const std::map<std::string, std::vector<std::string>>& words);

    // Getters by parameter name. A name that the operation does not have is a fault of the program
    // (assertion).
    std::optional<std::string> text(std::string_view name) const;
    std::optional<std::int64_t> integer(std::string_view name) const;
    bool flag(std::string_view name) const;  // absent = false
    std::vector<std::string> list(std::string_view name) const;

  private:
    using Value = std::variant<std::string, std::int64_t, bool, std::vector<std::string>>;
    Result<void> set(const Parameter&, Value value);
    Result<void> complete(const Operation&) const;
    std::map<std::string, Value, std::less<>> values_;
};

}  // namespace pve_rdma
