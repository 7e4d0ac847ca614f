import MergeCore

/// Writes the atoms of one frame, column by column; see `Columns` in Sync.proto.
///
/// A path is written as its difference from the path before it, and a content in the same way. Neighbours in a document
/// share most of their path, and the contents that one save wrote begin with the same stamp.
struct ColumnsWriter {
    /// An atom's dot as a delta names it: the position of the replica, and the sequence number.
    struct Place {
        /// The position of the replica in the delta's `to`.
        var position: UInt32
        var sequence: UInt64
    }

    private var runSizes: [UInt32] = []
    private var runAhead: [UInt32] = []
    private var runSteps: [UInt64] = []
    private var keyNumbers: [UInt32] = []
    private var epochs: [UInt32] = []
    private var contentShared: [UInt32] = []
    private var contentSizes: [UInt32] = []
    private var contents: [UInt8] = []
    private var epochBytes: [UInt8] = []
    private var pathShared: [UInt32] = []
    private var pathSizes: [UInt32] = []
    private var paths: [UInt8] = []
    private var kinds: [UInt8] = []
    private var subs: [UInt32] = []
    private var subBytes: [UInt8] = []
    private var lastContent: [UInt8]
    /// The last content that has the 8 bytes of a lead (see `Columns` in Sync.proto).
    private(set) var leading: [UInt8]

    init(lead: [UInt8]) {
        lastContent = lead
        leading = lead
    }

    var isEmpty: Bool { keyNumbers.isEmpty }

    /// An estimate of the bytes of the columns. The true number is less than three times as large.
    var size: Int { contents.count + paths.count + subBytes.count + epochBytes.count + 12 * keyNumbers.count }

    /// Adds one atom.
    ///
    /// - Parameters:
    ///   - end: How many bytes of its content go into this frame, from the first on.
    ///   - place: Its dot.
    ///   - last: The dot of the atom before, which may be in the frame before. For a replica that is new, the first dot
    ///     that the delta spans of it.
    mutating func add(
        _ atom: KeyedAtom, end: Int, at place: Place, after last: Place, _ names: inout OutgoingNames,
        _ keys: inout LinkKeys
    ) {
        if runSizes.isEmpty || place.position != last.position || place.sequence != last.sequence {
            runSizes.append(0)
            runAhead.append(place.position - last.position)
            runSteps.append(place.sequence - last.sequence)
        }
        runSizes[runSizes.count - 1] += 1
        addKey(atom, &keys)
        let (number, bytes) = names.epoch(atom.atom.epoch)
        epochs.append(number)
        epochBytes += bytes
        let content = atom.atom.encoded
        let shared = min(end, worthSharing(Self.shared(lastContent, content)))
        contentShared.append(UInt32(shared))
        contentSizes.append(UInt32(end - shared))
        contents += content[shared..<end]
        lastContent = content
        if content.count >= 8 { leading = content }
    }

    /// The message with all added atoms. At least one atom must have been added.
    func finish() -> WireColumns {
        var columns = WireColumns()
        columns.runSize = runSizes.dropLast()
        columns.runAhead = Self.trimmed(runAhead)
        columns.runStep = Self.trimmed(runSteps)
        columns.key = Self.trimmed(keyNumbers)
        columns.epoch = Self.trimmed(epochs)
        columns.contentShared = Self.trimmed(contentShared)
        columns.contentSize = contentSizes.dropLast()
        columns.contents = contents.wire
        columns.epochs = epochBytes.wire
        columns.pathShared = Self.trimmed(pathShared)
        columns.pathSize = pathSizes.dropLast()
        columns.paths = paths.wire
        columns.kinds = Self.trimmed(kinds).wire
        columns.sub = Self.trimmed(subs)
        columns.subs = subBytes.wire
        return columns
    }

    // MARK: Parts

    private mutating func addKey(_ atom: KeyedAtom, _ keys: inout LinkKeys) {
        let path = atom.key.path.encoded
        let own = atom.key.sub.count == 16 && atom.key.sub == atom.atom.dot.replica.bytes
        let kind = atom.key.kind.rawValue
        let key = WireKey(path: path, kind: kind, own: own, sub: own ? [] : atom.key.sub)
        let number = keys.refer(to: key)
        keyNumbers.append(number)
        guard number == 0 else { return }
        keys.sent.add(key)
        let shared = Self.shared(keys.sent.lastPath, path)
        keys.sent.lastPath = path
        pathShared.append(UInt32(shared))
        pathSizes.append(UInt32(path.count - shared))
        paths += path[shared...]
        kinds.append(kind)
        subs.append(own ? 1 : key.sub.isEmpty ? 0 : UInt32(key.sub.count + 1))
        subBytes += key.sub
    }

    /// How many of the common bytes are shared. Two atoms of one frame share no more than the stamp, unless they have
    /// 24 bytes or more in common: digits that are equal by chance save one byte, but make the columns less regular.
    private func worthSharing(_ common: Int) -> Int {
        guard contentShared.count > 0, common < 24 else { return common }
        return common >= 8 ? 8 : common >= 4 ? common : 0
    }

    private static func shared(_ a: [UInt8], _ b: [UInt8]) -> Int {
        let limit = min(a.count, b.count)
        var count = 0
        while count < limit, a[count] == b[count] { count += 1 }
        return count
    }

    private static func trimmed<Number: FixedWidthInteger>(_ column: [Number]) -> [Number] {
        guard let last = column.lastIndex(where: { $0 != 0 }) else { return [] }
        return last == column.count - 1 ? column : Array(column[...last])
    }
}
