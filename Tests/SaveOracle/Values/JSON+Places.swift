/// Places of a document, as rules see them.
extension JSON {
    package func at(_ step: Place.Step) -> JSON? {
        switch step {
        case .member(let name): self[name]
        case .index(let index): elements.flatMap { index < $0.count ? $0[index] : nil }
        case .element(let key, let id): elements?.first { $0[key]?.identity == id }
        }
    }

    package func at(_ place: Place) -> JSON? { place.steps.reduce(self) { $0?.at($1) } }

    /// With what stands at a place changed; as it is where nothing stands there.
    package func changed(_ steps: ArraySlice<Place.Step>, _ body: (JSON) -> JSON) -> JSON {
        guard let step = steps.first else { return body(self) }
        guard let inner = at(step) else { return self }
        let new = inner.changed(steps.dropFirst(), body)
        switch step {
        case .member(let name): return setting(name, to: new)
        case .index(let index):
            var list = elements ?? []
            list[index] = new
            return .array(list)
        case .element: return self
        }
    }

    /// Calls `body` with every place and what it holds, from the whole document down to what holds no other places.
    package func visit(_ rules: RuleTable, _ body: (Place, JSON) -> Void) {
        func visit(_ value: JSON, _ place: Place) {
            body(place, value)
            for step in value.steps(rules.shape(at: place)) {
                if let inner = value.at(step) { visit(inner, place.appending(step)) }
            }
        }
        visit(self, .root)
    }

    /// All places that hold no other places, arrays that are one value included.
    package func leaves(_ rules: RuleTable) -> [(place: Place, rule: Rule)] {
        var leaves: [(Place, Rule)] = []
        func collect(_ value: JSON, _ place: Place, _ above: Rule?) {
            let own = rules.rule(at: place)
            let rule = above ?? own
            let inside = above ?? (own.takesAll ? own : nil)
            if let members = value.members, !members.isEmpty {
                for member in members { collect(member.value, place.appending(.member(member.name)), inside) }
            } else if let elements = value.elements, above == nil, rules.shape(at: place) == .indexed {
                for (index, element) in elements.enumerated() {
                    collect(element, place.appending(.index(index)), inside)
                }
            } else {
                leaves.append((place, rule))
            }
        }
        collect(self, .root, nil)
        return leaves
    }
}
