"""rpmbuild: spec parsing, %prep, %files, debug packages, and the brp scripts that run after %install."""

from __future__ import annotations

from typing import Final

from agentactors.teams.diagnosis.rules.row import FAIR, GOOD, STRONG, TRACE, Rule, rule

_PATH: Final = r"(?:[^\s:'\"]*/)?([^\s:/'\"]{1,180})"

_SPEC: Final = (
    rule("rpm-bad-source", "bad file|bad source|错误的文件|坏文件", r"(?:error|错误) ?: Bad (?:file|source): ?" + _PATH + r": ",
         "missing_source_file", "prep", STRONG + 8),
    rule("rpm-source-missing", "no such file", r"error: (?:File|Source|Patch) " + _PATH + r": No such file",
         "missing_source_file", "prep", STRONG + 4),
    rule("rpm-source-missing-2", "no such file|cannot open|can't open|unable to open",
         r"(?:error: )?(?:[Cc]an(?:not|'t) (?:open|read|find)|[Uu]nable to open) (?:source|patch|spec)?(?: file)? ?'?" + r"(?:\S*/)?SOURCES/([^\s:/']{1,180})",
         "missing_source_file", "prep", STRONG),
    rule("rpm-sources-path", "no such file", r"(?:/SOURCES/|/SOURCES//)([^\s:/']{1,180}): No such file or directory",
         "missing_source_file", "prep", STRONG - 3),
    rule("rpm-cd-topdir", "cd: |can't cd|cannot cd|无法",
         r"(?:line \d+: |\d+: )cd: (?:can't cd to )?([^\s:]{1,200})(?:: No such file|: 没有那个文件|$)",
         "missing_source_file", "prep", STRONG - 2),
    rule("rpm-file-absent-in-tree", "no such file",
         r"^(?:cp|mv|chmod|chown|sed|install|cat|dos2unix|iconv|find|pushd|tar|unzip|ln|touch|xz|gzip|rm|perl|diff|"
         r"head|grep|awk|pushd|patchelf|strip): (?:(?:cannot|can't|couldn't|failed to|Can't|"
         r"error) (?:[a-z]{2,12} ){1,5}|-\w+: |line \d+: )?'?([^\s:']{1,200})'?(?: for \w+|"
         r" to '[^']{1,100}')?: (?:Cannot open: |Cannot stat: )?No such file", "missing_source_file", "", FAIR + 4,
         soft=True),
    rule("coreutils-absent-zh", "没有那个文件或目录",
         r"^(?:cp|mv|chmod|sed|install|cat|tar|ln): .{0,40}?'?([^\s:']{1,200})'? ?(?:: |的文件状态).{0,20}?没有那个文件或目录",
         "missing_source_file", "", FAIR + 4, soft=True),
    rule("tar-not-an-archive",
         "does not look like a tar archive|not in gzip format|unexpected end of file|unexpected eof|"
         "end-of-central-directory|is not recoverable|file format not recognized",
         r"(?:tar: This does not look like a tar archive|gzip: (\S+): not in gzip format|"
         r"xz: (\S+): File format not recognized|(?:tar|gzip|xz|bzip2): .{0,60}?[Uu]nexpected (?:end of file|"
         r"EOF).{0,40}|End-of-central-directory signature not found)", "source_or_repo_unavailable", "prep", GOOD + 4,
         before=r"(?:/|^)([\w.+~-]+\.(?:tar\.\w+|tgz|zip|tar|crate))"),
    rule("sh-script-absent", "no such file|没有那个文件",
         r"(?:line \d+: |\d+: |sh: |bash: )(\./?[\w./+-]{1,160}|"
         r"[\w.+-]+/[\w./+-]{1,160}): (?:No such file or directory|没有那个文件或目录|not found)", "missing_source_file", "",
         GOOD + 3, soft=True),
    rule("sh-absolute-tool-absent", "no such file|not found|bad interpreter|没有那个文件",
         r"(?:line \d+: |\d+: |sh: |bash: |env: |exec: |execvp: |exec )'?(/(?:usr/)?(?:local/)?(?:s?bin|libexec|"
         r"lib)/[\w./+-]{1,160})'?:? ?(?:No such file or directory|not found|没有那个文件或目录|bad interpreter)",
         "toolchain_missing", "", GOOD + 8, soft=True),
    rule("sh-bad-interpreter", "bad interpreter", r"(?:^|: )(\S{1,160}): (\S{1,100}): bad interpreter",
         "toolchain_missing", "", STRONG),
    rule("env-tool-absent", "no such file",
         r"(?:/usr/bin/)?env: '?([\w.+-]{1,60})'?: (?:No such file or directory|没有那个文件或目录)", "toolchain_missing", "",
         STRONG - 4, soft=True),
    rule("rpm-macro-unexpanded", "no job control", r"fg: no job control", "spec_macro_error", "", STRONG + 6,
         before=r"^\++ (%\{?[?!]*\w+\}?)", span=12, noisy=True, culprit="undefined macro"),
    rule("rpm-macro-trace", "+ %", r"^\++ (%\{?\??\w+)", "spec_macro_error", "", GOOD + 4, noisy=True),
    rule("rpm-macro-literal", "%{|%_|not found|no such",
         r"(?:line \d+: |\d+: |^sh: |: )(%\{?[\w?!:]{2,60}\}?)(?:: command not found|: not found|: No such file)",
         "spec_macro_error", "", STRONG + 4),
    rule("rpm-unknown-tag", "unknown tag", r"(?:error: )?(?:line \d+: )?Unknown tag: (.{1,150})", "spec_macro_error",
         "prep", STRONG + 8),
    rule("rpm-unknown-option-macro", "unknown option|macro %",
         r"error: (?:Unknown option (\S+) in (\S+?)\(|Macro (%\w+) (?:failed|has illegal|has unterminated|needs))",
         "spec_macro_error", "prep", STRONG + 4),
    rule("rpm-macro-failed", "too many levels of recursion|recursive",
         r"error: (?:Too many levels of recursion in macro expansion).{0,160}", "spec_macro_error", "prep", STRONG,
         culprit="macro recursion"),
    rule("rpm-patch-obsolete", "%patch|patch-macro-old-format",
         r"(?:error|错误): .{0,40}?(%patch\w+)(?: is obsolete|.{0,80}?use %patch)?", "spec_macro_error", "prep",
         STRONG + 4),
    rule("rpm-patch-old-format", "patch-macro-old-format", r"(patch-macro-old-format|%patch\d+)", "spec_macro_error",
         "prep", GOOD),
    rule("rpm-no-patch-number", "no patch number|no source number|no patch",
         r"(?:error|错误): (No (?:patch|source) number \d+)", "spec_macro_error", "prep", STRONG + 6),
    rule("rpm-unclosed-if", "unclosed|unterminated|%if|%else|%endif|parse error in expression|parseexpression",
         r"error: .{0,200}?(Unclosed %\w+|[Uu]nterminated [%\w]{1,30}|%(?:else|endif|elif)\w* with no %if|"
         r"bad %if condition|%endif\b.{0,60}|[Pp]arse error in expression.{0,80}|syntax error (?:while parsing|"
         r"in expression).{0,60}|bare words are no longer supported.{0,80}|Got a %\w+ with no %if)",
         "spec_macro_error", "prep", STRONG + 6),
    rule("rpm-tag-error", "line |错误：行|tag takes single token|illegal char|empty tag|is not allowed|duplicate",
         r"^(?:error|错误): (?:\S{1,200}\.spec: )?(?:line|行|第) ?\d+ ?行?: (.{3,170})", "spec_macro_error", "prep",
         STRONG),
    rule("rpm-field-absent", "field must be present|must be present in package",
         r"error: (\w+) field must be present in package", "spec_macro_error", "prep", STRONG + 2),
    rule("rpm-package-has-no", "package has no|no %description|query of specfile|failed to parse",
         r"error: (Package has no %\w+.{0,100}|No %description.{0,60}|query of specfile \S+ failed.{0,60})",
         "spec_macro_error", "prep", STRONG - 2),
    rule("rpm-package-unknown", "package does not exist|package already exists",
         r"error: (?:line \d+: )?(?:%\w+ )?.{0,100}?(?:Package (?:does not|already) exists?): ?(.{0,120})",
         "spec_macro_error", "prep", STRONG + 1),
    rule("rpm-bad-changelog", "%changelog|bad date|date in",
         r"error: (?:bad date in %changelog|%changelog (?:entries must|not in).{0,80}).{0,80}", "spec_macro_error",
         "prep", STRONG),
    rule("rpm-lua", '[string "|lua script|<lua>', r"error: (?:lua script failed|<lua>|\[string).{0,200}",
         "spec_macro_error", "prep", GOOD + 8),
    rule("rpm-version-illegal", "illegal char|invalid version",
         r"error: (?:line \d+: )?(?:Illegal char(?:acter)? .{0,120}|Invalid version.{0,120})", "spec_macro_error",
         "prep", STRONG),
    rule("rpm-arch-excluded",
         "architecture is not included|architecture is excluded|no compatible architectures|os is not included|"
         "os is excluded|不包括架构",
         r"(?:error|错误) ?: (?:Architecture is (?:not included|excluded)|OS is (?:not included|excluded)|"
         r"No compatible architectures found for build|不包括架构):? ?(\S{0,40})", "architecture_unsupported", "prep",
         STRONG + 10),
    rule("mock-arch-excluded", "exclusivearch|excludearch|not compatible arches",
         r"(?:[Nn]o(?:t)? (?:valid|compatible|matching) arch\w*.{0,100}|.{0,100}(?:ExclusiveArch|ExcludeArch|"
         r"exclusivearch|excludearch).{0,60})", "architecture_unsupported", "prep", FAIR, soft=True),
    rule("rpm-obs-excluded", "excluded", r"^(?:excluded|status: excluded)(?: by ([\w ]{1,40}))?",
         "architecture_unsupported", "infrastructure", GOOD),
    rule("git-no-repository", "not a git repository", r"fatal: .{0,20}?not a (git repository)", "missing_source_file",
         "", GOOD + 4, soft=True, culprit=".git"),
    rule("git-describe", "no names found", r"fatal: (No names found), cannot describe anything",
         "missing_source_file", "", GOOD, soft=True),
    rule("dpkg-source-no-tarball", "no upstream tarball",
         r"no upstream tarball found at (?:\S*/)?(\S{1,160}?)(?:\.\{|\s|$)", "missing_source_file", "prep",
         STRONG + 3),
    rule("dpkg-source-unwanted", "dpkg-source: error",
         r"dpkg-source: error: (unwanted binary file|aborting due to unexpected upstream changes|"
         r"unrepresentable changes).{0,100}", "build_system_error", "prep", GOOD),
    rule("rpm-gpg-source", "gpg: |gpgv|can't check signature|bad signature",
         r"(?:gpg|gpgv)\d?: ((?:BAD signature|Can't check signature|no valid OpenPGP).{0,120})",
         "missing_source_file", "prep", FAIR, soft=True),
    rule("sources-checksum", "checksum|sha512|md5|hash",
         r"(?:error|ERROR|FAILED|fatal).{0,120}?(?:checksum|hash) (?:mismatch|did not match|verification).{0,120}|"
         r"^(\S{1,200}): FAILED$", "source_or_repo_unavailable", "prep", FAIR, soft=True,
         before=r"(?:sha\d+|md5|checksum)", must=True),
)

_PATCH_NAME: Final = (
    r"(?:Patch #\d+ \(([^)]+)\)|[Aa]pplying:? (?:patch )?(?:\S*/)?([^\s:/]+\.(?:patch|diff))|-i \S*?([^\s/]+\.(?:patch|diff))"
    r"|/([^\s/'\"]+\.(?:patch|diff))\b)"
)
_PATCHED_FILE: Final = r"^(?:patching file|checking file|打补丁的文件|正在修补文件) '?([^\s']+)"

_PATCH: Final = (
    rule("patch-hunk-failed", "hunk|区块",
         r"(?:Hunk #\d+ FAILED|\d+ out of \d+ hunks? (?:FAILED|ignored)|Hunk #\d+ 失败)", "patch_does_not_apply",
         "prep", STRONG + 8, before=(_PATCH_NAME, _PATCHED_FILE), span=60, culprit="patch"),
    rule("patch-reversed", "reversed (or previously applied)", r"Reversed \(or previously applied\) patch",
         "patch_does_not_apply", "prep", STRONG + 9, before=(_PATCH_NAME, _PATCHED_FILE), span=60, culprit="patch"),
    rule("patch-no-file", "can't find file to patch|no file to patch",
         r"(?:can't find file to patch at input line|No file to patch)", "patch_does_not_apply", "prep", STRONG + 6,
         before=_PATCH_NAME, span=60, after=r"(?:^|\|)\+\+\+ (\S+)", culprit="patch"),
    rule("patch-garbage", "only garbage was found|malformed patch|unexpectedly ends|corrupt patch|unexpected end",
         r"(?:patch: \*+ |error: |fatal: )(Only garbage was found.{0,60}|malformed patch.{0,100}|"
         r"unexpected(?:ly)? end.{0,60}|corrupt patch.{0,60})", "patch_does_not_apply", "prep", STRONG + 4,
         before=_PATCH_NAME, span=40),
    rule("git-apply-failed", "patch does not apply|patch failed|does not exist in index|already exists in",
         r"error: (?:patch failed: ([^\s:]+)|([^\s:]+): patch does not apply|([^\s:]+): (?:does not exist in index|"
         r"already exists in))", "patch_does_not_apply", "prep", STRONG + 5, before=_PATCH_NAME, span=30),
    rule("git-apply-input", "unrecognized input|no valid patches in input",
         r"error: (unrecognized input|[Nn]o valid patches in input.{0,60})", "patch_does_not_apply", "prep", STRONG,
         before=_PATCH_NAME, span=30),
    rule("git-am-failed", "patch failed at", r"Patch failed at (\d+ .{1,120})", "patch_does_not_apply", "prep", GOOD),
    rule("quilt-failed", "does not apply|can be reverse-applied|already applied",
         r"Patch (?:\S*/)?(\S{1,150}) (?:does not apply|can be reverse-applied|appears to be already applied)",
         "patch_does_not_apply", "prep", STRONG + 8),
    rule("dpkg-source-patch", "dpkg-source|lc_all=c patch",
         r"LC_ALL=C patch.{0,100}?< (?:\S*/)?([^\s/]{1,150}) (?:subprocess returned|gave error)",
         "patch_does_not_apply", "prep", STRONG + 8),
    rule("patch-reject", "saving rejects", r"saving rejects to (?:file )?(\S+?)(?:\.rej)?$", "patch_does_not_apply",
         "prep", STRONG, before=_PATCH_NAME, span=60),
    rule("patch-cannot-open", "can't open patch file|cannot open patch",
         r"patch: \*+ [Cc]an't open (?:patch )?file '?(?:\S*/)?([^\s'/:]{1,160})", "missing_source_file", "prep",
         STRONG + 4),
)

_FILES: Final = (
    rule("rpm-unpackaged", "installed (but unpackaged)|未打包|unpackaged",
         r"(?:Installed \(but unpackaged\) file\(s\) found|已安装\(但未打包的?\)文件)", "unpackaged_files", "package",
         STRONG + 10, after=r"^(/\S{1,190})", span=3),
    rule("deb-unpackaged", "is not installed to anywhere",
         r"(?<!\S)(\S{1,180}) exists in debian/\S+ but is not installed to anywhere", "unpackaged_files", "package",
         STRONG + 4, noisy=True),
    rule("deb-missing-abort", "missing files, aborting", r"dh_missing: (?:error: )?missing files, aborting",
         "unpackaged_files", "package", GOOD),
    rule("deb-install-missing", "cannot find (any matches|missing files|no matches",
         r"(?:dh_install\w*|dh_\w+): (?:\w+: )?(?:Cannot find \(any matches for\)|\w+ missing files:|"
         r"no matches for) \"?([^\"\s]{1,180})", "packaged_file_missing", "package", STRONG + 4, noisy=True),
    rule("deb-cp-missing", "dh_|cannot stat|no such file", r"^(?:cp|install|mv): cannot stat '(debian/[^']{1,180})'",
         "packaged_file_missing", "package", GOOD + 4),
    rule("dh-no-such", "dh_",
         r"dh_\w+: error: .{0,60}?(?:'|\")?([\w./+-]*/[\w./+-]{1,160}).{0,40}?(?:not found|does not exist|"
         r"No such file)", "packaged_file_missing", "package", GOOD),
    rule("rpm-file-not-found",
         "file not found|directory not found|文件未找到|找不到文件|目录未找到|file not found by glob|file must begin",
         r"^(?:error: |错误: )?(?:File|Directory|文件|目录) ?(?:not found|"
         r"未找到)(?: by glob)?: +(?:/\S*?BUILDROOT(?:/[^\s/]+\.(?:x86_64|aarch64|noarch|riscv64|ppc64le|ppc64|s390x|"
         r"i\d86|armv\w+|loongarch64|sw_64))?(?=/))?(\S{1,190})", "packaged_file_missing", "package", STRONG + 6),
    rule("rpm-file-not-found-zh", "找不到", r"(?:错误: )?找不到(?:文件|目录): ?(\S{1,190})", "packaged_file_missing", "package",
         STRONG + 4),
    rule("rpm-license-missing", "%license|%doc|no such file",
         r"(?:cp: cannot stat|install: cannot stat) '([^']{1,180})': No such file", "packaged_file_missing",
         "package", GOOD + 4, before=r"Executing\(%(?:license|doc)\)", must=True, span=12),
    rule("rpm-must-begin", "must begin with", r"File must begin with \"?/\"?: (\S{1,180})", "spec_macro_error",
         "package", STRONG + 3),
    rule("rpm-symlink", "symlink|absolute symlink",
         r"error: (?:Symlink points to BuildRoot: |.{0,40}symlink.{0,40}: )(\S{1,190})", "build_system_error",
         "package", STRONG),
    rule("rpm-duplicate-file", "file listed twice", r"(?:error|warning): File listed twice: (\S{1,190})",
         "build_system_error", "package", TRACE),
    rule("rpm-buildroot-string", "buildroot",
         r"(?:Found '[^']*BUILDROOT[^']*' in installed files|check-buildroot|"
         r".{0,80}contains? (?:the )?\$?RPM_BUILD_ROOT)", "build_system_error", "install", STRONG,
         culprit="buildroot path in installed files", before=r"Binary file (\S{1,180}) matches"),
    rule("rpm-rpath", "rpath|runpath",
         r"(?:ERROR|error) +\d+: file '([^']{1,180})' contains (?:an? )?(?:invalid|insecure|standard|empty|"
         r"'\S+)? ?(?:rpath|runpath|R(?:UN)?PATH).{0,80}", "build_system_error", "install", STRONG + 2),
    rule("rpm-rpath-2", "check-rpaths|rpath", r"(?:ERROR|error).{0,60}?(\S{1,150}).{0,40}?(?:rpath|RPATH|runpath)",
         "build_system_error", "install", GOOD),
    rule("rpm-arch-dependent", "arch dependent binaries in noarch|arch-dependent",
         r"(?:error: )?(Arch dependent binaries in noarch package)", "build_system_error", "package", STRONG + 4),
    rule("bitbake-not-shipped", "not shipped in any package", r"installed but not shipped in any package",
         "unpackaged_files", "package", STRONG + 4, after=r"^(/\S{1,180})", span=3),
    rule("rpm-shebang", "shebang",
         r"\*\*\* (?:ERROR|WARNING): (?:ambiguous python shebang in |.{0,60}shebang.{0,20}?)(/?\S{1,160})",
         "build_system_error", "install", GOOD + 10),
    rule("rpm-brp", "brp-|brp_|/usr/lib/rpm", r"(?:error|ERROR|\*\*\*).{0,60}?(/?\S*brp-[\w-]+)",
         "build_system_error", "install", FAIR),
    rule("rpm-desktop", "desktop-file-validate|.desktop", r"(?<!\S)(\S{1,200}\.desktop): (?:error: ).{3,160}",
         "build_system_error", "", GOOD + 2),
    rule("rpm-appstream", "validation failed|appstream",
         r"(?:•|✘|E: |\S+: )?.{0,120}?(\S+\.(?:appdata|metainfo)\.xml)?.{0,40}?(?:[Vv]alidation (?:of files )?faile"
         r"d|FAILED: *$)", "test_failure", "check", FAIR, soft=True),
    rule("appstream-file", "failed", r"^(\S+\.(?:appdata|metainfo)\.xml): (?:FAILED|failed)", "test_failure", "check",
         STRONG - 4),
    rule("rpm-obs-badness", "badness|rpmlint",
         r"(?:badness|Badness) .{0,40}?exceeds threshold|exceeds? badness|(?:total )?badness: \d+",
         "build_system_error", "package", GOOD, before=r"(\S+: [EW]: [\w-]+).{0,80}", span=40,
         culprit="rpmlint badness"),
    rule("rpm-rpmlint-error", "rpmlint", r"(?:RPMLINT report|rpmlint).{0,60}?(?:ERROR|failed|aborting)",
         "build_system_error", "package", FAIR),
    rule("rpm-conflict-files", "found conflict of|conflicts with file|file conflicts|exists in filesystem",
         r"found conflict of (\S+) with (\S+)|file (\S+) (?:from install of|"
         r"conflicts between attempted installs of) \S+.{0,80}|^\S+: (/\S+) exists in filesystem", "version_conflict",
         "package", STRONG + 3),
    rule("obs-installcheck", "installcheck|can't install", r"can't install (\S{1,150}):", "version_conflict",
         "package", GOOD, after=r"nothing provides (\S+)", span=3),
    rule("rpm-suid", "fscaps|suid|permissions file|is packaged with",
         r"(\S{1,160}) (?:is packaged with setuid/setgid|is not authorized).{0,60}", "permission", "package",
         GOOD - 8),
)

_DEBUG: Final = (
    rule("rpm-empty-debug-list", "debugsourcefiles|debugfiles|debuglist|empty %files",
         r"(?:Empty %files file|Could not open %files file|could not open %files file|"
         r"Empty %file \S*) ?:?(?:\S*/)?(debug\w*\.list|\S{1,160})", "debuginfo_error", "package", STRONG + 8),
    rule("rpm-empty-files", "empty %files", r"error: Empty %files file (?:\S*/)?(\S{1,160})", "debuginfo_error",
         "package", STRONG + 4),
    rule("rpm-open-files-list", "could not open %files file", r"Could not open %files file (?:\S*/)?([^\s:]{1,160})",
         "packaged_file_missing", "package", STRONG + 2),
    rule("rpm-debugedit", "debugedit|find-debuginfo|dwz|gdb-add-index|buildid|build-id|build id",
         r"(?:find-debuginfo|debugedit|dwz|gdb-add-index|eu-strip|objcopy|sepdebugcrcfix|"
         r"elflint)\S*: .{0,40}?(?:error|ERROR|failed|Failed|[Cc]ould not|[Cc]annot|DWARF).{0,140}",
         "debuginfo_error", "install", GOOD + 2, soft=True),
    rule("rpm-same-build-id", "same build id", r"ERROR: same build ID in nonidentical files", "debuginfo_error",
         "install", STRONG + 4, after=r"^(/\S{1,160})", span=2),
    rule("rpm-build-id", "build id|build-id|buildid",
         r"(?:\*\*\* )?(?:ERROR|error):? .{0,40}?(?:[Nn]o build ID (?:note )?found in|build-id|"
         r"[Dd]uplicate build-ids?).{0,20}?(\S{0,160})$", "debuginfo_error", "install", STRONG + 4),
    rule("rpm-missing-build-id", "missing build-id|generating build-id",
         r"(?:Missing build-id in|error: .{0,40}generating build-id).{0,4}(\S{1,160})", "debuginfo_error", "package",
         STRONG + 2),
    rule("deb-dbgsym", "dh_strip|dh_dwz", r"(dh_strip|dh_dwz): error: .{0,160}", "debuginfo_error", "package", GOOD),
)

RULES: Final[tuple[Rule, ...]] = _SPEC + _PATCH + _FILES + _DEBUG
