/// Parsing a text that is nearly the same as one that was parsed before: the next save of a game, or a save with some
/// values merged into it.
///
/// Both texts are walked in step. At each difference, the former text must have a number, string, `true`, `false` or
/// `null`, and the new text must have one of these in its place, whole and valid. All other text is the same as text
/// that was checked already. The tape is then the former one with its offsets moved. When the texts differ in any other
/// place, the whole text is parsed.
extension JSONDocument {
    /// Parses a text with the same result as ``init(parsing:limits:)``. Takes a fraction of the time when little but
    /// scalar values changed since `former`.
    ///
    /// - Parameter former: Any document. The more it resembles the text, the more time it saves. Its depth is not
    ///   checked again.
    /// - Throws: ``JSONSyntaxError`` as ``init(parsing:limits:)`` does.
    /// - Complexity: O(n) at the speed of a comparison where values alone changed.
    public init(parsing bytes: [UInt8], after former: JSONDocument?) throws(JSONSyntaxError) {
        if let former, bytes.count <= JSONLimits.standard.bytes, let changes = ChangedScalars(from: former, to: bytes) {
            self.init(bytes: bytes, tape: changes.tape(from: former.tape), nodeCount: former.nodeCount)
        } else {
            try self.init(parsing: bytes)
        }
    }
}

/// The scalars (numbers, strings, `true`, `false` and `null`) in which a text differs from a parsed one. There is no
/// such list when the texts differ in anything else.
struct ChangedScalars {
    private struct Change {
        /// The index of the changed scalar on the former tape.
        var index: Int
        /// The entry of the new scalar. Its ``TapeEntry/next`` is wrong until ``tape(from:)`` sets it.
        var entry: TapeEntry
    }

    /// In the order of the text.
    private var changes: [Change] = []

    /// Compares the texts; `nil` when they differ in anything but scalars.
    init?(from former: JSONDocument, to bytes: [UInt8]) {
        let isFound = former.bytes.withUnsafeBufferPointer { old in
            bytes.withUnsafeBufferPointer { new in
                guard let oldBase = old.baseAddress, let newBase = new.baseAddress else { return false }
                var parser = JSONParser(new, base: newBase, depthLimit: 0)
                var (oldPlace, newPlace) = (0, 0)
                while true {
                    let rest = min(old.count - oldPlace, new.count - newPlace)
                    let alike = ByteRuns.commonPrefix(oldBase + oldPlace, newBase + newPlace, count: rest)
                    oldPlace += alike
                    newPlace += alike
                    if oldPlace == old.count, newPlace == new.count { return true }
                    // A second difference in the same scalar: the text that followed the scalar has changed too.
                    guard let index = former.scalar(at: oldPlace), changes.last.map({ $0.index < index }) ?? true
                    else { return false }
                    let start = newPlace - (oldPlace - Int(former.tape[index].start))
                    guard let entry = parser.readScalar(at: start) else { return false }
                    changes.append(Change(index: index, entry: entry))
                    (oldPlace, newPlace) = (Int(former.tape[index].end), Int(entry.end))
                }
            }
        }
        guard isFound else { return nil }
    }

    /// The tape of the new text: the former tape with the changed entries, and with the offsets of all others moved.
    func tape(from former: [TapeEntry]) -> [TapeEntry] {
        guard !changes.isEmpty else { return former }
        var tape = former
        // How many bytes the text after each change moved. A move backwards wraps around.
        var shifts: [UInt32] = []
        // Containers that have a change inside: their end moves by another distance than their beginning.
        var open: [Int] = []
        tape.withUnsafeMutableBufferPointer { tape in
            var (shift, place): (UInt32, Int) = (0, 0)
            for change in changes {
                for index in place..<change.index {
                    tape[index].start &+= shift
                    if Int(tape[index].next) > change.index { open.append(index) } else { tape[index].end &+= shift }
                }
                shift = change.entry.end &- tape[change.index].end
                shifts.append(shift)
                tape[change.index] = change.entry
                tape[change.index].next = UInt32(truncatingIfNeeded: change.index &+ 1)
                place = change.index + 1
            }
            for index in place..<tape.count {
                tape[index].start &+= shift
                tape[index].end &+= shift
            }
            for index in open {
                let next = Int(tape[index].next)
                tape[index].end &+= shifts[changes.firstIndex(where: next, before: \.index) - 1]
            }
        }
        return tape
    }
}

extension JSONDocument {
    /// The tape index of the number, string, `true`, `false` or `null` that the byte at an offset belongs to; nil for
    /// none. A number that ends right before the offset counts too, since new digits may continue it.
    fileprivate func scalar(at offset: Int) -> Int? {
        let index = tape.firstIndex(where: offset + 1, before: { Int($0.start) }) - 1
        guard index >= 0, let kind = JSONKind(rawValue: tape[index].rawKind) else { return nil }
        switch kind {
        case .array, .object: return nil
        case .number: return offset <= Int(tape[index].end) ? index : nil
        case .string, .true, .false, .null: return offset < Int(tape[index].end) ? index : nil
        }
    }
}

extension Array {
    /// The first index whose number is not below a bound, by binary search. The numbers must ascend.
    fileprivate func firstIndex(where bound: Int, before number: (Element) -> Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if number(self[middle]) < bound { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
