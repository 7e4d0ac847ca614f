import HouseholdAgent
import Testing

@testable import LANDiscovery

/// What every discovery does, whatever carries it. The parts run one after the other: functions of C have no context, so
/// one libdns_sd in memory is in force at a time.
@Suite("Every discovery alike", .serialized, .timeLimit(.minutes(5)))
struct Conformance {}

extension Conformance {
    @Suite struct Laws {
        private let txt2 = ["v": "2"]

        /// A subject that has told of nothing but its own start.
        private func subject(_ kind: LoopSubject.Kind, showing instances: [FakeInstance] = [], hasNews: Bool = false)
            throws -> LoopSubject
        {
            let subject = try LoopSubject(kind, hasNews: hasNews)
            instances.forEach(subject.responder.show)
            subject.pass(.seconds(1))
            return subject
        }

        @Test(arguments: LoopSubject.Kind.allCases)
        func anInstanceIsToldOnce_itsChangesAndItsFarewell(_ kind: LoopSubject.Kind) throws {
            let subject = try subject(kind)
            #expect(subject.takeInstances() == [])
            subject.responder.show(FakeInstance("deck"))
            subject.pass(.seconds(5))
            #expect(subject.takeInstances() == [FakeInstance.found("deck")])
            subject.responder.show(FakeInstance("deck", txt: txt2))
            subject.pass(.seconds(5))
            #expect(subject.takeInstances().last == FakeInstance.found("deck", txt: txt2))
            var moved = FakeInstance("deck", txt: txt2)
            moved.addresses = [[10, 0, 0, 55]]
            subject.responder.show(moved)
            subject.pass(.seconds(5))
            #expect(subject.takeInstances().last == FakeInstance.found("deck", "10.0.0.55", txt: txt2))
            subject.responder.hide("deck", interface: 2)
            subject.pass(.seconds(5))
            #expect(subject.takeInstances() == [.lost(instance: "deck")])
        }

        @Test(arguments: LoopSubject.Kind.allCases)
        func anInstanceOnTwoInterfacesIsOne(_ kind: LoopSubject.Kind) throws {
            var other = FakeInstance("deck")
            (other.interface, other.addresses) = (3, [[10, 0, 1, 9]])
            let subject = try subject(kind, showing: [FakeInstance("deck"), other])
            subject.pass(.seconds(2))
            let both = ["10.0.0.9", "10.0.1.9"].map { PeerAddress(host: $0, port: 4_000) }
            #expect(subject.takeInstances().last == .found(instance: "deck", addresses: both, txt: ["v": "1"]))
            subject.responder.hide("deck", interface: 2)
            subject.pass(.seconds(3))
            #expect(subject.takeInstances() == [FakeInstance.found("deck", "10.0.1.9")])
            subject.responder.hide("deck", interface: 3)
            subject.pass(.seconds(3))
            #expect(subject.takeInstances() == [.lost(instance: "deck")])
        }

        /// Of what was known, only that is told which is another one after the restart.
        @Test(arguments: LoopSubject.Kind.allCases)
        func aResponderThatIsRestarted(_ kind: LoopSubject.Kind) throws {
            let subject = try subject(kind, showing: [FakeInstance("deck"), FakeInstance("gone")])
            subject.announce("me")
            subject.pass(.seconds(1))
            #expect(subject.responder.published == "me")
            _ = subject.takeEvents()
            subject.responder.die()
            subject.responder.lose("gone")
            subject.pass(.seconds(5))
            let troubles = subject.takeEvents()
            #expect(!troubles.isEmpty && troubles.allSatisfy { if case .trouble = $0 { true } else { false } })
            subject.responder.show(FakeInstance("new"))
            subject.responder.rise()
            subject.pass(.seconds(20))
            #expect(subject.takeInstances() == [FakeInstance.found("new"), .lost(instance: "gone")])
            #expect(subject.responder.published == "me")
        }

        @Test(arguments: LoopSubject.Kind.allCases)
        func aResponderThatComesLater(_ kind: LoopSubject.Kind) throws {
            let subject = try LoopSubject(kind, isDead: true)
            subject.announce("me")
            subject.responder.show(FakeInstance("deck"))
            subject.pass(.seconds(40))
            let events = subject.takeEvents()
            #expect(events.count == 1, "trouble is told once: \(events)")
            subject.responder.rise()
            subject.pass(.seconds(31))
            #expect(subject.takeInstances() == [FakeInstance.found("deck")])
            #expect(subject.responder.published == "me")
        }

        /// Responders do not notice every change of the network by themselves.
        @Test(arguments: LoopSubject.Kind.allCases, [false, true])
        func afterAnotherAddressOrASleepStaleInstancesGo(_ kind: LoopSubject.Kind, isSleep: Bool) throws {
            let subject = try subject(kind, showing: [FakeInstance("deck"), FakeInstance("gone")])
            _ = subject.takeInstances()
            subject.responder.lose("gone")
            subject.pass(.seconds(60))
            #expect(subject.takeInstances() == [], "nothing shows that it is gone")
            if isSleep { subject.time.sleep(.seconds(3_600)) } else { subject.changeAddress() }
            subject.pass(.seconds(15))
            #expect(subject.takeInstances() == [.lost(instance: "gone")])
        }

        /// The interfaces are compared a second after the kernel's word, and what is stale is gone eight seconds later.
        @Test(arguments: LoopSubject.Kind.allCases)
        func theKernelsWordOfAnotherAddressIsNotWaitedFor(_ kind: LoopSubject.Kind) throws {
            let subject = try subject(kind, showing: [FakeInstance("deck"), FakeInstance("gone")], hasNews: true)
            _ = subject.takeInstances()
            subject.responder.lose("gone")
            // Just after the interfaces were compared; they are again in ten seconds.
            subject.pass(.seconds(63))
            #expect(subject.takeInstances() == [], "nothing shows that it is gone")
            subject.changeAddress()
            subject.pass(.milliseconds(9_500))
            #expect(subject.takeInstances() == [.lost(instance: "gone")])
        }

        @Test(arguments: LoopSubject.Kind.allCases)
        func aSleepOfWhichTheKernelTellsNothingIsNoticedStill(_ kind: LoopSubject.Kind) throws {
            let subject = try subject(kind, showing: [FakeInstance("deck"), FakeInstance("gone")], hasNews: true)
            _ = subject.takeInstances()
            subject.responder.lose("gone")
            subject.time.sleep(.seconds(3_600))
            subject.pass(.seconds(20))
            #expect(subject.takeInstances() == [.lost(instance: "gone")])
        }

        @Test(arguments: LoopSubject.Kind.allCases)
        func whoDoesNotSeeItselfIsTold_andOnceItDoes(_ kind: LoopSubject.Kind) throws {
            let subject = try subject(kind)
            subject.responder.showsOwn = false
            subject.announce("me")
            _ = subject.takeEvents()
            subject.pass(.seconds(6))
            let events = subject.takeEvents()
            guard case .trouble(_, isUnseen: true, _)? = events.first, events.count == 1 else {
                Issue.record("\(events)")
                return
            }
            // The agent takes another name, which nobody else holds.
            subject.responder.showsOwn = true
            subject.announce("another")
            subject.pass(.seconds(1))
            #expect(subject.takeEvents().last == .seesItself(true))
            #expect(subject.responder.published == "another")
            subject.pass(.seconds(20))
            #expect(subject.takeEvents() == [], "it is told once")
        }

        /// A firewall that comes later: what was seen once stays in a responder's memory, so it is asked for anew.
        @Test(arguments: LoopSubject.Kind.allCases)
        func whoSeesItselfNoLongerIsTold_onceThatIsAsked(_ kind: LoopSubject.Kind) throws {
            let subject = try subject(kind)
            subject.announce("me")
            subject.pass(.seconds(1))
            subject.announce("me", looks: 1)
            _ = subject.takeEvents()
            subject.pass(.seconds(1))
            #expect(subject.takeEvents() == [.seesItself(true)])
            subject.responder.showsOwn = false
            subject.pass(.seconds(3_600))
            #expect(subject.takeEvents() == [], "nothing is looked for while nobody asks")
            subject.announce("me", looks: 2)
            subject.pass(.seconds(1))
            #expect(subject.takeEvents() == [.seesItself(false)])
            // The agent takes another name, which nobody sees either.
            subject.announce("another")
            subject.pass(.seconds(6))
            let troubles = subject.takeEvents()
            guard case .trouble(_, isUnseen: true, _)? = troubles.first, troubles.count == 1 else {
                Issue.record("\(troubles)")
                return
            }
            subject.announce("another", looks: 1)
            subject.pass(.seconds(1))
            #expect(subject.takeEvents() == [.seesItself(false)])
        }

        /// A responder asks less and less often for what it has not found.
        @Test(arguments: LoopSubject.Kind.allCases)
        func whoSeesItselfAgainIsTold_onceThatIsAsked(_ kind: LoopSubject.Kind) throws {
            let subject = try subject(kind)
            subject.responder.showsOwn = false
            subject.announce("me")
            subject.pass(.seconds(6))
            subject.responder.showsOwn = true
            subject.pass(.seconds(60))
            _ = subject.takeEvents()
            subject.announce("me", looks: 1)
            subject.pass(.seconds(1))
            let events = subject.takeEvents()
            #expect(events.count == 2 && events.last == .seesItself(true), "\(events)")
            guard case .running? = events.first else {
                Issue.record("the trouble is not over")
                return
            }
        }

        /// Ten thousand announcements that nobody of the household made, and one that is of it.
        @Test(arguments: LoopSubject.Kind.allCases)
        func amongTenThousandForgedInstancesAMemberIsTold(_ kind: LoopSubject.Kind) throws {
            let secret = [UInt8](repeating: 7, count: 32)
            let subject = try subject(kind)
            subject.announce("me", household: TagReader(secret: secret))
            subject.pass(.seconds(1))
            let tag = MemberTag.text(secret, instance: "member", port: 4_000)
            for number in 0..<10_000 {
                subject.responder.show(FakeInstance("forged \(number)", txt: ["v": "1", "tag": tag]))
            }
            subject.responder.show(FakeInstance("member", txt: ["v": "1", "tag": tag]))
            subject.pass(.seconds(120))
            let told = subject.takeInstances()
            #expect(told.contains(FakeInstance.found("member", txt: ["v": "1", "tag": tag])))
            #expect(told.count <= 257, "no more strangers are told than an agent can take")
            // It is followed still.
            subject.responder.show(FakeInstance("member", txt: ["v": "2", "tag": tag]))
            subject.pass(.seconds(1))
            #expect(subject.takeInstances().contains(FakeInstance.found("member", txt: ["v": "2", "tag": tag])))
        }
    }
}
