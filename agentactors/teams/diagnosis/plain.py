"""An outcome as plain data: what ``--json`` prints and other programs read."""

from __future__ import annotations

from typing import Any

from agentactors.teams.audit import CallRecord
from agentactors.teams.dag import StepResult
from agentactors.teams.diagnosis.driver import Outcome


def outcome_to_plain(outcome: Outcome) -> dict[str, Any]:
    """Return everything that came of a task, as JSON types."""
    diagnosis = outcome.diagnosis.model_dump(mode="json") if outcome.diagnosis else None
    return {
        "request_id": outcome.request_id,
        "success": outcome.success,
        "state": outcome.state.value,
        "error": outcome.error.to_wire() if outcome.error else None,
        **(diagnosis or {}),
        "multi_agent_collaboration_valid": outcome.audit.multi_agent_collaboration_valid,
        "audit": {
            "problems": list(outcome.audit.problems),
            "call_chain": outcome.audit.call_chain,
            "messages_per_role": outcome.audit.messages_per_role,
        },
        "verdict": outcome.verdict.model_dump(mode="json") if outcome.verdict else None,
        "steps": [_step(step) for step in outcome.steps],
        "messages": [_record(record) for record in outcome.records],
        "fallbacks": [
            {"reason": one.reason, "tokens": one.tokens, "latency_ms": one.latency_ms, "ok": one.ok}
            for one in outcome.fallbacks
        ],
        "environment": dict(outcome.environment),
        "seconds": round(outcome.seconds, 3),
    }


def _step(step: StepResult) -> dict[str, Any]:
    return {
        "step_id": step.step_id,
        "state": step.state.value,
        "error": step.error.to_wire() if step.error else None,
        "history": [{"state": change.state.value, "at": change.at} for change in step.history],
    }


def _record(record: CallRecord) -> dict[str, Any]:
    return {
        "message_id": record.message_id,
        "message_type": record.message_type.value,
        "receiver": record.receiver,
        "role": record.receiver_role.value if record.receiver_role else None,
        "capability": record.capability,
        "ok": record.ok,
        "milliseconds": round((record.ended - record.started) * 1000, 2),
        "size_bytes": record.size_bytes,
        "consumed": list(record.consumed),
        "produced": list(record.produced),
    }
