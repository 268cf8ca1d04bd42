"""The vocabulary of a diagnosis: build stages, root-cause categories, and which of them go together."""

from __future__ import annotations

from typing import Final

STAGES: Final[tuple[str, ...]] = (
    "prep",
    "configure",
    "compile",
    "link",
    "check",
    "install",
    "package",
    "dependency-resolution",
    "infrastructure",
)

_ANY: Final = frozenset(STAGES)
_COMPILING: Final = frozenset({"configure", "compile", "link", "check", "install", "package"})
_LOOKING_UP: Final = frozenset({"configure", "compile", "link", "check", "install", "dependency-resolution"})

STAGES_OF: Final[dict[str, frozenset[str]]] = {
    "missing_header": frozenset({"configure", "compile", "check", "install", "link"}),
    "missing_library": _LOOKING_UP | {"package"},
    "missing_build_dependency": _ANY - {"package"},
    "version_conflict": _ANY,
    "toolchain_missing": _ANY,
    "toolchain_version": _ANY - {"package"},
    "undefined_reference": _COMPILING,
    "linker_flag": _COMPILING,
    "multiple_definition": _COMPILING,
    "implicit_declaration": _COMPILING,
    "compiler_error_language_change": _COMPILING | {"prep"},
    "dependency_api_change": _COMPILING,
    "source_code_error": _COMPILING | {"prep"},
    "patch_does_not_apply": frozenset({"prep"}),
    "missing_source_file": _ANY - {"dependency-resolution"},
    "spec_macro_error": _ANY,
    "unpackaged_files": frozenset({"package", "install"}),
    "packaged_file_missing": frozenset({"package", "install", "check"}),
    "debuginfo_error": frozenset({"package", "install"}),
    "test_failure": frozenset({"check", "compile", "install", "package"}),
    "timeout": _ANY,
    "out_of_memory": _ANY,
    "disk_full": _ANY,
    "source_or_repo_unavailable": frozenset({"prep", "configure", "dependency-resolution", "infrastructure"}),
    "network_in_build": _ANY,
    "architecture_unsupported": _ANY,
    "permission": _ANY,
    "python_import": _ANY - {"infrastructure"},
    "vendor_lock_mismatch": frozenset({"prep", "configure", "compile", "dependency-resolution", "check"}),
    "build_system_error": _ANY - {"infrastructure"},
}
"""Every category, with the stages at which it can be the cause. The keys are the category list."""

CATEGORIES: Final[tuple[str, ...]] = tuple(STAGES_OF)

DEFAULT_FIX: Final[dict[str, str]] = {
    "missing_header": "Install the package that ships {culprit} and add it to the build requirements.",
    "missing_library": "Install the development package of {culprit} and add it to the build requirements.",
    "missing_build_dependency": "Supply {culprit}: enable the repository that has it, build it first, or correct the "
    "name in the build requirements.",
    "version_conflict": "Bring {culprit} and what needs it to matching versions: rebuild, update or relax the bound.",
    "toolchain_missing": "Install the package that ships {culprit} in the build root.",
    "toolchain_version": "Build with the tool version that the project asks for, or adapt the project ({culprit}).",
    "undefined_reference": "Link the object or library that defines {culprit}, after the objects that use it.",
    "linker_flag": "Correct the compile and link flags: {culprit}.",
    "multiple_definition": "Define {culprit} in one source file and declare it extern in the header.",
    "implicit_declaration": "Include the header that declares {culprit}, or add a prototype.",
    "compiler_error_language_change": "Adapt the code to the newer compiler or standard, or pin the older one "
    "({culprit}).",
    "dependency_api_change": "Port the code to the interface that the installed dependency has now ({culprit}), or "
    "build against the older release.",
    "source_code_error": "Correct the source at {culprit}.",
    "patch_does_not_apply": "Rebase or drop the patch: {culprit}.",
    "missing_source_file": "Add {culprit} to the sources, or correct its name.",
    "spec_macro_error": "Correct {culprit} in the package description, or require the package that defines the macro.",
    "unpackaged_files": "List {culprit} in %files (or the install list), or remove it after installation.",
    "packaged_file_missing": "Install {culprit} during the build, or drop it from the file list.",
    "debuginfo_error": "Build with debug information, or switch the debug package off ({culprit}).",
    "test_failure": "Look at the failing test {culprit}: correct the code or the expectation, skip it only knowingly.",
    "timeout": "Find out why {culprit} hangs, or give it more time.",
    "out_of_memory": "Give the builder more memory, run fewer parallel jobs, or split the unit ({culprit}).",
    "disk_full": "Free or enlarge the build volume ({culprit}).",
    "source_or_repo_unavailable": "Correct the address or wait for the mirror, then try again: {culprit}.",
    "network_in_build": "Ship what is downloaded as a source; builders have no network ({culprit}).",
    "architecture_unsupported": "Build on a supported architecture, or add support for {culprit}.",
    "permission": "Install below the build root and as an ordinary user; correct the mode of {culprit}.",
    "python_import": "Add the Python module {culprit} to the build requirements.",
    "vendor_lock_mismatch": "Regenerate the lock file or the vendored tree ({culprit}).",
    "build_system_error": "Correct the build description at {culprit}.",
}
"""What to do when the knowledge base has nothing better; ``{culprit}`` is filled in."""
