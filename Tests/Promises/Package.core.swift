// swift-tools-version: 6.2
import PackageDescription

// Homebrew's libyaml is found by its own file alone. On Linux that file would put the folder of the shared libraries before
// the one that Packaging/make links from.
#if os(macOS)
    let yamlFile: String? = "yaml-0.1"
#else
    let yamlFile: String? = nil
#endif

// The pure core alone, with its tests and the oracle: neither NIO nor SQLite. Tests/run quick builds it, and so does
// Tests/Promises/run, each in a folder of its own.
let package = Package(
    name: "hearth-core",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    ],
    targets: [
        .target(name: "LosslessJSON"),
        // The C library under one name on every platform.
        .target(name: "Libc"),
        .target(name: "MergeCore", dependencies: ["LosslessJSON"]),
        .target(name: "ProfileKeeping", dependencies: ["MergeCore", "LosslessJSON"]),
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
        .target(name: "RuleProposals", dependencies: ["MergeCore", "LosslessJSON"]),
        .systemLibrary(
            name: "CYAML", pkgConfig: yamlFile, providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .target(name: "RuleFile", dependencies: ["CYAML", "MergeCore", "LosslessJSON"]),
        .target(
            name: "HouseholdAgent",
            dependencies: ["ProfileKeeping", "RuleProposals", "SyncProtocol", "MergeCore", "LosslessJSON"]
        ),
        .target(
            name: "HouseholdSimulation",
            dependencies: [
                "HouseholdAgent", "ProfileKeeping", "SyncProtocol", "MergeCore", "LosslessJSON",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        // Without what takes a game's own profile type, which needs HearthKit.
        .target(
            name: "HearthTesting",
            dependencies: [
                "HouseholdSimulation", "HouseholdAgent", "ProfileKeeping", "RuleFile", "MergeCore", "LosslessJSON",
            ],
            exclude: [
                "Household/Household.swift", "Household/Household+Exploring.swift",
                "Household/Move.swift", "Stage/SimulatedGame+Typed.swift",
            ]
        ),
        .testTarget(
            name: "HearthTestingTests",
            dependencies: [
                "TestSupport", "HearthTesting", "HouseholdSimulation", "RuleFile", "MergeCore", "LosslessJSON", "Libc",
            ],
            sources: ["GrowthTests.swift", "PlantedFaultTests.swift"]),
        .target(name: "SampleSaves", dependencies: ["Libc"], path: "Tests/SampleSaves", exclude: ["Saves"]),
        .target(name: "TestSupport", dependencies: ["Libc"], path: "Tests/TestSupport"),
        .testTarget(name: "LosslessJSONTests", dependencies: ["Libc", "TestSupport", "LosslessJSON"]),
        .testTarget(name: "MemoryDiskTests", dependencies: ["TestSupport", "HouseholdSimulation"]),
        .testTarget(
            name: "RuleProposalsTests",
            dependencies: ["SampleSaves", "TestSupport", "RuleProposals", "RuleFile", "MergeCore", "LosslessJSON"]),
        .testTarget(
            name: "MergeCoreTests",
            dependencies: ["Libc", "SampleSaves", "TestSupport", "RuleProposals", "MergeCore", "LosslessJSON"]),
        .testTarget(
            name: "SyncProtocolTests",
            dependencies: [
                "TestSupport", "SyncProtocol", "MergeCore", "LosslessJSON", "ZlibStreams",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            exclude: ["Golden"]
        ),
        .testTarget(
            name: "ProfileKeepingTests",
            dependencies: ["TestSupport", "HouseholdSimulation", "ProfileKeeping", "MergeCore", "LosslessJSON"]),
        .testTarget(
            name: "HouseholdAgentTests",
            dependencies: [
                "TestSupport", "HouseholdAgent", "HouseholdSimulation", "ProfileKeeping", "SyncProtocol", "MergeCore",
                "LosslessJSON",
            ]
        ),
        .target(name: "SaveOracle", path: "Tests/SaveOracle"),
        .testTarget(
            name: "SaveOracleTests",
            dependencies: [
                "Libc", "TestSupport", "SaveOracle", "SampleSaves", "HouseholdSimulation", "HouseholdAgent", "RuleFile",
                "RuleProposals", "MergeCore", "LosslessJSON",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
}

// As in the manifest of the whole: where the variable is set, as Tests/run quick does it, the core is compiled as players
// get it, with its assertions left in. A patch of a promise is built without: it would take longer to build than to try.
let core: Set = [
    "HearthTesting", "HouseholdAgent", "HouseholdSimulation", "LosslessJSON", "MergeCore", "ProfileKeeping",
    "SaveOracle", "SyncProtocol",
]
for target in package.targets where Context.environment["HEARTH_OPTIMIZED_CORE"] != nil && core.contains(target.name) {
    target.swiftSettings! += [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]
}
