// swift-tools-version: 6.2
import PackageDescription

// The merge alone, with its tests: what Tests/Promises/run builds for patches that need no more.
let package = Package(
    name: "hearth-merge",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "LosslessJSON"),
        .target(name: "MergeCore", dependencies: ["LosslessJSON"]),
        .target(name: "Libc"),
        .target(name: "SampleSaves", dependencies: ["Libc"], path: "Tests/SampleSaves", exclude: ["Saves"]),
        .target(name: "TestSupport", dependencies: ["Libc"], path: "Tests/TestSupport"),
        // Proposals are judged by what they do to merging, but need more than is here.
        .testTarget(
            name: "MergeCoreTests", dependencies: ["SampleSaves", "TestSupport", "MergeCore", "LosslessJSON"],
            exclude: ["Proposal"]),
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
