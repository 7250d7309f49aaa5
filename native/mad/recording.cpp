#include "mad/recording.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "base/number.h"

namespace pve_rdma {

namespace {

constexpr std::size_t transaction_octet = 8;
constexpr std::size_t max_mad_octets = std::size_t{4} << 20;

std::string hexadecimal(std::span<const std::uint8_t> octets) {
    std::string out;
    out.reserve(octets.size() * 2);
    for (const auto octet : octets)
        out += fmt::format("{:02x}", octet);
    return out;
}

std::optional<std::vector<std::uint8_t>> octets_from(std::string_view text) {
    if (text.size() % 2 || text.size() / 2 < 256 || text.size() / 2 > max_mad_octets) return std::nullopt;
    std::vector<std::uint8_t> out;
    out.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const auto octet = parse_number<std::uint8_t>(text.substr(i, 2), 16);
        if (!octet) return std::nullopt;
        out.push_back(*octet);
    }
    return out;
}

// What a MAD is known by.
std::string identity(std::uint16_t lid, std::span<const std::uint8_t> octets) {
    std::string key(octets.begin(), octets.end());
    std::fill_n(key.begin() + transaction_octet, 8, '\0');
    return fmt::format("{} ", lid) + key;
}

// The word after "name=", taken off the front of `line`.
std::optional<std::string_view> take(std::string_view& line, std::string_view name) {
    if (!line.starts_with(name)) return std::nullopt;
    line.remove_prefix(name.size());
    const auto word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(line.size(), word.size() + 1));
    return word;
}

}  // namespace

RecordingTransport::RecordingTransport(MadTransport& inner, std::ostream& log)
    : inner_(inner), log_(log), begin_(inner.now()) {}

std::int64_t RecordingTransport::microseconds() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(inner_.now() - begin_).count();
}

Result<void> RecordingTransport::send(const OutgoingMad& mad) {
    auto sent = inner_.send(mad);
    if (sent)
        log_ << fmt::format("> {} lid={} sl={} qpn={} timeout={} {}\n", microseconds(), mad.lid, mad.sl,
                            mad.qpn, mad.timeout_ms, hexadecimal(mad.octets));
    return sent;
}

Result<std::optional<IncomingMad>> RecordingTransport::receive(MadTime until) {
    auto arrived = inner_.receive(until);
    if (arrived && *arrived)
        log_ << fmt::format("< {} status={} {}\n", microseconds(), (*arrived)->status,
                            hexadecimal((*arrived)->octets));
    return arrived;
}

Result<std::unique_ptr<ReplayTransport>> ReplayTransport::parse(std::string_view log,
                                                                const std::string& file) {
    auto out = std::make_unique<ReplayTransport>();
    struct Open {
        std::string key;
        std::int64_t time = 0;
    };
    std::map<std::uint32_t, Open> open;  // by the low half of the transaction
    const auto never_answered = [&](const Open& one) { out->answers_[one.key].push({}); };
    for (int number = 1; !log.empty(); ++number) {
        std::string_view line = log.substr(0, log.find('\n'));
        log.remove_prefix(std::min(log.size(), line.size() + 1));
        if (line.empty() || line.front() == '#') continue;
        const auto refuse = [&](const char* message) {
            return std::unexpected(Error{
                .code = ErrorCode::malformed, .message = message, .file = file, .line = number, .column = 1});
        };
        const bool sent = line.starts_with("> ");
        if (!sent && !line.starts_with("< ")) return refuse("a line begins with \">\", \"<\" or \"#\"");
        line.remove_prefix(2);
        const auto time_word = take(line, "");
        const auto time = parse_number<std::int64_t>(time_word.value_or(""));
        if (!time || *time < 0) return refuse("a line needs its time in microseconds");
        if (sent) {
            const auto lid = parse_number<std::uint16_t>(take(line, "lid=").value_or(""));
            if (!lid || !take(line, "sl=") || !take(line, "qpn=") || !take(line, "timeout="))
                return refuse("a sent MAD needs lid=, sl=, qpn= and timeout=");
            const auto octets = octets_from(line);
            if (!octets || octets->size() != 256) return refuse("a sent MAD has 256 octets");
            const auto transaction = static_cast<std::uint32_t>(read_bits(*octets, 96, 32));
            if (const auto before = open.find(transaction); before != open.end())
                never_answered(before->second);
            open[transaction] = {identity(*lid, *octets), *time};
            continue;
        }
        const auto status = parse_number<int>(take(line, "status=").value_or(""));
        auto octets = octets_from(line);
        if (!status || *status < 0 || !octets)
            return refuse("a received MAD needs status= and 256 octets or more");
        IncomingMad mad{*status, std::move(*octets)};
        const auto question = open.find(mad.transaction());
        if (question == open.end()) continue;  // the answer to something before the recording
        const auto after =
            std::chrono::microseconds(std::max<std::int64_t>(0, *time - question->second.time));
        out->answers_[question->second.key].push({after, std::move(mad)});
        open.erase(question);
    }
    for (const auto& [transaction, one] : open)
        never_answered(one);
    return out;
}

Result<void> ReplayTransport::send(const OutgoingMad& mad) {
    const auto found = answers_.find(identity(mad.lid, mad.octets));
    if (found == answers_.end() || found->second.empty())
        return std::unexpected(
            Error{.code = ErrorCode::not_found, .message = "the recording has no such MAD (any more)"});
    Answer answer = std::move(found->second.front());
    found->second.pop();
    if (!answer.mad) return {};
    // The answer belongs to this MAD now.
    write_bits(answer.mad->octets, 96, 32, read_bits(mad.octets, 96, 32));
    arrivals_.emplace(now_ + answer.after, std::move(*answer.mad));
    return {};
}

Result<std::optional<IncomingMad>> ReplayTransport::receive(MadTime until) {
    const auto first = arrivals_.begin();
    if (first == arrivals_.end() || first->first > until) {
        now_ = std::max(now_, until);
        return std::nullopt;
    }
    now_ = std::max(now_, first->first);
    IncomingMad mad = std::move(first->second);
    arrivals_.erase(first);
    return mad;
}

}  // namespace pve_rdma
