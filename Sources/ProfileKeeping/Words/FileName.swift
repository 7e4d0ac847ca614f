/// A name under which a save's file may be put into a folder of another device.
///
/// The device that adds a save shares what its file is called, and a device that restores many saves puts each under that
/// name. The word comes from another device, which may have turned bad. So it is no name unless it names a plain file
/// right in the folder: no path, nothing hidden, nothing that a terminal, a shell or another system reads as something
/// else.
package struct FileName: Hashable, Sendable {
    /// Most bytes of a name, as on nearly every file system.
    package static let limit = 255
    /// Most bytes of a name that is made of the name of a save.
    private static let standInLimit = 100

    package let text: String

    /// `nil` where the text is no such name.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.limit, text.unicodeScalars.allSatisfy(Self.isPlain),
            let first = text.unicodeScalars.first, !Self.mayNotBegin.contains(first),
            let last = text.unicodeScalars.last, !Self.mayNotEnd.contains(last)
        else { return nil }
        self.text = text
    }

    /// The last step of a path.
    package init?(ofPath path: String) {
        guard let last = path.split(separator: "/").last else { return nil }
        self.init(String(last))
    }

    /// A name made of a save's name, such as `My game`: what is no part of a name becomes `_`.
    ///
    /// - Parameters:
    ///   - end: The end of the name, such as `.json`.
    ///   - other: The name where nothing is left.
    package init(_ name: String, end: String = "", else other: String) {
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in name.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= Self.standInLimit else { break }
            scalars.append(Self.isPlain(scalar) ? scalar : "_")
        }
        while let first = scalars.first, Self.mayNotBegin.contains(first) { scalars.removeFirst() }
        while let last = scalars.last, Self.mayNotEnd.contains(last) { scalars.removeLast() }
        text = (scalars.isEmpty ? other : String(scalars)) + end
    }

    /// Equal for names that are one on a file system that tells neither case nor the spelling of accents apart.
    package var folded: String { text.lowercased() }

    /// A name that begins with a dot is hidden, and one with a dash reads as an option.
    private static let mayNotBegin: Set<Unicode.Scalar> = [".", "-", "~", " "]
    private static let mayNotEnd: Set<Unicode.Scalar> = [".", " "]
    /// Separators, and what shells or other systems read as something else.
    private static let special: Set<Unicode.Scalar> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // The zero width joiner of emoji is harmless. All other format characters are invisible, or turn the writing round.
        case .format: scalar.value == 0x200D
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: !special.contains(scalar)
        }
    }
}
