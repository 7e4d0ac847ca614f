import HouseholdAgent
import Testing

@testable import LANDiscovery

/// What a responder, or who is on the network, does that it should not.
extension Conformance {
    @Suite struct Misbehaviour {
        /// A subject on a libdns_sd in memory.
        private func system() throws -> (LoopSubject, FakeDNSSD) {
            let subject = try LoopSubject(.system)
            subject.pass(.seconds(1))
            _ = subject.takeEvents()
            return (subject, try #require(subject.responder as? FakeDNSSD))
        }

        /// Avahi's library answers so when the daemon does not know an instance, or has just gone.
        @Test func aResolveThatFailsWithoutANameIsTriedAgain() throws {
            let (subject, library) = try system()
            library.silent = ["deck"]
            library.show(FakeInstance("deck"))
            subject.pass(.seconds(1))
            library.failResolves()
            subject.pass(.seconds(2))
            #expect(subject.takeInstances() == [])
            library.silent = []
            subject.pass(.seconds(6))
            #expect(subject.takeInstances() == [FakeInstance.found("deck")])
        }

        /// Sixteen instances are followed at a time; those that never answer make room.
        @Test func resolvesThatNeverEndHoldNobodyUp() throws {
            let (subject, library) = try system()
            let silent = (0..<40).map { "silent \($0)" }
            library.silent = Set(silent)
            for name in silent { library.show(FakeInstance(name)) }
            library.show(FakeInstance("deck"))
            subject.pass(.seconds(15))
            #expect(subject.takeInstances() == [FakeInstance.found("deck")])
            #expect(library.operations.count <= 3 * 16 + 2)
        }

        /// Several replies come in one call, and a reply before may have given the operation up.
        @Test func repliesAfterTheEndOfAnOperationAreDropped() throws {
            let (subject, library) = try system()
            library.silent = ["deck"]
            library.show(FakeInstance("deck"))
            subject.pass(.seconds(1))
            // The operation fails, and is answered all the same.
            library.failResolves()
            library.silent = []
            library.show(FakeInstance("deck", txt: ["late": "1"]))
            subject.pass(.seconds(1))
            #expect(subject.takeInstances() == [])
            subject.pass(.seconds(6))
            #expect(subject.takeInstances() == [FakeInstance.found("deck", txt: ["late": "1"])])
        }

        @Test(arguments: LoopSubject.Kind.allCases)
        func textRecordsOfAnyBytesAreRead(_ kind: LoopSubject.Kind) throws {
            let subject = try LoopSubject(kind)
            let records: [([UInt8], [String: String])] = [
                // NUL bytes in a value, and as a string of its own.
                ([5, 0x61, 0x3D, 0, 0x62, 0, 1, 0], ["a": "\u{FFFD}b\u{FFFD}"]),
                // A length beyond the record's end.
                ([3, 0x76, 0x3D, 0x31, 200, 0x61], ["v": "1"]),
                ([0], [:]), ([], [:]),
                // More than 1,300 bytes: the strings that fit are read.
                (Self.strings(8), Self.pairs(6)),
            ]
            for (number, (record, pairs)) in records.enumerated() {
                var instance = FakeInstance("deck \(number)")
                instance.txt = record
                subject.responder.show(instance)
                subject.pass(.seconds(2))
                #expect(subject.takeInstances() == [FakeInstance.found("deck \(number)", txt: pairs)])
            }
        }

        /// Strings of 200 bytes each, one after the other.
        private static func strings(_ count: UInt8) -> [UInt8] {
            var record: [UInt8] = []
            for number in 0..<count {
                record += [200, UInt8(ascii: "0") + number, UInt8(ascii: "=")]
                record += [UInt8](repeating: UInt8(ascii: "x"), count: 198)
            }
            return record
        }

        private static func pairs(_ count: Int) -> [String: String] {
            var pairs: [String: String] = [:]
            for number in 0..<count { pairs["\(number)"] = String(repeating: "x", count: 198) }
            return pairs
        }

        @Test(arguments: LoopSubject.Kind.allCases)
        func namesOfAnyBytesAreMadeSafe(_ kind: LoopSubject.Kind) throws {
            let subject = try LoopSubject(kind)
            var instance = FakeInstance("")
            instance.name = Array("a\u{1B}[2J".utf8) + [0xFF]
            subject.responder.show(instance)
            subject.pass(.seconds(2))
            #expect(subject.takeInstances() == [FakeInstance.found("a\u{FFFD}[2J\u{FFFD}")])
        }

        @Test(arguments: LoopSubject.Kind.allCases)
        func addressesThatAreNoneOrOfElsewhereAreLeftOut(_ kind: LoopSubject.Kind) throws {
            let subject = try LoopSubject(kind)
            var instance = FakeInstance("deck")
            instance.addresses = [
                [10, 0], [127, 0, 0, 1], [8, 8, 8, 8], [10, 0, 1, 9], [0x20, 1] + [UInt8](repeating: 1, count: 14),
                [10, 0, 0, 9],
            ]
            subject.responder.show(instance)
            subject.pass(.seconds(2))
            #expect(subject.takeInstances().last == FakeInstance.found("deck"))
        }

        /// The responder publishes another name than it was asked to, because the asked one is taken. The tag is bound to
        /// the name, so the agent is told to take another one.
        @Test func anotherNameThanTheAskedOneIsTold() throws {
            let (subject, library) = try system()
            library.rename = "me #2"
            subject.announce("me")
            subject.pass(.seconds(1))
            #expect(subject.takeEvents().contains(.seesItself(false)))
            library.rename = nil
            subject.announce("another")
            subject.pass(.seconds(1))
            #expect(subject.takeEvents().last == .seesItself(true) && library.published == "another")
        }

        /// Replies in an order that no responder should have.
        @Test func repliesInAnyOrderDoNoHarm() throws {
            let subject = try LoopSubject(.fake)
            subject.pass(.seconds(1))
            let hub = try #require(subject.responder as? FakeHub)
            let backend = try #require(hub.backend)
            let place = InstanceTable.Place(interface: 2)
            backend.queue = [
                { $0.described("deck", at: place, port: 1) },
                { $0.address("10.0.0.9", of: "deck", at: place, isThere: true) },
                { _ = $0.vanished("deck", at: place) },
                { $0.address("10.0.0.9", of: "deck", at: place, isThere: false) },
                { _ = $0.sighted("deck", at: place) },
                { _ = $0.vanished("deck", at: place) },
                { _ = $0.vanished("deck", at: place) },
                { $0.described("deck", txt: TXTStrings.Reading(pairs: ["v": "1"])) },
            ]
            subject.pass(.seconds(5))
            #expect(subject.takeInstances() == [])
            subject.responder.show(FakeInstance("deck"))
            subject.pass(.seconds(1))
            #expect(subject.takeInstances() == [FakeInstance.found("deck")])
        }

        /// A death in the midst of replies, many times over.
        @Test(arguments: LoopSubject.Kind.allCases)
        func restartsInTheMiddleLeaveNothingBehind(_ kind: LoopSubject.Kind) throws {
            let subject = try LoopSubject(kind)
            subject.announce("me")
            for number in 0..<20 {
                subject.responder.show(FakeInstance("deck \(number)"))
                subject.pass(.milliseconds(Int64(number) * 50))
                subject.responder.die()
                subject.pass(.milliseconds(100))
                subject.responder.rise()
            }
            subject.pass(.seconds(60))
            let found = subject.takeInstances()
            for number in 0..<20 { #expect(found.contains(FakeInstance.found("deck \(number)"))) }
            #expect(subject.responder.published == "me")
            if let library = subject.responder as? FakeDNSSD {
                #expect(library.operations.count <= 2 + 3 * 16, "no operation is left over")
            }
        }
    }
}
