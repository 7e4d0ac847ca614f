// swift-tools-version: 6.2
import PackageDescription

// A game outside of Hearth's own package, as any developer would have it, and a program that merges and nothing else.
// HEARTH_TRAITS in the environment names the traits of hearth that they take, with commas between; the default ones where
// it is not set.
let names = Context.environment["HEARTH_TRAITS"]?.split(separator: ",").map { String($0) }
let traits = names.map { Set($0.map { Package.Dependency.Trait.trait(name: $0) }) } ?? [.defaults]
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
