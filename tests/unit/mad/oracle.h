// Every field of every codec, paired with libibmad's. libibmad is the oracle of tests only.
#pragma once

#include <map>
#include <string>

#include <infiniband/mad.h>

namespace pve_rdma::test {

using OracleFields = std::map<std::string, MAD_FIELDS>;

inline const OracleFields port_info_fields = {
    {"mkey", IB_PORT_MKEY_F},
    {"gid_prefix", IB_PORT_GID_PREFIX_F},
    {"lid", IB_PORT_LID_F},
    {"sm_lid", IB_PORT_SMLID_F},
    {"cap_mask", IB_PORT_CAPMASK_F},
    {"diag_code", IB_PORT_DIAG_F},
    {"mkey_lease_period", IB_PORT_MKEY_LEASE_F},
    {"local_port", IB_PORT_LOCAL_PORT_F},
    {"link_width_enabled", IB_PORT_LINK_WIDTH_ENABLED_F},
    {"link_width_supported", IB_PORT_LINK_WIDTH_SUPPORTED_F},
    {"link_width_active", IB_PORT_LINK_WIDTH_ACTIVE_F},
    {"link_speed_supported", IB_PORT_LINK_SPEED_SUPPORTED_F},
    {"state_code", IB_PORT_STATE_F},
    {"phys_state_code", IB_PORT_PHYS_STATE_F},
    {"link_down_default_code", IB_PORT_LINK_DOWN_DEF_F},
    {"mkey_protect", IB_PORT_MKEY_PROT_BITS_F},
    {"lmc", IB_PORT_LMC_F},
    {"link_speed_active", IB_PORT_LINK_SPEED_ACTIVE_F},
    {"link_speed_enabled", IB_PORT_LINK_SPEED_ENABLED_F},
    {"neighbor_mtu_code", IB_PORT_NEIGHBOR_MTU_F},
    {"sm_sl", IB_PORT_SMSL_F},
    {"vl_cap_code", IB_PORT_VL_CAP_F},
    {"init_type", IB_PORT_INIT_TYPE_F},
    {"vl_high_limit", IB_PORT_VL_HIGH_LIMIT_F},
    {"vl_arbitration_high_cap", IB_PORT_VL_ARBITRATION_HIGH_CAP_F},
    {"vl_arbitration_low_cap", IB_PORT_VL_ARBITRATION_LOW_CAP_F},
    {"init_type_reply", IB_PORT_INIT_TYPE_REPLY_F},
    {"mtu_cap_code", IB_PORT_MTU_CAP_F},
    {"vl_stall_count", IB_PORT_VL_STALL_COUNT_F},
    {"hoq_life", IB_PORT_HOQ_LIFE_F},
    {"oper_vls_code", IB_PORT_OPER_VLS_F},
    {"partition_enforcement_inbound", IB_PORT_PART_EN_INB_F},
    {"partition_enforcement_outbound", IB_PORT_PART_EN_OUTB_F},
    {"filter_raw_inbound", IB_PORT_FILTER_RAW_INB_F},
    {"filter_raw_outbound", IB_PORT_FILTER_RAW_OUTB_F},
    {"mkey_violations", IB_PORT_MKEY_VIOL_F},
    {"pkey_violations", IB_PORT_PKEY_VIOL_F},
    {"qkey_violations", IB_PORT_QKEY_VIOL_F},
    {"guid_cap", IB_PORT_GUID_CAP_F},
    {"client_reregister", IB_PORT_CLIENT_REREG_F},
    {"multicast_pkey_trap_suppression", IB_PORT_MCAST_PKEY_SUPR_ENAB_F},
    {"subnet_timeout", IB_PORT_SUBN_TIMEOUT_F},
    {"resp_time_value", IB_PORT_RESP_TIME_VAL_F},
    {"local_phys_errors", IB_PORT_LOCAL_PHYS_ERR_F},
    {"overrun_errors", IB_PORT_OVERRUN_ERR_F},
    {"max_credit_hint", IB_PORT_MAX_CREDIT_HINT_F},
    {"link_round_trip_latency", IB_PORT_LINK_ROUND_TRIP_F},
    {"cap_mask2", IB_PORT_CAPMASK2_F},
    {"link_speed_ext_active", IB_PORT_LINK_SPEED_EXT_ACTIVE_F},
    {"link_speed_ext_supported", IB_PORT_LINK_SPEED_EXT_SUPPORTED_F},
    {"link_speed_ext_enabled", IB_PORT_LINK_SPEED_EXT_ENABLED_F},
};

inline const OracleFields node_info_fields = {
    {"base_version", IB_NODE_BASE_VERS_F},
    {"class_version", IB_NODE_CLASS_VERS_F},
    {"type_code", IB_NODE_TYPE_F},
    {"ports", IB_NODE_NPORTS_F},
    {"system_image_guid", IB_NODE_SYSTEM_GUID_F},
    {"node_guid", IB_NODE_GUID_F},
    {"port_guid", IB_NODE_PORT_GUID_F},
    {"partition_cap", IB_NODE_PARTITION_CAP_F},
    {"device_id", IB_NODE_DEVID_F},
    {"revision", IB_NODE_REVISION_F},
    {"local_port", IB_NODE_LOCAL_PORT_F},
    {"vendor_id", IB_NODE_VENDORID_F},
};

inline const OracleFields switch_info_fields = {
    {"linear_fdb_cap", IB_SW_LINEAR_FDB_CAP_F},
    {"random_fdb_cap", IB_SW_RANDOM_FDB_CAP_F},
    {"multicast_fdb_cap", IB_SW_MCAST_FDB_CAP_F},
    {"linear_fdb_top", IB_SW_LINEAR_FDB_TOP_F},
    {"default_port", IB_SW_DEF_PORT_F},
    {"default_multicast_primary_port", IB_SW_DEF_MCAST_PRIM_F},
    {"default_multicast_not_primary_port", IB_SW_DEF_MCAST_NOT_PRIM_F},
    {"life_time", IB_SW_LIFE_TIME_F},
    {"port_state_change", IB_SW_STATE_CHANGE_F},
    {"optimized_sl_to_vl_mapping", IB_SW_OPT_SLTOVL_MAPPING_F},
    {"lids_per_port", IB_SW_LIDS_PER_PORT_F},
    {"partition_enforcement_cap", IB_SW_PARTITION_ENFORCE_CAP_F},
    {"inbound_enforcement_cap", IB_SW_PARTITION_ENF_INB_F},
    {"outbound_enforcement_cap", IB_SW_PARTITION_ENF_OUTB_F},
    {"filter_raw_inbound_cap", IB_SW_FILTER_RAW_INB_F},
    {"filter_raw_outbound_cap", IB_SW_FILTER_RAW_OUTB_F},
    {"enhanced_port0", IB_SW_ENHANCED_PORT0_F},
    {"multicast_fdb_top", IB_SW_MCAST_FDB_TOP_F},
};

inline const OracleFields mellanox_ext_fields = {
    {"state_change_enable", IB_MLNX_EXT_PORT_STATE_CHG_ENABLE_F},
    {"link_speed_supported", IB_MLNX_EXT_PORT_LINK_SPEED_SUPPORTED_F},
    {"link_speed_enabled", IB_MLNX_EXT_PORT_LINK_SPEED_ENABLED_F},
    {"link_speed_active", IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F},
};

inline const OracleFields sm_info_fields = {
    {"guid", IB_SMINFO_GUID_F},     {"sm_key", IB_SMINFO_KEY_F},       {"activity", IB_SMINFO_ACT_F},
    {"priority", IB_SMINFO_PRIO_F}, {"state_code", IB_SMINFO_STATE_F},
};

// libibmad has no fields for the rest of a PathRecord; those are checked against literal octets.
inline const OracleFields path_record_fields = {
    {"dgid", IB_SA_PR_DGID_F}, {"sgid", IB_SA_PR_SGID_F},       {"dlid", IB_SA_PR_DLID_F},
    {"slid", IB_SA_PR_SLID_F}, {"numb_path", IB_SA_PR_NPATH_F}, {"sl", IB_SA_PR_SL_F},
};

inline const OracleFields mc_member_fields = {
    {"mgid", IB_SA_MCM_MGID_F},
    {"port_gid", IB_SA_MCM_PORTGID_F},
    {"qkey", IB_SA_MCM_QKEY_F},
    {"mlid", IB_SA_MCM_MLID_F},
    {"mtu_code", IB_SA_MCM_MTU_F},
    {"traffic_class", IB_SA_MCM_TCLASS_F},
    {"pkey", IB_SA_MCM_PKEY_F},
    {"rate_code", IB_SA_MCM_RATE_F},
    {"sl", IB_SA_MCM_SL_F},
    {"flow_label", IB_SA_MCM_FLOW_LABEL_F},
    {"join_state", IB_SA_MCM_JOIN_STATE_F},
    {"proxy_join", IB_SA_MCM_PROXY_JOIN_F},
};

inline const OracleFields class_port_info_fields = {
    {"base_version", IB_CPI_BASEVER_F},
    {"class_version", IB_CPI_CLASSVER_F},
    {"cap_mask", IB_CPI_CAPMASK_F},
    {"cap_mask2", IB_CPI_CAPMASK2_F},
    {"resp_time_value", IB_CPI_RESP_TIME_VALUE_F},
    {"redirect_gid", IB_CPI_REDIRECT_GID_F},
    {"redirect_traffic_class", IB_CPI_REDIRECT_TC_F},
    {"redirect_sl", IB_CPI_REDIRECT_SL_F},
    {"redirect_flow_label", IB_CPI_REDIRECT_FL_F},
    {"redirect_lid", IB_CPI_REDIRECT_LID_F},
    {"redirect_pkey", IB_CPI_REDIRECT_PKEY_F},
    {"redirect_qp", IB_CPI_REDIRECT_QP_F},
    {"redirect_qkey", IB_CPI_REDIRECT_QKEY_F},
    {"trap_gid", IB_CPI_TRAP_GID_F},
    {"trap_traffic_class", IB_CPI_TRAP_TC_F},
    {"trap_sl", IB_CPI_TRAP_SL_F},
    {"trap_flow_label", IB_CPI_TRAP_FL_F},
    {"trap_lid", IB_CPI_TRAP_LID_F},
    {"trap_pkey", IB_CPI_TRAP_PKEY_F},
    {"trap_hop_limit", IB_CPI_TRAP_HL_F},
    {"trap_qp", IB_CPI_TRAP_QP_F},
    {"trap_qkey", IB_CPI_TRAP_QKEY_F},
};

inline const OracleFields port_counters_fields = {
    {"port_select", IB_PC_PORT_SELECT_F},
    {"counter_select", IB_PC_COUNTER_SELECT_F},
    {"symbol_error", IB_PC_ERR_SYM_F},
    {"link_error_recovery", IB_PC_LINK_RECOVERS_F},
    {"link_downed", IB_PC_LINK_DOWNED_F},
    {"port_rcv_errors", IB_PC_ERR_RCV_F},
    {"port_rcv_remote_physical_errors", IB_PC_ERR_PHYSRCV_F},
    {"port_rcv_switch_relay_errors", IB_PC_ERR_SWITCH_REL_F},
    {"port_xmit_discards", IB_PC_XMT_DISCARDS_F},
    {"port_xmit_constraint_errors", IB_PC_ERR_XMTCONSTR_F},
    {"port_rcv_constraint_errors", IB_PC_ERR_RCVCONSTR_F},
    {"counter_select2", IB_PC_COUNTER_SELECT2_F},
    {"local_link_integrity_errors", IB_PC_ERR_LOCALINTEG_F},
    {"excessive_buffer_overrun_errors", IB_PC_ERR_EXCESS_OVR_F},
    {"vl15_dropped", IB_PC_VL15_DROPPED_F},
    {"port_xmit_data", IB_PC_XMT_BYTES_F},
    {"port_rcv_data", IB_PC_RCV_BYTES_F},
    {"port_xmit_packets", IB_PC_XMT_PKTS_F},
    {"port_rcv_packets", IB_PC_RCV_PKTS_F},
    {"port_xmit_wait", IB_PC_XMT_WAIT_F},
};

inline const OracleFields port_counters_extended_fields = {
    {"port_select", IB_PC_EXT_PORT_SELECT_F},          {"counter_select", IB_PC_EXT_COUNTER_SELECT_F},
    {"port_xmit_data", IB_PC_EXT_XMT_BYTES_F},         {"port_rcv_data", IB_PC_EXT_RCV_BYTES_F},
    {"port_xmit_packets", IB_PC_EXT_XMT_PKTS_F},       {"port_rcv_packets", IB_PC_EXT_RCV_PKTS_F},
    {"unicast_xmit_packets", IB_PC_EXT_XMT_UPKTS_F},   {"unicast_rcv_packets", IB_PC_EXT_RCV_UPKTS_F},
    {"multicast_xmit_packets", IB_PC_EXT_XMT_MPKTS_F}, {"multicast_rcv_packets", IB_PC_EXT_RCV_MPKTS_F},
};

}  // namespace pve_rdma::test
