import HouseholdAgent
import MergeCore
import Testing

/// The same of addresses that a person named (`--peer`) or that are remembered: they need no responder, and nothing that
/// discovery tells takes them away.
extension Conformance {
    @Suite struct Static {
        private let address = PeerAddress(host: "10.0.0.9", port: 4_000)

        @Test(arguments: [DialPlan.Source.named, .remembered])
        func anAddressIsDialledAtOnce_andStays(_ source: DialPlan.Source) {
            var plan = DialPlan()
            plan.want(address, source, now: 0)
            #expect(plan.due(now: 0, connected: []) == [address])
            // Discovery finds a device there, at another address, and loses it.
            plan.replace("deck", with: [address], now: 0)
            plan.replace("deck", with: [PeerAddress(host: "10.0.0.55", port: 4_000)], now: 0)
            plan.forget(.discovered("deck"))
            #expect(plan.due(now: 0, connected: []) == [address])
        }

        /// A discovered address is one only for as long as it is announced.
        @Test func aDiscoveredAddressGoesWithItsInstance() {
            var plan = DialPlan()
            plan.replace("deck", with: [address], now: 0)
            #expect(plan.due(now: 0, connected: []) == [address])
            plan.forget(.discovered("deck"))
            #expect(plan.due(now: 0, connected: []) == [])
        }

        /// Forged instances with the address of a device do not keep it from being dialled at its own time.
        @Test func forgedInstancesHoldNoNamedAddressUp() {
            var plan = DialPlan()
            plan.want(address, .named, now: 0)
            for number in 0..<1_000 { plan.replace("forged \(number)", with: [address], now: 0) }
            #expect(plan.due(now: 0, connected: []) == [address])
        }
    }
}
