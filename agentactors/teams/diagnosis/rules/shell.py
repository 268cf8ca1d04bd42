"""Shells: commands that are absent, syntax, unbound variables."""

from __future__ import annotations

from typing import Final

from agentactors.teams.diagnosis.rules.row import GOOD, STRONG, WEAK, Rule, rule

_SHELL: Final = (
    rule(
        "sh-command-not-found",
        "command not found|未找到命令|找不到命令|commande introuvable|kommando nicht gefunden|orden no encontrada|"
        "befehl nicht gefunden",
        r"(?:^|: |\s)([\w./+@-]{1,100}): ?(?:command not found|未找到命令|找不到命令|commande introuvable|(?:Kommando|"
        r"Befehl) nicht gefunden|orden no encontrada)",
        "toolchain_missing",
        "",
        GOOD + 8,
        soft=True,
    ),
    rule(
        "sh-not-found",
        "not found|未找到",
        r"(?:sh|dash|bash|ksh|ash|line|\d+): (?:line )?(?:\d+: )?(?:exec: )?([\w./+@-]{1,100}): (?:not found|未找到)$",
        "toolchain_missing",
        "",
        GOOD + 8,
        soft=True,
    ),
    rule(
        "make-command-missing",
        "make",
        r"^g?make(?:\[\d+\])?: ([\w./+@-]{1,100}): (?:No such file or directory|Command not found|没有那个文件或目录)",
        "toolchain_missing",
        "",
        STRONG,
    ),
    rule(
        "exec-not-found",
        "executable file not found|exec:|command not found",
        r"exec: \"?([\w./+@-]{1,100})\"?: (?:executable file not found|command not found|not found|"
        r"stat .{0,80}no such file)",
        "toolchain_missing",
        "",
        STRONG,
    ),
    rule("which-no", "which: no", r"which: no ([\w.+-]{1,60}) in \(", "toolchain_missing", "", WEAK, soft=True),
    rule(
        "missing-script",
        "is missing on your system|warning: '",
        r"WARNING: '([\w.+-]{1,60})' is (?:missing on your system|needed)",
        "toolchain_missing",
        "",
        STRONG - 2,
        noisy=True,
    ),
    rule(
        "ninja-missing",
        "unable to find a build program|cmake was unable",
        r"CMake was unable to find a build program corresponding to \"([^\"]{1,60})\"",
        "toolchain_missing",
        "configure",
        STRONG + 4,
    ),
    rule(
        "xargs-missing",
        "no such file",
        r"^(?:xargs|nohup|timeout|nice|time|sudo|strace|setsid|fakeroot|ccache|distcc|"
        r"libtool)[^:]{0,40}: (?:failed to run command |error: |exec: )?'?([\w./+-]{1,80})'?: (?:No such file|"
        r"command not found|not found)",
        "toolchain_missing",
        "",
        STRONG - 4,
    ),
    rule(
        "shell-syntax",
        "syntax error",
        r"(?:\bline \d+: |^[\w./+-]{1,200}: \d+: )[Ss]yntax error(?: near unexpected token|:)? ?(.{1,120})",
        "build_system_error",
        "",
        GOOD,
        soft=True,
        after=r"'([A-Z][A-Z0-9]*_[A-Z0-9_]{2,60})",
        span=2,
    ),
    rule(
        "shell-unbound",
        "unbound variable|bad substitution|parameter not set|未绑定的变量",
        r"(?:line \d+: |\d+: )([\w${}!#%:/-]{1,80}): (?:unbound variable|bad substitution|parameter not set|"
        r"未绑定的变量)",
        "build_system_error",
        "",
        GOOD,
    ),
)

RULES: Final[tuple[Rule, ...]] = _SHELL
