#include "operations/table.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "operations/reply.h"
#include "operations/request.h"

namespace pve_rdma {

std::span<const Operation> operations() {
    static const std::vector<Operation> table{
        probe_operation,        diagnose_operation,     fabric_sm_operation,   fabric_port_operation,
        fabric_walk_operation,  fabric_path_operation,  mtu_operation,         config_show_operation,
        config_print_operation, config_check_operation, config_edit_operation, show_operation,
        ofed_guard_operation,   ofed_check_operation,   ofed_status_operation, plan_operation,
        apply_operation,        confirm_operation,      rollback_operation,    transactions_operation,
        schema_operation,
    };
    return table;
}

const Operation* find_operation(std::string_view name) {
    const auto found = std::ranges::find(operations(), name, &Operation::name);
    return found == operations().end() ? nullptr : &*found;
}

const Operation* find_ansible_operation(std::string_view module) {
    if (module.empty()) return nullptr;
    const auto found = std::ranges::find(operations(), module, &Operation::ansible);
    return found == operations().end() ? nullptr : &*found;
}

Reply run_operation(const Operation& operation, const Request& request) {
    Reply reply = operation.run(request);
    if (reply.failure && reply.failure->code == ErrorCode::permission && reply.failure->hint.empty() &&
        operation.needs_root && ::geteuid() != 0)
        reply.failure->hint = "run as root";
    return reply;
}

Reply call(std::string_view name, Face face, std::string_view request_json) {
    const Operation* operation = find_operation(name);
    if (!operation) {
        std::vector<std::string_view> names;
        for (const auto& known : operations())
            names.push_back(known.name);
        return Reply::failed(name, {.code = ErrorCode::bad_request,
                                    .subject = std::string(name),
                                    .message = "no such operation",
                                    .hint = fmt::format("one of: {}", fmt::join(names, ", "))});
    }
    // The one place where a library's exception (bad_alloc, nlohmann) would otherwise cross into C or Perl.
    try {
        const auto request = Request::from_json(*operation, face, request_json);
        if (!request) return Reply::failed(name, request.error());
        return run_operation(*operation, *request);
    } catch (const std::exception& exception) {
        return Reply::failed(name, {.code = ErrorCode::internal,
                                    .subject = std::string(name),
                                    .message = exception.what(),
                                    .hint = "this is a fault of pve-rdma: please report it"});
    }
}

}  // namespace pve_rdma
