/// Places of a save as rules spell them, such as `/items[id]/count`. Other rules may take the same save apart in another way, so
/// that a place of theirs lies above or below one of these.
struct OverlappingPlaces {
    private var places: Set<String> = []
    /// All places above one of the places.
    private var above: Set<String> = []

    /// - Complexity: O(the places and their depth).
    init(_ places: some Sequence<String>) {
        for place in places where self.places.insert(place).inserted { above.formUnion(Self.above(place)) }
    }

    /// Whether a place is one of these, or above or below one of them.
    func touches(_ place: String) -> Bool {
        places.contains(place) || above.contains(place) || Self.above(place).contains(where: places.contains)
    }

    /// The whole save first.
    private static func above(_ place: String) -> [String] {
        place.indices.filter { place[$0] == "/" || place[$0] == "[" }.map { String(place[..<$0]) }
    }
}
