import LosslessJSON
import MergeCore
import Testing

/// Games that run from memory and keep a list of which their rule's `limit` shows only the first elements. What such a
/// list lacks tells which snapshot a game had read, unless the limit itself left it out.
@Suite struct LimitedListTests {
    /// The rules of Examples/AnyEngine, as far as they are needed here.
    private static func rules(limit: Int) -> RuleSet {
        MergeCoreTests.rules([
            "/swings": .init(.counter), "/bag/*": .init(.counter), "/stones": .init(.union),
            "/trips": MergeRule(.union, sort: "ended", limit: limit),
        ])
    }

    private static func save(_ swings: Int, _ tin: Int, _ copper: Int, trips: [Int]) -> String {
        let list = trips.map { #"{"ended":\#($0)}"# }.joined(separator: ",")
        return #"{"swings":\#(swings),"bag":{"tin":\#(tin),"copper":\#(copper)},"stones":["fern"],"trips":[\#(list)]}"#
    }

    private func choice(_ save: String, _ snapshots: [String], limit: Int = 50) -> BaseChoice {
        BaseChoice(among: snapshots.map { document($0) }, for: document(save), rules: Self.rules(limit: limit))
    }

    /// Three numbers are nearest to what came in, and the save lacks the trip that came with it. A list of three
    /// elements under a limit of fifty was not made shorter by that limit, so the game had not read that trip.
    @Test(arguments: [[30, 20, 10], [10, 20, 30], [20, 30, 10]])
    func aListThatIsNotFullLosesNothingByItsLimit(order: [Int]) {
        let own = Self.save(81, 12, 5, trips: order.filter { $0 != 30 })
        let came = Self.save(102, 19, 8, trips: order)
        let choice = choice(Self.save(101, 20, 8, trips: order.filter { $0 != 30 } + [40]), [own, came])
        #expect(choice.base == 0)
        // The game may have earned all that by itself, or may have lost the trip: the numbers speak for the other one.
        #expect(choice.evidence == .contested)
        #expect(choice.lostIfWrong.isEmpty)
        #expect(self.choice(Self.save(122, 27, 11, trips: order + [40]), [own, came]).base == 1)
    }

    /// Of a full list only the last elements are left out.
    @Test func aFullListLosesWhatIsLastInIt() {
        let (own, came) = (Self.save(81, 12, 5, trips: [20, 10]), Self.save(102, 19, 8, trips: [30, 20]))
        #expect(choice(Self.save(101, 20, 8, trips: [40, 20]), [own, came], limit: 2).base == 0)
        #expect(choice(Self.save(122, 20, 8, trips: [40, 30]), [own, came], limit: 2).base == 1)
    }

    /// A trip that the limit may have left out is no evidence that it was not read.
    @Test func whatTheLimitMayHaveLeftOutMakesAGuess() {
        let (own, came) = (Self.save(81, 12, 5, trips: [30, 20]), Self.save(81, 12, 5, trips: [30, 20, 10]))
        let choice = choice(Self.save(81, 12, 5, trips: [40, 30, 20]), [own, came], limit: 3)
        #expect(choice.evidence == .lacking)
        #expect(choice.evidence.certainty == .guess)
    }

    /// Two games run from memory and never read what the other machine played; in every order of their trips and of the
    /// meetings of their machines each swing counts once.
    @Test(arguments: [50, 3], [true, false]) func everyOrderOfTwoGamesCountsEachSwingOnce(limit: Int, isAlike: Bool) {
        var orders = 0
        for order in Self.orders(of: [.first: 2, .second: 2, .meeting: 2]) {
            var devices = Device.household(
                2, Self.rules(limit: limit), sharing: Self.save(61, 8, 3, trips: [3, 2, 1]))
            var games = devices.map(RunningGame.init(reading:))
            var (swings, time) = (61, 10)
            for event in order {
                guard event != .meeting else {
                    devices[0].receive(devices[1])
                    devices[1].receive(devices[0])
                    continue
                }
                let one = event == .first ? 0 : 1
                let dug = isAlike ? 20 + one : 5 + 30 * one
                swings += dug
                time += 1
                games[one].finishTrip(of: dug, at: time, limit: limit)
                games[one].save(to: &devices[one])
                devices[one].show()
            }
            settle(&devices)
            for device in devices { #expect(device.value.int("swings") == swings, "\(order)") }
            orders += 1
        }
        #expect(orders == 90)
    }

    private enum Event: Hashable, CaseIterable { case first, second, meeting }

    private static func orders(of left: [Event: Int]) -> [[Event]] {
        let possible = Event.allCases.filter { left[$0, default: 0] > 0 }
        guard !possible.isEmpty else { return [[]] }
        return possible.flatMap { event in
            var rest = left
            rest[event]! -= 1
            return orders(of: rest).map { [event] + $0 }
        }
    }
}

extension RunningGame {
    /// The game adds a trip, the newest first, and keeps no more than the limit.
    fileprivate mutating func finishTrip(of swings: Int, at time: Int, limit: Int) {
        guard case .array(let trips)? = memory["trips"] else { return }
        set("trips", .array(Array(([json(#"{"ended":\#(time)}"#)] + trips).prefix(limit))))
        set("swings", .number(JSONNumber((memory.int("swings") ?? 0) + swings)))
        guard let bag = memory["bag"], let tin = bag.int("tin"), let copper = bag.int("copper") else { return }
        set("bag", json(#"{"tin":\#(tin + swings / 3),"copper":\#(copper + swings / 7)}"#))
    }
}
