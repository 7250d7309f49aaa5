# Copyright (c) The pve-rdma authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Written by ansible/generate from `pve-rdma schema`; change the backend's table, not this file.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from ansible_collections.pve.rdma.plugins.plugin_utils.backend import BackendAction


class ActionModule(BackendAction):
    module = 'ofed_status'
    options = {}
