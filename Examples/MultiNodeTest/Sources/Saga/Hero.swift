public import HearthKit

/// The whole save of the game.
public struct Hero: Profile {
    /// Earned and spent on every device.
    @Counter public var coins = 0
    /// Never falls.
    @Highest public var level = 1
    /// What was found, and what was sold again.
    @Members public var items: Set<String> = []
    /// How many of each potion there are.
    @Counter public var potions: [String: Int] = [:]
    /// The last one who changes it wins.
    public var name = "Hero"

    public init() {}

    /// Takes what a chest holds.
    public mutating func opens(chest coins: Int) { self.coins += coins }

    /// Buys an item; does nothing where the coins do not suffice, or the hero has it.
    public mutating func buys(_ item: String, for price: Int) {
        guard coins >= price, !items.contains(item) else { return }
        coins -= price
        items.insert(item)
    }
}
