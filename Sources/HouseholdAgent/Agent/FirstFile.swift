import MergeCore
import SyncProtocol

/// The first file of a profile on this device, while its form is asked for.
struct FirstFile {
    /// Milliseconds a device may take for each part.
    static let silence: Int64 = 5_000
    /// Milliseconds all devices may take together.
    static let patience: Int64 = 30_000
    /// The same for a game that holds its profile, and waits for less than that.
    static let gamePatience: Int64 = 1_500
    /// Milliseconds in which a device that is being dialled is there, or is not waited for.
    static let contact: Int64 = 2_000

    let began: Int64
    /// When it is written without a form, at the latest.
    var until: Int64
    /// When to look again.
    var next: Int64
    /// Who is asked.
    var asked: (connection: ConnectionID, device: DeviceID)?
    /// Who was asked, and has none.
    var tried: Set<DeviceID> = []
    /// What has come of the form, and how large it is.
    var text: [UInt8] = []
    var size: Int?
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
        (asked, text, size) = (nil, [], nil)
    }

    var deadline: Int64? { isOver ? nil : min(until, next) }
}

/// A request that is answered once a profile's first file is written.
struct AwaitedFile {
    enum Request {
        case restore(note: String?)
        case importing(ImportReport)
        case bring(RequestID, hurry: Bool)
    }

    var profile: ProfileID
    var request: Request
}

/// What one link has to do with forms.
struct LinkForms {
    /// What the peer asked.
    var question: FormQuestion?
    /// What it is being sent.
    var outgoing: (profile: ProfileID, text: [UInt8], until: Int64)?
    /// The peer was asked and did not answer in time.
    var isGivenUp = false

    /// Milliseconds a text is kept for the rest of the questions.
    static let keepTime: Int64 = 30_000
}
