# Copyright (c) The pve-rdma authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Written by ansible/generate from `pve-rdma schema`; change the backend's table, not this file.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from ansible_collections.pve.rdma.plugins.plugin_utils.backend import BackendAction


class ActionModule(BackendAction):
    module = 'ofed_check'
    options = {
        'bundle': {
            'type': 'list',
            'elements': 'str',
        },
        'packages': {
            'type': 'list',
            'elements': 'str',
        },
        'installer_flags': {
            'type': 'list',
            'elements': 'str',
        },
        'files': {
            'type': 'bool',
        },
        'explain': {
            'type': 'str',
            'choices': ['OFED-01', 'OFED-02', 'OFED-03', 'OFED-04', 'OFED-05', 'OFED-06', 'OFED-07', 'OFED-08', 'OFED-09', 'OFED-10', 'OFED-11', 'OFED-12', 'OFED-13', 'OFED-14', 'OFED-15', 'OFED-16', 'OFED-17', 'OFED-18', 'OFED-19', 'OFED-20', 'OFED-21', 'OFED-22', 'OFED-23', 'OFED-24', 'OFED-25', 'OFED-26'],
        },
    }
