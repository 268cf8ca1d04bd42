"""One valid message of each type, the same in every test of this folder."""

from __future__ import annotations

from agentactors.errors import UnknownAction
from agentactors.protocol import bodies
from agentactors.protocol.bodies import Header
from agentactors.protocol.envelope import Envelope, MessageType
from agentactors.protocol.lifecycle import TaskState
from agentactors.protocol.roles import Role

NOW = 1_700_000_000.25


def header(message_id: str = "msg-1") -> Header:
    return Header(
        message_id=message_id,
        task_id="req-7",
        session_id="session-3",
        trace_id="4bf92f3577b34da6a3ce929d0e0e4736",
        sender="runner",
        receiver="executor-1",
        timestamp=NOW,
        deadline=NOW + 60,
        tenant="acme",
        role="operator",
    )


def request(message_id: str = "msg-1") -> Envelope:
    return bodies.action_request("tool.read_build_log", {"log": "错误: 找不到 zlib.h"}, **header(message_id))


def one_of_each() -> dict[MessageType, Envelope]:
    asked = request("msg-0")
    fault = UnknownAction("No such action.", {"nearest": ["tool.os_info"]})
    messages = (
        bodies.hello(Role.EXECUTOR, **header()),
        bodies.capability_register({"agent_id": "executor-1", "role": "executor"}, **header()),
        bodies.capability_query("tool.read_build_log", **header()),
        bodies.task_request("Why did zlib fail to build?", **header()),
        bodies.task_accept(asked, timestamp=NOW + 1, message_id="msg-2"),
        request(),
        bodies.action_result(asked, result={"lines": [1, 2.5, None]}, timestamp=NOW + 1, message_id="msg-2"),
        bodies.cancel(asked, "The caller left.", timestamp=NOW + 1, message_id="msg-2"),
        bodies.error(asked, fault, timestamp=NOW + 1, message_id="msg-2"),
        bodies.status(asked, TaskState.RUNNING, timestamp=NOW + 1, message_id="msg-2"),
    )
    return {message.message_type: message for message in messages}
