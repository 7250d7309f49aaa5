# Copyright (c) The pve-rdma authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What every action plugin of this collection does: check the options, run the backend on the node, read its reply."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json
import shlex

from ansible.errors import AnsibleActionFail, AnsibleError
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.plugins.action import ActionBase

COLLECTION = "pve.rdma"
INSTALLED = "/usr/libexec/pve-rdma/pve-rdma-ansible"

# Options of this face, not of the backend. ansible/generate documents them.
COMMON_OPTIONS = {"backend": {"type": "str", "choices": ["auto", "installed", "transfer"], "default": "auto"}}

# What a shell answers when the program is not there, or is there and cannot be run.
NOT_FOUND = (126, 127)


def parse_reply(output):
    """The object in the output of a backend; lines before it are a login's, not ours. None when there is none."""
    start = output.find("{")
    if start < 0:
        return None
    try:
        reply = json.JSONDecoder().raw_decode(output[start:])[0]
    except ValueError:
        return None
    return reply if isinstance(reply, dict) else None


class BackendAction(ActionBase):
    """Base of the generated action plugins, which set `module` and `options`."""

    _supports_check_mode = True
    _supports_async = False
    TRANSFERS_FILES = False

    module = None
    options = {}

    def run(self, tmp=None, task_vars=None):
        result = super(BackendAction, self).run(tmp, task_vars)
        task_vars = task_vars or {}
        given = self._checked_options()
        backend = given.pop("backend")
        reply = None
        if backend != "transfer":
            reply = self._run_installed(given, task_vars, required=backend == "installed")
        if reply is None:
            reply = self._run_transferred(given, task_vars)
        result.update(reply)
        result["invocation"] = {"module_args": dict(given, backend=backend)}
        return result

    def _checked_options(self):
        validation = ArgumentSpecValidator(dict(self.options, **COMMON_OPTIONS)).validate(self._task.args)
        if validation.error_messages:
            raise AnsibleActionFail("%s.%s: %s" % (COLLECTION, self.module, "; ".join(validation.error_messages)))
        return dict((name, value) for name, value in validation.validated_parameters.items() if value is not None)

    def _run_installed(self, given, task_vars, required):
        """The reply of the backend on the node, or None when there is none and none is required."""
        path = task_vars.get("pve_rdma_backend_path", INSTALLED)
        request = dict(
            given,
            _pve_rdma_module=self.module,
            _ansible_module_name="%s.%s" % (COLLECTION, self.module),
            _ansible_check_mode=bool(self._task.check_mode),
            _ansible_diff=bool(self._task.diff),
        )
        command = " ".join((self._compute_environment_string(), shlex.quote(path), "-")).strip()
        ran = self._low_level_execute_command(command, in_data=json.dumps(request).encode("utf-8"))
        reply = parse_reply(ran.get("stdout", ""))
        if reply is not None:
            reply["backend"] = {"transferred": False, "path": path}
            return reply
        if ran.get("rc") in NOT_FOUND:
            if not required:
                return None
            raise AnsibleActionFail(
                "the backend %s cannot be run on the node; it comes with the Debian package pve-rdma" % path,
                result={"rc": ran.get("rc"), "module_stderr": ran.get("stderr", "")},
            )
        raise AnsibleActionFail(
            "the backend %s did not answer with a JSON object" % path,
            result={
                "rc": ran.get("rc"),
                "module_stdout": ran.get("stdout", ""),
                "module_stderr": ran.get("stderr", ""),
            },
        )

    def _run_transferred(self, given, task_vars):
        architecture = self._architecture(task_vars)
        name = "%s.rdma_backend_%s" % (COLLECTION, architecture)
        try:
            reply = self._execute_module(
                module_name=name,
                module_args=dict(given, _pve_rdma_module=self.module),
                task_vars=task_vars,
            )
        except AnsibleError as error:
            raise AnsibleActionFail(
                "no backend for %s: it is not installed on the node (Debian package pve-rdma), and sending it failed: %s"
                % (architecture, error)
            )
        if "operation" in reply:
            reply.setdefault("warnings", [])  # _execute_module drops an empty list
        reply["backend"] = {"transferred": True, "path": name}
        return reply

    def _architecture(self, task_vars):
        known = task_vars.get("ansible_architecture") or task_vars.get("ansible_facts", {}).get("architecture")
        if known:
            return known
        ran = self._low_level_execute_command("uname -m")
        lines = ran.get("stdout", "").split()
        if ran.get("rc") != 0 or not lines:
            raise AnsibleActionFail("cannot ask the node for its architecture", result={"rc": ran.get("rc")})
        return lines[-1]
