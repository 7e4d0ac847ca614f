// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Lucky",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "../hearth")],
    targets: [
        .executableTarget(name: "Lucky", dependencies: [.product(name: "HearthKit", package: "hearth")])
    ],
    swiftLanguageModes: [.v6]
)
