# Copyright (c) The pve-rdma authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Written by ansible/generate from `pve-rdma schema`; change the backend's table, not this file.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from ansible_collections.pve.rdma.plugins.plugin_utils.backend import BackendAction


class ActionModule(BackendAction):
    module = 'diagnose'
    options = {
        'explain': {
            'type': 'str',
            'choices': ['MOD-01', 'MOD-02', 'MOD-03', 'MOD-04', 'MOD-05', 'MOD-06', 'DRV-01', 'DRV-02', 'DRV-03', 'PHY-01', 'PHY-02', 'PHY-03', 'PHY-04', 'PHY-05', 'PHY-06', 'PHY-07', 'PHY-08', 'PHY-09', 'PHY-10', 'PROTO-01', 'PROTO-02', 'PROTO-03', 'SM-01', 'SM-02', 'SM-03', 'SM-04', 'SM-05', 'SM-06', 'SM-07', 'SM-08', 'SM-09', 'SM-10', 'SM-11', 'SM-12', 'GUID-01', 'GUID-02', 'GUID-03', 'GUID-04', 'LID-01', 'LID-02', 'MTU-01', 'MTU-02', 'MTU-03', 'MTU-04', 'MTU-05', 'MTU-06', 'MTU-07', 'MTU-08', 'MTU-09', 'MTU-10', 'MTU-11', 'IPOIB-01', 'IPOIB-02', 'IPOIB-03', 'IPOIB-04', 'IPOIB-05', 'IPOIB-06', 'IPOIB-07', 'IPOIB-08', 'IPOIB-09', 'PCI-01', 'PCI-02', 'PCI-03', 'ETH-01', 'ETH-02', 'ETH-03', 'ETH-04', 'ETH-05', 'ETH-06', 'ROCE-01', 'ROCE-02', 'ROCE-03', 'FW-01', 'FW-02', 'FW-03', 'FW-04', 'SRIOV-01', 'SRIOV-02', 'ROUTE-01', 'ROUTE-02', 'ROUTE-03', 'ROUTE-04', 'ROUTE-05', 'ROUTE-06', 'IFC-01', 'IFC-02', 'IFC-03', 'IFC-04', 'IFC-05', 'IFC-06', 'IFC-07', 'IFC-08', 'IFC-09', 'IFC-10', 'IFC-11', 'IFC-12', 'IFC-13', 'IFC-14', 'IFC-15', 'IFC-16', 'IFC-17', 'SYS-01', 'SYS-02', 'SYS-03', 'SYS-04', 'CLUSTER-01', 'CLUSTER-02', 'CLUSTER-03', 'CLUSTER-04', 'CLUSTER-05', 'CLUSTER-06', 'CLUSTER-07', 'CLUSTER-08', 'CLUSTER-09', 'CLUSTER-10'],
        },
        'severity': {
            'type': 'str',
            'choices': ['info', 'warning', 'error'],
        },
        'rule': {
            'type': 'list',
            'elements': 'str',
            'choices': ['MOD-01', 'MOD-02', 'MOD-03', 'MOD-04', 'MOD-05', 'MOD-06', 'DRV-01', 'DRV-02', 'DRV-03', 'PHY-01', 'PHY-02', 'PHY-03', 'PHY-04', 'PHY-05', 'PHY-06', 'PHY-07', 'PHY-08', 'PHY-09', 'PHY-10', 'PROTO-01', 'PROTO-02', 'PROTO-03', 'SM-01', 'SM-02', 'SM-03', 'SM-04', 'SM-05', 'SM-06', 'SM-07', 'SM-08', 'SM-09', 'SM-10', 'SM-11', 'SM-12', 'GUID-01', 'GUID-02', 'GUID-03', 'GUID-04', 'LID-01', 'LID-02', 'MTU-01', 'MTU-02', 'MTU-03', 'MTU-04', 'MTU-05', 'MTU-06', 'MTU-07', 'MTU-08', 'MTU-09', 'MTU-10', 'MTU-11', 'IPOIB-01', 'IPOIB-02', 'IPOIB-03', 'IPOIB-04', 'IPOIB-05', 'IPOIB-06', 'IPOIB-07', 'IPOIB-08', 'IPOIB-09', 'PCI-01', 'PCI-02', 'PCI-03', 'ETH-01', 'ETH-02', 'ETH-03', 'ETH-04', 'ETH-05', 'ETH-06', 'ROCE-01', 'ROCE-02', 'ROCE-03', 'FW-01', 'FW-02', 'FW-03', 'FW-04', 'SRIOV-01', 'SRIOV-02', 'ROUTE-01', 'ROUTE-02', 'ROUTE-03', 'ROUTE-04', 'ROUTE-05', 'ROUTE-06', 'IFC-01', 'IFC-02', 'IFC-03', 'IFC-04', 'IFC-05', 'IFC-06', 'IFC-07', 'IFC-08', 'IFC-09', 'IFC-10', 'IFC-11', 'IFC-12', 'IFC-13', 'IFC-14', 'IFC-15', 'IFC-16', 'IFC-17', 'SYS-01', 'SYS-02', 'SYS-03', 'SYS-04', 'CLUSTER-01', 'CLUSTER-02', 'CLUSTER-03', 'CLUSTER-04', 'CLUSTER-05', 'CLUSTER-06', 'CLUSTER-07', 'CLUSTER-08', 'CLUSTER-09', 'CLUSTER-10'],
        },
        'no_fabric': {
            'type': 'bool',
        },
    }
