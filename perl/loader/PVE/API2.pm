# Found before Proxmox VE's file of this name, because this folder stands before it in @INC: loads that file, and hangs
# /nodes/{node}/rdma into it. Whatever fails here is a warning; Proxmox VE's API is untouched then.
my ($proxmox) = grep { $_ ne __FILE__ && -e } map { "$_/PVE/API2.pm" } grep { !ref } @INC;
require $proxmox;
eval { require PVE::RDMA::Register; PVE::RDMA::Register::attach(); 1 } or warn "pve-rdma is not in the API: $@";
1;
