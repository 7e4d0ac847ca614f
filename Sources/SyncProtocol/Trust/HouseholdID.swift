import MergeCore

/// Names a household. Random, minted by the device that is alone in it at first.
package struct HouseholdID: Identifier128 {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
