#include "mad/fake_agents.h"

#include <algorithm>

#include "mad/rmpp.h"

namespace pve_rdma {

namespace {

constexpr std::uint16_t unsupported = 3 << 2, invalid_value = 7 << 2;  // IBA 13.4.7
constexpr std::uint16_t no_records = 0x0300;
constexpr std::uint32_t directed_response = 0x8000;
constexpr std::size_t record_octets = 32;  // of an SMInfoRecord, padded to a multiple of 8
constexpr std::size_t segment_octets = 200, sa_header_octets = 20;

template <class T, std::size_t N>
void put_table(const std::vector<T>& table, std::size_t block, std::span<std::uint8_t, N> out) {
    constexpr std::size_t width = sizeof(T) * 8;
    const std::size_t count = N * 8 / width;
    for (std::size_t i = 0; i < count && block * count + i < table.size(); ++i)
        write_bits(out, static_cast<unsigned>(i * width), width, table[block * count + i].value);
}

}  // namespace

std::vector<MadOctets> FakeAgents::answer(LinkEnd to, const MadOctets& request) {
    const auto header = read_wire<MadHeader>(request);
    const FakeNode& node = fabric_.node(to.node);
    if (node.silent) return {};
    const auto management_class = static_cast<MadClass>(header.management_class);
    const bool directed = management_class == MadClass::subnet_directed;
    MadOctets out = request;
    std::uint16_t status = unsupported;
    if (management_class == MadClass::subnet || directed) {
        if (node.refuses_without_mkey && read_bits(request, 24 * 8, 64) == 0) {
            for (auto& port : fabric_.node(to.node).ports)
                ++port.info.mkey_violations;
            return {};
        }
        status = subnet(to, header, out);
    } else if (management_class == MadClass::performance) {
        status = performance(to, header, out);
    } else if (management_class == MadClass::administration) {
        const bool master = !fabric_.sms_.empty() && fabric_.sms_.front().port == to;
        if (!master) return {};
        status = administration(to, header, out);
    }
    MadHeader answer = header;
    answer.method = header.method | mad_method::response;
    answer.status = status | (directed ? directed_response : 0);
    if (!directed) answer.hop_pointer = answer.hop_count = 0;
    write_wire(answer, out);
    if (status == 0 && header.method == mad_method::get_table) return sm_info_table(out);
    return {out};
}

std::uint16_t FakeAgents::subnet(LinkEnd to, const MadHeader& request, MadOctets& out) {
    const FakeNode& node = fabric_.node(to.node);
    const std::span<std::uint8_t, 64> data(out.data() + 64, 64);
    std::ranges::fill(data, std::uint8_t{0});
    const std::uint32_t modifier = request.modifier;
    switch (request.attribute) {
        case attribute::node_info: {
            NodeInfo info = node.info;
            info.local_port = to.port;
            info.port_guid = node.info.is_switch() ? node.ports[0].guid : node.ports[to.port].guid;
            write_wire(info, data);
            return 0;
        }
        case attribute::node_description:
            std::copy_n(node.description.begin(), std::min<std::size_t>(node.description.size(), 64),
                        data.begin());
            return 0;
        case attribute::port_info: {
            const std::uint32_t number = modifier == 0 && !node.info.is_switch() ? to.port : modifier;
            if (number >= node.ports.size()) return invalid_value;
            write_wire(node.ports[number].info, data);
            return 0;
        }
        case attribute::switch_info:
            if (!node.info.is_switch()) return unsupported;
            write_wire(node.switch_info, data);
            return 0;
        case attribute::pkey_table: {
            const std::uint32_t number = node.info.is_switch() ? modifier >> 16 : to.port;
            if (number >= node.ports.size()) return invalid_value;
            put_table(node.ports[number].pkeys, modifier & 0xffff, data);
            return 0;
        }
        case attribute::guid_info:
            put_table(node.ports[node.info.is_switch() ? 0 : to.port].guids, modifier, data);
            return 0;
        case attribute::mellanox_ext_port_info:
            if (!node.knows_mellanox_ext || modifier >= node.ports.size()) return unsupported;
            write_wire(node.ports[modifier].mellanox_ext, data);
            return 0;
        case attribute::sm_info:
            for (const auto& sm : fabric_.sms_)
                if (sm.port.node == to.node) {
                    write_wire(sm.info, data);
                    return 0;
                }
            return unsupported;
        default:
            return unsupported;
    }
}

std::uint16_t FakeAgents::performance(LinkEnd to, const MadHeader& request, MadOctets& out) {
    const FakeNode& node = fabric_.node(to.node);
    const std::span<std::uint8_t> data(out.data() + 64, 192);
    const auto select = read_wire<PortCounters>(data).port_select;
    std::ranges::fill(data, std::uint8_t{0});
    if (request.attribute == attribute::class_port_info) {
        ClassPortInfo info;
        info.base_version = info.class_version = 1;
        info.cap_mask = 0x0200;  // extended counters
        write_wire(info, data);
        return 0;
    }
    if (select >= node.ports.size()) return invalid_value;
    const FakePort& port = node.ports[select];
    if (request.attribute == attribute::port_counters) {
        PortCounters counters = port.counters;
        counters.port_select = select;
        write_wire(counters, data);
        return 0;
    }
    if (request.attribute == attribute::port_counters_extended) {
        PortCountersExtended counters = port.counters_extended;
        counters.port_select = select;
        write_wire(counters, data);
        return 0;
    }
    return unsupported;
}

std::uint16_t FakeAgents::administration(LinkEnd to, const MadHeader& request, MadOctets& out) {
    const std::span<std::uint8_t> data(out.data() + 56, 200);
    const MadOctets asked = out;
    const std::span<const std::uint8_t> question(asked.data() + 56, 200);
    std::ranges::fill(data, std::uint8_t{0});
    const bool table = request.method == mad_method::get_table;
    if (table) return request.attribute == attribute::sm_info_record ? 0 : unsupported;
    switch (request.attribute) {
        case attribute::class_port_info: {
            ClassPortInfo info;
            info.base_version = 1;
            info.class_version = 2;
            write_wire(info, data);
            return 0;
        }
        case attribute::path_record: {
            const auto wanted = read_wire<PathRecord>(question);
            const auto from = fabric_.find_lid(to, wanted.slid);
            const auto end = fabric_.find_lid(to, wanted.dlid);
            if (!from || !end) return no_records;
            const auto path = fabric_.path(*from, *end);
            if (!path) return no_records;
            write_wire(*path, data);
            return 0;
        }
        case attribute::mc_member_record: {
            const auto wanted = read_wire<McMemberRecord>(question);
            for (const auto& group : fabric_.groups_)
                if (group.record.mgid == wanted.mgid) {
                    write_wire(group.record, data);
                    return 0;
                }
            return no_records;
        }
        default:
            return unsupported;
    }
}

std::vector<MadOctets> FakeAgents::sm_info_table(const MadOctets& answer) const {
    std::vector<std::uint8_t> records;
    for (const auto& sm : fabric_.sms_) {
        std::array<std::uint8_t, record_octets> record{};
        write_bits(record, 0, 16, sm.info.lid);
        write_wire(sm.info, std::span(record).subspan(4));
        records.insert(records.end(), record.begin(), record.end());
    }
    const std::size_t count =
        std::max<std::size_t>(1, (records.size() + segment_octets - 1) / segment_octets);
    std::vector<MadOctets> segments;
    for (std::size_t i = 0; i < count; ++i) {
        MadOctets segment = answer;
        const std::size_t size = std::min(segment_octets, records.size() - i * segment_octets);
        std::ranges::fill(segment.begin() + 56, segment.end(), std::uint8_t{0});
        std::copy_n(records.begin() + static_cast<std::ptrdiff_t>(i * segment_octets), size,
                    segment.begin() + 56);
        write_bits(segment, 44 * 8, 16, record_octets / 8);
        RmppHeader header;
        header.version = 1;
        header.type = RmppHeader::data;
        header.flags = RmppHeader::active;
        header.segment = static_cast<std::uint32_t>(i + 1);
        if (i == 0) {
            header.flags |= RmppHeader::first;
            header.length = static_cast<std::uint32_t>(records.size() + count * sa_header_octets);
        }
        if (i + 1 == count) {
            header.flags |= RmppHeader::last;
            header.length = static_cast<std::uint32_t>(size + sa_header_octets);
        }
        write_wire(header, segment);
        segments.push_back(segment);
    }
    return segments;
}

}  // namespace pve_rdma
