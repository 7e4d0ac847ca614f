import MergeCore
import SyncProtocol

/// The first file of a profile on this device gets the form in which its game writes, if a connected device knows that
/// form.
///
/// The record holds the values of a save, but not the order of its members, its white space or the spelling of its
/// numbers. So devices that have a file are asked for its text, one after the other, for a limited time. Only the form
/// of this text gets into the file (``SaveForm``), no value, so it hardly matters who sent it or how old it is.
struct FirstFiles {
    /// The time that a device may take for each part.
    static let silence = Duration.seconds(5)
    /// The time that all devices may take together.
    static let patience = Duration.seconds(30)
    /// The time that all devices may take together for a game that holds its profile open, which would not wait longer.
    static let gamePatience = Duration.milliseconds(1_500)
    /// The time to wait for a device that is being dialled or will be.
    static let contact = Duration.seconds(2)

    /// A question to a device for a part of the text.
    struct Question {
        var connection: ConnectionID
        var profile: ProfileID
        var offset: Int
        /// Bytes of the whole text, once they are known.
        var size: Int?
    }

    /// A device that may know the form.
    struct Peer {
        var connection: ConnectionID
        var device: DeviceID
        /// Whether it has said hello.
        var isUp: Bool
        /// Whether the device answers such questions at all.
        var hasForms: Bool
        /// Whether it is being asked already.
        var isBusy: Bool
        /// Whether the device covers everything that is known here.
        var isAhead: Bool
    }

    private struct FirstFile {
        let began: MonotonicTime
        /// The time at which the file is written without a form at the latest.
        var until: MonotonicTime
        /// The time of the next look.
        var next: MonotonicTime
        /// The device that is being asked.
        var asked: (connection: ConnectionID, device: DeviceID)?
        /// The devices that were asked and had no usable text.
        var tried: Set<DeviceID> = []
        /// The parts of the text that have come.
        var text: [UInt8] = []
        /// Whether asking has ended: the text is whole, or there is none.
        var isOver = false

        init(now: MonotonicTime, since: MonotonicTime, patience: Duration) {
            began = since
            until = now + patience
            next = until
        }

        /// Ends the question to the current device, which had no usable text.
        mutating func giveUpOnDevice() {
            if let asked { tried.insert(asked.device) }
            (asked, text) = (nil, [])
        }
    }

    /// The first files whose form is being asked for, or is known and not used yet.
    private var files: [ProfileID: FirstFile] = [:]
    /// The links whose peer was asked and did not answer in time.
    private var givenUp: Set<ConnectionID> = []

    /// The earliest time of the next look.
    var deadline: MonotonicTime? { files.values.filter { !$0.isOver }.map { min($0.until, $0.next) }.min() }

    var profiles: [ProfileID] { files.keys.sorted() }

    /// Whether devices are being asked for the form of a profile.
    func isAsking(_ id: ProfileID) -> Bool { files[id]?.isOver == false }

    /// The text whose form the first file of a profile takes; `nil` where no device knew one.
    func form(of id: ProfileID) -> [UInt8]? {
        guard let file = files[id], file.isOver, !file.text.isEmpty else { return nil }
        return file.text
    }

    /// Starts to ask for a form, or shortens the time limit if the question was asked before. Returns whether the
    /// question is new, so that a device has to be asked.
    ///
    /// - Parameter since: When the request began of which this file is one. For many files together a device that is being
    ///   dialled is waited for once.
    mutating func begin(
        _ id: ProfileID, patience: Duration, since: MonotonicTime? = nil, now: MonotonicTime
    ) -> Bool {
        guard files[id] == nil else {
            files[id]!.until = min(files[id]!.until, now + patience)
            return false
        }
        files[id] = FirstFile(now: now, since: since ?? now, patience: patience)
        return true
    }

    /// Forgets a first file: it is written, or not wanted any more.
    mutating func end(_ id: ProfileID) { files[id] = nil }

    mutating func closed(_ id: ConnectionID) { givenUp.remove(id) }

    /// Lets time pass. Returns the profiles for which the next device has to be asked, or asking has ended.
    mutating func tick(isOpen: (ConnectionID) -> Bool, now: MonotonicTime) -> [ProfileID] {
        var next: [ProfileID] = []
        for id in profiles {
            guard var file = files[id], !file.isOver else { continue }
            if let asked = file.asked {
                let isThere = isOpen(asked.connection)
                guard min(file.next, file.until) <= now || !isThere else { continue }
                if isThere {
                    givenUp.insert(asked.connection)
                    file.giveUpOnDevice()
                } else {
                    // Its link is gone, because another one of the same device took over, say: it may be asked again.
                    (file.asked, file.text) = (nil, [])
                }
            }
            file.isOver = file.until <= now
            files[id] = file
            next.append(id)
        }
        return next
    }

    /// Chooses the next device to ask: preferably one that covers everything known here. If no device is left, asking
    /// ends.
    ///
    /// - Parameter mayLink: Whether a device is being dialled or will be soon, so that it may connect at any moment.
    mutating func askNext(_ id: ProfileID, of peers: [Peer], mayLink: Bool, now: MonotonicTime) -> Question? {
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
        } else if mayLink || left.contains(where: { !$0.isUp }), now < contactUntil {
            file.next = contactUntil
        } else {
            file.isOver = true
        }
        files[id] = file
        return chosen.map { Question(connection: $0.connection, profile: id, offset: 0, size: nil) }
    }

    /// The consequence of a part that has arrived.
    enum Arrival {
        /// The part was not asked for.
        case unasked
        /// There are more parts: this is the next question.
        case more(Question)
        /// The device has no text: another one may have to be asked.
        case none
        /// The text is whole. ``judged(_:isOfUse:)`` says what becomes of it.
        case whole([UInt8])
    }

    /// Takes a part of a form that has arrived.
    mutating func came(
        _ question: FormQuestion, _ answer: FormAnswer, on connection: ConnectionID, now: MonotonicTime
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
        guard answer.size > 0 else {
            file.giveUpOnDevice()
            return .none
        }
        return .whole(file.text)
    }

    /// Ends the question to a device whose text has come whole. A text that is of no use as a form is dropped, and
    /// another device may have to be asked.
    mutating func judged(_ id: ProfileID, isOfUse: Bool) {
        guard isOfUse else { return files[id]?.giveUpOnDevice() ?? () }
        files[id]?.asked = nil
        files[id]?.isOver = true
    }
}
