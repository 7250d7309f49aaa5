#include "mad/questions.h"

#include <algorithm>

#include <fmt/format.h>

namespace pve_rdma {

namespace {

constexpr std::uint32_t pkeys_per_block = 32, guids_per_block = 8;

// A broken device may claim 65535 entries; 128 to 1024 is what there is.
constexpr std::uint32_t max_pkeys = 4096;

template <class T>
void place(std::vector<T>& table, std::size_t at, const std::vector<T>& block) {
    if (table.size() < at + block.size()) table.resize(at + block.size());
    std::ranges::copy(block, table.begin() + static_cast<std::ptrdiff_t>(at));
}

template <class T>
void trim(std::vector<T>& table) {
    while (!table.empty() && table.back().value == 0)
        table.pop_back();
}

}  // namespace

Error no_sm(const LocalPort& local) {
    return {.code = ErrorCode::unavailable,
            .subject = fmt::format("{} port {}", local.via.ca, local.via.port),
            .message = fmt::format("the port is {} and knows no subnet manager", local.via.state),
            .hint = "start opensm on one node, or the subnet manager of a switch"};
}

void Questions::ask(const MadRequest& request, std::string what, Answer answer) {
    engine_.submit(request, [this, what = std::move(what), answer = std::move(answer)](const auto& reply) {
        if (reply) return answer(*reply);
        Unread unread = Unread::from(reply.error());
        unread.text = reply.error().text();
        unread.what = what;
        unread_.push_back(std::move(unread));
    });
}

void Questions::ask_if_there(const MadRequest& request, Answer answer) {
    engine_.submit(request, [answer = std::move(answer)](const auto& reply) {
        if (reply) answer(*reply);
    });
}

void Questions::pkeys(const SmpTarget& target, std::uint32_t upper, std::uint32_t capacity,
                      std::optional<PKeyTable>& out, std::function<void(PKey)> each) {
    const auto blocks = (std::min(capacity, max_pkeys) + pkeys_per_block - 1) / pkeys_per_block;
    for (std::uint32_t block = 0; block < blocks; ++block)
        ask(get_smp(target, attribute::pkey_table, upper << 16 | block), "pkeys",
            [&out, each, block, capacity](const MadReply& reply) {
                if (!out) out.emplace();
                out->capacity = capacity;
                std::vector<PKey> entries;
                decode_pkey_block(smp_data(reply), entries);
                if (each)
                    for (const PKey pkey : entries)
                        if (pkey.value) each(pkey);
                trim(entries);
                if (!entries.empty()) place(out->entries, block * pkeys_per_block, entries);
            });
}

void Questions::guids(const SmpTarget& target, std::uint32_t capacity, std::vector<Guid>& out) {
    for (std::uint32_t block = 0; block < (capacity + guids_per_block - 1) / guids_per_block; ++block)
        ask(get_smp(target, attribute::guid_info, block), "guids", [&out, block](const MadReply& reply) {
            std::vector<Guid> entries;
            decode_guid_block(smp_data(reply), entries);
            trim(entries);
            if (!entries.empty()) place(out, block * guids_per_block, entries);
        });
}

void Questions::sm_info(const SmpTarget& target, std::uint32_t lid, std::optional<SmInfo>& out) {
    ask(get_smp(target, attribute::sm_info), "sm",
        [&out, lid](const MadReply& reply) { out = decode_sm_info(smp_data(reply), lid); });
}

void Questions::ipoib_group(const SaTarget& sa, PKey pkey, std::vector<IpoibGroup>& out) {
    if (!partitions_.insert(pkey.partition()).second) return;
    const PKey full{static_cast<std::uint16_t>(pkey.value | 0x8000)};
    const std::size_t index = out.size();
    out.push_back({.pkey = full, .group = {}, .unread = {}});
    engine_.submit(get_mc_member_record(sa, ipoib_broadcast_group(full)), [&out, index](const auto& reply) {
        if (reply) {
            out[index].group = decode_mc_member_record(sa_data(*reply));
            return;
        }
        out[index].unread = Unread::from(reply.error());
        if (reply.error().code == ErrorCode::not_found)
            out[index].unread->hint =
                "the SM's partition has no IPoIB group: opensm's partitions.conf wants "
                "the flag `ipoib`";
    });
}

}  // namespace pve_rdma
