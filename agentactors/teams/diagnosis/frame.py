"""Lines that a build service, a virtual machine or a package tool writes about itself: they name no cause."""

from __future__ import annotations

import re
from typing import Final

_READ_CHARACTERS: Final = 400
_FRAME: Final = re.compile(
    r"\bqemu-(?:kvm|system-\w+) -|^qemu-\S+: |^### VM INTERACTION|\bsysrq: |^reboot: |^Powering off|^Power down"
    r'|^\S+ failed "build \S|^\(worker was |^failed "build|^(?:podman|docker|buildah) build command failed'
    r"|mockbuild[/.](?!exception\.(?!Error\b))|^EXCEPTION: \[|^raise exception\.Error\(|^result = func\(\*args|^Traceback \(most recent call last\)"
    r"|^(?:ERROR: )?Command failed: ?$|^# (?:bash --login|/usr/bin/systemd-nspawn|/bin/(?:ba)?sh|/usr/bin/rpmbuild) |^Child return code was"
    r"|^(?:Copr build error: )?Build failed\.?$|^ERROR: Exception\(|^INFO: (?:Results and|Cleaning up|unmounting|Done)|^(?:Start|Finish)(?:\([^)]*\))?: "
    r"|[Bb]ad exit status from |^RPM build (?:errors|warnings)|^RPM 构建错误|退出状态不好|is deprecated \(\d+ usages? found\)|^%patchN? is deprecated"
    r"|^dpkg-buildpackage: error: .{0,80} subprocess returned exit status|dpkg-buildpackage died|^(?:Build|Job|Space|Status|Version|Package|Distribution|Fail-Stage|Build-\w+|Install-Time|"
    r"Host Architecture|Machine Architecture|Build Architecture|Package-Time|Source-Version)(?: Type)?: |^Finished at |^Build needed |^[+|=*-]{20,}"
    r"|^E: Build failure|^E: Caught signal|^ERROR: (?:Logfile of failure|Task \()|^NOTE: Tasks Summary|^Summary: \d+ task"
    r"|^npm (?:ERR!|error) (?:A complete log|Log files were not)|^RPM_EC=|^\++ (?:RPM_EC=|exit \d|jobs -p)|^Aborting\.?$|^exit status: \d+$"
    r"|^Process completed with exit code|^libtool: (?:compile|link|install|relink|finish):|^cd \S+ && |^Wrote: |^Executing\(|^Processing files|^(?:Requires|Provides|Obsoletes|Conflicts|Recommends|Suggests)(?:\([\w, ]+\))?: |^\*+ ?$|^compilation terminated\.?$|^See (?:also )?['\"]?\S+['\"]?\.?$"
)


def is_frame(text: str) -> bool:
    """Tell whether a plain line is the framing of a build and not its output: how it was started, that it ended."""
    return _FRAME.search(text[:_READ_CHARACTERS]) is not None
