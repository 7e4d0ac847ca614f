// swift-tools-version: 6.2
import PackageDescription

// A game outside of Hearth's own package, as any developer would have it, and a program that merges and nothing else.
let package = Package(
    name: "stand-alone",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "hearth", path: "../..")],
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
