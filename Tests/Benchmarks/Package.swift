// swift-tools-version: 6.2
import PackageDescription

// `bench` measures the `hearth` command from outside, see `run`; `enginebench` the core, see `engines.py`. The two core modules are the main package's own sources (by
// symbolic link), so that nothing has to be fetched to measure them.
let package = Package(
    name: "hearth-benchmarks",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "LosslessJSON"),
        .target(name: "MergeCore", dependencies: ["LosslessJSON"]),
        .executableTarget(name: "bench", dependencies: ["LosslessJSON", "MergeCore"], path: "Sources/Bench"),
        .executableTarget(
            name: "enginebench", dependencies: ["LosslessJSON", "MergeCore"], path: "Sources/EngineBench"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
