"""The team: five agents, one role each, thin shells around what decides elsewhere in this package."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from agentactors.agents.agent import Agent, capability
from agentactors.agents.context import Context
from agentactors.errors import UpstreamResultMissing
from agentactors.protocol.roles import Role
from agentactors.teams.dag import Plan, make_plan
from agentactors.teams.diagnosis.conclude import conclude
from agentactors.teams.diagnosis.knowledge import excerpt, load_knowledge
from agentactors.teams.diagnosis.model import Diagnosis, Findings, KnowledgeHit, Verdict
from agentactors.teams.diagnosis.scan import scan
from agentactors.teams.diagnosis.verify import verify
from agentactors.teams.tools import check_commands, disk_usage, os_info, python_env

Text = Annotated[str, Field(description="The task, in the words of its caller.")]
Log = Annotated[memoryview, Field(description="The build log, read in place.")]
Ecosystem = Annotated[str | None, Field(description="Build world, such as rpm or python, when known.")]
Distro = Annotated[str | None, Field(description="Distribution, when known.")]

KNOWLEDGE_SHOWN: Final = 5


class Upstream(BaseModel):
    """What one earlier step handed on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    message_id: str = Field(description="The answer that it came in.")
    value: Any = Field(description="The step's result.")


class Retrieval(BaseModel):
    """What the knowledge base has on a log."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hits: list[KnowledgeHit] = Field(description="Entries with source and score, best first.")
    lines_searched: int = Field(ge=0, description="Telling lines of the log that were searched with.")


class Summary(BaseModel):
    """The team's result, and what it was made of."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    diagnosis: Diagnosis = Field(description="Where it failed, why, and what to do.")
    consumed: list[str] = Field(description="message_id of every upstream result that went into it.")


class Planner(Agent):
    """Turns a task into a graph of steps for the others."""

    agent_id = "diagnosis.planner"
    agent_name = "规划者 Planner"
    role = Role.PLANNER
    tags = ("plan", "规划")
    not_capable = ("does not read logs", "不读日志")

    @capability("plan.create", idempotent=True, takes_query="task_text")
    async def create(
        self,
        task_text: Text,
        verify: Annotated[bool, Field(description="Whether a Verifier checks the result.")] = False,
        ecosystem: Ecosystem = None,
        distro: Distro = None,
    ) -> Plan:
        """Make the plan of a build diagnosis: which step needs which, and whose it is."""
        given = {"ecosystem": ecosystem, "distro": distro}
        return make_plan(task_text, verify=verify, inputs={name: value for name, value in given.items() if value})


class Retriever(Agent):
    """Finds what is known about failures like this one, in the local knowledge base."""

    agent_id = "diagnosis.retriever"
    agent_name = "检索者 Retriever"
    role = Role.RETRIEVER
    tags = ("search", "knowledge base", "检索", "知识库")
    not_capable = ("runs no tools", "不运行工具")

    def __init__(self) -> None:
        self._knowledge = load_knowledge()

    @capability("retrieve.search", idempotent=True, takes_query="task_text")
    def search(
        self,
        task_text: Text,
        log: Log | None = None,
        ecosystem: Ecosystem = None,
        distro: Distro = None,
    ) -> Retrieval:
        """Search the knowledge base with the telling lines of a log; without a log, with the text alone."""
        lines = excerpt(log) if log is not None else ""
        query = " ".join(part for part in (task_text if log is None else "", ecosystem, distro) if part)
        hits = self._knowledge.search(lines, query=query, limit=KNOWLEDGE_SHOWN)
        return Retrieval(hits=hits, lines_searched=len(lines.splitlines()))


class Executor(Agent):
    """Runs the allow-listed tools, and no others."""

    agent_id = "diagnosis.executor"
    agent_name = "执行者 Executor"
    role = Role.EXECUTOR
    tags = ("tools", "logs", "工具", "日志")
    not_capable = ("searches no knowledge base", "不检索知识库")

    @capability("tool.read_build_log", idempotent=True)
    def read_build_log(
        self,
        ctx: Context,
        task_text: Text,
        log: Log,
        ecosystem: Ecosystem = None,
        distro: Distro = None,
    ) -> Findings:
        """Read a build log and report every place that may be the cause of its failure."""
        del task_text  # the same for every log; the log is what counts
        ctx.progress("reading the log", step=1, steps=2)
        begun = time.monotonic()
        findings = scan(log, ecosystem=ecosystem, distro=distro)
        ctx.progress(f"read {findings.line_count:,} lines in {time.monotonic() - begun:.1f} s", step=2, steps=2)
        return findings

    @capability("tool.os_info", idempotent=True)
    def os_info(self) -> dict[str, Any]:
        """Tell operating system, kernel and machine."""
        return os_info()

    @capability("tool.python_env", idempotent=True)
    def python_env(self) -> dict[str, Any]:
        """Tell the Python environment."""
        return python_env()

    @capability("tool.disk_usage", idempotent=True)
    def disk_usage(self) -> dict[str, Any]:
        """Tell how full the disks are."""
        return disk_usage()

    @capability("tool.check_commands", idempotent=True)
    def check_commands(self) -> dict[str, Any]:
        """Tell which build tools are installed, and their versions."""
        return check_commands()


class Summarizer(Agent):
    """Makes one diagnosis of what the others found."""

    agent_id = "diagnosis.summarizer"
    agent_name = "总结者 Summarizer"
    role = Role.SUMMARIZER
    tags = ("summary", "report", "总结", "报告")
    not_capable = ("neither searches nor runs tools", "不检索、不运行工具")

    @capability("summary.create", idempotent=True)
    async def create(
        self,
        task_text: Text,
        upstream: Annotated[dict[str, Upstream], Field(description="Results of earlier steps, by step id.")],
    ) -> Summary:
        """Bring findings and knowledge together into one diagnosis.

        Raises:
            UpstreamResultMissing: The result of retrieval or of the log reading is not there.
        """
        del task_text
        missing = [step for step in ("retrieve", "read_build_log") if step not in upstream]
        if missing:
            raise UpstreamResultMissing(
                f"The summary needs the result of {' and '.join(missing)}.", {"missing": missing}
            )
        retrieval = Retrieval.model_validate(upstream["retrieve"].value)
        findings = Findings.model_validate(upstream["read_build_log"].value)
        diagnosis = conclude(findings, retrieval.hits)
        consumed = [upstream["retrieve"].message_id, upstream["read_build_log"].message_id]
        return Summary(diagnosis=diagnosis, consumed=consumed)


class Verifier(Agent):
    """Checks a diagnosis against the log itself."""

    agent_id = "diagnosis.verifier"
    agent_name = "核查者 Verifier"
    role = Role.VERIFIER
    tags = ("quality", "check", "核查")
    not_capable = ("neither retrieves nor summarises", "不代替检索与总结")

    @capability("verify.check", idempotent=True)
    def check(
        self,
        task_text: Text,
        log: Log,
        upstream: Annotated[dict[str, Upstream], Field(description="Results of earlier steps, by step id.")],
        ecosystem: Ecosystem = None,
        distro: Distro = None,
    ) -> Verdict:
        """Check that evidence, culprit and labels of a diagnosis hold in the log.

        Raises:
            UpstreamResultMissing: The summary, or the log reading, is not there.
        """
        del task_text, ecosystem, distro
        missing = [step for step in ("summarize", "read_build_log") if step not in upstream]
        if missing:
            raise UpstreamResultMissing(f"The check needs the result of {' and '.join(missing)}.", {"missing": missing})
        summary = Summary.model_validate(upstream["summarize"].value)
        findings = Findings.model_validate(upstream["read_build_log"].value)
        return verify(summary.diagnosis, findings, log)


CORE_TEAM: Final[tuple[type[Agent], ...]] = (Planner, Retriever, Executor, Summarizer)
