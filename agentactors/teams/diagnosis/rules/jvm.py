"""Java, Kotlin and Scala: javac, Maven, Gradle and Ant."""

from __future__ import annotations

from typing import Final

from agentactors.teams.diagnosis.rules.row import FAIR, GOOD, STRONG, WEAK, Rule, rule

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "maven-offline",
        "in offline mode|offline mode and the artifact",
        r"(?<![\w.:-])([\w.-]{1,100}:[\w.-]{1,100}(?::[\w.${}-]{1,60}){1,4}) has not been downloaded from it befor"
        r"e",
        "missing_build_dependency",
        "dependency-resolution",
        STRONG + 6,
    ),
    rule(
        "maven-plugin-resolution",
        "pluginresolutionexception|plugin",
        r"Plugin ([\w.-]+:[\w.-]+(?::[\w.-]+)?) or one of its dependencies could not be resolved",
        "missing_build_dependency",
        "dependency-resolution",
        STRONG + 4,
    ),
    rule(
        "maven-resolve",
        "could not resolve dependencies|could not be resolved|could not find artifact|cannot resolve",
        r"(?:Could not find artifact|The following artifacts could not be resolved:|Failure to find|"
        r"Cannot access \S+ \(\S+\) in offline mode and the artifact) ([\w.-]+:[\w.-]+(?::[\w.${}-]+)*)",
        "missing_build_dependency",
        "dependency-resolution",
        STRONG + 5,
    ),
    rule(
        "maven-parent",
        "non-resolvable parent pom|non-resolvable import pom",
        r"Non-resolvable (?:parent|import) POM(?: for [^:]+:[^:]+:[^:]+)?:.{0,40}? ?([\w.-]+:[\w.-]+:pom:[\w.-]+)?",
        "missing_build_dependency",
        "dependency-resolution",
        STRONG + 4,
    ),
    rule(
        "maven-transfer",
        "could not transfer artifact|unknown host",
        r"Could not transfer artifact ([\w.-]+:[\w.-]+(?::[\w.-]+)*) from/to",
        "network_in_build",
        "dependency-resolution",
        STRONG + 5,
    ),
    rule(
        "maven-enforcer",
        "requirejavaversion|requiremavenversion|enforcer|detected jdk",
        r"(?:Detected (JDK) .{0,60}?(?:which is )?not in the allowed range ?(\S*)|"
        r"Rule \d+: \S*?(Require\w+) failed)",
        "toolchain_version",
        "configure",
        STRONG + 4,
    ),
    rule(
        "maven-pom",
        "non-parseable pom|malformed pom|is missing|unresolveable build extension|project build error",
        r"(?:Non-parseable POM (\S+?):|Malformed POM (\S+?):|'([\w.]+)'(?: for [\w.:-]{1,160})? is missing|"
        r"Unresolveable build extension: Plugin (\S+))",
        "build_system_error",
        "configure",
        STRONG - 2,
    ),
    rule(
        "maven-no-goal",
        "no plugin found for prefix|unknown lifecycle phase|there is no pom in this directory",
        r"(?:No plugin found for prefix '([^']+)'|Unknown lifecycle phase \"([^\"]+)\"|"
        r"there is no (POM) in this directory)",
        "build_system_error",
        "configure",
        STRONG - 3,
    ),
    rule(
        "xmvn-resolve",
        "unable to resolve|were unable to be resolved|xmvn",
        r"(?:resolution failed for|Some reactor artifacts have dependencies that were not resolved|"
        r"(?<!\S)([\w.-]{1,100}:[\w.-]{1,100}:\S{1,60}) (?:was|were) unable to be resolved).{0,100}",
        "missing_build_dependency",
        "dependency-resolution",
        GOOD,
    ),
    rule(
        "javac-source-level",
        "source option|target option|release version|invalid target release|invalid source release|"
        "is no longer supported|无效的目标发行版|无效的源发行版|源选项|目标选项",
        r"(?:(?:[Ss]ource|[Tt]arget) option (\d[\d.]*) is no longer supported|(release version \d+) not supported|"
        r"(invalid (?:target|source) release: ?\S+)|(?:源|目标)选项 ?(\S+) ?(?:已|不再)|无效的(?:目标|源)发行版: ?(\S+)|"
        r"不支持发行版本 ?(\S+))",
        "toolchain_version",
        "compile",
        STRONG + 6,
    ),
    rule(
        "java-class-version",
        "unsupportedclassversionerror|compiled by a more recent version|class file has wrong version|"
        "unsupported class file major version",
        r"(?:has been compiled by a more recent version of the Java Runtime \(class file version ([\d.]+)|"
        r"class file has wrong version ([\d.]+)|[Uu]nsupported class file major version (\d+)|"
        r"(UnsupportedClassVersionError))",
        "toolchain_version",
        "",
        STRONG + 3,
    ),
    rule(
        "java-jarfile",
        "unable to access jarfile",
        r"Unable to access jarfile (\S{1,160})",
        "missing_source_file",
        "",
        STRONG,
    ),
    rule(
        "java-main-class",
        "could not find or load main class|classnotfoundexception|noclassdeffounderror",
        r"(?:Could not find or load main class |ClassNotFoundException: |NoClassDefFoundError: )([\w.$/]{2,160})",
        "missing_build_dependency",
        "",
        STRONG - 2,
    ),
    rule(
        "java-home",
        "java_home",
        r"(?:ERROR: )?(?:The )?(JAVA_HOME)(?: environment variable)? (?:is not (?:set|defined)|"
        r"is set to an invalid directory).{0,60}",
        "toolchain_missing",
        "configure",
        STRONG + 2,
    ),
    rule(
        "java-no-compiler",
        "no compiler is provided|tools.jar|unable to locate the javac|javac",
        r"(No compiler is provided in this environment)|Could not find (tools\.jar)|[Uu]nable to (?:locate|"
        r"find) (?:the )?(?:a )?(javac|tools\.jar)",
        "toolchain_missing",
        "compile",
        STRONG + 2,
    ),
    rule(
        "gradle-toolchain",
        "no matching toolchains|cannot find a java installation|no compatible toolchains",
        r"(?:No (?:matching|compatible) toolchains? found|Cannot find a Java installation on your machine).{0,60}?"
        r"(languageVersion=\d+)?",
        "toolchain_version",
        "configure",
        STRONG + 2,
    ),
    rule(
        "gradle-offline",
        "no cached version of",
        r"No cached version of ([\w.-]+:[\w.-]+:\S+?) available for offline mode",
        "missing_build_dependency",
        "dependency-resolution",
        STRONG + 6,
    ),
    rule(
        "gradle-resolve",
        "could not resolve|could not find",
        r"Could not (?:find|resolve) ([\w.-]+:[\w.-]+:[\w.+-]+)",
        "missing_build_dependency",
        "dependency-resolution",
        STRONG + 1,
    ),
    rule(
        "gradle-plugin",
        "plugin [id:",
        r"Plugin \[id: '([^']+)'.{0,60}was not found",
        "missing_build_dependency",
        "dependency-resolution",
        STRONG + 5,
    ),
    rule(
        "gradle-wrapper-download",
        "services.gradle.org|downloading https",
        r"(?:Exception in thread \"main\" java\.\S*(?:UnknownHost|Connect|Socket)\w*Exception:? ?(\S*))",
        "network_in_build",
        "configure",
        STRONG,
    ),
    rule(
        "gradle-version",
        "minimum supported gradle version|requires gradle|this version of gradle",
        r"(?:Minimum supported Gradle version is (\S+?)\.? |requires Gradle (\S+))",
        "toolchain_version",
        "configure",
        STRONG + 2,
    ),
    rule("gradle-task", "task '", r"Task '([^']+)' not found in", "build_system_error", "configure", STRONG),
    rule(
        "gradle-build-file",
        "a problem occurred evaluating|could not compile build file",
        r"(?:A problem occurred (?:evaluating|configuring)|Could not compile build file '([^']+)')",
        "build_system_error",
        "configure",
        FAIR,
        after=r"^> (.{3,140})",
        span=3,
    ),
    rule(
        "ant-missing-file",
        "build.xml|does not exist",
        r"(?:Buildfile: )?(build\.xml) does not exist|BUILD FAILED.{0,10}$",
        "build_system_error",
        "configure",
        WEAK - 4,
        after=r"^(?:\S+?:\d+: )?(.{3,150})",
        span=1,
    ),
    rule(
        "ant-task",
        "problem: failed to create task",
        r"Problem: failed to create task or type (\S+)",
        "missing_build_dependency",
        "",
        STRONG,
    ),
    rule(
        "javac-package",
        "does not exist|不存在|existiert nicht|n'existe pas",
        r"(?:error|错误|ERROR)\]?:?.{0,200}?(?:package|程序包) ?([\w.]+) ?(?:does not exist|不存在)",
        "missing_build_dependency",
        "compile",
        STRONG,
    ),
    rule(
        "javac-static-import",
        "cannot find symbol|找不到符号",
        r"(?:error|错误|ERROR\]).{0,300}?(?:cannot find symbol|找不到符号)",
        "source_code_error",
        "compile",
        GOOD + 3,
        after=r"(?:symbol|符号) ?: +(?:class|method|variable|interface|类|方法|变量|接口) ([\w.<>]+(?:\([^)]{0,60}\))?)",
        span=6,
    ),
    rule(
        "javac-module",
        "module not found|is not visible|package is not visible|not visible",
        r"error: (?:module not found: (\S+)|package (\S+) is not visible)",
        "missing_build_dependency",
        "compile",
        STRONG - 2,
    ),
    rule(
        "javac-removed-api",
        "incompatible types|does not override|cannot be applied|no suitable method|"
        "is not abstract and does not override",
        r"(?:\.java:\[?\d+.{0,20}(?:error:)?|error:) ?(?:.{0,120}?(?:(\w+) is not abstract and does not override|"
        r"cannot be applied to given types|no suitable (?:method|constructor) found for (\w+)|"
        r"method does not override or implement).{0,80})",
        "dependency_api_change",
        "compile",
        GOOD + 2,
    ),
    rule(
        "javac-unnamed-access",
        'does not export|inaccessibleobjectexception|does not "opens',
        r"(?:module (\S+) does not (?:export|\"opens) .{0,60}|InaccessibleObjectException)",
        "toolchain_version",
        "",
        GOOD,
    ),
    rule(
        "javac-error",
        ".java:",
        r"(?:^|\s)(?:\[ERROR\] )?(?:\S*/)?([\w$-]+\.java):\[?\d+[,\d\]]*:? ?(?:error|错误): (.{3,130})",
        "source_code_error",
        "compile",
        FAIR + 6,
    ),
    rule(
        "maven-javac-error",
        ".java:[",
        r"\[ERROR\] (?:\S*/)?([\w$-]+\.java):\[\d+,\d+\] (.{3,130})",
        "source_code_error",
        "compile",
        FAIR + 6,
    ),
    rule(
        "javac-werror",
        "warnings found and -werror specified",
        r"error: warnings found and (-Werror) specified",
        "compiler_error_language_change",
        "compile",
        GOOD,
        before=r"warning: \[([\w-]+)\]",
        span=40,
    ),
    rule(
        "kotlin-error",
        "e: ",
        r"^e: (?:file://)?(?:\S*/)?([\w-]+\.kts?):.{0,20}? (.{3,130})",
        "source_code_error",
        "compile",
        GOOD,
    ),
    rule(
        "scala-error",
        "[error]",
        r"\[error\] (?:\S*/)?([\w-]+\.scala):\d+.{0,10} (.{3,120})",
        "source_code_error",
        "compile",
        FAIR + 4,
    ),
    rule(
        "javadoc-error",
        "javadoc",
        r"^(?:\S{0,300}/)?([\w$-]{1,100}\.java):\d+: error: (?:unknown tag|malformed HTML|bad use of|"
        r"reference not found|self-closing element|unexpected (?:end tag|text)).{0,60}",
        "compiler_error_language_change",
        "compile",
        GOOD + 2,
    ),
)
