"""What an agent says about itself: the declaration that a replica registers."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from agentactors.protocol.ids import AGENT_ID
from agentactors.protocol.roles import Role

JsonSchema = dict[str, Any]

_FROZEN = ConfigDict(frozen=True, extra="forbid")


class Visibility(BaseModel):
    """Who may see an agent and who may call it.

    An entry is ``*`` (everybody), ``tenant`` or ``tenant:role``. None means: the owner's tenant only. Who
    may call an agent may also see it.
    """

    model_config = _FROZEN

    see: tuple[str, ...] | None = Field(default=None, description="Who may see the agent; null: its own tenant.")
    call: tuple[str, ...] | None = Field(default=None, description="Who may call it; null: who may see it.")


class CapabilityDeclaration(BaseModel):
    """One thing an agent can do: a task that can be done and judged by itself."""

    model_config = _FROZEN

    capability_id: str = Field(min_length=1, max_length=200, description="domain.action, such as poetry.create.")
    description: str = Field(default="", description="What it does, so that a person who never saw it understands.")
    input_schema: JsonSchema = Field(default_factory=dict, description="JSON Schema of the parameters (an object).")
    output_schema: JsonSchema = Field(default_factory=dict, description="JSON Schema of the result.")
    takes_query: str | None = Field(default=None, description="The parameter that gets the caller's sentence.")
    idempotent: bool = Field(default=False, description="Doing it twice does no more than doing it once.")
    streaming: bool = Field(default=False, description="Yields items before its end.")


class Declaration(BaseModel):
    """An agent's declaration in its one registered form; :mod:`.declare` reads the other forms."""

    model_config = _FROZEN

    agent_id: Annotated[str, Field(pattern=f"^{AGENT_ID.pattern}$", description="Unique within the system.")]
    agent_name: str = Field(default="", description="For people.")
    version: str = Field(default="1.0.0", pattern=r"^\d+(\.\d+){0,2}$", description="Version of the agent.")
    description: str = Field(default="", description="What the agent is for.")
    capabilities: tuple[CapabilityDeclaration, ...] = Field(min_length=1, description="What it can do.")
    tags: tuple[str, ...] = Field(default=(), description="Words that help to find it.")
    priority: int = Field(default=10, ge=0, le=1000, description="Higher is preferred.")
    not_capable: tuple[str, ...] = Field(default=(), description="What it does not do, in words.")
    role: Role | None = Field(default=None, description="Its role in a team, if any.")
    visibility: Visibility = Field(default=Visibility(), description="Who may see and call it.")
    substitutes: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="Capability id to the capabilities that may stand in for it."
    )
    base_url: str | None = Field(default=None, description="Where an external agent serves.")
    health_check_url: str | None = Field(default=None, description="Path or URL that tells its health.")
    cost_hint: float | None = Field(default=None, ge=0, description="Relative cost of one call.")
    urgency_hint: str | None = Field(default=None, description="What urgency it suits.")
    heartbeat_interval_s: float | None = Field(default=None, gt=0, description="How often it will send a heartbeat.")

    def capability(self, capability_id: str) -> CapabilityDeclaration | None:
        """Return the capability of that id, or None."""
        return next((c for c in self.capabilities if c.capability_id == capability_id), None)

    @property
    def capability_ids(self) -> tuple[str, ...]:
        """The ids of all capabilities, in declared order."""
        return tuple(c.capability_id for c in self.capabilities)
