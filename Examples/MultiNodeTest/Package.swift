// swift-tools-version: 6.2
import PackageDescription

// A game as its developer has it: the profile is a target of its own, so that tests can take it without the game.
// In a package of yours, the dependency is .package(url: "https://…/hearth", from: "…").
let package = Package(
    name: "saga",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "hearth", path: "../..")],
    targets: [
        .target(name: "Saga", dependencies: [.product(name: "HearthKit", package: "hearth")]),
        .testTarget(
            name: "SagaTests",
            dependencies: [
                "Saga", .product(name: "HearthKit", package: "hearth"),
                .product(name: "HearthTesting", package: "hearth"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
