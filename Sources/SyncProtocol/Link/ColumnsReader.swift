import MergeCore

/// Reads the atoms of one frame, column by column; see `Columns` in Sync.proto. The reader checks that the columns are
/// well formed; ``DeltaReader`` checks whether their values make sense.
struct ColumnsReader {
    /// One atom as it was read.
    struct Read {
        /// The number of positions in the delta's `to` between the replica of the atom before and this atom's replica.
        let ahead: UInt32
        let step: UInt64
        let key: WireKey
        let epoch: EpochID?
        let shared: Int
        let content: ArraySlice<UInt8>
    }

    /// How many atoms there are.
    let count: Int
    private let runAhead: [UInt32]
    private let runSteps: [UInt64]
    private let keyNumbers: [UInt32]
    private let epochNumbers: [UInt32]
    private let contentShared: [UInt32]
    private let pathShared: [UInt32]
    private let subSizes: [UInt32]
    private var runs: Cut
    private var contents: Cut
    private var paths: Cut
    private var kinds: [UInt8]
    private var subs: [UInt8]
    private var epochs: [UInt8]
    private var nextAtom = 0
    private var nextRun = 0
    private var leftInRun = 0
    private var nextKey = 0
    private var nextSub = 0
    private var nextEpoch = 0

    init(_ columns: WireColumns) throws(ProtocolFault) {
        count = columns.contentSize.count + 1
        let keys = count - columns.key.count { $0 != 0 }
        let runs = columns.runSize.count + 1
        guard runs <= count, columns.runAhead.count <= runs, columns.runStep.count <= runs,
            columns.key.count <= count, columns.epoch.count <= count, columns.contentShared.count <= count,
            columns.pathSize.count == max(0, keys - 1), columns.pathShared.count <= keys,
            columns.kinds.count <= keys, columns.sub.count <= keys
        else { throw ProtocolFault("the columns of a delta do not fit one another") }
        self.runs = try Cut(count, columns.runSize, "runs")
        contents = try Cut(columns.contents.count, columns.contentSize, "values")
        paths = try Cut(columns.paths.count, columns.pathSize, "paths")
        guard keys > 0 || columns.paths.isEmpty else { throw ProtocolFault("a delta has paths without keys") }
        contents.bytes = columns.contents.array
        paths.bytes = columns.paths.array
        runAhead = columns.runAhead
        runSteps = columns.runStep
        keyNumbers = columns.key
        epochNumbers = columns.epoch
        contentShared = columns.contentShared
        pathShared = columns.pathShared
        subSizes = columns.sub
        kinds = columns.kinds.array
        subs = columns.subs.array
        epochs = columns.epochs.array
    }

    /// The next atom; call it `count` times.
    mutating func next(
        _ names: inout IncomingNames, _ keys: inout LinkKeys
    ) throws(ProtocolFault) -> Read {
        var (ahead, step): (UInt32, UInt64) = (0, 0)
        if leftInRun == 0 {
            leftInRun = runs.next().count
            guard leftInRun > 0 else { throw ProtocolFault("a delta has a run without atoms") }
            ahead = Self.entry(runAhead, nextRun)
            step = Self.entry(runSteps, nextRun)
            nextRun += 1
        }
        leftInRun -= 1
        let index = nextAtom
        nextAtom += 1
        let key = try key(Self.entry(keyNumbers, index), &keys)
        let epoch = try names.epochs.resolve(Self.entry(epochNumbers, index)) { () throws(ProtocolFault) in
            let bytes = epochs[nextEpoch...].prefix(EpochID.byteCount)
            nextEpoch += bytes.count
            return Array(bytes)
        }
        let shared = Int(Self.entry(contentShared, index))
        return Read(
            ahead: ahead, step: step, key: key, epoch: epoch, shared: shared, content: contents.bytes[contents.next()]
        )
    }

    /// Checks at the end that every byte was used. Throws a fault if bytes are left over.
    func finish() throws(ProtocolFault) {
        guard nextSub == subs.count, nextEpoch == epochs.count else {
            throw ProtocolFault("a delta has bytes that belong to nothing")
        }
    }

    // MARK: Parts

    private mutating func key(_ number: UInt32, _ keys: inout LinkKeys) throws(ProtocolFault) -> WireKey {
        guard number == 0 else { return try keys.resolve(number) }
        let index = nextKey
        nextKey += 1
        let shared = Int(Self.entry(pathShared, index))
        let rest = paths.bytes[paths.next()]
        guard shared <= keys.known.lastPath.count else {
            throw ProtocolFault("a path shares \(shared) bytes with one of \(keys.known.lastPath.count)")
        }
        guard shared + rest.count <= Limits.path else {
            throw ProtocolFault("a path has \(shared + rest.count) bytes, more than \(Limits.path)")
        }
        var path: [UInt8] = []
        path.reserveCapacity(shared + rest.count)
        path += keys.known.lastPath[..<shared]
        path += rest
        guard path.isEmpty || path[0] == UInt8(ascii: "/") || path[0] == UInt8(ascii: "#") else {
            throw ProtocolFault("an atom's path begins with neither / nor #")
        }
        keys.known.lastPath = path
        let sub = Self.entry(subSizes, index)
        let size = sub < 2 ? 0 : Int(sub) - 1
        guard size <= Limits.sub, size <= subs.count - nextSub else {
            throw ProtocolFault("an atom has a sub of \(size) bytes")
        }
        let key = WireKey(
            path: path, kind: Self.entry(kinds, index), own: sub == 1, sub: Array(subs[nextSub..<nextSub + size])
        )
        nextSub += size
        keys.known.add(key)
        return key
    }

    /// The entry of a column at an index. Zeros at the end of a column are not sent, so a missing entry is 0.
    private static func entry<Number: FixedWidthInteger>(_ column: [Number], _ index: Int) -> Number {
        index < column.count ? column[index] : 0
    }
}

/// Cuts a sequence into pieces by a column of sizes. The last size is not sent: the last piece is all that remains.
private struct Cut {
    var bytes: [UInt8] = []
    private let sizes: [UInt32]
    private let total: Int
    private var index = 0
    private var start = 0

    init(_ total: Int, _ sizes: [UInt32], _ what: String) throws(ProtocolFault) {
        var sum = 0
        for size in sizes {
            sum += Int(size)
            guard sum <= total else { throw ProtocolFault("the \(what) of a delta are larger than what holds them") }
        }
        self.sizes = sizes
        self.total = total
    }

    mutating func next() -> Range<Int> {
        let end = index < sizes.count ? start + Int(sizes[index]) : total
        defer { (index, start) = (index + 1, end) }
        return start..<end
    }
}
