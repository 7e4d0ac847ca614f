import MergeCore
import SyncProtocol
import TestSupport
import Testing

/// Every frame of a pairing is what it was, to the byte; see ``GoldenFrames``. The device at which the code is typed has
/// another one in its household, and the device that shows the code joins it.
@Suite struct GoldenPairingTests {
    typealias Golden = GoldenFrames

    @Test func twoDevicesSayTheseFramesAndPair() throws {
        let code = try PairingCode("K7QM-2XWD-9TRB-H4FG")
        let home = try #require(HouseholdID(bytes: Golden.seeded("household of lap", 16)))
        let alone = try #require(HouseholdID(bytes: Golden.seeded("household of desk", 16)))
        let laps = try Roster(me: Golden.lap.key, name: "Lap", household: home)
            .adding(Golden.nas, name: "Nas", by: Golden.lap).roster
        var desk = PairingMachine(
            .responder, signer: Golden.desk, peer: Golden.lap.key, code: code,
            roster: Roster(me: Golden.desk.key, name: "Desk", household: alone),
            secret: Golden.seeded("secret of desk"), nonce: Golden.seeded("nonce of Desk"), now: 0)
        var lap = PairingMachine(
            .initiator, signer: Golden.lap, peer: Golden.desk.key, code: code, roster: laps,
            secret: Golden.seeded("secret of lap"), secretSerial: 2, nonce: Golden.seeded("nonce of Lap"), now: 0)

        let desksHello = said("pair-hello-responder", by: desk.start())
        let lapsHello = said("pair-hello-initiator", by: lap.start())
        let lapsProof = said("pair-proof-initiator", by: lap.received(desksHello))
        let silence = desk.received(lapsHello)
        #expect(silence.isEmpty)
        let desksResult = try result(desk.received(lapsProof))
        let desksProof = said("pair-proof-responder", by: desk.confirm())
        let lapsResult = try result(lap.received(desksProof))
        let done = said("pair-done", by: lap.confirm())
        guard case .finished(let statements)? = desk.received(done).first else { throw Failure("the end is not read") }

        #expect(statements.map(\.subject) == [Golden.desk.key] && statements.allSatisfy { $0.isValid })
        for result in [desksResult, lapsResult] {
            #expect(result.household == home && result.secretSerial == 2)
            #expect(result.secret == Golden.seeded("secret of lap"))
            let members = Set(result.roster.members.map(\.key))
            #expect(members == [Golden.desk.key, Golden.lap.key, Golden.nas])
        }
        let whole = desksResult.roster.merging(statements).roster
        #expect(whole.statements == lapsResult.statements)
    }

    @Test func aPairingThatIsEndedSaysThis() throws {
        var desk = PairingMachine(
            .responder, signer: Golden.desk, peer: Golden.lap.key, code: try PairingCode("K7QM-2XWD-9TRB-H4FG"),
            roster: Roster(me: Golden.desk.key, name: "Desk", household: Golden.household),
            secret: Golden.seeded("secret of desk"), nonce: Golden.seeded("nonce of Desk"), now: 0)
        _ = desk.start()
        _ = said("pair-goodbye", by: desk.cancel("The code is shown no more."))
    }

    /// Compares the one frame that is sent with its file, and returns it.
    private func said(_ name: String, by actions: [PairingAction]) -> [UInt8] {
        let sent = actions.flatMap { action -> [UInt8] in if case .send(let bytes) = action { bytes } else { [] } }
        Golden.expect(sent, is: name)
        return sent
    }

    private func result(_ actions: [PairingAction]) throws -> PairingResult {
        guard case .paired(let result)? = actions.first else { throw Failure("no pairing came of \(actions)") }
        return result
    }
}
