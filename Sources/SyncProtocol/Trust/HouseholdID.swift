import MergeCore

/// The id of a household: random, made by the device that is its only member at first.
package struct HouseholdID: Identifier128 {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
