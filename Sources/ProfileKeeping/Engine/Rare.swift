/// An optional value that most profiles lack. Where there is none it takes one word, however large the value is: an agent
/// may keep ten thousand profiles, so what a quiet one takes in memory counts.
indirect enum Rare<Value> {
    case none
    case some(Value)

    init(_ value: Value?) { self = value.map { .some($0) } ?? .none }

    var value: Value? {
        get { if case .some(let value) = self { value } else { nil } }
        set { self = Rare(newValue) }
    }
}

extension Rare: Equatable where Value: Equatable {}
extension Rare: Hashable where Value: Hashable {}
extension Rare: Sendable where Value: Sendable {}
