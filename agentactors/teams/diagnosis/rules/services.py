"""Build services and what they run around a build: OBS checks, kiwi, containers, kernel tools, policy and package checks."""

from __future__ import annotations

from typing import Final

from agentactors.teams.diagnosis.rules.row import DECISIVE, FAIR, GOOD, STRONG, Rule, rule

_OBS: Final = (
    rule("obs-directories", "directories not owned", r"(directories not owned) by a package", "packaged_file_missing", "package",
         STRONG + 4, after=r"^- (/\S{1,160})", span=3),
    rule("obs-link-target", "link target doesn't exist", r"link target doesn't exist", "packaged_file_missing", "install", STRONG + 3,
         after=r"^(/\S{1,160}) -> (\S{1,160})", span=2, culprit="link target"),
    rule("obs-desktop-category", "category definition|desktop file", r"[Nn]o sufficient Category definition: .{0,200}?([\w.+-]{1,100}\.desktop)",
         "build_system_error", "install", STRONG + 3),
    rule("obs-rpmlint-bad", "(badness: ", r"^(\S{1,100}): E: ([\w-]{3,80}) \(Badness: (?!0*[0-9]{1,2}\))\d+\)(?: (\S{1,80}))?",
         "build_system_error", "package", STRONG + 4),
    rule("obs-service-download", "failed to download", r"(?:ERROR|error): [Ff]ailed to download \"(?:\S{0,160}/)?([^\s\"/]{1,120})\"",
         "source_or_repo_unavailable", "infrastructure", STRONG + 2, before=r"https?://([\w.-]{3,100})", span=6),
    rule("obs-service-error", "service error", r"service error: (?:\S+: )?.{0,60}?((?:https?|git)://\S{4,160})",
         "source_or_repo_unavailable", "infrastructure", GOOD + 4),
)

_IMAGES: Final = (
    rule("kiwi-package-absent", "' not found", r"^(?:\w+: )?Package '([^'\s]{1,120})' not found", "missing_build_dependency",
         "dependency-resolution", STRONG + 2),
    rule("container-registry-network", "pinging container registry|initializing source|failed to resolve source metadata|failed to do request",
         r"(?:docker://|resolve source metadata for |for )([\w./:@-]{3,150}): .{0,300}?(?:dial tcp|lookup \S+|no such host|i/o timeout|connection refused|TLS handshake)",
         "network_in_build", "infrastructure", STRONG + 8),
    rule("container-copy-absent", "copier: stat|failed to compute cache key|failed to calculate checksum|copy failed",
         r"(?:copier: stat: \[?\"/?([^\"]{1,160})\"\]?|COPY failed: .{0,80}?stat \S*?([^\s/:]{1,120})|failed to (?:compute cache key|calculate checksum of ref).{0,120}?\"/?([^\"]{1,160})\"): "
         r"?(?:no such file|file does not exist|not found)", "missing_source_file", "", STRONG + 6),
    rule("container-command-absent", "executable file", r"runc? .{0,80}?exec: \"([^\"]{1,100})\": executable file", "toolchain_missing", "",
         STRONG + 4),
)

_KERNEL: Final = (
    rule("kernel-btf", "btf", r"(?:FAILED: load (BTF) from (vmlinux)|[Ff]ailed to encode (BTF)|\b(btf_encoder__\w+): .{0,60}?failed|(pahole) .{0,60}?(?:not available|too old|version))",
         "toolchain_version", "link", STRONG + 2),
    rule("kernel-objtool", "objtool", r"(?:error|ERROR): objtool: (\w+)", "build_system_error", "compile", STRONG, with_file=True),
    rule("kernel-objtool-file", "objtool", r"^(?:\S*/)?([\w.-]+\.o): (?:error|warning): objtool: (\w+)\S{0,20}: ", "build_system_error", "compile", STRONG + 2),
    rule("kernel-depmod", "depmod", r"depmod: (?:ERROR|FATAL|WARNING): .{0,120}? needs unknown symbol (\w+)", "undefined_reference", "install", GOOD),
    rule("kernel-modules-sign", "sign-file", r"sign-file: (.{0,40}?(?:\S+\.(?:pem|x509|key)).{0,60})", "missing_source_file", "install", GOOD),
    rule("kernel-config-new", "restart config", r"(?:Error in reading or end of file|Restart config\.\.\.)", "build_system_error", "configure", FAIR,
         before=r"\(([A-Z][A-Z0-9_]{2,60})\) \[", span=4, must=True),
)

_POLICY: Final = (
    rule("selinux-syntax", "at token", r"^(?:\S*/)?([\w.-]+\.(?:te|if|fc|cil)):\d+: ?ERROR .{0,60}? at token '([^']{1,100})'",
         "source_code_error", "compile", STRONG),
    rule("systemd-verify", "is not executable", r"^([\w@.-]+\.(?:service|socket|timer|mount|path)): Command (\S{1,120}) is not executable",
         "packaged_file_missing", "", STRONG),
    rule("desktop-validate", "desktop-file-validate|error: value|error: key|error: file contains|invalid desktop", r"^(?:\S*/)?([\w.+-]+\.desktop): error: .{3,140}",
         "source_code_error", "", GOOD + 6),
    rule("appstream-validate", "appstream|metainfo.xml|appdata.xml", r"([\w.+-]+\.(?:metainfo|appdata)\.xml)\S{0,20}:? (?:FAILED|E: |.{0,40}?[Vv]alidation (?:failed|error))",
         "test_failure", "", GOOD + 6),
    rule("gensymbols", "dpkg-gensymbols", r"dpkg-gensymbols: (?:error|warning): (some (?:symbols or patterns disappeared|new symbols appeared)) in the symbols file",
         "build_system_error", "package", STRONG, after=r"^--- (\S{1,120}) \(|^- (\w\S{1,100})@", span=12),
    rule("dpkg-changelog", "version number does not start with digit|badly formatted|parsechangelog", r"(?:dpkg-\w+|dpkg-parsechangelog): error: .{0,100}?"
         r"(version number does not start with digit|(?:badly formatted|unrecognized).{0,60})", "spec_macro_error", "prep", STRONG,
         before=r"(debian/(?:changelog|control))|^LINE: \S+ \((\S{1,60})\)", span=8),
    rule("msgfmt-format", "format specifications in", r"^(\S{1,160}\.po):\d+: (?:format specifications|'msgid' and 'msgstr')", "source_code_error", "compile", GOOD + 6),
    rule("rpm-find-lang", "no translations found for", r"No translations found for (\S{1,100})", "packaged_file_missing", "install", STRONG),
    rule("jvm-native-memory", "native memory allocation|insufficient memory for the java", r"(?:Native memory allocation \((mmap|malloc)\) failed|There is insufficient memory for the (Java Runtime Environment))",
         "out_of_memory", "", DECISIVE, noisy=True, before=r"for the (Java Runtime Environment)", span=2),
)

_R: Final = (
    rule("r-dependencies", "not available for package", r"ERROR: dependenc(?:y|ies) '([^']{1,80})'(?:, '([^']{1,80})')?.{0,200}? (?:is|are) not available for package",
         "missing_build_dependency", "", STRONG + 4),
    rule("r-testthat", "failure (|error (|\u2500\u2500 ", r"^(?:\u2500\u2500|--) (?:\d+\. )?(?:Failure|Error) \('([\w./-]+\.[Rr])(?::\d+)*'\): (.{1,90}?)(?: \u2500*)?$",
         "test_failure", "check", STRONG + 4),
    rule("r-testthat-count", "[ fail ", r"\[ FAIL ([1-9]\d*) \|", "test_failure", "check", GOOD + 2, noisy=True),
    rule("r-tests-failed", "running the tests in", r"Running the tests in '([^']{1,120})' failed", "test_failure", "check", STRONG, noisy=True,
         after=r"(?:Failure|Error) \('([\w./-]+\.[Rr])", span=30),
    rule("gem-not-files", "are not files", r"\[([^\]]{3,150})\] are not files", "missing_source_file", "", STRONG),
)

RULES: Final[tuple[Rule, ...]] = _OBS + _IMAGES + _KERNEL + _POLICY + _R
