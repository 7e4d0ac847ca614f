/// One thing that happens in a household. Devices are named; times are virtual.
public enum HouseholdStep: Hashable, Sendable {
    /// A game starts, reads its file, changes it and saves.
    case plays(String, [SaveEdit])
    /// A game starts, reads its file, does one of the developer's moves with random numbers of this seed, and saves.
    case moves(String, String, UInt64)
    /// A game that still runs changes what it holds in memory and saves that, whatever its file holds by now.
    case overwrites(String, [SaveEdit])
    /// A game that still runs saves from memory while Hearth is writing: just before one of the next steps that change the
    /// disk, which is given by its number, counted from 1.
    case overwritesAmid(String, [SaveEdit], diskStep: Int)
    /// Two devices lose their network.
    case partition(String, String)
    /// Nothing gets through between two devices, and neither is told.
    case silence(String, String)
    /// Nothing of the first device gets through to the second one, and what that one sends arrives; neither is told.
    case silencesOneWay(String, toward: String)
    /// Every network is back.
    case heal
    /// A device loses its power: at once, or before the so-manieth step that changes its disk from now on.
    case crashes(String, beforeDiskStep: Int?)
    /// A device that lost its power starts again.
    case starts(String)
    /// A device starts again with the record that it had when all was quiet for the last time, as from a backup.
    case rollsBack(String)
    /// A device starts with an empty record, while its save and its key are there: it is in no household.
    case losesRecord(String)
    /// The player pairs a device that lost its record with another one, and brings its save in again.
    case joinsAgain(String)
    /// The whole disk of another device is copied onto this one: its save, its record and its key.
    case becomesCopy(String, of: String)
    /// A device sleeps: its agent and its game do nothing, and nobody reaches it. It wakes and goes on.
    case sleeps(String), wakes(String)
    /// The disk of a device is full, or has room again.
    case fillsDisk(String), freesDisk(String)
    /// The disk of a device can only be read, or be written again.
    case makesDiskReadOnly(String), makesDiskWritable(String)
    /// A device's clock is so many milliseconds ahead of the others from now on, or behind.
    case setsClock(String, ahead: Int64)
    /// The player takes the last step back.
    case undoes(String)
    /// The player resets a part, or everything.
    case resets(String, scope: String?)
    /// The player puts a backup back: 0 is the newest.
    case restores(String, backup: Int)
    /// Time passes: this many milliseconds.
    case wait(Int64)
    /// Devices without power start, all comes to rest, and everything is checked.
    case settle

    /// The devices that the step names.
    public var devices: [String] {
        switch self {
        case .plays(let device, _), .moves(let device, _, _), .overwrites(let device, _),
            .overwritesAmid(let device, _, _), .crashes(let device, _), .starts(let device), .rollsBack(let device),
            .losesRecord(let device), .joinsAgain(let device), .sleeps(let device), .wakes(let device),
            .fillsDisk(let device), .freesDisk(let device), .makesDiskReadOnly(let device),
            .makesDiskWritable(let device), .setsClock(let device, _), .undoes(let device),
            .resets(let device, _), .restores(let device, _):
            [device]
        case .partition(let one, let other), .silence(let one, let other), .silencesOneWay(let one, let other),
            .becomesCopy(let one, let other):
            [one, other]
        case .heal, .wait, .settle: []
        }
    }
}

extension HouseholdStep: CustomStringConvertible {
    /// The kind of the step in a word or two, under which it is counted.
    public var kind: String {
        switch self {
        case .plays: "play"
        case .moves: "move"
        case .overwrites: "overwrite from memory"
        case .overwritesAmid: "overwrite amid a write"
        case .partition: "partition"
        case .silence: "silence"
        case .silencesOneWay: "silence one way"
        case .heal: "heal"
        case .crashes(_, nil): "crash"
        case .crashes: "crash in a disk step"
        case .starts: "start"
        case .rollsBack: "record rolled back"
        case .losesRecord: "record lost"
        case .joinsAgain: "joined again"
        case .becomesCopy: "became a copy"
        case .sleeps: "sleep"
        case .wakes: "wake"
        case .fillsDisk: "disk full"
        case .freesDisk: "disk freed"
        case .makesDiskReadOnly: "disk read-only"
        case .makesDiskWritable: "disk writable"
        case .setsClock: "clock set"
        case .undoes: "undo"
        case .resets: "reset"
        case .restores: "restore"
        case .wait: "wait"
        case .settle: "settle"
        }
    }

    /// Whether it is something that goes wrong, and not play.
    var isFault: Bool {
        switch self {
        case .overwrites, .overwritesAmid, .partition, .silence, .silencesOneWay, .crashes, .rollsBack, .losesRecord,
            .becomesCopy, .sleeps, .fillsDisk, .makesDiskReadOnly, .setsClock:
            true
        default: false
        }
    }

    /// The step as a sentence without its devices' lane: `plays: /coins + 30`.
    public var description: String {
        switch self {
        case .plays(_, let edits): "plays: \(Self.list(edits))"
        case .moves(_, let name, _): "plays: \(name)"
        case .overwrites(_, []): "saves from memory"
        case .overwrites(_, let edits): "saves from memory: \(Self.list(edits))"
        case .overwritesAmid(_, let edits, let step): "is to save before disk step \(step): \(Self.list(edits))"
        case .partition(let one, let other): "\(one) and \(other) lose their network"
        case .silence(let one, let other): "nothing gets through between \(one) and \(other)"
        case .silencesOneWay(let one, let other): "nothing of \(one) gets through to \(other)"
        case .heal: "all networks are back"
        case .crashes(_, nil): "loses its power"
        case .crashes(_, let step?): "is to lose its power before disk step \(step)"
        case .starts: "starts again"
        case .rollsBack: "starts with an old record"
        case .losesRecord: "starts with an empty record, and is in no household"
        case .joinsAgain: "is paired again, and its save comes in again"
        case .becomesCopy(_, let other): "becomes a copy of \(other)"
        case .sleeps: "sleeps"
        case .wakes: "wakes"
        case .fillsDisk: "its disk is full"
        case .freesDisk: "its disk has room"
        case .makesDiskReadOnly: "its disk can only be read"
        case .makesDiskWritable: "its disk can be written again"
        case .setsClock(_, let ahead): "its clock is \(ahead) ms ahead"
        case .undoes: "undoes the last step"
        case .resets(_, let scope): "resets \(scope ?? "everything")"
        case .restores(_, let backup): "puts backup \(backup) back"
        case .wait(let milliseconds): "\(milliseconds) ms pass"
        case .settle: "all comes to rest"
        }
    }

    private static func list(_ edits: [SaveEdit]) -> String {
        edits.isEmpty ? "nothing" : edits.map(\.description).joined(separator: ", ")
    }
}
