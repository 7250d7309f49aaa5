// A kernel to test: the model, or the running one in a network namespace that is made for each test. What is
// asked of both is in *_contract.cpp.
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "apply/kernel.h"

namespace pve_rdma::contract {

inline const std::vector<std::string> sysctls{"net.ipv4.ip_forward", "net.ipv4.conf.all.rp_filter",
                                              "net.ipv4.conf.all.promote_secondaries"};

class Bed {
  public:
    virtual ~Bed() = default;
    virtual Kernel& kernel() = 0;
    // An Ethernet port that is down; its other end, where there is one, is up.
    virtual void add_port(const std::string& name) = 0;
    virtual void add_ipoib(const std::string& name) = 0;  // of the model only
    virtual bool has_kind(const std::string& kind) = 0;
};

std::unique_ptr<Bed> fake_bed();
// Nullptr when this process may not make a network namespace. The calling thread moves into it.
std::unique_ptr<Bed> kernel_bed();

// The parameter says which kernel.
class Contract : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override;
    // The running kernel in the first namespace, if PVE_RDMA_IPOIB says that it is a guest's.
    bool move_home();

    Network read();
    // Nothing else is accepted than success.
    void carry_out(const std::vector<Step>& steps);
    // The code of the one failure.
    ErrorCode refused(const std::vector<Step>& steps, std::size_t index = 0);

    Bed& bed() { return *bed_; }
    Kernel& kernel() { return bed_->kernel(); }

  private:
    std::unique_ptr<Bed> bed_;
};

#define NEEDS_KIND(kind)                                    \
    if (!bed().has_kind(kind)) {                            \
        GTEST_SKIP() << "no " << kind << " in this kernel"; \
    }

// --- steps in few words

Step make(LinkEntry link);
Step remove(LinkEntry link);
Step set(const std::string& link, const std::string& key, const std::string& from, const std::string& to);
template <class T>
Step add(T entry) {
    return step(Change<T>{{}, std::move(entry)});
}
template <class T>
Step del(T entry) {
    return step(Change<T>{std::move(entry), {}});
}
template <class T>
Step change(T before, T after) {
    return step(Change<T>{std::move(before), std::move(after)});
}

AddressEntry address(const std::string& dev, const std::string& text);                    // "192.0.2.1/24"
RouteEntry route(const std::string& to, const std::string& via, const std::string& dev);  // via may be empty

bool holds(const Network&, const AddressEntry&);
bool holds(const Network&, const RouteEntry&);
bool holds(const Network&, const RuleEntry&);

}  // namespace pve_rdma::contract
