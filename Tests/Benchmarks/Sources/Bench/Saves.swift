/// Saves as a game would write them, with integers that change.
///
/// Compact, with keys in ascending order: as Hearth writes a file that did not exist. So both sides' files are the same
/// bytes, and a save is there when the bytes are.
struct Save {
    private(set) var values: [Int]
    private let sections: Int

    init(sections: Int, leaves: Int) {
        self.sections = sections
        values = (0..<(sections * leaves)).map { 1_000 + $0 % 977 * 9 }
    }

    var count: Int { values.count }

    mutating func raise(_ leaf: Int, by amount: Int) { values[leaf] += amount }

    var bytes: [UInt8] {
        let leaves = values.count / sections
        var text = "{"
        for section in 0..<sections {
            text += "\(section > 0 ? "," : "")\"section_\(Self.padded(section))\":{"
            for leaf in 0..<leaves {
                text += "\(leaf > 0 ? "," : "")\"stat_\(Self.padded(leaf))\":\(values[section * leaves + leaf])"
            }
            text += "}"
        }
        return Array((text + "}\n").utf8)
    }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// A game that saves by writing a new file and renaming it over the old one.
struct Game {
    let path: String

    /// Returns the moment at which the save began to stand at the path.
    func save(_ bytes: [UInt8]) throws -> Double {
        try Files.write(bytes, to: path + ".new")
        let start = seconds()
        try Files.rename(path + ".new", to: path)
        return start
    }
}
