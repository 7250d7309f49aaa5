#include "ifup/hook.h"

#include <cerrno>

#include <fmt/format.h>

#include "ifup/plan.h"
#include "ifup/virtual_functions.h"
#include "kernel/batch.h"

namespace pve_rdma::ifup {

namespace {

class Hook {
  public:
    Hook(const Occasion& occasion, const eni::View& file, const Machine& machine, NetlinkTransport& transport)
        : occasion_(occasion), file_(file), machine_(machine), transport_(transport) {
        const auto environment = eni::view_of(occasion.options, "environment");
        if (environment) from_environment_ = wishes_of(*environment, name());
        wishes_ = file.find(name()) ? wishes_of(file, name(), inherits()) : from_environment_;
    }

    Outcome run() {
        if (occasion_.phase != Phase::after_down)
            for (const auto& error : wishes_.errors)
                note(error);
        if (occasion_.phase == Phase::before_up) before_up();
        if (occasion_.phase == Phase::up || occasion_.phase == Phase::again) up();
        if (occasion_.phase == Phase::after_down) after_down();
        return std::move(outcome_);
    }

  private:
    const std::string& name() const { return occasion_.interface; }
    Inherits inherits() const { return occasion_.ifupdown2 ? Inherits::not_followed : Inherits::followed; }
    void note(const Error& error) { outcome_.errors.push_back(error); }

    std::optional<LinkState> link_of(const std::string& name) {
        const auto link = read_link(transport_, name);
        if (!link) note(link.error());
        return link ? *link : std::nullopt;
    }

    // Sends one message after the other; what failed is noted. Whether all went well.
    bool carry_out(const Plan& plan) {
        bool well = true;
        for (const auto& message : plan)
            if (const auto sent = send(message); !sent) {
                well = false;
                note(message.origin.error(sent.error()));
            }
        return well;
    }

    Result<void> send(const Message& message) {
        const std::string subject = fmt::format("{}: {}", name(), message.what);
        Result<void> sent = ask_patiently(transport_, subject, message.request, message.patient);
        if (!sent) explain(sent.error());
        return sent;
    }

    static void explain(Error& error) {
        if (error.errno_value == EEXIST && error.hint.empty())
            error.hint = "one that is not ours is there already: ip route, ip rule";
        if ((error.errno_value == ENETUNREACH || error.errno_value == EHOSTUNREACH) && error.hint.empty())
            error.hint = "the gateway is in no network of this interface; onlink would allow it";
    }

    void before_up() {
        if (wishes_.virtual_functions)
            if (const auto made = make_virtual_functions(machine_, name(), wishes_.virtual_functions->value);
                !made)
                note(wishes_.virtual_functions->origin.error(made.error()));
        if (wishes_.parent) make_child();
        if (wishes_.pkey && !wishes_.parent)
            note(wishes_.pkey->origin.error({.code = ErrorCode::bad_request,
                                             .subject = name(),
                                             .message = "ib-pkey does nothing without ib-parent"}));
        if (!wishes_.infiniband()) return;
        auto link = link_of(name());
        if (!link) return;
        if (const auto plan = plan_mode(*link, wishes_); !plan.empty()) set_mode(plan);
        if (!plan_mtu(*link, wishes_).empty())
            if (link = link_of(name()); link) carry_out(plan_mtu(*link, wishes_));
    }

    void make_child() {
        const auto now = link_of(name()), parent = link_of(wishes_.parent->value);
        const auto plan = plan_child(name(), wishes_, now, parent);
        if (!plan) note(plan.error());
        if (!plan || !carry_out(*plan)) outcome_.unusable = true;
    }

    void set_mode(const Plan& plan) {
        if (carry_out(plan)) return;
        Error& error = outcome_.errors.back();
        if (error.errno_value == EINVAL)
            error.hint =
                "enhanced IPoIB (ConnectX-4 and later with mlx5) is datagram only: remove ib-mode, "
                "and set an mtu of at most 4092";
    }

    void up() {
        auto link = link_of(name());
        if (!link) return;
        mtu(*link);
        auto state = read_interface(transport_, link->index);
        if (state && occasion_.ifupdown2) {
            if (const auto plan = plan_late_link(*link, wishes_, state->addresses); !plan.empty()) {
                carry_out(plan);
                state = read_interface(transport_, link->index);
            }
        }
        if (!state) {
            note(state.error());
            return;
        }
        carry_out(plan_metric(*link, wishes_, state->addresses));
        carry_out(plan_routes(*link, wishes_, *state));
        carry_out(plan_rules(wishes_.rules, rules_of_others(file_, name(), inherits()), state->rules));
    }

    // The kernel says yes to an MTU that the port's group does not allow, and keeps a smaller one.
    void mtu(LinkState& link) {
        const auto plan = plan_mtu(link, wishes_);
        if (!wishes_.infiniband() || plan.empty() || !carry_out(plan)) return;
        const auto now = link_of(name());
        if (!now) return;
        link = *now;
        if (link.mtu != wishes_.mtu->value)
            outcome_.notes.push_back(wishes_.mtu->origin.error(
                {.code = ErrorCode::machine,
                 .subject = name(),
                 .message =
                     fmt::format("mtu {} is asked for, the kernel keeps {}", wishes_.mtu->value, link.mtu),
                 .hint = "datagram mode ends at the MTU of the subnet's IPoIB group (pve-rdma fabric sm)"}));
    }

    void after_down() {
        auto link = link_of(name());
        // A child that somebody made by hand has no stanza that says so, and stays.
        if (link && (wishes_.parent || from_environment_.parent)) {
            carry_out(plan_child_removal(*link));
            if (link->child()) link.reset();
        }
        const auto state = read_interface(transport_, link ? link->index : 0);
        if (!state) {
            note(state.error());
            return;
        }
        if (link) carry_out(plan_routes(*link, {}, *state));
        carry_out(plan_rules({}, rules_of_others(file_, name(), inherits()), state->rules));
    }

    const Occasion& occasion_;
    const eni::View& file_;
    const Machine& machine_;
    NetlinkTransport& transport_;
    Wishes wishes_, from_environment_;
    Outcome outcome_;
};

}  // namespace

Outcome run_hook(const Occasion& occasion, const eni::View& file, const Machine& machine,
                 NetlinkTransport& transport) {
    return Hook(occasion, file, machine, transport).run();
}

int exit_status(const Occasion& occasion, const Outcome& outcome) {
    if (outcome.unusable) return 1;
    return occasion.phase == Phase::again && !outcome.errors.empty() ? 1 : 0;
}

}  // namespace pve_rdma::ifup
