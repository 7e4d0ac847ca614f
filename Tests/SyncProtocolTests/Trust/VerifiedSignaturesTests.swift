import Testing

@testable import SyncProtocol

/// Signatures that were verified before are taken without a second look, and nothing else is.
@Suite struct VerifiedSignaturesTests {
    private let signer = MemorySigner(seed: 1)
    private let message = Array("what was said".utf8)

    @Test func onlyWhatWasVerifiedIsTaken() {
        let signature = signer.signature(for: message)
        let other = MemorySigner(seed: 2)
        let verified = VerifiedSignatures()
        VerifiedSignatures.$current.withValue(verified) {
            #expect(signer.key.isValid(signature: signature, for: message))
            #expect(signer.key.isValid(signature: signature, for: message))
            #expect(!other.key.isValid(signature: signature, for: message))
            #expect(!signer.key.isValid(signature: signature, for: message + [0]))
            #expect(!signer.key.isValid(signature: signature, for: Array(message.dropLast())))
            #expect(!signer.key.isValid(signature: signature.reversed(), for: message))
            // What is cut from the signature and put before the message is no signature of that.
            #expect(!signer.key.isValid(signature: Array(signature.dropLast()), for: signature.suffix(1) + message))
        }
    }

    /// What was found invalid is verified again, and never remembered.
    @Test func whatIsInvalidIsVerifiedAgain() {
        let verified = VerifiedSignatures()
        var looks = 0
        for _ in 1...2 {
            let isValid = verified.isValid([1], of: [2], by: [3]) {
                looks += 1
                return false
            }
            #expect(!isValid)
        }
        #expect(looks == 2)
    }

    /// More than are remembered are verified anew, and stay valid.
    @Test func moreThanAreRemembered() {
        let verified = VerifiedSignatures()
        var looks = 0
        func look(_ number: Int) -> Bool {
            verified.isValid([UInt8(number >> 8), UInt8(number & 255)], of: [], by: []) {
                looks += 1
                return true
            }
        }
        for number in 0...16_384 { #expect(look(number)) }
        #expect(looks == 16_385)
        #expect(look(16_384) && looks == 16_385, "the last one is known")
        #expect(look(0) && looks == 16_386, "the first one was forgotten")
    }
}
