import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol

/// An export or import that waits for games to finish writing.
struct WaitingTransfer {
    /// The time for which a transfer waits until files have settled.
    static let patience = Duration.seconds(3)

    enum Request {
        case export(Call<ExportRequest>)
        case exportDocument(Call<ExportDocumentRequest>)
        case importTransfer(Call<ImportTransferRequest>, ImportTransferRequest)
        case importDocument(Call<ImportDocumentRequest>, ImportDocumentRequest)

        var id: RequestID {
            switch self {
            case .export(let call): call.id
            case .exportDocument(let call): call.id
            case .importTransfer(let call, _): call.id
            case .importDocument(let call, _): call.id
            }
        }
    }

    var request: Request
    /// The profile of the transfer; `nil` while it is not known.
    var profile: ProfileID?
    var deadline: MonotonicTime
}

/// Exports and imports of profiles as files, such as on a memory stick.
///
/// The agent returns the signed file in its reply, and reads one at a path that the command made for it in the home.
/// The command handles passphrases; they never reach the agent.
extension HouseholdAgent {
    /// Begins a transfer. It waits until the games' last saves are read: otherwise an export would lack the last save,
    /// and an import would compare with an old one.
    mutating func transfer(_ request: WaitingTransfer.Request, named name: String?, now: Moment) {
        var transfer = WaitingTransfer(request: request, deadline: now.monotonic + WaitingTransfer.patience)
        if let name {
            guard let profile = one(named: name, for: request.id) else { return }
            transfer.profile = profile
            if differs(profile), watches.isSettled(profile) {
                watches.look(at: profile, now: now.monotonic)
            }
        }
        waiting.add(request.id, transfer)
    }

    mutating func tickTransfers(now: Moment) {
        for (id, transfer) in waiting.transfers.sorted(by: { $0.key < $1.key }) {
            let isSettled = (transfer.profile.map { [$0] } ?? engine.ids).allSatisfy { profile in
                engine.profiles[profile]?.file.path == nil || watches.isSettled(profile)
            }
            guard isSettled || transfer.deadline <= now.monotonic else { continue }
            waiting.end(id)
            switch transfer.request {
            case .export(let call): export(call, transfer.profile, isSettled: isSettled, now: now)
            case .exportDocument(let call): exportDocument(call, transfer.profile, isSettled: isSettled)
            case .importTransfer(let call, let request): importTransfer(call, request, now: now)
            case .importDocument(let call, let request): importDocument(call, request, now: now)
            }
        }
    }

    // MARK: Export

    /// Says of a profile whose file is being written still, or cannot be read, that its last save is not in what is exported.
    private func exportNote(_ profile: ProfileID, isSettled: Bool) -> String? {
        isSettled && !differs(profile)
            ? nil : "the game's last save could not be read, so it is not in it; look at 'hearth status'"
    }

    private mutating func exportDocument(
        _ call: Call<ExportDocumentRequest>, _ profile: ProfileID?, isSettled: Bool
    ) {
        guard let profile, let held = engine.profiles[profile] else { return }
        guard let text = merged(held) else { return fail(call.id, .failed, "nothing is known of \(held.name) yet") }
        let note = exportNote(profile, isSettled: isSettled)
        answer(call) { _ in DocumentText(document: String(decoding: text, as: UTF8.self), note: note) }
    }

    private mutating func export(
        _ call: Call<ExportRequest>, _ profile: ProfileID?, isSettled: Bool, now: Moment
    ) {
        guard let profile, let held = engine.profiles[profile] else { return }
        let proofs = proofs(of: held.state.vector, in: profile)
        do {
            let bytes = try TransferFile.bytes(
                held.id, held.state, document: Self.document(of: held.state) ?? [], roster: household.roster,
                time: now.wall,
                by: signer
            ) { replica, _ in proofs[replica] }
            let report = ExportReport(
                profile: held.name, id: "\(held.id)", note: exportNote(profile, isSettled: isSettled))
            answer(call) { _ in ExportedTransfer(export: report, data: bytes) }
        } catch {
            fail(call.id, .failed, error.description)
        }
    }

    /// The document that a new file of the profile would hold.
    static func document(of state: ProfileState) -> [UInt8]? {
        Projection.newDocument(of: state)?.jsonBytes(indent: "  ")
    }
}
