import MergeCore
import ProfileKeeping

/// The room for copies of other devices' backups: the disk keeps its reserve for everything else (``DiskRoom``), and no
/// device takes up more than its share.
struct CopySpace {
    /// Bytes that the copies of one other device may take up.
    private let limit: Int64
    /// For each device that was measured, an upper bound of the bytes that its kept copies take up.
    private var held: [DeviceID: Int64] = [:]

    init(limit: Int64) { self.limit = limit }

    /// Throws if the disk would not keep its reserve with a copy of `size` bytes.
    func check(_ size: Int, in room: DiskRoom) throws(StorageFault) {
        guard room.takes(size) else {
            throw StorageFault(
                .noSpace, "the disk is nearly full: \(room.reserve >> 20) MiB of it stay free for everything else")
        }
    }

    /// Whether a device's copies may grow by some bytes, as far as is known without measuring them.
    func isKnownToFit(_ growth: Int64, of owner: DeviceID) -> Bool {
        held[owner].map { $0 <= limit - growth } ?? false
    }

    /// Takes the measured size of a device's copies. Throws if they may not grow by `growth` bytes.
    mutating func measured(
        _ size: Int64, of owner: DeviceID, growth: Int64, name: (DeviceID) -> String
    ) throws(StorageFault) {
        held[owner] = size
        guard size <= limit - growth else {
            let most = "\(limit >> 20) MiB are kept of \(name(owner)) at most"
            throw StorageFault(.tooLarge, "\(most); remove some of its copies from the folder copies")
        }
    }

    /// Counts a copy that was kept.
    mutating func added(_ size: Int, of owner: DeviceID) { held[owner]? += Int64(size) }

    mutating func forget(_ owner: DeviceID) { held[owner] = nil }
}
