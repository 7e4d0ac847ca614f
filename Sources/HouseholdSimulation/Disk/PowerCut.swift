/// The disks that a power cut at one moment may leave.
///
/// - Names: the changes of each folder since its last sync persist up to some point (as with a journal), or any subset
///   of all changes persists (where nothing orders them). Each change persists completely or not at all.
/// - Contents, for each file separately, one of these: the writes since the last sync persist up to some point, with
///   any number of bytes of the next write; or the file has its new length, and everything after some byte is zeros
///   (delayed allocation); or, in a file of two to four blocks of 512 bytes, each block is new, zero or as before; or
///   nothing persists.
package struct PowerCut {
    private let disk: MemoryDisk
    private let names: [[String: Int]]
    private let contents: [Int: TornFile]

    /// Up to this number of name changes every subset is taken. Of more changes, as many subsets (64) are taken at
    /// random.
    private static let subsetLimit = 6

    package init(of disk: MemoryDisk, using random: inout some RandomNumberGenerator) {
        self.disk = disk
        var names = Self.journalled(disk)
        names += Self.unordered(disk, using: &random)
        var seen: Set<[String: Int]> = []
        self.names = names.filter { seen.insert($0).inserted }
        contents = disk.files.filter { !$0.value.writes.isEmpty }.mapValues(TornFile.init)
    }

    /// The number of possible disks, duplicates included; `Int.max` where the number overflows.
    package var count: Int {
        names.reduce(0) { sum, names in
            let (total, overflow) = sum.addingReportingOverflow(ways(names))
            return overflow ? .max : total
        }
    }

    /// Every disk that may be left. Where there are more than `limit`: the extreme cases, at most three for each of the
    /// first `limit` sets of names, filled up to `limit` with a random sample.
    package func disks(limit: Int, using random: inout some RandomNumberGenerator) -> [MemoryDisk] {
        if count <= limit { return names.flatMap(every) }
        var disks: [MemoryDisk] = []
        // The extreme cases: everything that was written, nothing of it, or only the new length.
        for names in names.prefix(limit) {
            disks.append(disk.left(names, [:]))
            guard ways(names) > 1 else { continue }
            disks.append(disk.left(names, contents.mapValues(\.file.durable)))
            disks.append(disk.left(names, contents.mapValues { $0[1] }))
        }
        while disks.count < limit {
            let names = names[Int.random(in: 0..<names.count, using: &random)]
            var chosen: [Int: [UInt8]] = [:]
            for inode in files(names) {
                let torn = contents[inode]!
                chosen[inode] = torn[Int.random(in: 0..<torn.count, using: &random)]
            }
            disks.append(disk.left(names, chosen))
        }
        return disks
    }

    // MARK: Combining

    /// The inodes of the named files that may have several contents, sorted.
    private func files(_ names: [String: Int]) -> [Int] {
        Set(names.values).filter { contents[$0] != nil }.sorted()
    }

    private func ways(_ names: [String: Int]) -> Int {
        files(names).reduce(1) { product, inode in
            let (all, overflow) = product.multipliedReportingOverflow(by: contents[inode]!.count)
            return overflow ? .max : all
        }
    }

    private func every(_ names: [String: Int]) -> [MemoryDisk] {
        var choices: [[Int: [UInt8]]] = [[:]]
        for inode in files(names) {
            let torn = contents[inode]!
            choices = choices.flatMap { chosen in
                (0..<torn.count).map { chosen.merging([inode: torn[$0]]) { $1 } }
            }
        }
        return choices.map { disk.left(names, $0) }
    }

    // MARK: Names

    /// The names where the changes of each folder persist up to some point. Stops combining folders above 256 results.
    private static func journalled(_ disk: MemoryDisk) -> [[String: Int]] {
        var all = [disk.durableNames]
        for folder in Set(disk.nameChanges.map(\.folder)).sorted() {
            let changes = disk.nameChanges.filter { $0.folder == folder }
            all = all.flatMap { start in
                var names = start
                return [start]
                    + changes.map { change in
                        MemoryDisk.apply(change, to: &names)
                        return names
                    }
            }
            if all.count > 256 { break }
        }
        return all
    }

    private static func unordered(_ disk: MemoryDisk, using random: inout some RandomNumberGenerator) -> [[String: Int]]
    {
        let changes = disk.nameChanges
        func kept(_ mask: UInt64) -> [String: Int] {
            var names = disk.durableNames
            for (index, change) in changes.enumerated() where mask >> UInt64(index % 64) & 1 == 1 {
                MemoryDisk.apply(change, to: &names)
            }
            return names
        }
        if changes.count <= subsetLimit { return (0..<(UInt64(1) << UInt64(changes.count))).map(kept) }
        return (0..<(1 << subsetLimit)).map { _ in kept(random.next()) }
    }
}
