// ask_sm and ask_subnet: the subnet manager, and the subnet as a local port sees it.
#include "mad/ask.h"
#include "mad/questions.h"

namespace pve_rdma {

namespace {

constexpr PKey default_pkey{0xffff};

// The local port answers on the empty direct route, whether it has a LID or not.
SmpTarget self() {
    return {.route = DirectRoute{}};
}

void ask_own_tables(Questions& questions, const LocalPort& local, std::optional<PKeyTable>& pkeys,
                    std::vector<IpoibGroup>& groups) {
    const bool managed = local.via.sm_lid != 0;
    const SaTarget sa = sa_of(local);
    if (managed) questions.ipoib_group(sa, default_pkey, groups);
    questions.ask(get_smp(self(), attribute::node_info), "pkeys",
                  [&questions, &pkeys, &groups, sa, managed](const MadReply& reply) {
                      const auto node = decode_node_info(smp_data(reply));
                      questions.pkeys(self(), 0, node.partition_cap, pkeys,
                                      [&questions, &groups, sa, managed](PKey pkey) {
                                          if (managed) questions.ipoib_group(sa, pkey, groups);
                                      });
                  });
}

void ask_path_to_sm(Questions& questions, const LocalPort& local, std::optional<PathRecord>& out) {
    questions.ask(get_path_record(sa_of(local), static_cast<std::uint16_t>(local.via.lid),
                                  static_cast<std::uint16_t>(local.via.sm_lid)),
                  "path_to_sm", [&out](const MadReply& reply) { out = decode_path_record(sa_data(reply)); });
}

}  // namespace

Result<FabricSm> ask_sm(MadTransport& transport, const LocalPort& local, const MadOptions& options) {
    if (!local.via.sm_lid) return std::unexpected(no_sm(local));
    FabricSm out;
    out.via = local.via;
    const SaTarget sa = sa_of(local);
    MadEngine engine(transport, options);
    Questions questions(engine, out.unread);
    ask_own_tables(questions, local, out.pkeys, out.ipoib_groups);
    questions.sm_info({.lid = sa.lid}, sa.lid, out.sm);
    questions.ask(get_sa_class_port_info(sa), "administration",
                  [&](const MadReply& reply) { out.administration = decode_class_port_info(reply.payload); });
    questions.ask(get_sm_info_records(sa), "known", [&](const MadReply& reply) {
        if (reply.record_octets < sm_info_record_octets) return;
        for (auto rest = reply.payload; rest.size() >= sm_info_record_octets;
             rest = rest.subspan(std::min(reply.record_octets, rest.size()))) {
            const SmInfo info = decode_sm_info_record(rest);
            if (info.lid) out.known.push_back(info);
        }
    });
    ask_path_to_sm(questions, local, out.path_to_sm);
    engine.run();
    out.statistics = engine.statistics();
    return out;
}

SubnetView ask_subnet(MadTransport& transport, const LocalPort& local, const MadOptions& options) {
    SubnetView out;
    const auto lid = static_cast<std::uint16_t>(local.via.lid);
    MadEngine engine(transport, options);
    Questions questions(engine, out.unread);
    questions.ask(get_smp(self(), attribute::port_info), "port_info",
                  [&](const MadReply& reply) { out.port_info = decode_port_info(smp_data(reply)); });
    if (local.via.sm_lid) {
        questions.sm_info({.lid = static_cast<std::uint16_t>(local.via.sm_lid)}, local.via.sm_lid, out.sm);
        if (lid) ask_path_to_sm(questions, local, out.path_to_sm);
    }
    if (lid) {  // the PMA has no direct route
        questions.ask(get_performance(lid, attribute::port_counters, local.via.port), "counters",
                      [&](const MadReply& reply) { out.counters = decode_port_counters(pma_data(reply)); });
        questions.ask(get_performance(lid, attribute::class_port_info), "counters_extended",
                      [&](const MadReply& reply) {
                          if (!has_extended_counters(decode_class_port_info(reply.payload))) return;
                          questions.ask(
                              get_performance(lid, attribute::port_counters_extended, local.via.port),
                              "counters_extended", [&out](const MadReply& extended) {
                                  out.counters_extended = decode_port_counters_extended(pma_data(extended));
                              });
                      });
    }
    ask_own_tables(questions, local, out.pkeys, out.ipoib_groups);
    engine.run();
    out.statistics = engine.statistics();
    return out;
}

}  // namespace pve_rdma
