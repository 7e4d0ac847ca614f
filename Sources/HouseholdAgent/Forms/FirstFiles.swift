import MergeCore
import SyncProtocol

/// The first file of a profile on this device is written as its game writes it, where a connected device can tell.
///
/// The record holds the values of a save, and not the order of its members, its white space or how its numbers are
/// spelled. So a device that has a file is asked for its text, one device after the other, for a bounded time. Nothing
/// of the text but its form gets into the file (``SaveForm``), so it matters little who sent it, or how old it is.
struct FirstFiles {
    /// Milliseconds a device may take for each part.
    static let silence: Int64 = 5_000
    /// Milliseconds all devices may take together.
    static let patience: Int64 = 30_000
    /// The same for a game that holds its profile, and waits for less than that.
    static let gamePatience: Int64 = 1_500
    /// Milliseconds in which a device that is being dialled is there, or is not waited for.
    static let contact: Int64 = 2_000

    /// Ask a device for a part of the text.
    struct Question {
        var connection: ConnectionID
        var profile: ProfileID
        var offset: Int
        /// How long the text is, once that is known.
        var size: Int?
    }

    /// A device that may know the form.
    struct Peer {
        var connection: ConnectionID
        var device: DeviceID
        /// Whether it has said hello.
        var isUp: Bool
        /// Whether it can be asked at all.
        var hasForms: Bool
        /// Whether it is being asked already.
        var isBusy: Bool
        /// Whether it has all that is known here.
        var isAhead: Bool
    }

    private struct FirstFile {
        let began: Int64
        /// When it is written without a form, at the latest.
        var until: Int64
        /// When to look again.
        var next: Int64
        /// Who is asked.
        var asked: (connection: ConnectionID, device: DeviceID)?
        /// Who was asked, and has none.
        var tried: Set<DeviceID> = []
        /// What has come of the form.
        var text: [UInt8] = []
        /// Nobody is asked any more. The text is whole, or there is none.
        var isOver = false

        init(now: Int64, patience: Int64) {
            began = now
            until = now + patience
            next = until
        }

        /// The device that was asked is of no help.
        mutating func giveUpOnDevice() {
            if let asked { tried.insert(asked.device) }
            (asked, text) = (nil, [])
        }
    }

    /// First files whose form is asked for, or is known and not used yet.
    private var files: [ProfileID: FirstFile] = [:]
    /// Links whose peer was asked and did not answer in time.
    private var givenUp: Set<ConnectionID> = []

    /// When to look again at the earliest.
    var deadline: Int64? { files.values.filter { !$0.isOver }.map { min($0.until, $0.next) }.min() }

    var profiles: [ProfileID] { files.keys.sorted() }

    /// Whether devices are being asked for the form of a profile.
    func isAsking(_ id: ProfileID) -> Bool { files[id]?.isOver == false }

    /// What the first file of a profile is to look like, where anybody knew.
    func form(of id: ProfileID) -> [UInt8]? {
        guard let file = files[id], file.isOver, !file.text.isEmpty else { return nil }
        return file.text
    }

    /// Begins to ask for a form, or asks for less time than before. Returns whether that is new, and somebody has to be
    /// asked.
    mutating func begin(_ id: ProfileID, patience: Int64, now: Int64) -> Bool {
        guard files[id] == nil else {
            files[id]!.until = min(files[id]!.until, now + patience)
            return false
        }
        files[id] = FirstFile(now: now, patience: patience)
        return true
    }

    /// The file is written, or is not wanted any more.
    mutating func end(_ id: ProfileID) { files[id] = nil }

    mutating func closed(_ id: ConnectionID) { givenUp.remove(id) }

    /// The profiles for which somebody else has to be asked, or nobody any more.
    mutating func tick(isOpen: (ConnectionID) -> Bool, now: Int64) -> [ProfileID] {
        var next: [ProfileID] = []
        for id in profiles {
            guard var file = files[id], !file.isOver else { continue }
            if let asked = file.asked {
                let isThere = isOpen(asked.connection)
                guard min(file.next, file.until) <= now || !isThere else { continue }
                if isThere { givenUp.insert(asked.connection) }
                file.giveUpOnDevice()
            }
            file.isOver = file.until <= now
            files[id] = file
            next.append(id)
        }
        return next
    }

    /// Chooses the next device: one that has all that is known here, if there is one. Where nobody is left, that is
    /// that.
    ///
    /// - Parameter isDialling: Whether a device may come up any moment.
    mutating func askNext(_ id: ProfileID, of peers: [Peer], isDialling: Bool, now: Int64) -> Question? {
        guard var file = files[id], !file.isOver, file.asked == nil else { return nil }
        let left = peers.filter { !file.tried.contains($0.device) }
        let able = left.filter { $0.isUp && $0.hasForms && !givenUp.contains($0.connection) }
        let free = able.filter { !$0.isBusy }
        let contactUntil = file.began + Self.contact
        let chosen = free.first(where: \.isAhead) ?? free.first
        if let chosen {
            file.asked = (chosen.connection, chosen.device)
            file.next = now + Self.silence
        } else if !able.isEmpty {
            file.next = file.until
        } else if isDialling || left.contains(where: { !$0.isUp }), now < contactUntil {
            file.next = contactUntil
        } else {
            file.isOver = true
        }
        files[id] = file
        return chosen.map { Question(connection: $0.connection, profile: id, offset: 0, size: nil) }
    }

    /// What a part that came leads to.
    enum Arrival {
        /// Nobody asked for it.
        case unasked
        /// There is more.
        case more(Question)
        /// The text is whole, or there is none: somebody else may have to be asked.
        case whole(isOfUse: Bool, isEmpty: Bool)
    }

    /// A part of a form came.
    ///
    /// - Parameter isOfUse: Whether a whole text is of use as a form.
    mutating func came(
        _ question: FormQuestion, _ answer: FormAnswer, on connection: ConnectionID, now: Int64,
        isOfUse: ([UInt8]) -> Bool
    ) -> Arrival {
        givenUp.remove(connection)
        let id = question.profile
        guard var file = files[id], file.asked?.connection == connection, question.offset == file.text.count else {
            return .unasked
        }
        defer { files[id] = file }
        file.text += answer.content
        file.next = now + Self.silence
        if file.text.count < answer.size {
            return .more(
                Question(connection: connection, profile: id, offset: file.text.count, size: answer.size))
        }
        let isOfUse = answer.size > 0 && isOfUse(file.text)
        if isOfUse {
            (file.asked, file.isOver) = (nil, true)
        } else {
            file.giveUpOnDevice()
        }
        return .whole(isOfUse: isOfUse, isEmpty: answer.size == 0)
    }
}
