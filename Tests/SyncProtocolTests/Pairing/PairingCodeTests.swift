import MergeCore
import SyncProtocol
import TestSupport
import Testing

@Suite struct PairingCodeTests {
    private static func codes(_ count: Int) -> [PairingCode] {
        var random = SeededRandom(seed: 11)
        return (0..<count).map { _ in PairingCode(random: random.bytes(10)) }
    }

    @Test func aCodeReadsAsItWasShown() throws {
        for code in Self.codes(500) {
            let text = code.description
            #expect(text.utf8.count == 19)
            #expect(try PairingCode(text) == code)
            #expect(try PairingCode(text.lowercased()) == code)
            #expect(try PairingCode(" " + text.replacing("-", with: " ") + "\n") == code)
            #expect(try PairingCode(text.replacing("-", with: "")) == code)
            #expect(try PairingCode(text.replacing("0", with: "O").replacing("1", with: "l")) == code)
            #expect(try PairingCode(text.replacing("0", with: "o").replacing("1", with: "I")) == code)
        }
    }

    @Test func allBitsCount() {
        var seen: Set<PairingCode> = [PairingCode(random: [UInt8](repeating: 0, count: 10))]
        for bit in 0..<75 {
            var bytes = [UInt8](repeating: 0, count: 10)
            bytes[bit / 8] = 0x80 >> UInt8(bit % 8)
            seen.insert(PairingCode(random: bytes))
        }
        #expect(seen.count == 76)
        #expect(PairingCode(random: [UInt8](repeating: 255, count: 10)).description.hasPrefix("ZZZZ-ZZZZ-ZZZZ-ZZZ"))
    }

    @Test func everySingleMistakeAndEverySwapIsNoticed() {
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        var taken: [String] = []
        for code in Self.codes(8) {
            let letters = Array(code.description.replacing("-", with: ""))
            for place in letters.indices {
                var wrong = letters
                for letter in alphabet where letter != letters[place] {
                    wrong[place] = letter
                    if (try? PairingCode(String(wrong))) != nil { taken.append(String(wrong)) }
                }
                for other in letters.indices where letters[other] != letters[place] {
                    wrong = letters
                    wrong.swapAt(place, other)
                    if (try? PairingCode(String(wrong))) != nil { taken.append(String(wrong)) }
                }
            }
        }
        #expect(taken.isEmpty, "\(taken.count) mistakes, such as \(taken.first ?? "")")
    }

    @Test(arguments: [
        "", "K7QM", "K7QM-2XWD-9TRB-H4F", "K7QM-2XWD-9TRB-H4FCC", "K7QM-2XWD-9TRB-H4F!", "🎮", "U000-0000-0000-0000",
    ])
    func whatIsNoCodeIsRefusedWithASentence(_ text: String) {
        do {
            _ = try PairingCode(text)
            Issue.record("\(text) was taken")
        } catch {
            #expect(
                error.description.hasPrefix("The pairing code ") && error.description.hasSuffix(".")
                    || error.description.contains("K7QM")
            )
        }
    }

    @Test func aVeryLongTextIsNoCode() {
        #expect(throws: PairingCodeError.self) { try PairingCode(String(repeating: "-", count: 1_000_000)) }
    }
}

@Suite struct PairingWindowTests {
    private let code = PairingCode(random: [UInt8](repeating: 9, count: 10))

    @Test func aWindowIsOpenForFiveMinutesAndOnce() {
        var window = PairingWindow(code: code, now: 1_000)
        #expect(window.isOpen(at: 300_999) && !window.isOpen(at: 301_000))
        #expect(window.mayTry("x", now: 301_000) == .closed)
        #expect(window.mayTry("x", now: 2_000) == .allowed)
        window.consume()
        #expect(window.mayTry("y", now: 2_001) == .closed)
    }

    @Test func guessesOfOneAddressAreSlowedTwofoldEachTime() {
        var window = PairingWindow(code: code, now: 0)
        var now: MonotonicTime = 0
        var waits: [Duration] = []
        for _ in 0..<8 {
            #expect(window.mayTry("a", now: now) == .allowed)
            window.guessedWrong("a", now: now)
            guard case .waitUntil(let next) = window.mayTry("a", now: now) else { break }
            waits.append(next - now)
            #expect(window.mayTry("a", now: next - .milliseconds(1)) == .waitUntil(next))
            #expect(window.mayTry("b", now: now) == .allowed)
            now = next
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    }

    @Test func allAddressesTogetherHaveSixHundredGuessesAMinute() {
        var window = PairingWindow(code: code, now: 0)
        for number in 0..<600 as Range<Int64> {
            let now = MonotonicTime(milliseconds: number)
            #expect(window.mayTry("host \(number)", now: now) == .allowed, "\(number) strangers keep others out")
            window.guessedWrong("host \(number)", now: now)
        }
        #expect(window.mayTry("another", now: 600) == .waitUntil(60_000))
        #expect(window.mayTry("another", now: 60_000) == .allowed)
        #expect(window.isOpen(at: 60_000), "wrong guesses voided the code")
    }

    @Test func manyAddressesTakeBoundedMemory() {
        var window = PairingWindow(code: code, now: 0)
        for number in 0..<5_000 as Range<Int64> {
            window.guessedWrong("host \(number)", now: MonotonicTime(milliseconds: number * 60))
        }
        #expect(window.isOpen(at: 299_999))
        #expect(window.mayTry("host 0", now: 359_999) == .closed)
    }

    @Test func aConnectionThatGuessedNothingCostsNothing() {
        let window = PairingWindow(code: code, now: 0)
        for now in (0..<100).map(MonotonicTime.init) { #expect(window.mayTry("a", now: now) == .allowed) }
    }
}
