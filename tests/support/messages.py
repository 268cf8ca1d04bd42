"""Messages by hand: what a caller sends below resolution and validation."""

from __future__ import annotations

import time
from typing import Any

from agentactors.protocol.envelope import Body, Envelope, MessageType
from agentactors.protocol.ids import new_message_id


def action(capability: str, agent_id: str, parameters: dict[str, Any], **more: Any) -> Envelope:
    """Return a request as a caller sends it."""
    return Envelope(
        message_id=new_message_id(),
        task_id="req-by-hand",
        sender="test",
        receiver=agent_id,
        message_type=MessageType.ACTION_REQUEST,
        timestamp=time.time(),
        deadline=time.time() + 10,
        body=Body(action=capability, parameters=parameters),
        **more,
    )
