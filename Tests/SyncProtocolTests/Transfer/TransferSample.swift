import LosslessJSON
import MergeCore

@testable import SyncProtocol

/// A profile that two devices wrote, and the file that one of them makes of it.
struct TransferSample {
    let a = Node("a", 1)
    let b = Node("b", 2)
    let state: ProfileState
    let roster: Roster
    static let household = HouseholdID(high: 7, low: 9)
    static let time: WallTime = 1_700_000_000_000
    static let document = Array("{\n  \"coins\": 130\n}\n".utf8)

    init() throws {
        a.write(profile, from: nil, to: #"{"coins":100,"name":"Ada"}"#)
        a.write(profile, from: #"{"coins":100,"name":"Ada"}"#, to: #"{"coins":110,"name":"Ada"}"#)
        b.write(profile, from: nil, to: #"{"level":3}"#)
        var state = a.states[profile]!
        state.join(b.states[profile]!.delta(beyond: VersionVector()), vector: b.vector(profile))
        self.state = state
        let alone = Roster(me: a.signer.key, name: "laptop", household: Self.household)
        roster = try alone.adding(b.signer.key, name: "deck", by: a.signer).roster
    }

    func proof(_ replica: ReplicaID, _ entry: VersionVector.Entry) -> WriteProof? {
        a.proof(replica, entry) ?? b.proof(replica, entry)
    }

    func file() throws -> [UInt8] {
        try TransferFile.bytes(
            profile, state, document: Self.document, roster: roster, time: Self.time, by: a.signer,
            proof: proof)
    }

    func content(frames: [UInt8]) -> TransferContent {
        TransferContent(
            household: Self.household, deviceName: "laptop", time: Self.time, roster: roster.statements,
            document: Self.document, frames: frames)
    }

    func frames() throws -> [UInt8] { try TransferDelta.frames(profile, state, proof: proof) }

    /// The least costly way to encrypt.
    static let cheap = ScryptCost(logN: 10, r: 1, p: 1)!
    static let salt = [UInt8](0..<16)
    static let passphrase = Array("correct horse battery staple".utf8)
}
