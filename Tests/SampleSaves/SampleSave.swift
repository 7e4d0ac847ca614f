import Libc

/// A save in the shape that a real game writes, for tests that edit and merge it.
///
/// The files in `Saves` were made for these tests. Saves of real games can take part beside them: the environment
/// variable `HEARTH_SAMPLES` names a folder, and each file in it whose name begins like one of ours is a save more.
package struct SampleSave: Sendable, CustomStringConvertible {
    /// What kind of save it is; all saves of one kind have the places that the rules of the kind name.
    package enum Kind: String, CaseIterable, Sendable {
        /// Lifetime totals, nested three deep.
        case statistics = "minecraft-stats"
        /// Unlocks: from an id to criteria, each with a date.
        case advancements = "minecraft-advancements"
        /// An incremental game: a version, integers above `UInt64.max`, numbers as text far beyond `Double`.
        case incremental = "antimatter"

        /// The rule file of the kind in `Examples/rules`, without its ending.
        package var rules: String {
            switch self {
            case .statistics: "minecraft-statistics"
            case .advancements: "minecraft-advancements"
            case .incremental: "antimatter-dimensions"
            }
        }
    }

    package let kind: Kind
    package let path: String
    package let bytes: [UInt8]

    /// The name of the file.
    package var description: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The folder of the package.
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
        separator: "/")

    /// The path of the rule file of the kind.
    package var rulesPath: String { "\(Self.root)/Examples/rules/\(kind.rules).yaml" }

    /// The save's rule file.
    package var rules: [UInt8] { Self.read(rulesPath) ?? [] }

    /// All saves of a kind; ours is the first.
    package static func all(_ kind: Kind) -> [SampleSave] {
        let others = getenv("HEARTH_SAMPLES").map { String(cString: $0) }
        return ["\(root)/Tests/SampleSaves/Saves", others].compactMap { $0 }.flatMap { folder in
            names(in: folder).filter { $0.hasPrefix(kind.rawValue) && $0.hasSuffix(".json") }.compactMap { name in
                read("\(folder)/\(name)").map { SampleSave(kind: kind, path: "\(folder)/\(name)", bytes: $0) }
            }
        }
    }

    /// All saves.
    package static let all = Kind.allCases.flatMap { all($0) }

    private static func names(in folder: String) -> [String] {
        guard let open = opendir(folder) else { return [] }
        defer { closedir(open) }
        var names: [String] = []
        while let entry = readdir(open) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
                })
        }
        return names.sorted()
    }

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
