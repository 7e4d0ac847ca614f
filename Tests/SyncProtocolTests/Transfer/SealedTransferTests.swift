import MergeCore
import TestSupport
import Testing

@testable import SyncProtocol

/// Encrypted transfer files.
@Suite struct SealedTransferTests {
    private let inside = [UInt8](0..<100)

    private func sealed(_ cost: ScryptCost = TransferSample.cheap) throws -> [UInt8] {
        try SealedTransfer.seal(inside, passphrase: TransferSample.passphrase, salt: TransferSample.salt, cost: cost)
    }

    @Test func onlyThePassphraseOpensIt() throws {
        let file = try sealed()
        #expect(file.count == inside.count + SealedTransfer.overhead)
        #expect(try TransferFormat.form(of: file) == .sealed)
        #expect(try SealedTransfer.open(file, passphrase: TransferSample.passphrase) == inside)
        for wrong in ["", "x", "correct horse battery staple ", "Correct horse battery staple"] {
            let fault = #expect(throws: TransferFault.self) {
                try SealedTransfer.open(file, passphrase: Array(wrong.utf8))
            }
            #expect(fault?.reason == .locked)
        }
        let locked = #expect(throws: TransferFault.self) { try TransferFile.read(file) }
        #expect(locked?.reason == .locked)
        let open = #expect(throws: TransferFault.self) {
            try SealedTransfer.open(try TransferSample().file(), passphrase: TransferSample.passphrase)
        }
        #expect(open?.reason == .foreign)
    }

    @Test func anotherSaltIsAnotherKey() throws {
        let other = try SealedTransfer.seal(
            inside,
            passphrase: TransferSample.passphrase,
            salt: [UInt8](repeating: 9, count: 16),
            cost: TransferSample.cheap
        )
        #expect(Array(other[40...]) != Array(try sealed()[40...]))
    }

    @Test(
        arguments: [
            (9, 8, 1), (18, 8, 1), (63, 8, 1), (255, 255, 255), (17, 0, 1), (17, 9, 1), (17, 8, 0), (17, 8, 5),
            (0, 0, 0),
            // What scrypt itself does not take.
            (16, 1, 1), (17, 1, 1),
        ] as [(UInt8, UInt8, UInt8)]) func noFileMakesUsWorkForEver(_ logN: UInt8, _ r: UInt8, _ p: UInt8) throws
    {
        #expect(ScryptCost(logN: logN, r: r, p: p) == nil)
        var file = try sealed()
        (file[12], file[13], file[14]) = (logN, r, p)
        let time = processorTime {
            let fault = #expect(throws: TransferFault.self) {
                try SealedTransfer.open(file, passphrase: TransferSample.passphrase)
            }
            #expect(fault?.description.contains("more work") == true)
        }
        #expect(time < .seconds(1))
    }

    @Test(arguments: [(10, 1, 1), (10, 8, 4), (15, 1, 1), (10, 2, 3), (12, 8, 1)] as [(UInt8, UInt8, UInt8)])
    func whatIsWithinTheBoundsIsDone(_ logN: UInt8, _ r: UInt8, _ p: UInt8) throws {
        let cost = try #require(ScryptCost(logN: logN, r: r, p: p))
        #expect(try SealedTransfer.open(try sealed(cost), passphrase: TransferSample.passphrase) == inside)
    }

    @Test func theStandardIsTheMostThatIsTaken() {
        #expect(ScryptCost(logN: 17, r: 8, p: 1) == .standard)
        #expect(ScryptCost(logN: 17, r: 8, p: 4) != nil)
    }
}
