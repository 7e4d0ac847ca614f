// swift-tools-version: 6.2
import PackageDescription

// A game outside of Hearth's own package, as any developer would have it, and a program that merges and nothing else.
// With HEARTH_LIGHT in the environment, the game takes HearthKit without an agent.
let traits: Set<Package.Dependency.Trait> = Context.environment["HEARTH_LIGHT"] == nil ? [.defaults] : []
let package = Package(
    name: "stand-alone",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "hearth", path: "../..", traits: traits)],
    targets: [
        .executableTarget(name: "Game", dependencies: [.product(name: "HearthKit", package: "hearth")]),
        .executableTarget(
            name: "MergeOnly",
            dependencies: [
                .product(name: "LosslessJSON", package: "hearth"), .product(name: "MergeCore", package: "hearth"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
