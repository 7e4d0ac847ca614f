import MergeCore
import ProfileKeeping

/// Which files were read whole and held what the record has, so that a round of looks reads them again only where the file
/// system says that something is different.
///
/// The file system need not say so. A write within the tick of its clock that the one before it fell into (up to two
/// seconds) leaves size and times as they were. A write through a mapping of the file changes the times only when the page
/// was clean, and a page stays dirty for half a minute or more. A server may be asked for the times once a minute. So a file
/// has to look the same for longer than all of that, by a clock that nobody sets, before the read on which others rest; and
/// once an hour it is read whole all the same.
struct WholeReads {
    /// How long a file has to look the same before a read of it counts.
    static let settling = Duration.seconds(120)
    /// The time after which a file is read again, though it looks the same.
    static let interval = Duration.seconds(3_600)
    /// How far the wall clock may be set back and change nothing; a time server moves it by less.
    static let tolerance = Duration.seconds(1)

    private struct Reading {
        /// The fingerprint of the file's identity.
        let print: UInt64
        /// When the file was read last, if that counts; else when it was first seen to look like this.
        var time: MonotonicTime
        var counts = false
    }

    private var readings: [ProfileID: Reading] = [:]
    /// The wall clock's lead over the other one, when it was greatest.
    private var lead: Duration?

    /// Whether a file was read whole, held what the record has, and looks the same since.
    func covers(_ id: ProfileID, _ file: FileIdentity, now: MonotonicTime) -> Bool {
        guard let reading = readings[id], reading.counts, reading.print == file.fingerprint else { return false }
        return now < reading.time + Self.interval
    }

    /// Notes that a file was read whole, looked the same before and afterwards, and held what the record has.
    mutating func read(_ id: ProfileID, _ file: FileIdentity, now: MonotonicTime) {
        let print = file.fingerprint
        guard var reading = readings[id], reading.print == print else {
            readings[id] = Reading(print: print, time: now)
            return
        }
        guard reading.counts || reading.time + Self.settling <= now else { return }
        (reading.time, reading.counts) = (now, true)
        readings[id] = reading
    }

    /// Forgets a file: it may have changed, or what the record has of it.
    mutating func forget(_ id: ProfileID) { readings[id] = nil }

    /// Notes the time by both clocks. Where the wall clock was set back, a file may be changed at the very time at which it
    /// was changed before, so all are forgotten.
    mutating func clocksShow(_ now: Moment) {
        let shown = Duration.milliseconds(now.wall.milliseconds) - .milliseconds(now.monotonic.milliseconds)
        if let lead, shown + Self.tolerance < lead {
            readings = [:]
            self.lead = shown
        } else {
            lead = max(lead ?? shown, shown)
        }
    }
}
