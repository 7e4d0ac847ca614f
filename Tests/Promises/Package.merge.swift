// swift-tools-version: 6.2
import PackageDescription

// The merge alone, with its tests: what Tests/Promises/run builds for patches that need no more.
let package = Package(
    name: "hearth-merge",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "LosslessJSON"),
        .target(name: "MergeCore", dependencies: ["LosslessJSON"]),
        .target(name: "SampleSaves", path: "Tests/SampleSaves", exclude: ["Saves"]),
        .testTarget(name: "MergeCoreTests", dependencies: ["SampleSaves", "MergeCore", "LosslessJSON"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
}
