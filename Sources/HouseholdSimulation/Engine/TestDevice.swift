package import MergeCore
package import ProfileKeeping

/// An engine with its ports and a game's file, driven by hand.
package struct TestDevice<Files: ProfileFiles, Store: ProfileKeeping.Record> {
    package var engine: ProfileEngine<Files, Store>
    package let path: String
    /// Makes this device's replicas and temporaries its own.
    private let number: UInt64
    package var now: Moment = 1_700_000_000_000
    private var tag: UInt64 = 0

    package init(_ files: Files, _ store: Store, path: String, number: UInt64) throws {
        engine = try ProfileEngine(files: files, store: store)
        self.path = path
        self.number = number
    }

    package static var rules: RuleSet {
        get throws {
            try RuleSet([
                RuleSet.Entry(try RulePattern(parsing: "/coins"), MergeRule(.counter)),
                RuleSet.Entry(try RulePattern(parsing: "/level"), MergeRule(.max)),
            ])
        }
    }

    package mutating func add() throws -> ProfileID {
        let ids = FreshIDs(profile: ProfileID(random: 1, 2), replica: ReplicaID(high: number, low: 1))
        return try engine.add(file: path, name: "test", rules: Self.rules, ids: ids, now: now)
    }

    /// Takes up what another device has that this one does not.
    package mutating func join<F, S>(_ id: ProfileID, from other: TestDevice<F, S>) throws {
        let theirs = try requireProfile(other, id)
        let known = engine.profiles[id]?.state.vector ?? VersionVector()
        let outcome = try engine.join(
            id, atoms: theirs.state.delta(beyond: known), from: known, to: theirs.state.vector,
            freshReplica: ReplicaID(high: number, low: UInt64(now.wall.milliseconds)), now: now)
        precondition(outcome == .joined, "\(outcome)")
    }

    /// Takes a profile that another device has into a file of this one.
    package mutating func restore<F, S>(_ id: ProfileID, from other: TestDevice<F, S>) throws {
        try join(id, from: other)
        try engine.bind(id, to: path, now: now)
        try settle(id)
    }

    /// Joins, and writes what came of it into the file in one go. Returns what came of the file.
    package mutating func joinAndWrite<F, S>(_ id: ProfileID, from other: TestDevice<F, S>) throws -> ProjectOutcome? {
        let theirs = try requireProfile(other, id)
        let known = engine.profiles[id]?.state.vector ?? VersionVector()
        tag += 1
        let (outcome, file) = try engine.join(
            id, atoms: theirs.state.delta(beyond: known), from: known, to: theirs.state.vector,
            freshReplica: ReplicaID(high: number, low: UInt64(now.wall.milliseconds)),
            writing: number << 48 | UInt64(now.wall.milliseconds) << 8 | tag, now: now)
        precondition(outcome == .joined, "\(outcome)")
        return file
    }

    /// Ingests and projects until nothing is left to do, then lets the displaced files go.
    package mutating func settle(_ id: ProfileID) throws {
        for _ in 0..<4 {
            for _ in 0..<10 {
                _ = try engine.ingest(id, now: now)
                now += 1
                let outcome = project(id)
                if outcome == .nothingToDo || outcome == .postponed { break }
            }
            now += 10_000
            try engine.clearDisplaced(id, now: now)
        }
    }

    package mutating func project(_ id: ProfileID) -> ProjectOutcome {
        tag += 1
        let unique = number << 48 | UInt64(now.wall.milliseconds) << 8 | tag
        return engine.project(id, tag: unique, now: now)
    }
}

/// The profile as the other device keeps it.
private func requireProfile<F, S>(_ device: TestDevice<F, S>, _ id: ProfileID) throws -> KeptProfile {
    guard let profile = device.engine.profiles[id] else { throw Missing() }
    return profile
}

private struct Missing: Error {}

/// A save as a game writes it.
package enum TestSave {
    package static func bytes(coins: Int, level: Int, name: String = "Ada") -> [UInt8] {
        Array("{\n  \"name\": \"\(name)\",\n  \"coins\": \(coins),\n  \"level\": \(level),\n  \"lap\": 1.50\n}\n".utf8)
    }
}
