"""Python: pip, build backends, setuptools, imports and interpreters."""

from __future__ import annotations

from typing import Final

from agentactors.teams.diagnosis.rules.row import FAIR, GOOD, STRONG, WEAK, Rule, rule

RULES: Final[tuple[Rule, ...]] = (
    rule("pip-no-distribution", "no matching distribution found",
         r"No matching distribution found for ([\w.\[\]-]+)(?: ?[<>=!~]|$| \()?", "missing_build_dependency",
         "dependency-resolution", STRONG + 4),
    rule("pip-no-version", "could not find a version that satisfies",
         r"Could not find a version that satisfies the requirement ([\w.\[\]-]+)", "missing_build_dependency",
         "dependency-resolution", STRONG + 2),
    rule("pip-no-network", "connection broken by", r"Retrying \(Retry\(total=.{0,400}?/simple/([\w.-]{1,100})", "network_in_build",
         "dependency-resolution", STRONG + 6, noisy=True, before=r"(?:HTTPS?Connection\w*\(host='([\w.-]{3,100}))", span=1),
    rule("pip-requires-python", "requires a different python",
         r"(?:Package '?([\w.-]+)'? requires a different (Python): \S+ not in '?([^']+?)'?$|"
         r".{0,60}requires a different Python.{0,60})", "toolchain_version", "dependency-resolution", STRONG + 6),
    rule("pip-python-requires-2", "requires python|python_requires|requires-python|python version",
         r"(?:(?:[Rr]equires|requires-python|[Nn]eeds) '?\"?([Pp]ython ?[<>=!~' ]*\d[\w.,<>= ]{0,20})|"
         r"(?:[Uu]nsupported|not supported).{0,20}([Pp]ython \d\S*)|[Rr]equires-[Pp]ython:? ?(\S{1,40}))",
         "toolchain_version", "", GOOD - 6, soft=True),
    rule("pip-conflict", "resolutionimpossible|conflicting dependencies|cannot install",
         r"(?:ERROR: )?(?:ResolutionImpossible|Cannot install (.{1,140}?) because these package versions have confl"
         r"icting dependencies)", "version_conflict", "dependency-resolution", STRONG,
         after=r"depends on ([\w.-]+)", span=8),
    rule("pip-incompatible", "which is incompatible|but you have|but you'll have",
         r"(?<!\S)(\S{1,80}) \S{1,60} (?:requires|has requirement) (\S{1,80}?),? (?:but you (?:have|'ll have)) ",
         "version_conflict", "dependency-resolution", GOOD),
    rule("pyproject-missing-deps", "missing dependencies|unmet dependencies|missing:",
         r"(?:ERROR )?(?:Missing|Unmet) dependencies:?", "missing_build_dependency", "dependency-resolution", STRONG,
         after=r"^([\w.\[\]-]+(?: ?[<>=!~]=? ?[\w.*]+)?)", span=2),
    rule("pyproject-buildrequires", "handling|not installed|dependency not satisfied|requirement",
         r"(?:Requirement not satisfied|Dependency not satisfied|Exiting dependency generation pass): (.{1,120})",
         "missing_build_dependency", "dependency-resolution", WEAK),
    rule("setuptools-requirement",
         "distributionnotfound|could not find suitable distribution|distribution was not found",
         r"(?:The '([\w.-]+)[^']{0,40}' distribution was not found|"
         r"[Cc]ould not find suitable distribution for Requirement\.parse\('([^']+)'\)|"
         r"DistributionNotFound: (?!The)(\S+))", "missing_build_dependency", "", STRONG),
    rule("setuptools-versionconflict", "versionconflict|contextualversionconflict",
         r"VersionConflict: \(?(\S+ \S+).{0,60}?Requirement\.parse\('([^']+)'\)", "version_conflict", "", STRONG + 2),
    rule("setuptools-download", "download error on|couldn't find index page|setup_requires",
         r"Download error on (https?://\S+?):", "network_in_build", "", GOOD + 2, noisy=True),
    rule("py-import-binary", "importerror", r"ImportError: (?:.{0,160}?: )?undefined symbol: (\w+)",
         "undefined_reference", "", STRONG),
    rule("py-module-not-found", "no module named", r"No module named '?\"?([\w.]+)", "python_import", "", STRONG - 2,
         soft=True),
    rule("py-cannot-import", "cannot import name",
         r"cannot import name '?(\w+)'? from (?:partially initialized module )?'?([\w.]+)", "python_import", "",
         STRONG - 3, soft=True),
    rule("py-importerror", "importerror", r"ImportError: (.{3,150})", "python_import", "", GOOD, soft=True),
    rule("py-module-attribute", "attributeerror",
         r"AttributeError: (?:partially initialized )?(?:module|type object|"
         r"class) '?([\w.]+)'? has no attribute '?(\w+)'?", "dependency_api_change", "", GOOD + 4, soft=True),
    rule("py-attribute", "attributeerror",
         r"AttributeError: (?:.{0,60}'([\w.]+)' object has no attribute '(\w+)'|(.{3,140}))", "dependency_api_change",
         "", GOOD - 12, soft=True),
    rule("py-unexpected-keyword", "unexpected keyword argument|missing 1 required positional|positional argument",
         r"TypeError: ([\w.]+)\(?\)? (?:got an unexpected keyword argument '(\w+)'|missing \d+ required.{0,60}|"
         r"takes .{0,60} positional)", "dependency_api_change", "", GOOD - 10, soft=True),
    rule("py-syntax", "syntaxerror", r"SyntaxError: (.{0,120})", "source_code_error", "", STRONG - 4,
         before=r"File \"(?:[^\"]*/)?([^\"/]+\.py\w?|<\w+>)\"", span=8, soft=True, must=True),
    rule("py-toml", "tomldecodeerror|toml parse error|invalid pyproject.toml|tomlparsingerror",
         r"(?:TOMLDecodeError|TOML parse error|[Ii]nvalid pyproject\.toml).{0,100}", "build_system_error",
         "configure", STRONG, culprit="pyproject.toml", before=r"(pyproject\.toml)", span=80),
    rule("py-indentation", "indentationerror|taberror", r"(?:IndentationError|TabError): (.{0,120})",
         "source_code_error", "", STRONG - 4, before=r"File \"(?:[^\"]*/)?([^\"/]+\.py\w?)\"", span=8),
    rule("py-backend-unavailable",
         "backendunavailable|cannot import 'setuptools.build_meta'|cannot import build backend",
         r"(?:BackendUnavailable: )?[Cc]annot import '?([\w.]+)'?|BackendUnavailable", "missing_build_dependency",
         "dependency-resolution", STRONG - 1),
    rule("py-backend-missing", "backend", r"Backend '?([\w.]+)'? is not available", "missing_build_dependency",
         "dependency-resolution", STRONG),
    rule("py-scm-version", "setuptools-scm|setuptools_scm|unable to detect version",
         r"LookupError: (setuptools[-_]scm) was unable to detect version", "missing_source_file", "", STRONG + 2),
    rule("py-pbr-version", "versioning for this project requires|pbr",
         r"Exception: Versioning for this project requires either an sdist tarball, or access to an upstream (git) "
         r"repository", "missing_source_file", "", STRONG + 2),
    rule("py-setup-invalid", "setuptools|invalid|configuration",
         r"(?:configuration error: (.{3,140})|error in \S+ setup command: (.{3,140})|"
         r"InvalidConfigError: (.{3,120})|InvalidVersion: Invalid version: '([^']+)'|"
         r"Multiple top-level packages discovered.{0,60}|error: invalid command '(\w+)')", "build_system_error", "",
         STRONG - 3),
    rule("py-invalid-command", "invalid command", r"error: invalid command '(\w+)'", "missing_build_dependency", "",
         STRONG),
    rule("py-use2to3", "use_2to3", r"(use_2to3) is invalid", "toolchain_version", "configure", STRONG + 2),
    rule("py-license-table", "project.license|license expression",
         r"(?:ValueError: )?(?:invalid pyproject\.toml config: )?'?(project\.[\w.-]+)'? must .{3,100}",
         "build_system_error", "configure", STRONG),
    rule("py-filenotfound", "filenotfounderror",
         r"FileNotFoundError: \[Errno 2\] No such file or directory: '([^']{1,180})'", "missing_source_file", "",
         GOOD, soft=True),
    rule("py-unable-find-header", "python.h|pyconfig.h", r"fatal error: (Python\.h|pyconfig\.h|numpy/\S+?\.h)",
         "missing_header", "compile", STRONG + 1),
    rule("py-unable-vcvars", "command '",
         r"error: command '([^']{1,100})' failed: No such file or directory|"
         r"unable to execute '([^']{1,80})': No such file", "toolchain_missing", "compile", STRONG + 3),
    rule("py-cython", "error compiling cython file", r"Error compiling Cython file", "source_code_error", "compile",
         GOOD, after=r"^(\S+\.p(?:yx|xd)):\d+", span=14, must=False, culprit="Cython"),
    rule("py-cython-missing", "cython",
         r"(?:RuntimeError|ImportError|ERROR|error|Exception): .{0,40}?([Cc]ython)\b.{0,60}?(?:not (?:be )?(?:found"
         r"|installed)|required|needed|missing)", "missing_build_dependency", "configure", STRONG - 1),
    rule("py-maturin-rust", "rust toolchain|cargo, the rust package manager|can not find compatible rust",
         r"(?:Cargo, the Rust package manager, is not installed|can't find Rust compiler|"
         r"Can not find Rust compiler|rustc.{0,20}not found)", "toolchain_missing", "configure", STRONG + 4,
         culprit="cargo"),
    rule("py-importlib-metadata", "packagenotfounderror",
         r"PackageNotFoundError: (?:No package metadata was found for )?(\S+)", "python_import", "", STRONG - 4,
         soft=True),
    rule("py-config-key", "keyerror|configparser",
         r"(?:AttributeError: module '(configparser)'|(ConfigParser|SafeConfigParser))", "dependency_api_change", "",
         FAIR - 6, soft=True),
    rule("tox-missing-interp", "interpreternotfound|could not find python interpreter|skipped with missing",
         r"(?:InterpreterNotFound: (\S+)|could not find python interpreter.{0,20}? (\S+))", "toolchain_missing",
         "check", STRONG),
    rule("pip-hash", "hashes are required|do not match the hashes",
         r"THESE PACKAGES DO NOT MATCH THE (HASHES)|Hashes are required in --require-hashes", "vendor_lock_mismatch",
         "dependency-resolution", STRONG + 4),
    rule("poetry-lock", "poetry.lock",
         r"(?:pyproject\.toml changed significantly since |.{0,80})(poetry\.lock).{0,100}(?:out of date|"
         r"not up[- ]to[- ]date|lock|significantly)", "vendor_lock_mismatch", "dependency-resolution", STRONG),
    rule("uv-lock", "uv.lock|lockfile|pipfile.lock|pdm.lock",
         r"(?:The lockfile at '?(uv\.lock)'? needs to be updated|(Pipfile\.lock) .{0,30}?out of date|"
         r".{0,40}(pdm\.lock).{0,40})", "vendor_lock_mismatch", "dependency-resolution", STRONG),
    rule("pip-error-egg-info", "failed building wheel|could not build wheels|failed to build",
         r"(?:ERROR: )?(?:Failed building wheel for (\S+)|Could not build wheels for ([\w.-]+)|"
         r"Failed to build (\S+))", "source_code_error", "compile", WEAK - 14),
    rule("py-traceback-end", "error: ", r"^(?:\w+\.)*(\w*(?:Error|Exception)): (.{3,150})", "source_code_error", "",
         WEAK + 2, soft=True),
)
