// Answers for a person: label and value by line.
#include <fmt/format.h>

#include "mad/fabric.h"
#include "mad/render_text.h"

namespace pve_rdma {

namespace {

class Page {
  public:
    template <class... Args>
    void line(const char* label, fmt::format_string<Args...> format, Args&&... args) {
        text_ += wrapped(fmt::format("{:<18} ", label), fmt::format(format, std::forward<Args>(args)...));
    }
    void via(const FabricVia& via) {
        line("asked from", "{} port {}, LID {}, {}", via.ca, via.port, via.lid, via.state);
    }
    void unread(const std::vector<Unread>& list) {
        for (const auto& one : list) {
            line("not answered", "{}: {}", one.what, one.text);
            if (!one.hint.empty()) line("", "{}", one.hint);
        }
    }
    void statistics(const MadStatistics& statistics) {
        line("cost", "{} MADs in {:.1f} ms, {} retries", statistics.sent, statistics.ms, statistics.retries);
    }
    void path(const char* label, const PathRecord& path) {
        line(label, "MTU {}, {} Gb/s, SL {}, P_Key {}", path.mtu, path.rate_gbps, path.sl, path.pkey.text());
    }
    void pkeys(const PKeyTable& table) {
        std::string text;
        for (const PKey pkey : table.entries)
            if (pkey.value)
                text += fmt::format("{}{}{}", text.empty() ? "" : ", ", pkey.text(),
                                    pkey.full_member() ? "" : " (limited)");
        line("P_Keys", "{} (table of {})", text.empty() ? "none" : text, table.capacity);
    }
    void sm(const char* label, const SmInfo& sm) {
        line(label, "{} at LID {}, priority {}, GUID {}, activity {}", sm.state, sm.lid, sm.priority,
             sm.guid.text(), sm.activity);
    }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const auto& word : words)
        out += (out.empty() ? "" : "/") + word;
    return out;
}

void counters(Page& page, const FabricPort& port) {
    if (!port.counters) return;
    std::string errors;
    PortCounters::wire([&](const char* name, auto member, unsigned, unsigned) {
        const std::string_view word = name;
        const bool traffic = word.ends_with("_data") || word.ends_with("_packets") ||
                             word.ends_with("_select") || word.ends_with("_select2");
        const auto value = (*port.counters).*member;
        if (!traffic && value) errors += fmt::format("{}{} {}", errors.empty() ? "" : ", ", name, value);
    });
    page.line("errors", "{}", errors.empty() ? "none counted" : errors);
}

}  // namespace

std::string render_text(const FabricSm& fabric) {
    Page page;
    page.via(fabric.via);
    if (fabric.sm) page.sm("subnet manager", *fabric.sm);
    for (const auto& sm : fabric.known)
        if (!fabric.sm || sm.guid != fabric.sm->guid) page.sm("another", sm);
    if (fabric.path_to_sm) page.path("path to it", *fabric.path_to_sm);
    if (fabric.pkeys) page.pkeys(*fabric.pkeys);
    for (const auto& one : fabric.ipoib_groups) {
        if (one.group)
            page.line("IPoIB group",
                      "P_Key {}: MTU {} (IPoIB datagram {}), {} Gb/s, Q_Key 0x{:08x}, MLID 0x{:04x}",
                      one.pkey.text(), one.group->mtu, one.group->mtu > 4 ? one.group->mtu - 4 : 0,
                      one.group->rate_gbps, one.group->qkey, one.group->mlid);
        else if (one.unread)
            page.line("IPoIB group", "P_Key {}: {}", one.pkey.text(), one.unread->text);
    }
    page.unread(fabric.unread);
    page.statistics(fabric.statistics);
    return page.take();
}

std::string render_text(const FabricPort& port) {
    Page page;
    page.via(port.via);
    page.line("node", "{}", port.description.value_or("(no description)"));
    if (port.node)
        page.line("", "{} with {} ports, GUID {}", port.node->type, port.node->ports,
                  port.node->node_guid.text());
    page.line("port", "{}, by LID {}", port.port, port.lid);
    if (port.info) {
        const PortInfo& info = *port.info;
        page.line("state", "{}, {}", info.state, info.phys_state);
        page.line("link", "{} {}; can {} and {}", info.width, info.speed, joined(info.widths_supported),
                  joined(info.speeds_supported));
        page.line("MTU", "{}; can {}", info.neighbor_mtu, info.mtu_cap);
        page.line("LID", "{}, LMC {}, SM at LID {}", info.lid, info.lmc, info.sm_lid);
        page.line("virtual lanes", "{} of {}", info.oper_vls, info.vl_cap);
        if (info.mkey_violations || info.pkey_violations || info.qkey_violations)
            page.line("violations", "{} M_Key, {} P_Key, {} Q_Key", info.mkey_violations,
                      info.pkey_violations, info.qkey_violations);
    }
    if (port.sm) page.sm("subnet manager", *port.sm);
    if (port.pkeys) page.pkeys(*port.pkeys);
    counters(page, port);
    page.unread(port.unread);
    page.statistics(port.statistics);
    return page.take();
}

std::string render_text(const FabricPath& path) {
    Page page;
    page.via(path.via);
    page.line("path", "from LID {} to LID {}", path.from, path.to);
    if (path.path) page.path("", *path.path);
    page.unread(path.unread);
    page.statistics(path.statistics);
    return page.take();
}

}  // namespace pve_rdma
