import Crypto
import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// The copies on a disk, as far as a ``CopyReceiver`` asks for them.
struct CopyDisk {
    var room = DiskRoom(free: 1 << 40, total: 1 << 40)
    /// Every write fails with it.
    var writeFault: StorageFault?
    /// Every question fails with it.
    var readFault: StorageFault?
    private(set) var staged: [DeviceID: [UInt8]] = [:]
    private(set) var copies: [ProfileID: [StoredCopy]] = [:]
    /// The questions that were asked, in their order.
    private(set) var questions: [DiskQuestion] = []

    mutating func answer(_ question: DiskQuestion) -> DiskAnswer {
        questions.append(question)
        if let readFault { return .failed(readFault) }
        switch question {
        case .copies(let profile): return .copies(copies[profile] ?? [])
        case .room: return .room(room)
        case .size(let owner):
            let all = copies.values.joined().filter { $0.owner == owner }
            return .size(all.reduce(0) { $0 + Int64($1.fileSize) })
        }
    }

    mutating func stage(_ bytes: [UInt8], at offset: Int, of owner: DeviceID) throws(StorageFault) {
        var before = offset == 0 ? [] : staged[owner] ?? []
        staged[owner] = nil
        if let writeFault { throw writeFault }
        guard before.count == offset else { throw StorageFault(.changed, "it is not what was staged") }
        before += bytes
        staged[owner] = before
    }

    mutating func keep(
        _ profile: ProfileID, of owner: DeviceID, day: LocalDay, checksum: [UInt8]
    ) throws(StorageFault) {
        let bytes = staged.removeValue(forKey: owner) ?? []
        if let writeFault { throw writeFault }
        guard Array(SHA256.hash(data: bytes)) == checksum else { throw StorageFault(.damaged, "it is another file") }
        var all = copies[profile] ?? []
        let last = all.map(\.number).max() ?? 0
        let note = BackupNote(time: 0, pools: .daily, day: day)
        var copy = StoredCopy(
            number: last + 1, owner: owner, day: day, checksum: checksum,
            backup: StoredBackup(name: StoredCopy.name(owner: owner, day: day), note: note, size: nil))
        copy.fileSize = bytes.count
        all.append(copy)
        let surplus = CopyPlan.surplus(all, of: owner)
        copies[profile] = all.filter { !surplus.contains($0) }
    }

    mutating func drop(_ owner: DeviceID) { staged[owner] = nil }

    mutating func sweep() { staged = [:] }

    /// Somebody removes every copy of a profile.
    mutating func removeCopies(of profile: ProfileID) { copies[profile] = nil }
}

/// A device that keeps copies, with the links of others and the disk played by hand.
struct CopyKeeping {
    static let laptop = DeviceID(high: 5, low: 1)
    static let phone = DeviceID(high: 5, low: 2)

    var disk = CopyDisk()
    var receiver: CopyReceiver
    /// The profiles that have arrived.
    var profiles: Set<ProfileID>
    var paused: Set<ProfileID> = []
    var today: LocalDay?
    var now: MonotonicTime = 1_000
    let link = ConnectionID(rawValue: 1)
    let profile = ProfileID(high: 1, low: 1)
    /// What was asked for and not answered yet, by link.
    var asked: [ConnectionID: CopyIntake] = [:]
    var logs: [String] = []
    /// What all devices were told of whether copies are kept here.
    var announced: [Bool] = []

    init(keeps: Bool = true, limit: Int64 = CopyPlan.ownerLimit) {
        receiver = CopyReceiver(keeps: keeps, limit: limit)
        profiles = [profile]
    }

    static func name(_ device: DeviceID) -> String { device == laptop ? "laptop" : "phone" }

    /// A device lists daily backups of a profile; then it is looked what to ask for.
    mutating func list(
        _ copies: [CopyFacts], of other: ProfileID? = nil, by owner: DeviceID = laptop, on link: ConnectionID? = nil,
        isKnown: Bool = true
    ) {
        perform(
            receiver.listed(
                other ?? profile, copies, by: owner, on: link ?? self.link, isKnown: isKnown, name: Self.name))
        tick()
    }

    mutating func tick(after milliseconds: Int64 = 0) {
        now = now + .milliseconds(milliseconds)
        perform(receiver.tick(around, now: now))
    }

    /// What was asked for is answered over a link; then it is looked what to ask for next.
    mutating func answer(_ bytes: [UInt8], on link: ConnectionID? = nil) throws {
        let link = link ?? self.link
        let intake = try #require(asked[link])
        asked[link] = nil
        let question = CopyQuestion(profile: intake.profile, checksum: intake.facts.checksum, offset: intake.received)
        perform(receiver.came(question, bytes, on: link))
        tick()
    }

    /// Lists one backup and hands it over. Returns whether it was asked for.
    mutating func hand(_ file: Liar.File, as facts: CopyFacts? = nil) throws -> Bool {
        list([facts ?? file.facts()])
        guard asked[link] != nil else { return false }
        try answer(file.bytes)
        return true
    }

    /// An answer about the disk that comes without a question.
    mutating func found(_ answer: DiskAnswer) { perform(receiver.found(answer, around, now: now)) }

    /// A profile arrives.
    mutating func arrive(_ number: UInt64) -> ProfileID {
        let id = ProfileID(high: 1, low: number)
        profiles.insert(id)
        return id
    }

    mutating func keep(_ keeps: Bool) { perform(receiver.keep(keeps)) }

    mutating func forget(allBut members: Set<DeviceID>) { perform(receiver.forget(allBut: members)) }

    /// A link is gone, with what was asked over it.
    mutating func close(_ link: ConnectionID) {
        receiver.closed(link)
        asked[link] = nil
    }

    /// The days of a device of which there are copies, in the order in which they came.
    func days(of owner: DeviceID = laptop) -> [Int] {
        (disk.copies[profile] ?? []).filter { $0.owner == owner }.map(\.day.day)
    }

    func troubles() -> [String] { receiver.troubles(name: Self.name) }

    var around: CopyReceiver.Surroundings {
        let profiles = profiles
        return CopyReceiver.Surroundings(
            paused: paused, today: today, profile: { profiles.contains($0) ? "game" : nil }, name: Self.name)
    }

    private mutating func perform(_ effects: [CopyReceiver.Effect]) {
        var effects = effects[...]
        while let effect = effects.popFirst() { effects += perform(effect) }
    }

    private mutating func perform(_ effect: CopyReceiver.Effect) -> [CopyReceiver.Effect] {
        switch effect {
        case .ask(let link, let intake):
            #expect(asked[link] == nil, "it is asked before the last answer is there")
            asked[link] = intake
        case .find(let question): return receiver.found(disk.answer(question), around, now: now)
        case .stage(let bytes, let offset, let owner):
            do throws(StorageFault) {
                try disk.stage(bytes, at: offset, of: owner)
                return receiver.staged(bytes.count, of: owner)
            } catch {
                return receiver.failed(error, of: owner, around, now: now)
            }
        case .keep(let profile, let owner, let day, let checksum):
            do throws(StorageFault) {
                try disk.keep(profile, of: owner, day: day, checksum: checksum)
                return receiver.kept(of: owner, around)
            } catch {
                return receiver.failed(error, of: owner, around, now: now)
            }
        case .drop(let owner): disk.drop(owner)
        case .sweep: disk.sweep()
        case .announce(let keeps): announced.append(keeps)
        case .log(let line): logs.append(line.message)
        }
        return []
    }
}

/// The backup of a day of November 2023 that has many bytes.
func longBackup(_ number: Int, _ count: Int = 150_000) -> Liar.File {
    let day = Liar.file(number).day
    let note = BackupNote(time: 1, pools: .daily, day: day)
    return Liar.File(day: day, bytes: MemoryBackup([UInt8](repeating: 32, count: count), note).bytes)
}

/// What the short backup of a day of November 2023 is listed with.
func copyFacts(_ number: Int, _ checksum: UInt8? = nil) -> CopyFacts {
    Liar.file(number).facts(checksum: checksum.map { [UInt8](repeating: $0, count: 32) })
}
