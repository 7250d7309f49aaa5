// A conversation written down, and played again.
//
// One line for each MAD, in order, with the time in microseconds since the first:
//     > 0 lid=65535 sl=0 qpn=0 timeout=200 01810101...   (256 octets, hexadecimal)
//     < 153 status=0 01810181...
// A line that begins with # is a comment. A MAD is known again by everything but its transaction id.
#pragma once

#include <map>
#include <memory>
#include <ostream>
#include <queue>
#include <string>
#include <string_view>

#include "mad/transport.h"

namespace pve_rdma {

// Passes everything on, and writes it to `log`. Both must outlive the recorder.
class RecordingTransport : public MadTransport {
  public:
    RecordingTransport(MadTransport& inner, std::ostream& log);

    Result<void> send(const OutgoingMad&) override;
    Result<std::optional<IncomingMad>> receive(MadTime until) override;
    MadTime now() const override { return inner_.now(); }
    bool joins_segments() const override { return inner_.joins_segments(); }

  private:
    std::int64_t microseconds() const;

    MadTransport& inner_;
    std::ostream& log_;
    MadTime begin_;
};

// Answers each MAD as the recording did, as late as the recording did, in virtual time. A MAD that was asked
// several times gets its answers in their order; one that was never answered times out; one that is not in
// the recording is an error.
class ReplayTransport : public MadTransport {
  public:
    // An error names the line.
    static Result<std::unique_ptr<ReplayTransport>> parse(std::string_view log, const std::string& file);

    Result<void> send(const OutgoingMad&) override;
    Result<std::optional<IncomingMad>> receive(MadTime until) override;
    MadTime now() const override { return now_; }
    bool joins_segments() const override { return true; }

  private:
    struct Answer {
        std::chrono::microseconds after{};
        std::optional<IncomingMad> mad;
    };
    std::map<std::string, std::queue<Answer>> answers_;
    std::multimap<MadTime, IncomingMad> arrivals_;
    MadTime now_{std::chrono::hours(1)};
};

}  // namespace pve_rdma
