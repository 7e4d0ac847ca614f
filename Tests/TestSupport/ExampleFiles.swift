/// The rule files of the examples.
package enum ExampleFiles {
    package static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
        separator: "/")

    package static let examples = [
        "minecraft-statistics", "minecraft-advancements", "antimatter-dimensions", "universe-rpg",
    ]

    package static func rules(_ name: String) -> [UInt8]? { Disk.read("\(root)/Examples/rules/\(name).yaml") }
}
