"""How a diagnosis looks in a terminal: the steps while they run, then the report."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Final, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from agentactors.protocol.lifecycle import TaskState
from agentactors.protocol.roles import Role
from agentactors.teams.diagnosis.driver import Outcome
from agentactors.teams.diagnosis.model import Diagnosis

_ROLE_STYLE: Final = {
    Role.PLANNER: "cyan",
    Role.RETRIEVER: "green",
    Role.EXECUTOR: "yellow",
    Role.SUMMARIZER: "magenta",
    Role.VERIFIER: "blue",
}
_MARK: Final = {"done": "✔", "begins": "…"}
_BAR: Final = 20
_SHOWN_IN_MB: Final = 100_000


class StepBoard:
    """Shows each step of the team as it begins, makes progress and ends, on standard error."""

    def __init__(self, name: str, size_bytes: int, *, quiet: bool) -> None:
        size = f"{size_bytes / 1e6:.1f} MB" if size_bytes > _SHOWN_IN_MB else f"{size_bytes:,} bytes"
        self._title = f"{name} ({size})"
        self._note = ""
        self._steps: dict[str, tuple[Role, str, float]] = {}
        self._begun = time.monotonic()
        console = Console(stderr=True)
        self._live = None if quiet or not console.is_terminal else Live(console=console, get_renderable=self._render)

    def __enter__(self) -> Self:
        """Begin to show."""
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop showing."""
        if self._live is not None:
            self._live.stop()

    def note(self, text: str) -> None:
        """Say what goes on beside the steps."""
        self._note = text

    def step(self, step_id: str, role: Role, event: str) -> None:
        """Note what a step has done."""
        begun = self._steps[step_id][2] if step_id in self._steps else time.monotonic()
        self._steps[step_id] = (role, event, begun)

    def _render(self) -> RenderableType:
        table = Table.grid(padding=(0, 2))
        for step_id, (role, event, _) in self._steps.items():
            mark = _MARK.get(event, "·")
            table.add_row(mark, Text(role.capitalize(), style=_ROLE_STYLE[role]), step_id, Text(event, style="dim"))
        head = Spinner("dots", Text(f" {self._title}  {self._note}  {time.monotonic() - self._begun:.0f} s"))
        return Group(head, Padding(table, (0, 2)))


def show_outcome(console: Console, name: str, size_bytes: int, outcome: Outcome) -> None:
    """Print the report of one log."""
    console.print(Rule(Text(name, style="bold")))
    if outcome.diagnosis is None:
        fault = outcome.error
        console.print(Text(f"No diagnosis: {fault.message if fault else 'the team gave none'}", style="red"))
    else:
        _show_diagnosis(console, outcome.diagnosis)
    if outcome.verdict is not None:
        _show_verdict(console, outcome)
    _show_team(console, size_bytes, outcome)


def _show_diagnosis(console: Console, diagnosis: Diagnosis) -> None:
    facts = Table.grid(padding=(0, 2))
    filled = round(diagnosis.confidence * _BAR)
    facts.add_row("stage", Text(diagnosis.stage, style="bold"))
    facts.add_row("cause", Text(diagnosis.category, style="bold red"))
    facts.add_row("culprit", Text(_printable(diagnosis.culprit), style="bold yellow"))
    facts.add_row("confidence", Text(f"{'█' * filled}{'░' * (_BAR - filled)} {diagnosis.confidence:.0%}"))
    console.print(Panel(Group(Text(_printable(diagnosis.summary)), Text(), facts), title="Diagnosis", expand=False))
    evidence = Table.grid(padding=(0, 1))
    for line in diagnosis.evidence:
        evidence.add_row(
            Text(f"{line.line_number:>8}", style="dim"), Text(_printable(line.text.strip()), overflow="fold")
        )
    console.print(Text("Evidence", style="bold"))
    console.print(evidence)
    console.print(Text("\nFix", style="bold"))
    console.print(Padding(Text(_printable(diagnosis.fix)), (0, 2)))
    if diagnosis.knowledge:
        console.print(Text("\nKnown cases", style="bold"))
        known = Table.grid(padding=(0, 2))
        for hit in diagnosis.knowledge[:3]:
            known.add_row(f"  {hit.id}", f"{hit.score:.2f}", Text(f"{hit.title} / {hit.title_zh}"))
        console.print(known)
    if diagnosis.alternatives:
        console.print(Text("\nAlso possible", style="bold"))
        for one in diagnosis.alternatives[:3]:
            text = f"  {one.confidence:>4.0%}  {one.category} in {one.stage}: {_printable(one.culprit)}"
            console.print(Text(text, style="dim", overflow="ellipsis", no_wrap=True))


def _show_verdict(console: Console, outcome: Outcome) -> None:
    assert outcome.verdict is not None
    failed = [check for check in outcome.verdict.checks if not check.ok]
    if failed:
        console.print(Text("\nThe Verifier doubts it", style="bold red"))
        for check in failed:
            console.print(Text(f"  {check.name}: {check.note}"))
    else:
        console.print(Text(f"\nVerified: all {len(outcome.verdict.checks)} checks hold.", style="green"))


def _show_team(console: Console, size_bytes: int, outcome: Outcome) -> None:
    console.print(Text("\nWho did it", style="bold"))
    table = Table.grid(padding=(0, 2))
    by_capability = {record.capability: record for record in outcome.records if record.capability}
    for record in by_capability.values():
        role = record.receiver_role
        taken = f"{(record.ended - record.started) * 1000:,.0f} ms"
        style = _ROLE_STYLE[role] if role else ""
        name = Text(f"  {role.capitalize() if role else record.receiver}", style=style)
        table.add_row(name, record.capability, Text(taken, justify="right"), Text("" if record.ok else "failed", "red"))
    console.print(table)
    valid = outcome.audit.multi_agent_collaboration_valid
    ended = "" if outcome.state is TaskState.SUCCEEDED else f", {outcome.state.lower()}"
    console.print(Text(f"  {outcome.audit.call_chain}", style="dim"))
    console.print(
        Text(
            f"  {len(outcome.records)} messages, {size_bytes:,} bytes of log handed over once, {outcome.seconds:.2f} s, "
            f"collaboration {'valid' if valid else 'NOT valid'}{ended}, {outcome.request_id}",
            style="dim" if valid else "red",
        )
    )
    for problem in outcome.audit.problems:
        console.print(Text(f"  {problem}", style="red"))


def _printable(text: str) -> str:
    """A log must not paint the reader's terminal."""
    return "".join(sign if sign == "\t" or sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
