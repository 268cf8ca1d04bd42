"""The table under any order of calls: the rules that must hold whatever happens."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from agentactors.config import Settings
from agentactors.errors import RegistrationRefused, StaleIncarnation
from agentactors.feed.follower import Follower
from agentactors.protocol.declare import parse_declaration
from agentactors.registry.row import Key, ReplicaRow
from agentactors.registry.status import AgentStatus
from agentactors.registry.table import RegistryTable

AGENTS = st.sampled_from(["a", "b"])
REPLICAS = st.sampled_from(["0", "1"])
PROCESSES = st.sampled_from(["p", "q", "r"])
OWNERS = st.sampled_from(["t", "u"])
DECLARED = {name: parse_declaration({"agent_id": name, "capabilities": ["x.y"]}) for name in ("a", "b")}


class TableMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.settings = Settings()
        self.now = 0.0
        self.writer = 1
        self.table = RegistryTable(settings=self.settings, incarnation=1)
        self.follower: Follower[ReplicaRow] = Follower()
        self.follower.apply(self.table.snapshot())
        self.stored: dict[Key, ReplicaRow] = {}
        self.counters: dict[Key, int] = {}
        self.highest: dict[Key, int] = {}

    @rule(agent=AGENTS, replica=REPLICAS, process=PROCESSES, owner=OWNERS, known=st.integers(0, 4))
    def register(self, agent: str, replica: str, process: str, owner: str, known: int) -> None:
        key = (agent, replica)
        row = self.table.row(agent, replica)
        last = self.highest.get(key, 0)
        try:
            answer = self.table.register(
                DECLARED[agent],
                owner=owner,
                replica_id=replica,
                instance_id=process,
                known_incarnation=known,
                now=self.now,
            )
        except RegistrationRefused:
            assert any(other.owner != owner for other in self.table.rows() if other.agent_id == agent)
            return
        except StaleIncarnation:
            assert known < last
            return
        same = row is not None and row.instance_id == process
        assert answer.incarnation == last if same else answer.incarnation > last
        self.highest[key] = answer.incarnation

    @rule(agent=AGENTS, replica=REPLICAS, back=st.integers(0, 2), degraded=st.booleans())
    def heartbeat(self, agent: str, replica: str, back: int, degraded: bool) -> None:
        current = self.highest.get((agent, replica), 0)
        before = self.table.position
        try:
            answer = self.table.heartbeat(agent, replica, incarnation=current - back, degraded=degraded, now=self.now)
        except StaleIncarnation:
            assert back > 0
            return
        row = self.table.row(agent, replica)
        assert answer.known == (row is not None)
        if row is not None:
            assert row.status is (AgentStatus.DEGRADED if degraded else AgentStatus.ACTIVE)
        assert self.table.position.epoch - before.epoch <= 1

    @rule(agent=AGENTS, replica=st.none() | REPLICAS)
    def mark_down(self, agent: str, replica: str | None) -> None:
        self.table.mark_down(agent, replica, cause="x", now=self.now)

    @rule(agent=AGENTS, replica=st.none() | REPLICAS, owner=OWNERS)
    def deregister(self, agent: str, replica: str | None, owner: str) -> None:
        self.table.deregister(agent, replica, owner=owner)

    @rule(seconds=st.floats(0, 20))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def sweep(self) -> None:
        self.table.sweep(self.now)
        assert self.table.sweep(self.now) == 0

    @rule()
    def follow(self) -> None:
        update = self.table.since(self.follower.position) or self.table.snapshot()
        assert self.follower.apply(update)
        assert self.follower.position == self.table.position
        assert {key: row.status for key, row in self.follower.rows.items()} == {
            row.key: row.status for row in self.table.rows()
        }

    @rule()
    def store_and_restart(self) -> None:
        rows, dropped, epoch = self.table.take_dirty()
        for row in rows:
            self.stored[row.key] = row
            self.counters[row.key] = row.incarnation
        for key, last in dropped.items():
            self.stored.pop(key, None)
            self.counters[key] = last
        self.writer += 1
        self.table = RegistryTable(
            settings=self.settings,
            incarnation=self.writer,
            epoch=epoch,
            rows=self.stored.values(),
            counters=self.counters,
            recovered_at=self.now,
        )

    @invariant()
    def nobody_silent_is_active(self) -> None:
        for row in self.table.list_active(self.now):
            assert self.now - row.last_heartbeat < self.settings.offline_after_s

    @invariant()
    def one_owner_per_agent(self) -> None:
        for agent in DECLARED:
            assert len({row.owner for row in self.table.rows() if row.agent_id == agent}) <= 1


TestTable = TableMachine.TestCase
TestTable.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
