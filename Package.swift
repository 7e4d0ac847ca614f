// swift-tools-version: 6.2
import PackageDescription

// Homebrew's libyaml is found by its own file alone. On Linux that file would put the folder of the shared libraries before
// the one that Packaging/make links from.
#if os(macOS)
    let yamlFile: String? = "yaml-0.1"
#else
    let yamlFile: String? = nil
#endif

// The house: a pure core (LosslessJSON … HouseholdAgent) that does no I/O, and shells around it.
// Every dependency below points inward; see README.md, "How the code is laid out".
let package = Package(
    name: "hearth",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "LosslessJSON", targets: ["LosslessJSON"]),
        .library(name: "MergeCore", targets: ["MergeCore"]),
        .library(name: "HearthKit", targets: ["HearthKit"]),
        .library(name: "HearthTesting", targets: ["HearthTesting"]),
        .executable(name: "hearth", targets: ["HearthCLI"]),
    ],
    traits: [
        .trait(
            name: "Store",
            description:
                "HearthKit keeps typed saves on this device, durably, and HearthTesting plays households of them. "
                + "Without it, LosslessJSON and MergeCore stand alone, and no other package is resolved."),
        .trait(
            name: "Agent",
            description: "A game's store finds the agent of this machine, or brings one, and syncs.",
            enabledTraits: ["Store"]),
        .default(enabledTraits: ["Agent"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // MARK: The pure core
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
        // Rules that a save suggests by its names and values: for people who adopt a save, no part of merging.
        .target(name: "RuleProposals", dependencies: ["MergeCore", "LosslessJSON"]),
        .target(
            name: "HouseholdAgent",
            dependencies: ["ProfileKeeping", "RuleProposals", "SyncProtocol", "MergeCore", "LosslessJSON"]
        ),

        // MARK: Shells
        .target(name: "LocalFiles", dependencies: ["Libc"]),
        .systemLibrary(
            name: "CYAML", pkgConfig: yamlFile, providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .target(name: "RuleFile", dependencies: ["CYAML", "MergeCore", "LosslessJSON"]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "SQLiteDatabases", dependencies: ["CSQLite"]),
        .target(
            name: "DiskStore",
            dependencies: [
                "Libc", "LocalFiles", "ProfileKeeping", "MergeCore", "LosslessJSON", "SQLiteDatabases", "ZlibStreams",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "LANTransport",
            dependencies: [
                "Libc", "LocalFiles", "HouseholdAgent",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // Headers only: both libraries are opened at run time (they export one symbol with two meanings, so they must
        // not be linked into one program), and a machine without them still runs with static peers.
        .systemLibrary(name: "CDNSSD", providers: [.apt(["libavahi-compat-libdnssd-dev"])]),
        .systemLibrary(name: "CAvahiCore", providers: [.apt(["libavahi-core-dev"])]),
        .target(
            name: "LANDiscovery",
            dependencies: [
                "Libc", "HouseholdAgent", "CDNSSD",
                .target(name: "CAvahiCore", condition: .when(platforms: [.linux])),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // What every way to an agent has in common.
        .target(name: "AgentClients", dependencies: ["HouseholdAgent", "ProfileKeeping"]),
        .target(
            name: "ControlInterface",
            dependencies: [
                "Libc", "AgentClients", "LocalFiles", "HouseholdAgent", "MergeCore", "LosslessJSON",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),

        // The files of the page as part of the program, so that they are found wherever it is installed.
        .target(name: "CPageFiles", exclude: ["page"]),
        .target(
            name: "HTTPInterface",
            dependencies: [
                "CPageFiles", "Libc", "LocalFiles", "ZlibStreams", "ControlInterface", "HouseholdAgent", "SyncProtocol",
                "MergeCore", "LosslessJSON",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),

        // MARK: Compositions
        .systemLibrary(name: "CLinux"),
        .target(
            name: "AgentRuntime",
            dependencies: [
                "Libc", "AgentClients", "ControlInterface", "DiskStore", "HouseholdAgent", "LANDiscovery",
                "LANTransport", "LocalFiles", "MergeCore", "ProfileKeeping", "RuleFile", "SyncProtocol",
                .target(name: "CLinux", condition: .when(platforms: [.linux])),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "HearthKit",
            dependencies: [
                "Libc", "AgentClients", "DiskStore", "HouseholdAgent", "LosslessJSON", "MergeCore", "ProfileKeeping",
                "RuleFile", "SyncProtocol",
                .product(name: "Logging", package: "swift-log"),
                .target(name: "AgentRuntime", condition: .when(traits: ["Agent"])),
                .target(name: "ControlInterface", condition: .when(traits: ["Agent"])),
                .target(name: "LANDiscovery", condition: .when(traits: ["Agent"])),
            ]
        ),
        // A household in one process and virtual time; pure, and what HearthTesting and our own tests stand on.
        .target(
            name: "HouseholdSimulation",
            dependencies: [
                "HouseholdAgent", "ProfileKeeping", "SyncProtocol", "MergeCore", "LosslessJSON",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        // For people who write games: their own profile type, or plain JSON, in a household that fails in every way.
        .target(
            name: "HearthTesting",
            dependencies: [
                "HearthKit", "HouseholdSimulation", "HouseholdAgent", "ProfileKeeping", "SyncProtocol", "RuleFile",
                "MergeCore", "LosslessJSON",
            ]
        ),
        .executableTarget(
            name: "HearthCLI",
            dependencies: [
                "Libc", "LocalFiles", "AgentClients", "AgentRuntime", "ControlInterface", "DiskStore", "HTTPInterface",
                "HearthTesting", "HouseholdAgent", "LANDiscovery", "ProfileKeeping", "RuleFile", "RuleProposals",
                "SyncProtocol", "MergeCore", "LosslessJSON",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),

        // MARK: Examples
        .executableTarget(
            name: "Plasticiti",
            dependencies: ["HearthKit", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Examples/Plasticiti",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "Tipob",
            dependencies: ["HearthKit", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Examples/Tipob",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "BlockPuzzle",
            dependencies: ["HearthKit", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Examples/BlockPuzzle",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "ShiftShift",
            dependencies: [
                "HearthKit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Examples/ShiftShift",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "UniverseRPG",
            dependencies: ["HearthKit", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Examples/UniverseRPG",
            exclude: ["README.md"]
        ),

        // MARK: Tests
        // What several test targets share.
        .target(name: "TestSupport", dependencies: ["Libc"], path: "Tests/TestSupport"),
        // Saves in the shape of real games, for several test targets.
        .target(name: "SampleSaves", dependencies: ["Libc"], path: "Tests/SampleSaves", exclude: ["Saves"]),
        // One save and one merge on a real disk, as a process of its own, to be killed at any of its system calls.
        .executableTarget(
            name: "StoreDriver",
            dependencies: ["Libc", "DiskStore", "HouseholdSimulation", "ProfileKeeping", "MergeCore", "LosslessJSON"],
            path: "Tests/StoreDriver"
        ),
        // What merges and households should come to, by a model that knows nothing of how Hearth is made.
        .target(name: "SaveOracle", path: "Tests/SaveOracle"),
        // `hearth` is found beside the tests.
        .testTarget(
            name: "SaveOracleTests",
            dependencies: [
                "Libc", "TestSupport", "SaveOracle", "SampleSaves", "HouseholdSimulation", "HouseholdAgent", "RuleFile",
                "RuleProposals", "MergeCore", "LosslessJSON",
            ]
        ),
        // Drives real agents: `hearth` and `StoreDriver` are found beside the tests.
        .testTarget(
            name: "HearthTests",
            dependencies: [
                "Libc", "StoreDriver", "SampleSaves", "TestSupport", "HouseholdSimulation", "ProfileKeeping",
                "MergeCore", "LosslessJSON",
            ],
            exclude: ["OlderHomes"]
        ),
        // Runs the examples as processes; they are found beside the tests.
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "Libc", "TestSupport", "Plasticiti", "BlockPuzzle", "ShiftShift", "Tipob", "UniverseRPG",
                "AgentClients",
                "AgentRuntime", "ControlInterface", "DiskStore",
                "HearthKit", "HouseholdAgent", "LANDiscovery", "LosslessJSON",
            ]
        ),
        .testTarget(name: "LosslessJSONTests", dependencies: ["Libc", "TestSupport", "LosslessJSON"]),
        .testTarget(
            name: "MergeCoreTests",
            dependencies: ["Libc", "SampleSaves", "TestSupport", "RuleProposals", "MergeCore", "LosslessJSON"]),
        .testTarget(
            name: "RuleProposalsTests",
            dependencies: ["SampleSaves", "TestSupport", "RuleProposals", "RuleFile", "MergeCore", "LosslessJSON"]),
        .testTarget(
            name: "RuleFileTests",
            dependencies: ["Libc", "SampleSaves", "TestSupport", "RuleFile", "MergeCore", "LosslessJSON"]),
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
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "DiskStoreTests",
            dependencies: [
                "Libc", "TestSupport", "DiskStore", "LocalFiles", "HouseholdSimulation", "ProfileKeeping", "MergeCore",
                "LosslessJSON", "SQLiteDatabases", "ZlibStreams",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Golden"]
        ),
        .testTarget(name: "SQLiteDatabasesTests", dependencies: ["Libc", "TestSupport", "SQLiteDatabases"]),
        // What a crash leaves of a disk, at every step; pure, so that it is many thousands of times.
        .testTarget(name: "MemoryDiskTests", dependencies: ["TestSupport", "HouseholdSimulation"]),
        // More than 50,000 disks as crashes leave them, each put right and looked at.
        .testTarget(
            name: "CrashImageTests",
            dependencies: ["TestSupport", "HouseholdSimulation", "ProfileKeeping", "MergeCore", "LosslessJSON"]),
        .testTarget(
            name: "LANTransportTests",
            dependencies: [
                "Libc", "TestSupport", "LANTransport", "HouseholdAgent",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "ControlInterfaceTests",
            dependencies: [
                "TestSupport", "AgentClients", "ControlInterface", "HouseholdAgent", "MergeCore", "LosslessJSON",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        // A real server on the loopback interface, and clients that send what they like.
        .testTarget(
            name: "HTTPInterfaceTests",
            dependencies: [
                "Libc", "TestSupport", "ZlibStreams", "CPageFiles", "HTTPInterface", "ControlInterface",
                "HouseholdAgent",
                "SyncProtocol",
                "MergeCore", "LosslessJSON",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "HearthCLITests",
            dependencies: [
                "Libc", "SampleSaves", "TestSupport", "HearthCLI", "LocalFiles", "AgentRuntime", "ControlInterface",
                "HouseholdAgent", "ProfileKeeping", "RuleFile", "RuleProposals", "MergeCore", "LosslessJSON",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // A game as a process of its own, to be killed.
        .executableTarget(name: "SaveDriver", dependencies: ["Libc", "HearthKit"], path: "Tests/SaveDriver"),
        .testTarget(
            name: "HearthKitTests",
            dependencies: [
                "Libc", "SaveDriver", "TestSupport", "HearthKit", "AgentClients", "AgentRuntime", "DiskStore",
                "HouseholdAgent",
                "LANDiscovery", "ProfileKeeping",
                "RuleFile", "MergeCore", "LosslessJSON",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // Scenarios, explorer, checkers and shrinker; many households, and no process.
        .testTarget(
            name: "HearthTestingTests",
            dependencies: [
                "Libc", "TestSupport", "HearthTesting", "HearthKit", "HouseholdSimulation", "RuleFile", "MergeCore",
                "LosslessJSON",
            ]
        ),
        // Plays the built examples as a player does; `hearth` is found beside the tests.
        .testTarget(
            name: "LANDiscoveryTests",
            dependencies: [
                "Libc", "TestSupport", "LANDiscovery", "HouseholdAgent", "SyncProtocol", "MergeCore", "CDNSSD",
                .product(name: "Logging", package: "swift-log"),
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

// A package is resolved only where a trait is enabled that needs it. The core needs none; a store on one device needs these;
// networking, and the command, need all.
let ofStore: Set = ["swift-asn1", "swift-crypto", "swift-log", "swift-protobuf"]
for target in package.targets {
    target.dependencies = target.dependencies.map { dependency in
        guard case .productItem(let name, let package?, let aliases, _) = dependency else { return dependency }
        let trait = ofStore.contains(package) ? "Store" : "Agent"
        return .product(name: name, package: package, moduleAliases: aliases, condition: .when(traits: [trait]))
    }
}

// Tests spend most of their time in the core. Where HEARTH_OPTIMIZED_CORE is set, as Tests/run does it, a debug build
// compiles the core as players get it, with its assertions left in. Only Hearth's own checkout can ask for that: SwiftPM
// refuses such flags in a package that others depend on, so they are not there unless the variable is.
let core: Set = [
    "HearthTesting", "HouseholdAgent", "HouseholdSimulation", "LosslessJSON", "MergeCore", "ProfileKeeping",
    "SaveOracle", "SyncProtocol",
]
for target in package.targets where Context.environment["HEARTH_OPTIMIZED_CORE"] != nil && core.contains(target.name) {
    target.swiftSettings! += [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]
}
