import MergeCore
import SyncProtocol
import Testing

@testable import HouseholdAgent

/// Pairings that are wired to each other, with nothing of the agent around them.
@Suite struct PairingStateTests {
    private let network = PairingNetwork()
    private let laptop: PairingDevice
    private let deck: PairingDevice
    private let code = PairingCode(random: [UInt8](repeating: 1, count: 10))
    private let otherCode = PairingCode(random: [UInt8](repeating: 2, count: 10))

    init() {
        laptop = network.device("laptop")
        deck = network.device("deck")
    }

    /// What a device answered to a request, without the code that it shows.
    private func answers(_ device: PairingDevice, _ request: UInt64) -> [String] {
        (device.replies[RequestID(rawValue: request)] ?? []).filter { !$0.contains(" until ") }
    }

    /// What it answered last, or no words.
    private func answer(_ device: PairingDevice, _ request: UInt64) -> String { answers(device, request).last ?? "" }

    private static let refused = "a pairing was refused"

    // MARK: Two devices

    @Test func aTypedCodePairsBothSides() throws {
        network.show(code, on: laptop, for: 1)
        #expect(laptop.replies[RequestID(rawValue: 1)] == ["\(code) until 1700000300000"] && laptop.pairing.isShowing)
        network.type(code, on: deck, at: laptop, for: 2)
        network.run()
        #expect(answers(laptop, 1) == ["paired with deck"] && answers(deck, 2) == ["paired with laptop"])
        let (responder, initiator) = (try #require(laptop.results.first), try #require(deck.results.first))
        #expect(responder.secret == initiator.secret && responder.household == initiator.household)
        #expect(responder.roster.members.count == 2)
        #expect(deck.typedAt == laptop.address && laptop.typedAt == nil)
        #expect(laptop.merges == 1)
        for device in [laptop, deck] {
            #expect(!device.pairing.isShowing && device.pairing.waiting.isEmpty && device.pairing.deadline == nil)
        }
    }

    @Test func aWrongCodePairsNobody_andTheRightOneStands() {
        network.show(code, on: laptop, for: 1)
        network.type(otherCode, on: deck, at: laptop, for: 2)
        network.run()
        #expect(laptop.results.isEmpty && deck.results.isEmpty)
        #expect(answer(deck, 2).contains("compare the code") && answers(laptop, 1) == [])
        #expect(laptop.logs == ["a wrong pairing code was typed"])
        network.pass(5_000)
        network.type(code, on: deck, at: laptop, for: 3)
        network.run()
        #expect(answer(deck, 3) == "paired with laptop" && answer(laptop, 1) == "paired with deck")
    }

    /// The next guess of that device has to wait a second; it is tried again by itself.
    @Test func aWrongGuessIsNotTakenBack() {
        network.show(code, on: laptop, for: 1)
        network.type(otherCode, on: deck, at: laptop, for: 2)
        network.run()
        network.type(code, on: deck, at: laptop, for: 3)
        network.run()
        #expect(laptop.logs.last == Self.refused && answers(deck, 3) == [])
        network.pass(1_500)
        #expect(answer(deck, 3) == "paired with laptop")
        #expect(deck.dials.map(\.at) == [0, 0, 1_500])
    }

    /// Neither while it is open nor afterwards.
    @Test func aConnectionThatGuessesNothingTakesNoGuessFromAnybody() throws {
        network.show(code, on: laptop, for: 1)
        for _ in 0..<30 {
            let id = try #require(network.knock(at: laptop, from: deck.address))
            #expect(network.knock(at: laptop, from: deck.address) != nil)
            network.hangUp(id, at: laptop)
        }
    }

    @Test func whoSaysNothingIsClosedAfterFiveSeconds() throws {
        network.show(code, on: laptop, for: 1)
        _ = try #require(network.knock(at: laptop, from: deck.address))
        #expect(laptop.pairing.deadline == 5_000)
        network.pass(5_000)
        #expect(laptop.pairing.deadline == 300_000)
        #expect(network.knock(at: laptop, from: deck.address) != nil)
    }

    // MARK: The code

    @Test func aNewerCodeReplacesTheOneBefore() {
        network.show(code, on: laptop, for: 1)
        network.show(otherCode, on: laptop, for: 2)
        #expect(answer(laptop, 1).hasPrefix("a newer code was asked for"))
        network.type(code, on: deck, at: laptop, for: 3)
        network.pass(5_000)
        #expect(laptop.results.isEmpty && answers(laptop, 2) == [])
        network.type(otherCode, on: deck, at: laptop, for: 4)
        network.run()
        #expect(answers(laptop, 2) == ["paired with deck"] && answers(laptop, 1).count == 1)
    }

    /// Its connection was admitted while the former code was shown; what it guesses there is no guess at the newer one.
    @Test func aConnectionForTheFormerCodeTakesNoGuessBackAtTheNewerOne() throws {
        network.show(code, on: laptop, for: 1)
        let former = try #require(network.knock(at: laptop, from: deck.address))
        network.show(otherCode, on: laptop, for: 2)
        network.type(code, on: deck, at: laptop, for: 3)
        network.run()
        #expect(laptop.logs == ["a wrong pairing code was typed"])
        network.hangUp(former, at: laptop)
        #expect(network.knock(at: laptop, from: deck.address) == nil)
    }

    /// The other device's last word comes when a newer code is shown already.
    @Test func aPairingThatEndsAfterANewerCodeWasShownLeavesThatOne() {
        network.show(code, on: laptop, for: 1)
        network.type(code, on: deck, at: laptop, for: 2)
        network.run { !laptop.results.isEmpty }
        network.show(otherCode, on: laptop, for: 3)
        network.run()
        #expect(answer(deck, 2) == "paired with laptop" && laptop.merges == 1)
        #expect(answers(laptop, 1).count == 1, "a request is answered once")
        #expect(laptop.pairing.isShowing && answers(laptop, 3) == [])
        let phone = network.device("phone")
        network.type(otherCode, on: phone, at: laptop, for: 4)
        network.run()
        #expect(answers(laptop, 3) == ["paired with phone"])
    }

    @Test func aCodeThatWasUsedIsRefused() {
        let phone = network.device("phone")
        network.show(code, on: laptop, for: 1)
        network.type(code, on: deck, at: laptop, for: 2)
        network.run { !laptop.results.isEmpty }
        // The deck has not even confirmed.
        #expect(network.knock(at: laptop, from: phone.address) == nil)
        network.run()
        #expect(network.knock(at: laptop, from: phone.address) == nil)
        network.type(code, on: phone, at: laptop, for: 3)
        network.pass(10_000)
        #expect(answer(phone, 3).hasPrefix("the device at that address shows no code at the moment"))
        #expect(laptop.results.count == 1)
    }

    @Test func ofTwoDevicesThatTypeOneCodeAtOnceTheFirstIsPaired() {
        let phone = network.device("phone")
        network.show(code, on: laptop, for: 1)
        network.type(code, on: deck, at: laptop, for: 2)
        network.type(code, on: phone, at: laptop, for: 3)
        network.run()
        #expect(answer(deck, 2) == "paired with laptop" && answers(laptop, 1) == ["paired with deck"])
        #expect(answer(phone, 3).contains("the code was used already"))
        #expect(laptop.results.count == 1 && phone.results.isEmpty)
    }

    @Test func aCodeExpires() {
        network.show(code, on: laptop, for: 1)
        network.pass(299_999)
        #expect(laptop.pairing.isShowing && answers(laptop, 1) == [])
        network.pass(1)
        #expect(!laptop.pairing.isShowing && laptop.pairing.deadline == nil)
        #expect(answer(laptop, 1).hasPrefix("nobody typed the code in time"))
        #expect(network.knock(at: laptop, from: deck.address) == nil)
    }

    /// The proof comes in the last millisecond, the other device's last word after it.
    @Test func aCodeThatIsUsedAtItsLastMomentPairs() {
        network.show(code, on: laptop, for: 1)
        network.pass(299_999)
        network.type(code, on: deck, at: laptop, for: 2)
        network.run { !laptop.results.isEmpty }
        network.advance(to: 300_000)
        #expect(laptop.pairing.deadline ?? 0 > 300_000)
        network.run()
        #expect(answers(laptop, 1) == ["paired with deck"] && answers(deck, 2) == ["paired with laptop"])
        #expect(!laptop.pairing.isShowing)
    }

    @Test func aProofThatComesAfterTheEndOfTheCodePairsNobody() {
        network.show(code, on: laptop, for: 1)
        network.pass(299_999)
        network.type(code, on: deck, at: laptop, for: 2)
        network.run { deck.sends == 2 }
        network.advance(to: 300_000)
        network.run()
        #expect(laptop.results.isEmpty && deck.results.isEmpty)
        #expect(answer(deck, 2).contains("the code was used already"))
    }

    /// Somebody has a code shown on both devices and types one of them.
    @Test func typingACodeLeavesTheOneThatIsShownHere() {
        network.show(code, on: laptop, for: 1)
        network.show(otherCode, on: deck, for: 2)
        network.type(code, on: deck, at: laptop, for: 3)
        network.run()
        #expect(answers(deck, 3) == ["paired with laptop"] && answers(deck, 2) == [])
        let phone = network.device("phone")
        network.type(otherCode, on: phone, at: deck, for: 4)
        network.run()
        #expect(answers(deck, 2) == ["paired with phone"])
    }

    // MARK: Connections

    /// Eight connections that say nothing, made anew again and again, keep nobody from pairing.
    @Test func aNinthConnectionTakesThePlaceOfOneThatProvedNothing() {
        network.show(code, on: laptop, for: 1)
        func knock(_ number: Int) -> ConnectionID? {
            network.knock(at: laptop, from: PeerAddress(host: "10.0.1.\(number)", port: 1))
        }
        #expect((1...8).compactMap(knock).count == 8)
        #expect((9...40).compactMap(knock).count == 32)
        network.type(code, on: deck, at: laptop, for: 3)
        network.run()
        #expect(answers(deck, 3) == ["paired with laptop"])
    }

    @Test func whereNoCodeIsShownAConnectionIsClosed_andThatIsSaid() {
        #expect(network.knock(at: laptop, from: deck.address) == nil)
        #expect(laptop.logs == [Self.refused])
    }

    @Test func aConnectionThatNoCodeIsLookedForOverIsClosed() {
        network.show(code, on: laptop, for: 1)
        #expect(network.knock(at: laptop, from: deck.address, dialled: true) == nil)
    }

    @Test func bytesOfAConnectionThatIsOverDoNothing() throws {
        network.show(code, on: laptop, for: 1)
        let id = try #require(network.knock(at: laptop, from: deck.address))
        network.hangUp(id, at: laptop)
        #expect(laptop.pairing.received([0, 0, 0, 1, 255], on: id, now: 0).isEmpty)
    }

    // MARK: Storing

    @Test func whereTheResponderCannotStoreNobodyIsPaired_andTheCodeStands() {
        network.show(code, on: laptop, for: 1)
        laptop.canStore = false
        network.type(code, on: deck, at: laptop, for: 2)
        network.run()
        #expect(answer(deck, 2).contains("the pairing could not be stored") && deck.results.isEmpty)
        #expect(laptop.pairing.isShowing && answers(laptop, 1) == [])
        laptop.canStore = true
        network.pass(5_000)
        network.type(code, on: deck, at: laptop, for: 3)
        network.run()
        #expect(answer(laptop, 1) == "paired with deck")
    }

    @Test func whereTheInitiatorCannotStoreTheResponderIsTold() {
        network.show(code, on: laptop, for: 1)
        deck.canStore = false
        network.type(code, on: deck, at: laptop, for: 2)
        network.run()
        #expect(answer(deck, 2) == "the pairing could not be stored" && deck.results.isEmpty)
        #expect(answer(laptop, 1).hasPrefix("the other device did not confirm") && !laptop.pairing.isShowing)
    }

    @Test func aConnectionThatIsCutBeforeTheLastWordIsNoPairingForTheResponder() {
        network.show(code, on: laptop, for: 1)
        network.type(code, on: deck, at: laptop, for: 2)
        network.run { !laptop.results.isEmpty }
        network.cut()
        network.run()
        #expect(answers(laptop, 1).count == 1 && answer(laptop, 1).hasPrefix("the other device did not confirm"))
        #expect(!laptop.pairing.isShowing)
        network.pass(10_000)
        #expect(answer(deck, 2).contains("shows no code") && deck.results.isEmpty)
    }

    /// The initiator's proof and its goodbye arrive together: it could not be told any more, so it will not store.
    @Test func nothingIsStoredForAnInitiatorThatIsGoneByThen() {
        network.show(code, on: laptop, for: 1)
        network.type(code, on: deck, at: laptop, for: 2)
        network.run { deck.sends == 2 }
        network.advance(deck, to: 30_000)
        network.joinBytes()
        network.run()
        #expect(laptop.results.isEmpty && laptop.pairing.isShowing && answers(laptop, 1) == [])
        #expect(answer(deck, 2).contains("did not answer in time"))
        network.pass(5_000)
        network.type(code, on: deck, at: laptop, for: 3)
        network.run()
        #expect(answer(laptop, 1) == "paired with deck")
    }

    /// The same the other way round: both sides say that it came to nothing.
    @Test func nothingIsStoredForAResponderThatIsGoneByThen() {
        network.show(code, on: laptop, for: 1)
        network.type(code, on: deck, at: laptop, for: 2)
        network.run { !laptop.results.isEmpty }
        network.advance(laptop, to: 30_000)
        network.joinBytes()
        network.run()
        #expect(answer(laptop, 1).hasPrefix("the other device did not confirm"))
        #expect(deck.results.isEmpty && answer(deck, 2).contains("did not answer in time"))
    }

    // MARK: Looking

    @Test func whatIsFoundIsTriedOnce_andAgainWhereItClosedWithoutAWord() {
        let phone = network.device("phone")
        network.type(code, on: deck, for: 1)
        network.find([laptop], by: deck)
        network.find([laptop, phone], by: deck)
        network.run()
        #expect(deck.dials.map(\.address) == [laptop.address, phone.address])
        network.pass(1_499)
        #expect(deck.dials.count == 2)
        network.show(code, on: laptop, for: 2)
        network.pass(1)
        #expect(deck.dials.count == 3 && answer(deck, 1) == "paired with laptop")
        network.find([phone], by: deck)
        network.pass(30_000)
        #expect(deck.dials.count == 3)
    }

    @Test func whereAnAddressWasGivenNobodyElseIsTried() {
        let phone = network.device("phone")
        network.type(code, on: deck, at: laptop, for: 1)
        network.find([phone], by: deck)
        network.pass(10_000)
        #expect(!deck.dials.isEmpty && deck.dials.allSatisfy { $0.address == laptop.address })
        #expect(
            answer(deck, 1)
                == "the device at that address shows no code at the moment, or too many wrong codes were typed there "
                + "(the connection was closed); run 'hearth pair' there")
    }

    @Test func theVerdictIsToldAtTheEnd() {
        let phone = network.device("phone")
        network.show(otherCode, on: laptop, for: 1)
        network.type(code, on: deck, for: 2)
        network.find([laptop, phone], by: deck)
        network.pass(29_999)
        #expect(answers(deck, 2) == [])
        network.pass(2_000)
        #expect(answers(deck, 2).count == 1 && answer(deck, 2).contains("compare the code"))
    }

    @Test func whereNobodyIsFoundThatIsSaid_andWhyNothingCanBe() {
        network.trouble = "no network is up"
        network.type(code, on: deck, for: 1)
        #expect(deck.pairing.waiting == [RequestID(rawValue: 1)])
        network.pass(30_000)
        #expect(answer(deck, 1).hasPrefix("no device in this network shows a pairing code (no network is up); run"))
        #expect(deck.dials.isEmpty && deck.pairing.waiting.isEmpty)
    }

    @Test func whereTheOnesThatShowACodeCannotBeReachedThatIsSaid() {
        network.type(code, on: deck, for: 1)
        network.find([network.device("phone")], by: deck)
        network.pass(40_000)
        #expect(
            answer(deck, 1)
                == "a device in this network showed a pairing code, and no pairing came of it (the connection was closed); "
                + "run 'hearth pair' there again, or name it with --address HOST:PORT")
    }

    // MARK: Requests

    @Test func requestsThatWaitAreNamed() {
        network.type(code, on: laptop, for: 5)
        network.show(otherCode, on: laptop, for: 7)
        network.type(code, on: laptop, for: 3)
        #expect(laptop.pairing.waiting.map(\.rawValue) == [3, 5, 7])
    }

    @Test func aCodeThatNobodyWaitsForIsShownNoMore() {
        network.show(code, on: laptop, for: 1)
        laptop.pairing.abandon(RequestID(rawValue: 2))
        #expect(laptop.pairing.isShowing)
        laptop.pairing.abandon(RequestID(rawValue: 1))
        #expect(!laptop.pairing.isShowing && laptop.pairing.deadline == nil)
        #expect(network.knock(at: laptop, from: deck.address) == nil)
        network.type(code, on: deck, for: 3)
        deck.pairing.abandon(RequestID(rawValue: 3))
        network.find([laptop], by: deck)
        #expect(deck.dials.isEmpty && deck.pairing.waiting.isEmpty && deck.pairing.deadline == nil)
    }
}
