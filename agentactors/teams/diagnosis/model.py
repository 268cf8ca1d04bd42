"""What a diagnosis is made of: immutable values that cross agents as JSON."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EvidenceLine(_Value):
    """One line of the log, quoted exactly."""

    line_number: int = Field(ge=1, description="Line of the log, counted from 1.")
    text: str = Field(description="The line as it stands in the log, without its line end.")


class Finding(_Value):
    """One place of the log that one rule holds for a cause."""

    rule: str = Field(description="Name of the rule that matched.")
    stage: str = Field(description="Build stage in which it happened.")
    category: str = Field(description="Root-cause category.")
    culprit: str = Field(max_length=200, description="What is missing or wrong: a header, symbol, package, test ...")
    evidence: list[EvidenceLine] = Field(min_length=1, description="Deciding line first, then what explains it.")
    weight: float = Field(description="Rank among the findings; 0 to about 130, higher decides.")
    count: int = Field(default=1, ge=1, description="How many lines of this shape the log has.")


class SectionMark(_Value):
    """Where a part of the build begins."""

    line_number: int = Field(ge=1, description="Line that announces it.")
    stage: str = Field(description="Stage that begins there.")
    name: str = Field(description="Name in the log, such as %build or dh_auto_test.")


class Findings(_Value):
    """All that a scan of one log found."""

    findings: list[Finding] = Field(description="Best first; at most 60.")
    line_count: int = Field(ge=0, description="Lines in the log.")
    size_bytes: int = Field(ge=0, description="Bytes in the log.")
    sections: list[SectionMark] = Field(default_factory=list, description="Parts of the build, in log order.")
    failed_section: str = Field(default="", description="Part that the build tool names as failed, if it does.")
    failed_stage: str = Field(default="", description="Stage of that part, or the last stage reached.")
    package: str = Field(default="", description="Package being built, when the log says so.")
    distro: str = Field(default="", description="Distribution, as given or as the log hints.")
    ecosystem: str = Field(default="", description="Build world (rpm, deb, python ...), as given or recognised.")
    first_error: EvidenceLine | None = Field(default=None, description="First line that reports an error.")
    last_error: EvidenceLine | None = Field(default=None, description="Last line that reports an error.")
    tail: list[EvidenceLine] = Field(default_factory=list, description="Last lines that are not empty.")


class KnowledgeEntry(_Value):
    """One entry of the knowledge base."""

    id: str = Field(description="Stable id, such as KB-001.")
    category: str = Field(description="Root-cause category that it explains.")
    title: str = Field(description="What happens, in English.")
    title_zh: str = Field(default="", description="What happens, in Chinese.")
    symptoms: list[str] = Field(default_factory=list, description="Python regular expressions of telling lines.")
    cause: str = Field(description="Why it happens.")
    fix: str = Field(description="What solves it.")
    tags: list[str] = Field(default_factory=list, description="Tools and languages.")


class KnowledgeHit(_Value):
    """One entry that fits a log."""

    id: str = Field(description="Id of the entry.")
    title: str = Field(description="What happens, in English.")
    title_zh: str = Field(default="", description="What happens, in Chinese.")
    category: str = Field(description="Root-cause category that it explains.")
    score: float = Field(ge=0, description="Fit, unitless; higher is better, comparable within one search.")
    fix: str = Field(description="What solves it.")
    cause: str = Field(description="Why it happens.")
    source: str = Field(description="File of the knowledge base that it comes from.")


class Alternative(_Value):
    """Another cause that the log allows."""

    stage: str = Field(description="Build stage.")
    category: str = Field(description="Root-cause category.")
    culprit: str = Field(description="What is missing or wrong.")
    confidence: float = Field(ge=0, le=1, description="Share of belief, 0 to 1.")


class Diagnosis(_Value):
    """The answer: where it failed, why, and what to do."""

    stage: str = Field(description="Build stage that failed.")
    category: str = Field(description="Root-cause category.")
    culprit: str = Field(max_length=200, description="What is missing or wrong.")
    evidence: list[EvidenceLine] = Field(max_length=10, description="Deciding lines first.")
    fix: str = Field(description="What to do.")
    confidence: float = Field(ge=0, le=1, description="Belief that category and culprit are right, 0 to 1.")
    knowledge: list[KnowledgeHit] = Field(default_factory=list, description="Entries that back it, best first.")
    alternatives: list[Alternative] = Field(default_factory=list, description="Next best causes, best first.")
    summary: str = Field(description="The diagnosis in one or two sentences.")


class Check(_Value):
    """One check of a verdict."""

    name: str = Field(description="What was checked.")
    ok: bool = Field(description="Whether it holds.")
    note: str = Field(default="", description="What is wrong, or what was seen.")


class Verdict(_Value):
    """Whether a diagnosis is borne out by its log."""

    ok: bool = Field(description="True when every check holds.")
    checks: list[Check] = Field(description="The checks, in a fixed order.")
