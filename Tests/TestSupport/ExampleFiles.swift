import Libc

/// The rule files of the examples.
package enum ExampleFiles {
    package static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
        separator: "/")

    package static let examples = [
        "minecraft-statistics", "minecraft-advancements", "antimatter-dimensions", "universe-rpg",
    ]

    package static func rules(_ name: String) -> [UInt8]? { read("\(root)/Examples/rules/\(name).yaml") }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < 16 << 20 {
            let count = fread(&part, 1, part.count, file)
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return bytes
    }
}
