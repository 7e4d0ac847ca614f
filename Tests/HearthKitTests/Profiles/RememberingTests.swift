import HearthKit
import LosslessJSON
import Synchronization
import Testing

/// Unchanged containers are neither coded nor read again, and a changed one is never taken for unchanged.
@Suite struct RememberingTests {
    /// A part that counts how often it is coded.
    struct Lap: ProfilePart, Equatable {
        @Lowest var time: Double? = nil
        static let coded = Mutex(0)
        enum CodingKeys: CodingKey { case time }
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            _time = try container.decode(Lowest<Double?>.self, forKey: .time)
        }
        func encode(to encoder: any Encoder) throws {
            Self.coded.withLock { $0 += 1 }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(_time, forKey: .time)
        }
    }

    struct Racer: Profile {
        @Counter var coins = 0
        var laps: [String: Lap] = [:]
    }

    private func snapshot<Subject: Profile>(_ profile: Subject) throws -> ProfileSnapshot<Subject> {
        let codec = try ProfileCodec<Subject>()
        return try codec.snapshot(JSONDocument(parsing: codec.newText(profile)))
    }

    /// The next save and the snapshot that follows it.
    private func next<Subject: Profile>(
        _ snapshot: ProfileSnapshot<Subject>, _ profile: Subject
    ) throws -> (text: String, snapshot: ProfileSnapshot<Subject>) {
        let edited = try snapshot.edited(profile)
        let save = try JSONDocument(parsing: edited.text)
        return (text(edited.text), try snapshot.following(edited, save))
    }

    @Test func onlyWhatChangedIsCodedAgain() throws {
        var racer = Racer()
        for number in 0..<20 { racer.laps["\(number)"] = Lap() }
        for key in racer.laps.keys { racer.laps[key]?.time = 90 }
        var snapshot = try snapshot(racer)
        racer = snapshot.profile
        func count(_ change: (inout Racer) -> Void) throws -> Int {
            Lap.coded.withLock { $0 = 0 }
            change(&racer)
            snapshot = try next(snapshot, racer).snapshot
            return Lap.coded.withLock { $0 }
        }
        let isUnchanged = try count { $0.coins += 1 }
        let isOne = try count { $0.laps["7"]?.time = 80 }
        #expect(isUnchanged == 0 && isOne == 1)
        #expect(try count { $0.coins += 1 } == 0)
        #expect(try count { $0.laps["new"] = Lap() } == 1)
        #expect(text(snapshot.document.bytes).contains("80"))
    }

    /// A class inside a value: it can change while the bits of the value stay the same.
    final class Bag: Codable, Sendable {
        private let items: Mutex<[String]>
        init(_ items: [String] = []) { self.items = Mutex(items) }
        convenience init(from decoder: any Decoder) throws {
            self.init(try decoder.singleValueContainer().decode([String].self))
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(items.withLock { $0 })
        }
        func put(_ item: String) { items.withLock { $0.append(item) } }
    }

    struct Pack: Codable, Sendable {
        var bag = Bag()
    }

    struct Slot: ProfilePart {
        @Whole var pack = Pack()
        @Highest var size = 1
    }

    struct Carrier: Profile {
        @Counter var coins = 0
        var slot = Slot()
        var slots: [String: Slot] = [:]
        @Whole var packs: [Pack] = []
    }

    @Test func whatChangesInsideOfAnObjectIsSeen() throws {
        var carrier = Carrier()
        carrier.coins = 1
        carrier.slot.pack.bag.put("rope")
        carrier.slots["a"] = Slot()
        carrier.slots["a"]?.pack.bag.put("lamp")
        carrier.packs = [Pack(bag: Bag(["map"]))]
        var snapshot = try snapshot(carrier)
        carrier = snapshot.profile
        for item in ["key", "coin"] {
            carrier.slot.pack.bag.put(item + "1")
            carrier.slots["a"]?.pack.bag.put(item + "2")
            carrier.packs[0].bag.put(item + "3")
            let (text, following) = try next(snapshot, carrier)
            snapshot = following
            for number in 1...3 { #expect(text.contains("\"\(item)\(number)\"")) }
        }
    }

    /// A value that can read back differently from how it was coded, or not at all.
    struct Odd: Codable, Sendable, Equatable {
        var number = 0
        init(_ number: Int = 0) { self.number = number }
        init(from decoder: any Decoder) throws {
            number = try decoder.singleValueContainer().decode(Int.self)
            guard number != 13 else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "13"))
            }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    struct Holder: Profile {
        @Counter var coins = 0
        @Whole var odd = Odd()
        var inner: [String: Inner] = [:]
    }

    struct Inner: ProfilePart {
        @Whole var odd = Odd()
    }

    @Test func whatCannotBeReadAgainIsNotSaved() throws {
        var holder = Holder()
        holder.inner["a"] = Inner()
        holder.inner["a"]?.odd = Odd(1)
        var snapshot = try snapshot(holder)
        holder = snapshot.profile
        holder.coins = 1
        snapshot = try next(snapshot, holder).snapshot
        for path in [\Holder.odd, \Holder.inner["a"]!.odd] {
            var bad = holder
            bad[keyPath: path] = Odd(13)
            let sentence = refusal { _ = try next(snapshot, bad) }
            #expect(sentence.contains("could not be read again") && sentence.contains("13"), "\(sentence)")
            bad[keyPath: path] = Odd(12)
            #expect(try next(snapshot, bad).text.contains("12"))
        }
    }
}
