/// What an instance has turned out to be: a device of the household or none. Unknown before its announcement was read.
enum InstanceStanding { case unknown, stranger, member }

/// The order in which instances are followed where more are known than can be followed at the same time.
///
/// Following costs queries, descriptors and threads, and anybody on the network can make up instances by the thousand. So
/// there are few places. A device of the household keeps its place. One that turned out a stranger gives its place at once
/// to one that is not known yet, and has its next turn when nobody more likely waits.
struct Turns<Key: Hashable> {
    typealias Instant = ContinuousClock.Instant

    /// How long an instance that says nothing keeps its place while another waits.
    static var shortTurn: Duration { .seconds(3) }
    /// How long a stranger keeps its place while only other strangers wait.
    static var longTurn: Duration { .seconds(30) }

    /// How many instances are followed at the same time.
    let places: Int
    private(set) var followed: [Key: Instant] = [:]
    /// Those that may be of the household, and those that had a turn and were not; the longest waiting first.
    private var likely = Line()
    private var unlikely = Line()

    init(places: Int) { self.places = places }

    /// An instance wants to be followed.
    mutating func join(_ key: Key) {
        guard followed[key] == nil, !unlikely.contains(key) else { return }
        likely.append(key)
    }

    /// An instance is gone. Returns whether it was followed.
    @discardableResult
    mutating func leave(_ key: Key) -> Bool {
        likely.remove(key)
        unlikely.remove(key)
        return followed.removeValue(forKey: key) != nil
    }

    /// Gives free places to those that wait, and takes places from those that have had theirs long enough. Returns whose
    /// turn begins and whose ends.
    mutating func next(_ now: Instant, _ standing: (Key) -> InstanceStanding) -> (begin: [Key], end: [Key]) {
        var end: [Key] = []
        let needed = likely.count + unlikely.count - (places - followed.count)
        if needed > 0 {
            for key in ending(now, standing).prefix(needed) {
                followed[key] = nil
                end.append(key)
            }
        }
        var begin: [Key] = []
        while followed.count < places, let key = first() {
            followed[key] = now
            begin.append(key)
        }
        // Whoever has just had a turn comes after all that waited.
        for key in end { standing(key) == .member ? likely.append(key) : unlikely.append(key) }
        return (begin, end)
    }

    private mutating func first() -> Key? {
        if let key = likely.popFirst() { return key }
        return unlikely.popFirst()
    }

    /// The time at which ``next(_:_:)`` has something to do; `nil` while nobody waits.
    func deadline(_ standing: (Key) -> InstanceStanding) -> Instant? {
        guard likely.count + unlikely.count > 0 else { return nil }
        if followed.count < places { return followed.values.min() }
        let members = followed.keys.count { standing($0) == .member }
        return followed.compactMap { key, since in turn(of: standing(key), members).map { since + $0 } }.min()
    }

    /// Whose turn may end now, strangers first and then who has been followed longest.
    private func ending(_ now: Instant, _ standing: (Key) -> InstanceStanding) -> [Key] {
        let holders = followed.map { (key: $0.key, since: $0.value, standing: standing($0.key)) }
        let members = holders.count { $0.standing == .member }
        var spare = max(0, members - reserved)
        // A stranger makes room at once for each that is not known yet and finds no place.
        var hurried = max(0, likely.count - (places - followed.count))
        return holders.sorted { a, b in
            let (first, second) = (a.standing == .stranger, b.standing == .stranger)
            return first != second ? first : a.since < b.since
        }.filter { holder in
            if holder.standing == .stranger, hurried > 0 {
                hurried -= 1
                return true
            }
            let limit = holder.standing == .stranger ? Self.longTurn : turn(of: holder.standing, members)
            guard let limit, holder.since + limit <= now else { return false }
            guard holder.standing == .member else { return true }
            spare -= 1
            return spare >= 0
        }.map(\.key)
    }

    /// How many places members keep while others wait.
    private var reserved: Int { places * 3 / 4 }

    /// How long an instance keeps its place while another waits; `nil` for as long as it likes.
    ///
    /// - Parameter members: How many of those that are followed are members.
    private func turn(of standing: InstanceStanding, _ members: Int) -> Duration? {
        switch standing {
        case .stranger: likely.isEmpty ? Self.longTurn : .zero
        case .unknown: Self.shortTurn
        case .member: members > reserved ? Self.shortTurn : nil
        }
    }

    /// A line of waiting keys, from which any can leave.
    private struct Line {
        /// Also holds keys that have left, until they are come across.
        private var order: [Key] = []
        private var first = 0
        private var waiting: Set<Key> = []

        var count: Int { waiting.count }
        var isEmpty: Bool { waiting.isEmpty }

        func contains(_ key: Key) -> Bool { waiting.contains(key) }

        mutating func append(_ key: Key) {
            guard waiting.insert(key).inserted else { return }
            order.append(key)
            if order.count > 64 + 2 * waiting.count { tidy() }
        }

        mutating func remove(_ key: Key) { waiting.remove(key) }

        mutating func popFirst() -> Key? {
            while first < order.count {
                let key = order[first]
                first += 1
                if waiting.remove(key) != nil { return key }
            }
            return nil
        }

        /// Drops the keys that have left.
        private mutating func tidy() {
            var seen: Set<Key> = []
            order = order[first...].filter { waiting.contains($0) && seen.insert($0).inserted }
            first = 0
        }
    }
}
