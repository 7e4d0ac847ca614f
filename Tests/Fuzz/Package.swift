// swift-tools-version: 6.2
import PackageDescription

// Fuzzers over libFuzzer, which the Swift toolchain for Linux brings. A package of its own, because everything in it is
// built with the fuzzer's instrumentation. Sources and oracles are those of the package around it, by symbolic links.
let wire: [Target.Dependency] = [
    "FuzzSupport", "SyncProtocol", "MergeCore", "LosslessJSON", .product(name: "Crypto", package: "swift-crypto"),
]
let package = Package(
    name: "hearth-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    ],
    targets: [
        .target(name: "LosslessJSON"),
        .target(name: "MergeCore", dependencies: ["LosslessJSON"]),
        .target(name: "Libc"),
        .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
        .target(name: "RuleFile", dependencies: ["CYAML", "MergeCore", "LosslessJSON"]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "ZlibStreams", dependencies: ["CZlib"]),
        .target(
            name: "SyncProtocol",
            dependencies: [
                "MergeCore", "LosslessJSON", "ZlibStreams",
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            exclude: ["Messages/Sync.proto"]
        ),
        // Of it the files alone that read TXT records, which need none of its libraries.
        .target(name: "LANDiscovery"),
        .systemLibrary(name: "CLibFuzzer"),
        .target(name: "TestSupport", dependencies: ["Libc"]),
        .target(name: "FuzzSupport", dependencies: ["CLibFuzzer", "TestSupport", "LosslessJSON"]),
        .executableTarget(name: "FuzzParser", dependencies: ["FuzzSupport"]),
        .executableTarget(name: "FuzzPatcher", dependencies: ["FuzzSupport"]),
        .executableTarget(
            name: "FuzzRuleFile", dependencies: ["FuzzSupport", "RuleFile", "MergeCore", "LosslessJSON"]),
        .executableTarget(name: "FuzzLink", dependencies: wire),
        .executableTarget(name: "FuzzPairing", dependencies: wire),
        .executableTarget(name: "FuzzTransfer", dependencies: wire),
        .executableTarget(name: "FuzzState", dependencies: ["FuzzSupport", "MergeCore", "LosslessJSON"]),
        .executableTarget(name: "FuzzTXT", dependencies: ["FuzzSupport", "LANDiscovery", "SyncProtocol"]),
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
