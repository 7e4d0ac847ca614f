/// The difference between two stretches of bytes as steps: keep some bytes, drop some, insert others.
///
/// A step is three numbers (LEB128) and as many bytes as the third one says. What is left of the old stretch after the
/// last step is kept. The search is greedy and local. After a difference it looks for the nearest place at which both
/// stretches go on alike, then for any such place within ``window`` bytes. If there is none, one last step replaces all
/// the rest. That is enough, since saves change in few and small places.
enum ByteDiffSteps {
    /// Bytes after a difference in which each side is searched for a place where they agree again.
    static let window = 4_096
    /// Bytes on both sides together in which the nearest such place is searched for.
    static let nearby = 128
    /// The number of equal bytes that cannot be a coincidence, even in a file with many similar lines.
    static let agreement = 32
    /// Most steps. A stretch that changed in more places is stored as its new bytes.
    static let limit = 1_000
    /// Most searches of a whole window. After that the rest becomes one step.
    static let farLimit = 64

    /// The encoded steps; `nil` where they are no shorter than the new stretch itself.
    static func encoded(from old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>) -> [UInt8]? {
        guard new.count > 2 * agreement else { return nil }
        return old.withUnsafeBufferPointer { old in
            new.withUnsafeBufferPointer { new in
                var search = ByteDiffSearch(old: old, new: new)
                return search.steps()
            }
        }
    }

    /// One step: the bytes that are dropped, and those that take their place.
    struct Step {
        /// The index in the old stretch at which the step begins.
        var place: Int
        var dropped: Int
        /// The range of the inserted bytes in the encoded steps.
        var added: Range<Int>
    }

    /// Decodes steps; `nil` where they do not fit an old stretch of `room` bytes.
    static func parsed(_ bytes: [UInt8], room: Int) -> [Step]? {
        var steps: [Step] = []
        var reader = bytes[...]
        var place = 0
        while !reader.isEmpty {
            guard let kept = number(&reader), kept <= room - place, let dropped = number(&reader),
                dropped <= room - place - kept, let added = number(&reader), added <= reader.count
            else { return nil }
            let start = reader.startIndex
            steps.append(Step(place: place + kept, dropped: dropped, added: start..<(start + added)))
            place += kept + dropped
            reader = reader.dropFirst(added)
        }
        return steps
    }

    /// The new stretch, made from the old one by the steps.
    static func joined(_ steps: [Step], _ bytes: [UInt8], _ old: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(old.count + bytes.count)
        var place = old.startIndex
        for step in steps {
            let start = old.startIndex + step.place
            result += old[place..<start]
            result += bytes[step.added]
            place = start + step.dropped
        }
        result += old[place...]
        return result
    }

    private static func number(_ reader: inout ArraySlice<UInt8>) -> Int? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 56, by: 7) {
            guard let byte = reader.popFirst() else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return Int(value) }
        }
        return nil
    }
}

/// A search for steps, over borrowed memory.
private struct ByteDiffSearch {
    let old: UnsafeBufferPointer<UInt8>
    let new: UnsafeBufferPointer<UInt8>
    private var farSearches = 0

    init(old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>) {
        (self.old, self.new) = (old, new)
    }

    mutating func steps() -> [UInt8]? {
        var output: [UInt8] = []
        var (i, j, count) = (0, 0, 0)
        while i < old.count || j < new.count {
            let kept = alike(i, j, most: Int.max)
            (i, j) = (i + kept, j + kept)
            if i == old.count, j == new.count { break }
            count += 1
            guard count <= ByteDiffSteps.limit else { return nil }
            let (dropped, added) = next(i, j) ?? (old.count - i, new.count - j)
            Self.append(kept, to: &output)
            Self.append(dropped, to: &output)
            Self.append(added, to: &output)
            output += new[j..<(j + added)]
            guard output.count < new.count else { return nil }
            (i, j) = (i + dropped, j + added)
        }
        return output.count < new.count ? output : nil
    }

    /// The distances on both sides to the next place where both stretches are equal again; `nil` if none is found.
    private mutating func next(_ i: Int, _ j: Int) -> (Int, Int)? {
        for distance in 0...ByteDiffSteps.nearby {
            for shift in 0...distance where agrees(i + shift, j + distance - shift) { return (shift, distance - shift) }
            // Mostly a value was replaced by one of the same length.
            if distance <= ByteDiffSteps.nearby / 2, agrees(i + distance, j + distance) { return (distance, distance) }
        }
        farSearches += 1
        guard farSearches <= ByteDiffSteps.farLimit else { return nil }
        var places: [UInt64: Int] = [:]
        for shift in 0..<min(ByteDiffSteps.window, max(0, old.count - i - 7)) {
            let key = word(old, i + shift)
            if places[key] == nil { places[key] = shift }
        }
        for shift in 0..<min(ByteDiffSteps.window, max(0, new.count - j - 7)) {
            if let place = places[word(new, j + shift)], agrees(i + place, j + shift) { return (place, shift) }
        }
        return nil
    }

    private func agrees(_ i: Int, _ j: Int) -> Bool {
        guard i < old.count, j < new.count, old[i] == new[j] else { return false }
        return alike(i, j, most: ByteDiffSteps.agreement) == ByteDiffSteps.agreement
    }

    private func alike(_ i: Int, _ j: Int, most: Int) -> Int {
        let end = min(old.count - i, new.count - j, most)
        var count = 0
        let (a, b) = (UnsafeRawBufferPointer(old), UnsafeRawBufferPointer(new))
        while count + 8 <= end,
            a.loadUnaligned(fromByteOffset: i + count, as: UInt64.self)
                == b.loadUnaligned(fromByteOffset: j + count, as: UInt64.self)
        { count += 8 }
        while count < end, old[i + count] == new[j + count] { count += 1 }
        return count
    }

    private func word(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt64 {
        UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }

    private static func append(_ number: Int, to output: inout [UInt8]) {
        var rest = UInt64(number)
        while rest >= 0x80 {
            output.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(rest))
    }
}
