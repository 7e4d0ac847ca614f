import MergeCore

/// A device of a household: what happens to it, and what its player does. A ``TypedDevice`` and a ``PlainDevice`` play
/// on it as well.
public class TestedDevice {
    /// The name of the device.
    public let name: String
    let stage: Stage

    init(_ name: String, _ stage: Stage) { (self.name, self.stage) = (name, stage) }

    var index: Int { stage.index(name) }

    /// The text of the save; `nil` where there is no file.
    public var text: String? { stage.text(index).map { String(decoding: $0, as: UTF8.self) } }

    // MARK: Playing

    /// A game starts, reads its file, makes these changes and saves.
    public func plays(_ edits: SaveEdit...) { stage.perform(.plays(name, edits)) }

    /// A game that still runs makes these changes to what it holds in memory and saves that, whatever its file holds by
    /// now; without a change it saves what it holds.
    public func overwritesFromMemory(_ edits: SaveEdit...) { stage.perform(.overwrites(name, edits)) }

    /// A game that still runs saves from memory while Hearth is writing to the disk.
    ///
    /// - Parameter step: Before which of the next steps that change the disk the game saves.
    public func overwritesFromMemory(_ edits: SaveEdit..., beforeDiskStep step: Int) {
        stage.perform(.overwritesAmid(name, edits, diskStep: step))
    }

    /// Why a place has its value, in the words of `hearth explain`; `nil` where the save has no such place.
    ///
    /// - Parameter place: The place as an edit (``SaveEdit``) or a finding names it.
    public func explanation(of place: String) -> String? { stage.explanation(of: place, on: index) }

    // MARK: Faults

    /// The device loses its power: what was not synced to its disk is gone, and so is the game. It starts again with
    /// ``starts()``, or when the household settles.
    ///
    /// - Parameter step: Before which of the next steps that change the disk it loses its power; `nil` for at once.
    public func crashes(beforeDiskStep step: Int? = nil) { stage.perform(.crashes(name, beforeDiskStep: step)) }

    /// The device starts again after it lost its power.
    public func starts() { stage.perform(.starts(name)) }

    /// The device starts again, and its record is that of the last time when all was quiet, as from a backup.
    public func startsWithOldRecord() { stage.perform(.rollsBack(name)) }

    /// The device starts again with an empty record, as after somebody deleted it: its save and its key are there, and it
    /// is in no household. One other device at least must have its record.
    public func losesRecord() { stage.perform(.losesRecord(name)) }

    /// The player pairs the device, which lost its record, with the first one that it reaches, and brings its save in again,
    /// as with `hearth pair` and `hearth restore`. The household does that when it settles.
    public func joinsAgain() { stage.perform(.joinsAgain(name)) }

    /// Somebody copies the whole disk of another device onto this one, as when a computer is set up by cloning: it has that
    /// device's save, record and key from now on, its game and its agent begin anew, and what was here alone is gone. The
    /// player takes the device that it was out of the household. Both copies are played on.
    ///
    /// Two copies of one device do not reach each other, so there has to be a third device.
    public func becomesCopy(of other: String) { stage.perform(.becomesCopy(name, of: other)) }

    /// The device sleeps, like a laptop that is closed: its timers wait, its game does not play, and nobody reaches it,
    /// while its clock goes on. It wakes with ``wakes()``, or when the household settles.
    public func sleeps() { stage.perform(.sleeps(name)) }

    /// The device wakes and goes on: what was sent to it meanwhile comes in, and its game still holds what it held.
    public func wakes() { stage.perform(.wakes(name)) }

    /// The disk is full from now on: neither the game nor Hearth can save.
    public func fillsDisk() { stage.perform(.fillsDisk(name)) }

    /// The disk has room again.
    public func freesDisk() { stage.perform(.freesDisk(name)) }

    /// The disk can only be read from now on, as after an error of its file system: neither the game nor Hearth can save,
    /// and an agent that ends does not start.
    public func makesDiskReadOnly() { stage.perform(.makesDiskReadOnly(name)) }

    /// The disk can be written again.
    public func makesDiskWritable() { stage.perform(.makesDiskWritable(name)) }

    /// The clock is set: from now on it is so far ahead of the other devices, or behind where this is below zero.
    public func setsClock(ahead: Duration) {
        stage.perform(.setsClock(name, ahead: ahead.wholeMilliseconds))
    }

    // MARK: The player

    /// The player takes the last step back, everywhere.
    public func undoes() { stage.perform(.undoes(name)) }

    /// The player resets a scope of the rules; without one all of them, or everything where the rules name none.
    public func resets(_ scope: String? = nil) { stage.perform(.resets(name, scope: scope)) }

    /// The player puts a backup back, everywhere: 0 is the newest.
    public func restores(backup: Int) { stage.perform(.restores(name, backup: backup)) }
}
