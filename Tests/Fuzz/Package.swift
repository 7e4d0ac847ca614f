// swift-tools-version: 6.2
import PackageDescription

// Fuzzers over libFuzzer, which the Swift toolchain for Linux brings. A package of its own, because everything in it is
// built with the fuzzer's instrumentation. Sources and oracles are those of the package around it, by symbolic links.
let package = Package(
    name: "hearth-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/jpsim/Yams", from: "6.2.2")],
    targets: [
        .target(name: "LosslessJSON"),
        .target(name: "MergeCore", dependencies: ["LosslessJSON"]),
        .target(name: "Libc"),
        .target(
            name: "RuleFile",
            dependencies: ["Libc", "MergeCore", "LosslessJSON", .product(name: "Yams", package: "Yams")]
        ),
        .systemLibrary(name: "CLibFuzzer"),
        .target(name: "TestSupport", dependencies: ["Libc"]),
        .target(name: "FuzzSupport", dependencies: ["CLibFuzzer", "TestSupport", "LosslessJSON"]),
        .executableTarget(name: "FuzzParser", dependencies: ["FuzzSupport"]),
        .executableTarget(name: "FuzzPatcher", dependencies: ["FuzzSupport"]),
        .executableTarget(
            name: "FuzzRuleFile", dependencies: ["FuzzSupport", "RuleFile", "MergeCore", "LosslessJSON"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing"]),
    ]
    // gold cannot read what the address sanitizer writes.
    target.linkerSettings = [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"], .when(platforms: [.linux]))]
}
