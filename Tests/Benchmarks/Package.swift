// swift-tools-version: 6.2
import PackageDescription

// `bench` measures the `hearth` command from outside, see `run`; `enginebench` the core, see `engines.py`; `storebench`
// what keeps saves on a disk, see `store`. The modules measured are the main package's own sources (by symbolic link).
// Only `storebench` needs dependencies to be fetched.
let package = Package(
    name: "hearth-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .target(name: "LosslessJSON"),
        .target(name: "MergeCore", dependencies: ["LosslessJSON"]),
        .target(name: "ProfileKeeping", dependencies: ["MergeCore", "LosslessJSON"]),
        .target(name: "Libc"),
        .target(name: "LocalFiles", dependencies: ["Libc"]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "ZlibStreams", dependencies: ["CZlib"]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "SQLiteDatabases", dependencies: ["CSQLite"]),
        .target(
            name: "DiskStore",
            dependencies: [
                "Libc", "LocalFiles", "ProfileKeeping", "MergeCore", "LosslessJSON", "SQLiteDatabases", "ZlibStreams",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(name: "bench", dependencies: ["LosslessJSON", "MergeCore"], path: "Sources/Bench"),
        .executableTarget(
            name: "enginebench", dependencies: ["LosslessJSON", "MergeCore"], path: "Sources/EngineBench"),
        .executableTarget(
            name: "storebench", dependencies: ["DiskStore", "ProfileKeeping", "MergeCore", "LosslessJSON"],
            path: "Sources/StoreBench"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
