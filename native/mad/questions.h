// Questions in flight: each answer lands in its field, each failure under that field's name in `unread`.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "mad/codec.h"
#include "mad/engine.h"
#include "mad/port_choice.h"
#include "mad/requests.h"

namespace pve_rdma {

// References must outlive the engine's run().
class Questions {
  public:
    Questions(MadEngine& engine, std::vector<Unread>& unread) : engine_(engine), unread_(unread) {}

    using Answer = std::function<void(const MadReply&)>;
    // `what` is the name of the field that stays empty when there is no answer.
    void ask(const MadRequest& request, std::string what, Answer answer);
    // A failure is no news: what is asked need not exist.
    void ask_if_there(const MadRequest& request, Answer answer);

    // All blocks of a P_Key table; `upper` is the port of a switch in the modifier's upper half, else 0.
    void pkeys(const SmpTarget& target, std::uint32_t upper, std::uint32_t capacity,
               std::optional<PKeyTable>& out, std::function<void(PKey)> each = {});
    void guids(const SmpTarget& target, std::uint32_t capacity, std::vector<Guid>& out);
    void sm_info(const SmpTarget& target, std::uint32_t lid, std::optional<SmInfo>& out);
    // IPoIB's broadcast group, once for each partition.
    void ipoib_group(const SaTarget& sa, PKey pkey, std::vector<IpoibGroup>& out);

  private:
    MadEngine& engine_;
    std::vector<Unread>& unread_;
    std::set<std::uint16_t> partitions_;
};

inline SmpData smp_data(const MadReply& reply) {
    return reply.payload.first<64>();
}
inline SaData sa_data(const MadReply& reply) {
    return reply.payload.first<200>();
}
inline PmaData pma_data(const MadReply& reply) {
    return reply.payload.first<192>();
}

inline SaTarget sa_of(const LocalPort& port) {
    return {static_cast<std::uint16_t>(port.via.sm_lid), static_cast<std::uint8_t>(port.via.sm_sl)};
}

// The error of a port whose sm_lid is 0.
Error no_sm(const LocalPort&);

// The PMA's ClassPortInfo.CapabilityMask says whether PortCountersExtended exists (IBA 16.1.3.1).
inline bool has_extended_counters(const ClassPortInfo& info) {
    return info.cap_mask & 0x0600;
}

}  // namespace pve_rdma
