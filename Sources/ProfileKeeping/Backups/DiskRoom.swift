/// The room on a disk, in bytes.
package struct DiskRoom: Hashable, Sendable {
    /// The bytes that an ordinary user may still fill.
    package let free: Int64
    package let total: Int64

    package init(free: Int64, total: Int64) { (self.free, self.total) = (max(0, free), max(0, total)) }

    /// The bytes that copies of other devices' backups must leave free: 1 GiB, or a twentieth of the disk if that is
    /// more.
    package var reserve: Int64 { max(1 << 30, total / 20) }

    /// Whether a copy of `size` bytes leaves the reserve free.
    package func takes(_ size: Int) -> Bool { free >= reserve && free - reserve >= size }
}
