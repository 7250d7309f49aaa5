// ask_port and ask_path: one port, and one pair of ports.
#include <fmt/format.h>

#include "mad/ask.h"
#include "mad/questions.h"

namespace pve_rdma {

namespace {

constexpr std::uint32_t mellanox_oui = 0x0002c9;
constexpr std::uint32_t qdr = 4;

// The conversation about one port. Its second round depends on what NodeInfo and PortInfo say.
class PortQuestions {
  public:
    PortQuestions(MadEngine& engine, FabricPort& out, std::uint16_t lid, std::optional<std::uint32_t> port)
        : questions_(engine, out.unread), out_(out), target_{lid, {}}, wanted_(port) {}

    void ask() {
        const std::uint32_t port = wanted_.value_or(0);
        questions_.ask(get_smp(target_, attribute::node_info), "node", [this](const MadReply& reply) {
            out_.node = decode_node_info(smp_data(reply));
            if (!wanted_) out_.port = out_.node->is_switch() ? 0 : out_.node->local_port;
            node_known();
        });
        questions_.ask(
            get_smp(target_, attribute::node_description), "description",
            [this](const MadReply& reply) { out_.description = decode_node_description(smp_data(reply)); });
        // Port 0 of a CA is the port that the MAD comes in by.
        questions_.ask(get_smp(target_, attribute::port_info, port), "info", [this](const MadReply& reply) {
            out_.info = decode_port_info(smp_data(reply));
            port_known();
        });
        questions_.ask(get_performance(target_.lid, attribute::class_port_info), "performance",
                       [this](const MadReply& reply) {
                           out_.performance = decode_class_port_info(reply.payload);
                           counters_known();
                       });
    }

  private:
    // Tables that belong to the LID's own port, not to another port of its node.
    bool own_port() const { return out_.node->is_switch() || out_.port == out_.node->local_port; }

    void node_known() {
        if (out_.node->is_switch())
            questions_.ask(get_smp(target_, attribute::switch_info), "switch_info",
                           [this](const MadReply& reply) {
                               out_.switch_info = decode_switch_info(smp_data(reply));
                               if (out_.port)
                                   questions_.pkeys(target_, out_.port,
                                                    out_.switch_info->partition_enforcement_cap, out_.pkeys);
                           });
        if (own_port() && !(out_.node->is_switch() && out_.port))
            questions_.pkeys(target_, 0, out_.node->partition_cap, out_.pkeys);
        const auto port = static_cast<std::uint8_t>(out_.port);
        questions_.ask(
            get_performance(target_.lid, attribute::port_counters, port), "counters",
            [this](const MadReply& reply) { out_.counters = decode_port_counters(pma_data(reply)); });
        if (out_.info) both_known();
        if (out_.performance) extended_counters();
    }

    void port_known() {
        if (out_.info->is_sm()) questions_.sm_info(target_, target_.lid, out_.sm);
        if (out_.node) both_known();
    }

    void counters_known() {
        if (out_.node) extended_counters();
    }

    void extended_counters() {
        if (!has_extended_counters(*out_.performance)) return;
        questions_.ask(get_performance(target_.lid, attribute::port_counters_extended, out_.port),
                       "counters_extended", [this](const MadReply& reply) {
                           out_.counters_extended = decode_port_counters_extended(pma_data(reply));
                       });
    }

    void both_known() {
        if (own_port() && out_.info->guid_cap) questions_.guids(target_, out_.info->guid_cap, out_.guids);
        const bool maybe_fdr10 = out_.node->vendor_id == mellanox_oui && out_.info->link_up() &&
                                 out_.info->link_speed_active == qdr && !out_.info->link_speed_ext_active;
        if (!maybe_fdr10) return;
        questions_.ask_if_there(get_smp(target_, attribute::mellanox_ext_port_info, out_.port),
                                [this](const MadReply& reply) {
                                    out_.mellanox_ext = decode_mellanox_ext_port_info(smp_data(reply));
                                    apply_fdr10(*out_.info, *out_.mellanox_ext);
                                });
    }

    Questions questions_;
    FabricPort& out_;
    SmpTarget target_;
    std::optional<std::uint32_t> wanted_;
};

Error from_unread(const Unread& unread) {
    return {.code = ErrorCode::timeout, .message = unread.text, .hint = unread.hint};
}

}  // namespace

Result<FabricPort> ask_port(MadTransport& transport, const LocalPort& local, std::uint16_t lid,
                            std::optional<std::uint32_t> port, const MadOptions& options) {
    FabricPort out;
    out.via = local.via;
    out.lid = lid;
    out.port = port.value_or(0);
    MadEngine engine(transport, options);
    PortQuestions questions(engine, out, lid, port);
    questions.ask();
    engine.run();
    out.statistics = engine.statistics();
    if (!out.node && !out.info) return std::unexpected(from_unread(out.unread.front()));
    return out;
}

Result<FabricPath> ask_path(MadTransport& transport, const LocalPort& local, std::uint16_t from,
                            std::uint16_t to, const MadOptions& options) {
    if (!local.via.sm_lid) return std::unexpected(no_sm(local));
    FabricPath out;
    out.via = local.via;
    out.from = from;
    out.to = to;
    std::optional<Error> refused;
    MadEngine engine(transport, options);
    engine.submit(get_path_record(sa_of(local), from, to), [&](const Result<MadReply>& reply) {
        if (reply)
            out.path = decode_path_record(sa_data(*reply));
        else
            refused = reply.error();
    });
    engine.run();
    out.statistics = engine.statistics();
    if (refused) {
        refused->subject = fmt::format("path from LID {} to LID {}", from, to);
        return std::unexpected(*refused);
    }
    return out;
}

}  // namespace pve_rdma
