"""Package managers that set the build root up: dnf, yum, zypper, OBS, apt, dpkg, apk, pacman, portage, conda, nix."""

from __future__ import annotations

from typing import Final

from agentactors.teams.diagnosis.rules.row import DECISIVE, FAIR, GOOD, STRONG, WEAK, Rule, rule

_DEP: Final = r"(\(?[^\s,;'\"]+?(?:\([^)\s]*\))*(?: (?:[<>]?=|[<>]) ?[^\s,;'\"]+)?)"

_RPM: Final = (
    rule("solv-nothing-provides-version", "nothing provides|没有东西可提供|没有软件包提供",
         r"(?:nothing provides|没有东西可提供|没有软件包提供|没有任何包提供)(?: requested)? ?'?(\S+ (?:=|<=|<|>=|"
         r">) \S+?)'?(?: needed by|[,;]| 被|$)", "version_conflict", "dependency-resolution", STRONG + 3),
    rule("solv-nothing-provides-soname", "nothing provides",
         r"nothing provides (?:requested )?'?(lib[\w+.-]+\.so[\w.]*)(?:\([^\s]*\))* needed by", "version_conflict",
         "dependency-resolution", STRONG + 3),
    rule("solv-nothing-provides", "nothing provides|没有东西可提供|没有软件包提供|没有任何包提供",
         r"(?:nothing provides|没有东西可提供|没有软件包提供|没有任何包提供)(?: requested)? ?'?" + _DEP + r"'?(?: needed by|[,;]| 被|$| )",
         "missing_build_dependency", "dependency-resolution", STRONG + 2),
    rule("obs-unresolvable", "unresolvable", r"^unresolvable: *(?:nothing provides )?" + _DEP + r"(?:, nothing provides " + _DEP + r")?",
         "missing_build_dependency", "dependency-resolution", STRONG + 5),
    rule("obs-have-choice", "have choice for", r"have choice for ([^\s:,]{1,140})", "missing_build_dependency",
         "dependency-resolution", STRONG + 2),
    rule("obs-conflict", "conflicts with|conflict for provider|is in conflict with",
         r"(?<![\w.+:~-])([\w.+:~-]{1,140}) (?:conflicts with|is in conflict with) (?!conflict)'?([^\s,'\"]{1,140})",
         "version_conflict", "dependency-resolution", GOOD + 6),
    rule("obs-conflict-provider", "conflict for provider", r"conflict for providers? of ([^\s,'\"]{1,140})",
         "version_conflict", "dependency-resolution", GOOD + 6),
    rule("obs-getbinaries", "getbinaries|missing packages:",
         r"(?:\d{3} )?(?:getbinaries: )?missing packages: (\S{1,190})", "source_or_repo_unavailable",
         "infrastructure", STRONG + 6),
    rule("obs-broken", "broken: |no source uploaded|expanded",
         r"^(?:broken|finished 'broken'|status: broken):? ?(.{3,150})", "source_or_repo_unavailable",
         "infrastructure", GOOD),
    rule("obs-service-failed", "service",
         r"(?:service|Source service) .{0,60}?(\w*_?service|\S+) (?:failed|error).{0,100}",
         "source_or_repo_unavailable", "prep", FAIR - 6, soft=True),
    rule("obs-blocked", "blocked", r"^blocked: (.{3,150})", "missing_build_dependency", "dependency-resolution", GOOD),
    rule("obs-bad-build-host", "cannot find|worker|lost connection|build host",
         r"(?:Job seems to be stuck here|lost connection to worker|worker \S+ (?:died|gone)|"
         r"build host is down).{0,80}", "timeout", "infrastructure", GOOD + 6),
    rule("rpm-failed-builddeps", "failed build dependencies|构建依赖失败|构建依赖失败|依赖检测失败",
         r"(?:Failed build dependencies|构建依赖失败)", "missing_build_dependency", "dependency-resolution", STRONG + 2,
         after=r"^(\S.{0,150}?) (?:is needed by|被)", span=2),
    rule("rpm-is-needed-by", "is needed by|被|需要",
         r"^(?:error: )?(\S.{0,120}?) (?:is needed by|被) ?(?:\(installed\) )?\S+", "missing_build_dependency",
         "dependency-resolution", STRONG - 2),
    rule("dnf-no-match-argument", "no match for argument|未找到匹配的参数|没有匹配的参数|没有任何匹配|no matches found for|no match for",
         r"(?:No match(?:es)? (?:found )?for(?: argument)?|未找到匹配的参数|没有匹配的参数|没有任何匹配|"
         r"没有和参数匹配的软件包)[:：]? ?'?([^']{1,150}?)'?$", "missing_build_dependency", "dependency-resolution", STRONG + 2),
    rule("dnf-no-matching-package", "no matching package|no package|no matching packages",
         r"(?:No matching package(?:s)? to install|No package matches|No such package|"
         r"没有匹配的软件包)[: ]+'?([^']{1,150}?)'?$", "missing_build_dependency", "dependency-resolution", STRONG + 2),
    rule("yum-no-package-available", "no package",
         r"No package(?: matching)? '?([^\s']{1,120})'? (?:available|found)", "missing_build_dependency",
         "dependency-resolution", STRONG - 2),
    rule("dnf-unable-find-match",
         "unable to find a match|无法找到匹配|unable to resolve argument|failed to resolve the transaction",
         r"(?:Unable to find a match|无法找到匹配(?:的)?)[: ]+(.{1,150})", "missing_build_dependency",
         "dependency-resolution", STRONG),
    rule("dnf-all-dependencies", "not all dependencies satisfied|some packages could not be found",
         r"(?:Not all dependencies satisfied|Some packages could not be found).{0,60}", "missing_build_dependency",
         "dependency-resolution", FAIR),
    rule("dnf-providers-installed", "but none of the providers can be installed",
         r"(?:package|软件包) (\S{1,120}) .{0,200}?requires (.{1,120}?), but none of the providers can be installed",
         "version_conflict", "dependency-resolution", STRONG + 1),
    rule("dnf-conflicts", "conflicts with",
         r"package (\S{1,120}) (?:from \S+ )?conflicts with (\S{1,120}(?: [<>=]+ \S+)?)", "version_conflict",
         "dependency-resolution", STRONG),
    rule("dnf-cannot-install-both", "cannot install both", r"cannot install both (\S{1,120}).{0,60}? and (\S{1,120})",
         "version_conflict", "dependency-resolution", STRONG),
    rule("dnf-obsoletes", "obsoletes", r"package (\S{1,120}) (?:from \S+ )?obsoletes (\S{1,120})", "version_conflict",
         "dependency-resolution", GOOD),
    rule("yum-requires", "requires: ", r"(?:Error: )?Package: (\S{1,120})", "missing_build_dependency",
         "dependency-resolution", GOOD, after=r"Requires: (.{1,120})", span=2, must=True),
    rule("dnf-filtered", "filtered out by",
         r"package (\S{1,120}) .{0,60}?is filtered out by (?:modular|exclude) filtering", "missing_build_dependency",
         "dependency-resolution", GOOD + 2),
    rule("dnf-dnf5-requires", "cannot install the best candidate|cannot install the best update|conflicting requests",
         r"(?:cannot install the best (?:candidate|update candidate) for.{0,100}|conflicting requests)",
         "missing_build_dependency", "dependency-resolution", FAIR - 8, after=r"nothing provides (\S+)", span=4),
    rule("zypper-not-found", "not found in package names|'not found", r"'([^']{1,120})' not found in package names",
         "missing_build_dependency", "dependency-resolution", STRONG),
    rule("zypper-no-provider", "no provider of", r"No provider of '([^']{1,120})' found", "missing_build_dependency",
         "dependency-resolution", STRONG),
    rule("zypper-problem", "problem: ", r"Problem(?: \d+)?: .{0,40}?(?:nothing provides|requires) '?([^',]{1,120})",
         "missing_build_dependency", "dependency-resolution", GOOD),
    rule("kiwi-resolve", "kiwi", r"^(?:\[ ?ERROR.{0,20}?\].{0,60}?)?(Kiwi\w+): (.{3,140})", "missing_build_dependency",
         "dependency-resolution", GOOD - 6),
)

_DEB: Final = (
    rule("dpkg-unmet", "unmet build dependencies|unmet build conflicts|未满足的构建依赖",
         r"(?:Unmet build dependencies|未满足的构建依赖|unmet build dependencies): (.{1,180})", "missing_build_dependency",
         "dependency-resolution", STRONG + 4),
    rule("dpkg-unmet-conflicts", "build conflicts", r"[Bb]uild conflicts: (.{1,180})", "version_conflict",
         "dependency-resolution", STRONG),
    rule("apt-depends-not-installable", "but it is not installable|not installable|depends: ",
         r"Depends: ([^\s(]{1,120}(?: \([^)]{1,60}\))?) but it is not (?:installable|going to be installed)",
         "missing_build_dependency", "dependency-resolution", STRONG),
    rule("apt-depends-version", "is to be installed|is installed",
         r"Depends: ([^\s(]{1,120} \([^)]{1,60}\)) but (\S{1,80}) is (?:to be )?installed", "version_conflict",
         "dependency-resolution", STRONG + 2),
    rule("apt-unable-locate",
         "unable to locate package|has no installation candidate|couldn't find any package|无法定位软件包",
         r"(?:E: )?(?:Unable to locate package|Couldn't find any package by \w+|无法定位软件包) '?([^\s']{1,120})|"
         r"Package '?([^\s']{1,120})'? has no installation candidate", "missing_build_dependency",
         "dependency-resolution", STRONG + 2),
    rule("apt-broken", "held broken packages|unmet dependencies",
         r"(?:you have held broken packages|The following packages have unmet dependencies)", "version_conflict",
         "dependency-resolution", WEAK + 4, after=r"(?:Depends|Build-Depends)[:\w-]*: (\S{1,100})", span=6),
    rule("apt-version-not-found", "version", r"E: Version '([^']{1,80})' for '([^']{1,100})' was not found",
         "version_conflict", "dependency-resolution", STRONG + 2),
    rule("apt-failed-fetch", "failed to fetch|unable to fetch",
         r"E: Failed to fetch (\S{1,180})|E: Unable to fetch some archives", "source_or_repo_unavailable",
         "infrastructure", GOOD + 10),
    rule("apt-release", "release file|is not signed|no longer has a release file",
         r"E: The repository '([^']{1,160})'? ?.{0,40}?(?:does not have|is not signed|no longer has)",
         "source_or_repo_unavailable", "infrastructure", STRONG),
    rule("sbuild-dep-wait", "dep-wait|build dependencies not available|satisfied build-depends",
         r"(?:sbuild-build-depends|builddeps:)\S* : Depends: ([^\s(]{1,120})", "missing_build_dependency",
         "dependency-resolution", STRONG + 1),
    rule("mk-build-deps", "mk-build-deps|unable to install", r"mk-build-deps: Unable to install (\S{1,120})",
         "missing_build_dependency", "dependency-resolution", GOOD),
    rule("dose-missing", "unsat-dependency", r"unsat-(?:dependency|conflict): (.{1,120})", "missing_build_dependency",
         "dependency-resolution", STRONG),
)

_OTHERS: Final = (
    rule("apk-unsatisfiable", "(no such package)|unsatisfiable constraints|unable to select packages",
         r"^([\w.+:@-]{1,120}) ?(?:\(no such package\)|\(missing\))", "missing_build_dependency",
         "dependency-resolution", STRONG),
    rule("apk-select", "unable to select packages|unsatisfiable constraints",
         r"ERROR: (?:unable to select packages|unsatisfiable constraints)", "missing_build_dependency",
         "dependency-resolution", GOOD,
         after=r"^([\w.+:@-]{1,120}) \((?:no such package|missing)\)|^([\w.+:@-]{1,120}-[\d.]+\S*):", span=4),
    rule("apk-breaks", "breaks: ", r"breaks: \S+\[([^\]]{1,120})\]", "version_conflict", "dependency-resolution",
         GOOD),
    rule("pacman-target", "target not found", r"(?:error|错误): target not found: (\S{1,120})",
         "missing_build_dependency", "dependency-resolution", STRONG + 2),
    rule("pacman-unresolvable", "could not satisfy dependencies|unable to satisfy dependency",
         r"unable to satisfy dependency '([^']{1,120})'", "missing_build_dependency", "dependency-resolution", STRONG),
    rule("makepkg-deps", "could not resolve all dependencies|missing dependencies",
         r"==> ERROR: (?:Could not resolve all dependencies|'pacman' failed to install missing dependencies)",
         "missing_build_dependency", "dependency-resolution", FAIR, before=r"(?:-> |target not found: )(\S{1,120})"),
    rule("portage-no-ebuilds", "there are no ebuilds to satisfy|no ebuilds",
         r"there are no ebuilds to satisfy \"?([^\"\s.]{1,120})", "missing_build_dependency", "dependency-resolution",
         STRONG),
    rule("portage-masked", "have been masked", r"All ebuilds that could satisfy \"([^\"]{1,120})\" have been masked",
         "version_conflict", "dependency-resolution", STRONG),
    rule("portage-slot", "slot conflict|multiple package instances",
         r"Multiple package instances within a single package slot", "version_conflict", "dependency-resolution",
         GOOD, after=r"^([\w-]+/[\w.+-]+:\S+)"),
    rule("conda-packages-not-found",
         "packagesnotfounderror|resolvepackagenotfound|nothing provides|unsatisfiableerror",
         r"(?:PackagesNotFoundError|ResolvePackageNotFound|UnsatisfiableError)", "missing_build_dependency",
         "dependency-resolution", STRONG, after=r"^-? ?([\w.+-]+(?:[=<> ]\S*)?)$", span=6),
    rule("conan-missing", "conan|missing prebuilt package|unable to find",
         r"(?:ERROR: )?(?:Missing prebuilt package for|Unable to find|Package) '([^']{1,120})'?(?: not resolved|"
         r" in remotes)?", "missing_build_dependency", "dependency-resolution", GOOD),
    rule("nix-missing", "undefined variable|attribute '",
         r"error: (?:attribute '([^']{1,100})' missing|undefined variable '([^']{1,100})')",
         "missing_build_dependency", "dependency-resolution", GOOD + 6),
    rule("nix-called-without", "called without required argument",
         r"called without required argument '([^']{1,100})'", "missing_build_dependency", "dependency-resolution",
         GOOD + 6),
    rule("bitbake-nothing-provides", "nothing rprovides|nothing provides", r"Nothing (?:R?PROVIDES) '([^']{1,120})'",
         "missing_build_dependency", "dependency-resolution", STRONG + 2),
    rule("vcpkg-missing", "vcpkg", r"error: (?:while loading|.{0,40}?does not exist).{0,40}?([\w-]+)",
         "missing_build_dependency", "dependency-resolution", WEAK),
    rule("opam-missing", "opam|no solution|unmet availability",
         r"(?:No package named ([\w-]+) found|\[ERROR\] (?:No solution|Package conflict)|unknown package (\S+))",
         "missing_build_dependency", "dependency-resolution", GOOD),
)

_DOWNLOADS: Final = (
    rule("dnf-metadata",
         "failed to download metadata|无法为仓库|下载元数据失败|cannot download repomd|failed to synchronize cache|"
         "cannot retrieve repository metadata|repomd.xml",
         r"(?:(?:Failed to download metadata|为仓库|无法为仓库).{0,20}?'?(?:for )?(?:repo(?:sitory)? )?'([^'\s]{1,100})'|"
         r"Cannot (?:download|retrieve) (?:repository metadata|repomd\.xml).{0,100}?(?:repository: )?([\w.-]*)|"
         r"Failed to synchronize cache for repo '([^']{1,100})|下载元数据失败.{0,40}?'?([\w.-]{1,80}))",
         "source_or_repo_unavailable", "infrastructure", STRONG + 5),
    rule("dnf-mirrors", "all mirrors were tried|no more mirrors|no urls in mirrorlist",
         r"(?:All mirrors were (?:already )?tried|No more mirrors to try|No URLs in mirrorlist).{0,80}",
         "source_or_repo_unavailable", "infrastructure", GOOD + 10,
         before=r"(?:\[MIRROR\] (\S+):|for (https?://\S+))", span=6),
    rule("dnf-status-code", "status code: |curl error", r"Status code: (?:4|5)\d\d for (\S{1,180})",
         "source_or_repo_unavailable", "infrastructure", GOOD + 11),
    rule("dnf-curl-error", "curl error", r"Curl error \(\d+\): .{0,80}? for (\S{1,170})",
         "source_or_repo_unavailable", "infrastructure", GOOD + 9),
    rule("dnf-download-packages", "error downloading packages|error downloading package|failed to download",
         r"(?:Error [Dd]ownloading [Pp]ackages?|Failed to download packages?).{0,4}", "source_or_repo_unavailable",
         "infrastructure", GOOD + 4, after=r"^([\w.+:~-]{4,150}): "),
    rule("dnf-checksum", "checksum doesn't match|checksum mismatch|doesn't match",
         r"(?:[Cc]hecksum|Downloading successful, but checksum) doesn't match.{0,100}", "source_or_repo_unavailable",
         "infrastructure", GOOD + 2),
    rule("dnf-gpg", "gpg check failed|gpg key|public key|nokey|not correct for this package",
         r"(?:GPG check FAILED|Public key for (\S+) is not installed|GPG key(?:s)? .{0,60}?(?:not correct|"
         r"not installed|failed)).{0,60}", "source_or_repo_unavailable", "infrastructure", GOOD + 4),
    rule("http-404", "404",
         r"(?:(?:HTTP|error|Error|ERROR|returned|status|code|wget|curl|URL).{0,100}?\b(?:404|403|410)\b|"
         r"\b404:? +[Nn]ot [Ff]ound)", "source_or_repo_unavailable", "", GOOD + 2, before=r"(https?://\S{4,170})",
         after=r"(https?://\S{4,170})", span=6, soft=True),
    rule("url-404", "404|403 forbidden",
         r"((?:https?|ftp)://[^\s'\"<>]{4,170}).{0,80}?(?:\b404\b|403 Forbidden|HTTP Error 40)",
         "source_or_repo_unavailable", "", GOOD + 5, soft=True),
    rule("curl-22", "the requested url returned error", r"curl: \(\d+\) The requested URL returned error: \d+",
         "source_or_repo_unavailable", "prep", GOOD + 12, after=r"(https?://\S{4,170}?)['\")]?(?:\s|$)",
         before=r"(https?://\S{4,170})", span=8),
    rule("bitbake-fetch", "fetcher failure|fetch failed|unable to fetch url",
         r"(?:Fetcher failure for URL: '([^']{4,170})|>>> ERROR: (\S+): fetch failed)", "source_or_repo_unavailable",
         "infrastructure", STRONG),
    rule("makepkg-validity", "validity check", r"One or more files did not pass the validity check",
         "source_or_repo_unavailable", "prep", STRONG, before=r"^(\S+) \.\.\. FAILED", after=r"^(\S+) \.\.\. FAILED",
         span=20),
    rule("rpm-download-failed",
         "couldn't download|download failed|failed to download|error fetching|unable to download",
         r"(?:[Cc]ouldn't download|[Ff]ailed to (?:download|fetch|retrieve)|error fetching|"
         r"[Uu]nable to download) '?((?:https?|ftp|git)://\S{1,170}|\S+\.(?:tar|zip|tgz|rpm|deb)\S{0,10})",
         "source_or_repo_unavailable", "", GOOD + 8),
    rule("svn-git-repository-gone",
         "repository not found|remote branch|could not read from remote|does not appear to be a git repository|"
         "unable to checkout|reference is not a tree|couldn't find remote ref",
         r"(?:remote: Repository not found|fatal: (?:repository '([^']{1,160})' (?:not found|does not exist)|"
         r"Remote branch (\S+) not found|couldn't find remote ref (\S+)|reference is not a tree: (\S+)|"
         r"'?(\S{1,120}?)'? does not appear to be a git repository|Could not read from remote repository|"
         r"unable to read tree))", "source_or_repo_unavailable", "prep", GOOD + 6),
    rule("container-pull",
         "manifest unknown|pull access denied|error pulling|initializing source|no such image|image not known|"
         "failed to resolve reference|failed to resolve source metadata",
         r"(?:(?:initializing source|[Ee]rror pulling|pinging container registry|pull access denied for|"
         r"reading manifest|manifest for|failed to resolve (?:reference|source metadata for)|pulling from host|"
         r"no such image:?) ['\"]?(?:docker://|\S{1,40} in )?([\w./:@-]{3,150})|manifest unknown)",
         "source_or_repo_unavailable", "infrastructure", GOOD + 12),
)

_NETWORK: Final = (
    rule("resolve-host",
         "could not resolve host|couldn't resolve host|unable to resolve host|name or service not known|"
         "temporary failure in name resolution|could not resolve proxy|nodename nor servname|getaddrinfo|"
         "failed to lookup address|no such host|name resolution|unknownhostexception|无法解析主机|域名解析暂时失败|未知的名称或服务|"
         "eai_again|enotfound|unknown host|server misbehaving",
         r"(?:[Cc]ould(?:n't| not) resolve (?:host(?: ?name)?|proxy)[^\w]{0,3}(?:\(?'?([\w.-]{3,100}))?|"
         r"[Uu]nable to resolve host (?:address )?'?([\w.-]{3,100})|无法解析主机.{0,6}?'?([\w.-]{3,100})|"
         r"lookup ([\w.-]{3,100})(?: on \S+)?:? .{0,60}?(?:no such host|server misbehaving|temporary failure|"
         r"i/o timeout|connection refused)|getaddrinfo (?:EAI_AGAIN|ENOTFOUND) ([\w.-]{3,100})|"
         r"UnknownHostException: ([\w.-]{3,100})|Unknown host:? '?([\w.-]{3,100})|"
         r"Temporary failure in name resolution|Name or service not known|failed to lookup address|"
         r"nodename nor servname|域名解析暂时失败|未知的名称或服务)", "network_in_build", "", STRONG - 3,
         before=r"((?:https?|git|ssh|ftp)://(?!doc\.rust|docs\.|go\.dev|pip\.pypa)[^\s'\")]{4,170})", span=8,
         soft=True),
    rule("git-unable-access", "unable to access", r"fatal: unable to access '([^']{1,170})'", "network_in_build", "",
         STRONG, span=2, soft=True),
    rule("connect-refused",
         "failed to connect|connection refused|couldn't connect|network is unreachable|connection timed out|"
         "could not connect|no route to host|etimedout|econnrefused|connection reset|proxy connect|"
         "newconnectionerror|cannot connect to|max retries exceeded|网络不可达|连接超时",
         r"(?:(?:[Ff]ailed to|[Cc]ould not|[Cc]ouldn't|[Cc]annot) connect to (?:server|'?([\w.-]{3,100}))|"
         r"connect(?:ion)? to '?([\w.-]{3,100})'?.{0,40}?(?:refused|timed out|failed)|[Nn]etwork is unreachable|"
         r"(?:ETIMEDOUT|ECONNREFUSED)(?: ([\w.:-]{3,60}))?|Max retries exceeded with url: (\S{1,140})|"
         r"host='([\w.-]{3,100})'|[Nn]o route to host|Connection (?:refused|timed out|reset by peer)|网络不可达|连接超时)",
         "network_in_build", "", GOOD + 2, soft=True,
         before=r"((?:https?|git|ssh|ftp)://(?!doc\.rust|docs\.|go\.dev|pip\.pypa)[^\s'\")]{4,170})", span=8),
    rule("git-clone-failed", "failed to clone|clone of|failed to fetch submodule|clone failed",
         r"(?:[Ff]ailed to clone(?: repository:)?|clone of) '?([^\s']{1,170})", "network_in_build", "", GOOD + 5),
    rule("cmake-externalproject", "failed to clone repository|error: downloading|externalproject|fetchcontent",
         r"(?:error: downloading '?([^\s']{1,170})|Failed to clone repository: '?([^\s']{1,170})|"
         r"Build step for (\w[\w-]*) failed|FETCHCONTENT_FULLY_DISCONNECTED.{0,100})", "network_in_build",
         "configure", GOOD + 4),
    rule("ssl-verify",
         "certificate verify failed|ssl certificate problem|certificate signed by unknown|"
         "unable to get local issuer|pkix path",
         r"(?:certificate verify failed|SSL certificate problem:?.{0,60}|certificate signed by unknown authority|"
         r"PKIX path building failed).{0,60}", "network_in_build", "", GOOD, before=r"(https?://\S{4,170})", span=6),
)

_MACHINE: Final = (
    rule("disk-full",
         "no space left on device|disk quota exceeded|enospc|设备上没有空间|auf dem gerät ist kein speicherplatz|"
         "not enough free space|disk full|not enough disk space|磁盘空间不足|no space left|espace disponible|"
         "no queda espacio|insufficient space|more space needed|write error: no space",
         r"(?:(\S{1,160}): )?(?:No space left on device|Disk quota exceeded|设备上没有空间|"
         r"Auf dem Gerät ist kein Speicherplatz mehr verfügbar|Aucun espace disponible sur le périphérique|"
         r"No queda espacio en el dispositivo|not enough (?:free )?(?:disk )?space|ENOSPC|[Dd]isk (?:is )?full|"
         r"磁盘空间不足|[Ii]nsufficient space in download directory \S+|(?:needs \d+\w+|"
         r"\d+\w+ more space needed) on the (\S+) filesystem)", "disk_full", "", DECISIVE),
    rule("oom-virtual-memory",
         "virtual memory exhausted|out of memory|cannot allocate memory|memory exhausted|std::bad_alloc|无法分配内存|"
         "内存不足|虚拟内存耗尽|memoryerror|heap space|heap out of memory|heap limit|oom-kill|out-of-memory|outofmemoryerror|"
         "not enough memory",
         r"(?:(?:(cc1plus|cc1|cc1obj|f951|lto1|ld|as|rustc|clang\S*|ld\.lld|gold): )?(?:virtual memory exhausted|"
         r"out of memory(?: allocating)?|memory exhausted|虚拟内存耗尽)|[Cc]annot allocate memory|无法分配内存|"
         r"terminate called after throwing an instance of '(std::bad_alloc)'|java\.lang\.(OutOfMemoryError)|"
         r"JavaScript (heap out of memory)|LLVM ERROR: out of memory|(?:fatal error: )?runtime: (out of memory)|"
         r"memory allocation of \d+ bytes failed|Out of memory: Kill(?:ed)? process \d+ \((\S+)\)|oom-kill|"
         r"Java heap space|内存不足)", "out_of_memory", "", DECISIVE - 4,
         before=r"(?:[-/ ]o +\S+ .{0,200}? -c |-c )(\S+\.\w+)|Building \w+ object \S*?/?([^\s/]+)\.o$", span=4),
    rule("oom-killed", "killed|sigkill|signal: 9|137|已杀死|已终止",
         r"(?:internal compiler error: Killed(?: \(program (\S+?)\))?|"
         r"(?:fatal error: )?Killed signal terminated program (\S+)|signal: 9, SIGKILL|\(signal: 9|exit (?:code|"
         r"status):? 137|^Killed$|line \d+: +\d+ Killed +(\S+)|^make.{0,60}\*\*\* \[([^\]]+)\] Killed|已杀死|已终止|"
         r"died with <Signals\.SIGKILL)", "out_of_memory", "", STRONG + 8,
         before=r"could not compile '([^']{1,80})'|(?<![\w./-])([\w./-]{1,200}\.(?:c|cc|cpp|cxx|rs|f90))\b", span=4),
    rule("collect2-killed", "ld terminated with signal 9", r"collect2: fatal error: (ld) terminated with signal 9",
         "out_of_memory", "link", DECISIVE),
    rule("obs-timeout",
         "seems to be stuck|job killed|no output|timed out after|killed after|build timeout|max build time|"
         "time limit|exceeded the maximum|inactivity|sigterm|wallclock|timeout",
         r"(?:Job seems to be stuck here, killed|[Nn]o output (?:has been received )?(?:in|for|"
         r"from).{0,60}?(?:\d+).{0,60}|(?:build|Build|job|Job) (?:was killed|timed out|timeout|exceeded).{0,80}|"
         r"killed after \d+.{0,60}inactivity|The job (?:exceeded|running on).{0,80}|[Cc]ommand timeout expired|"
         r"Build killed with signal TERM after.{0,60}|E: (?:Caught signal 'Terminated')|timeout(?: \w+)? exceeded)",
         "timeout", "", STRONG + 4),
    rule("mock-timeout", "timeout|timed out",
         r"(?:commandTimeoutExpired|Timeout\(\d+\) expired for command|ERROR: Command (?:timed out|timeout)|"
         r"mock.{0,40}?timed? ?out).{0,100}", "timeout", "", STRONG + 4),
    rule("timeout-command", "sending signal|timeout =>|timeout: ",
         r"(?:timeout: (?:sending signal (?:\w+)|the monitored command dumped core) ?(?:to command )?'?([^'\s]{0,10"
         r"0})|timeout => (\S.{0,80}))", "timeout", "check", STRONG + 8),
    rule("timeout-status-124", "124",
         r"(?:make(?:\[\d+\])?: \*\*\* \[(?:[^\]]*: )?([^\]:]{1,120})\] Error 124|exit (?:status|code):? 124|"
         r"returned (?:non-zero exit status )?124)", "timeout", "check", STRONG - 5,
         before=r"timeout (?:-\S+ (?:\d\S* )?)*\d\S* (\S{2,100})"),
    rule("perm-daemon", "input/output error|read-only file system|readonly file",
         r"(\S{1,160}): (?:Read-only file system|Input/output error|只读文件系统)", "permission", "", GOOD),
    rule("container-mount", "unshare|operation not permitted|mount",
         r"(?:unshare|mount|chroot|bwrap|newuidmap|mknod|setpriv|fakeroot|buildah|podman|"
         r"newgidmap)(?:\[\d+\])?: .{0,120}?(?:Operation not permitted|Permission denied|permission denied)",
         "permission", "infrastructure", GOOD, soft=True),
    rule("perm-denied",
         "permission denied|operation not permitted|权限不够|拒绝访问|不允许的操作|权限不足|permiso denegado|permission non accordée|"
         "keine berechtigung|accessdenied|eacces|errno 13|permesso negato|отказано в доступе|許可がありません|"
         "permissão negada|operación no permitida",
         r"(?<![^\s'\":])((?:\.{0,2}/|\w)[\w./+@~${}-]{1,180})['\"]?[:,]? ?(?:[Pp]ermission denied|"
         r"Operation not permitted|权限不够|权限不足|拒绝访问|不允许的操作|Permiso denegado|Permission non accordée|"
         r"Keine Berechtigung|Permesso negato|Отказано в доступе|許可がありません|Permissão negada|Operación no permitida)",
         "permission", "", GOOD + 6, soft=True),
    rule("perm-denied-object", "permission denied|errno 13|eacces|permissionerror|accessdeniedexception",
         r"(?:PermissionError: \[Errno \d+\] .{0,60}?: '([^']{1,180})'|Permission denied: '([^']{1,180})'|"
         r"EACCES: permission denied, \w+ '([^']{1,180})'|AccessDeniedException: (\S{1,160})|"
         r"[Pp]ermission denied @ \w+ - (\S{1,160})|open (/\S{1,160}): permission denied|"
         r"mkdir (\S{1,160}): permission denied)", "permission", "", STRONG - 2),
    rule("perm-denied-zh", "无法",
         r"^(?:\S+: )?无法(?:创建|删除|建立|打开|移动|改变|更改).{0,20}?'?([^\s'\"]{1,160})'? ?(?:的.{0,10})?: ?(?:权限不够|不允许的操作|拒绝访问)",
         "permission", "", GOOD + 10),
    rule("segfault-tool", "segmentation fault|段错误|bus error|illegal instruction|核心已转储|core dumped",
         r"(?:line \d+: +\d+ )?(?:Segmentation fault|段错误|Bus error|Illegal instruction|非法指令)(?: +\((?:core dumped|"
         r"核心已转储|吐核)\))?(?: +(\S{1,140}))?", "source_code_error", "", FAIR, soft=True),
)

RULES: Final[tuple[Rule, ...]] = _RPM + _DEB + _OTHERS + _DOWNLOADS + _NETWORK + _MACHINE
