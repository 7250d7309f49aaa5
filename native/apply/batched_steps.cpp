#include "apply/batched_steps.h"

#include <algorithm>
#include <cerrno>
#include <map>

#include <net/if.h>

#include "apply/standing.h"
#include "kernel/batch.h"
#include "kernel/read_network.h"
#include "kernel/requests.h"

namespace pve_rdma {

namespace {

NetworkParts parts_of(const Step& step) {
    return {.addresses = step.address.has_value(),
            .routes = step.route.has_value(),
            .rules = step.rule.has_value(),
            .ethernet = false};
}

template <class T>
ObjectChange kind_of(const Change<T>& change) {
    return !change.after ? ObjectChange::remove : change.before ? ObjectChange::replace : ObjectChange::add;
}
ObjectChange kind_of(const Step& step) {
    return Step::with(step, [](const auto& change) { return kind_of(change); });
}

// The kernel itself compares a new route's key, and all that an old route is; anything else has to be looked
// at before it is sent.
bool is_checked_by_the_kernel(const Step& step) {
    return step.route && kind_of(step) != ObjectChange::replace;
}

// The object is there already, or gone: perhaps by our own doing.
bool asks_for_a_second_look(int errno_value) {
    constexpr int such[]{EEXIST, ESRCH, ENOENT, EADDRNOTAVAIL, ENODEV};
    return std::ranges::find(such, errno_value) != std::end(such);
}

// What IPv4 cannot replace in place, and IPv6's length, takes a removal first.
bool is_replaceable(const Change<AddressEntry>& change) {
    AddressEntry as_before = *change.after;
    as_before.metric = change.before->metric;
    as_before.protocol = change.before->protocol;
    return as_before == *change.before ||
           (change.after->local.is_v6() && change.after->length == change.before->length);
}

class Batch {
  public:
    Batch(const Machine& machine, NetlinkTransport& transport, std::span<const Step> steps)
        : machine_(machine), transport_(transport), steps_(steps) {}

    std::vector<StepFailure> carry_out() {
        if (!std::ranges::all_of(steps_, is_checked_by_the_kernel))
            if (const auto known = look(); !known) return {{0, known.error()}};
        std::size_t end = 0;
        for (; end < steps_.size(); ++end)
            if (const auto ready = prepare(end); !ready) {
                last_failure_.push_back({end, ready.error()});
                break;
            }
        const BatchAnswer answer = send_batch(
            transport_, requests_, [&](std::size_t request) { return steps_[step_of_[request]].text(); });
        judge(answer, end);
        std::ranges::move(last_failure_, std::back_inserter(failures_));
        return std::move(failures_);
    }

  private:
    Result<void> look() {
        auto network = read_network(machine_, parts_of(steps_.front()), &addresses_);
        if (!network) return std::unexpected(network.error());
        network_ = std::move(*network);
        return {};
    }

    // Appends the requests of a step; none when it is done already.
    Result<void> prepare(std::size_t index) {
        const Step& step = steps_[index];
        if (network_) {
            const auto now = standing(*network_, step);
            if (!now) return std::unexpected(now.error());
            if (*now == Standing::after) return {};
            if (*now == Standing::neither) return std::unexpected(another_value(step));
            foresee(step);
        }
        const auto append = [&](Result<NetlinkRequest> request) -> Result<void> {
            if (!request) return std::unexpected(request.error());
            requests_.push_back(std::move(*request));
            step_of_.push_back(index);
            return {};
        };
        if (step.route) return prepare(*step.route, append);
        if (step.rule) return prepare(*step.rule, append);
        return prepare(*step.address, append);
    }

    // The network as it will be for the steps behind.
    void foresee(const Step& step) {
        if (step.route) foresee(network_->routes, *step.route);
        if (step.rule) foresee(network_->rules, *step.rule);
        if (step.address) foresee(network_->addresses, *step.address);
    }
    template <class T>
    static void foresee(std::vector<T>& all, const Change<T>& change) {
        if (change.before) std::erase(all, kept(*change.before));
        if (change.after) all.push_back(kept(*change.after));
    }

    template <class Append>
    Result<void> prepare(const Change<RouteEntry>& change, const Append& append) {
        const RouteEntry& route = change.either();
        const std::uint32_t index = route.dev.empty() ? 0 : index_of(route.dev);
        if (!route.dev.empty() && index == 0) {
            if (!change.after) return {};  // it went with its link
            return std::unexpected(no_link(route.dev));
        }
        return append(route_request(kind_of(change), index, route));
    }

    template <class Append>
    Result<void> prepare(const Change<RuleEntry>& change, const Append& append) {
        if (change.before)
            if (const auto removed = append(rule_request(ObjectChange::remove, *change.before));
                !removed || !change.after)
                return removed;
        return append(rule_request(ObjectChange::add, *change.after));
    }

    template <class Append>
    Result<void> prepare(const Change<AddressEntry>& change, const Append& append) {
        const std::uint32_t index = index_of(change.either().dev);
        if (index == 0) return std::unexpected(no_link(change.either().dev));
        if (!change.before) return append(address_request(ObjectChange::add, index, *change.after));
        if (change.after && is_replaceable(change))
            return append(
                address_request(ObjectChange::replace, index, *change.after, life_of(*change.before)));
        if (const auto removed = append(address_request(ObjectChange::remove, index, *change.before));
            !removed || !change.after)
            return removed;
        return append(address_request(ObjectChange::add, index, *change.after));
    }

    // A lease's address stays one.
    LifeTimes life_of(const AddressEntry& entry) const {
        for (const auto& address : addresses_)
            if (address.ifname == entry.dev && address.local == entry.local &&
                address.prefixlen == entry.length)
                return {address.valid_life_time.value_or(UINT32_MAX),
                        address.preferred_life_time.value_or(UINT32_MAX)};
        return {};
    }

    void judge(const BatchAnswer& answer, std::size_t end) {
        std::map<std::size_t, Error> refused;
        for (const auto& [request, error] : answer.refused)
            refused.emplace(step_of_[request], error);
        if (answer.broken)
            for (std::size_t index = 0; index < end; ++index)
                refused.emplace(index, *answer.broken);
        bool looked = false;
        for (const auto& [index, error] : refused) {
            if (!answer.broken && is_tentative(steps_[index], error)) {
                if (auto done = try_again(steps_[index]); !done) failures_.push_back({index, done.error()});
                continue;
            }
            if (!answer.broken && !asks_for_a_second_look(error.errno_value)) {
                failures_.push_back({index, error});
                continue;
            }
            if (!looked && !look()) network_.reset();
            looked = true;
            if (auto still = second_look(steps_[index], error)) failures_.push_back({index, *still});
        }
    }

    static bool is_tentative(const Step& step, const Error& error) {
        return error.errno_value == EINVAL && step.route && step.route->after && step.route->after->v6 &&
               step.route->after->source;
    }
    Result<void> try_again(const Step& step) {
        const RouteEntry& route = *step.route->after;
        const auto request = route_request(kind_of(step), index_of(route.dev), route);
        if (!request) return std::unexpected(request.error());
        return ask_patiently(transport_, step.text(), *request, true);
    }

    std::optional<Error> second_look(const Step& step, const Error& error) const {
        if (!network_) return error;
        const auto now = standing(*network_, step);
        if (!now) return now.error();
        switch (*now) {
            case Standing::after:
                return std::nullopt;
            case Standing::neither:
                return another_value(step);
            case Standing::before:
                break;
        }
        Error refusal = error;
        // The link is there; what is not is IPv6 on it.
        if (refusal.code == ErrorCode::not_found) refusal.code = ErrorCode::machine;
        return refusal;
    }

    std::uint32_t index_of(const std::string& name) {
        const auto [at, is_new] = indexes_.try_emplace(name, 0);
        if (is_new) at->second = ::if_nametoindex(name.c_str());
        return at->second;
    }
    static Error no_link(const std::string& name) {
        return {.code = ErrorCode::not_found, .subject = name, .message = "there is no such link"};
    }

    const Machine& machine_;
    NetlinkTransport& transport_;
    std::span<const Step> steps_;
    std::optional<Network> network_{};
    std::vector<Address> addresses_{};
    std::map<std::string, std::uint32_t> indexes_{};
    std::vector<NetlinkRequest> requests_{};
    std::vector<std::size_t> step_of_{};  // of each request
    std::vector<StepFailure> failures_{}, last_failure_{};
};

}  // namespace

bool is_batched(const Step& step) {
    return step.route || step.rule || step.address;
}

std::size_t batch_length(std::span<const Step> steps) {
    const auto alike = [&](const Step& step) {
        const Step& first = steps.front();
        return step.route.has_value() == first.route.has_value() &&
               step.rule.has_value() == first.rule.has_value() &&
               step.address.has_value() == first.address.has_value() &&
               (kind_of(step) == ObjectChange::remove) == (kind_of(first) == ObjectChange::remove);
    };
    std::size_t length = 0;
    // A change of an address or a rule may take two messages.
    const std::size_t most = steps.empty() || steps.front().route ? largest_batch : largest_batch / 2;
    while (length < steps.size() && length < most && is_batched(steps[length]) && alike(steps[length]))
        ++length;
    return length;
}

std::vector<StepFailure> carry_out_batch(const Machine& machine, NetlinkTransport& transport,
                                         std::span<const Step> steps) {
    return Batch(machine, transport, steps).carry_out();
}

}  // namespace pve_rdma
