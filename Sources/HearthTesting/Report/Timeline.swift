/// What happened in a household, one lane a device.
public struct Timeline: Hashable, Sendable {
    /// One thing that happened.
    public struct Entry: Hashable, Sendable {
        /// What kind of thing it was.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// A step of the scenario.
            case step
            /// A step in which something goes wrong.
            case fault
            /// A file holds something else: what came in from other devices.
            case file
            /// What a device says to its player.
            case words
            /// What a step could not do.
            case note
            /// What is not as it was promised.
            case finding
            /// Why a value is what it is, at the end.
            case reason
        }

        /// Milliseconds since the household began.
        public let time: Int64
        /// The devices it is about; none where it is about all of them.
        public let devices: [Int]
        /// What kind of thing it was.
        public let kind: Kind
        /// What happened.
        public let text: String
    }

    /// The names of the devices, in the order of the lanes.
    public let devices: [String]
    /// What happened, in order.
    public private(set) var entries: [Entry] = []

    /// Whether anybody will read it.
    private let isKept: Bool

    init(devices: [String], isKept: Bool = true) { (self.devices, self.isKept) = (devices, isKept) }

    mutating func add(at time: Int64, _ devices: [Int], _ kind: Entry.Kind, _ text: @autoclosure () -> String) {
        guard isKept else { return }
        entries.append(Entry(time: time, devices: devices, kind: kind, text: text()))
    }
}

extension Timeline: CustomStringConvertible {
    /// The timeline as text: a line for each thing that happened, with its time and its device.
    ///
    /// ```text
    ///    75.120 s  laptop         plays: /coins + 30
    ///    75.123 s          deck   comes in: /coins + 30
    /// ```
    public var description: String {
        entries.map { entry in
            let lanes = devices.indices.map { index in
                let isIn = entry.devices.contains(index)
                return isIn ? devices[index] : String(repeating: " ", count: devices[index].count)
            }
            let mark = entry.kind == .finding ? "!! " : ""
            return "\(Self.seconds(entry.time))  \(lanes.joined(separator: "  "))  \(mark)\(entry.text)\n"
        }.joined()
    }

    /// `   75.120 s`.
    static func seconds(_ milliseconds: Int64) -> String {
        let (whole, rest) = (String(milliseconds / 1_000), String(milliseconds % 1_000))
        let digits = String(repeating: "0", count: 3 - rest.count) + rest
        return String(repeating: " ", count: max(0, 5 - whole.count)) + "\(whole).\(digits) s"
    }
}
