import Testing

@testable import HouseholdAgent

/// The steps that wait until an event is settled.
@Suite struct SettledStepsTests {
    private struct Tally: ~Copyable {
        var order: [Int] = []
        var steps = SettledSteps<Tally>()
    }

    /// In the order in which they were added; one that a step adds comes after those that wait already.
    @Test func stepsAreTakenInOrder() {
        var tally = Tally()
        tally.steps.add { tally in
            tally.order.append(1)
            tally.steps.add { $0.order.append(3) }
        }
        tally.steps.add { $0.order.append(2) }
        while let step = tally.steps.next() { step(&tally) }
        let order = tally.order
        #expect(order == [1, 2, 3])
    }
}
