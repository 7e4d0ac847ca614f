/// How much room a disk has, in bytes.
package struct DiskRoom: Hashable, Sendable {
    /// What an ordinary user may still fill.
    package let free: Int64
    package let total: Int64

    package init(free: Int64, total: Int64) { (self.free, self.total) = (max(0, free), max(0, total)) }

    /// What copies of other devices' backups leave free for everything else: 1 GiB, or a twentieth of a larger disk.
    package var reserve: Int64 { max(1 << 30, total / 20) }

    /// Whether so many bytes of a copy leave the reserve free.
    package func takes(_ size: Int) -> Bool { free >= reserve && free - reserve >= size }
}
