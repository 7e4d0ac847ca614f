/// A backup of what a profile was before its last change, which has still to be made.
///
/// The image is in the record, with a note of what is due: both came with the change itself. So a change need not wait
/// for its backup, and no crash takes it.
struct DueBackup: Hashable, Sendable {
    /// The image's number in the lineage.
    var image: Int64
    /// When the change came.
    var time: Int64
    /// The image.
    var bytes: [UInt8]
    /// When to make it, or to try again.
    var next: Int64

    init(image: Int64, bytes: [UInt8], time: Int64, next: Int64) {
        (self.image, self.bytes, self.time, self.next) = (image, bytes, time, next)
    }

    /// As it was noted; `nil` where the image is not there any more, or the note is none.
    init?(_ note: [UInt8], _ lineage: Lineage) {
        guard note.count == 16 else { return nil }
        let numbers = [note[..<8], note[8...]].map { Int64(bitPattern: $0.reduce(0) { $0 << 8 | UInt64($1) }) }
        guard let bytes = lineage.bytes(of: numbers[0]) else { return nil }
        self.init(image: numbers[0], bytes: bytes, time: numbers[1], next: numbers[1])
    }

    /// Sixteen bytes: number and time, most significant byte first.
    var note: [UInt8] {
        [image, time].flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }
    }
}
