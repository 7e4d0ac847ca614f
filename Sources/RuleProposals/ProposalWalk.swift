import LosslessJSON
import MergeCore

/// Walks through a document and collects guesses. All values at one place of the later pattern (all elements of an
/// array, all members of a dictionary) are looked at together, so each value is looked at once for each level:
/// O(document).
struct ProposalWalk {
    let document: JSONDocument
    /// The guesses, in the order of the document.
    private(set) var candidates: [Candidate] = []
    private(set) var version: RulePattern?
    /// Whether the player can start over and keep a part.
    let startsOver: Bool

    struct Candidate {
        let steps: [RulePattern.Step]
        let guess: Guess
    }

    /// A place that is visited, and what is known about it.
    struct Place {
        var steps: [RulePattern.Step]
        /// The name of the value or, in a collection, of the collection.
        var name: NameWords
        var context: GuessContext
        /// Whether ``name`` is the collection's.
        var isCollected: Bool

        static let root = Place(steps: [], name: .none, context: .none, isCollected: false)

        func member(_ key: JSONString) -> Place {
            let name = NameWords(key)
            return Place(
                steps: steps + [.literal(key)],
                name: name,
                context: GuessContext(name) ?? context,
                isCollected: false
            )
        }

        func collected(_ step: RulePattern.Step) -> Place {
            Place(steps: steps + [step], name: name, context: context, isCollected: true)
        }
    }

    /// The deepest place that gets a guess.
    private static let depthLimit = 24
    /// The most guesses that are collected.
    private static let candidateLimit = 4_000

    init(_ document: JSONDocument, startsOver: Bool) {
        (self.document, self.startsOver) = (document, startsOver)
        visit([document.root], .root)
    }

    mutating func add(_ steps: [RulePattern.Step], _ guess: Guess) {
        candidates.append(Candidate(steps: steps, guess: guess))
    }

    mutating func visit(_ nodes: [JSONNode], _ place: Place) {
        guard place.steps.count < Self.depthLimit, candidates.count < Self.candidateLimit else { return }
        let filled = nodes.filter { document.kind($0) != .null }
        guard let first = filled.first else { return }
        let kind = document.kind(first)
        switch kind {
        case .object: if filled.allSatisfy({ document.kind($0) == .object }) { visitObjects(filled, place) }
        case .array: if filled.allSatisfy({ document.kind($0) == .array }) { visitArrays(filled, place) }
        default: visitScalars(filled, place)
        }
    }

    private mutating func visitScalars(_ nodes: [JSONNode], _ place: Place) {
        let facts = ValueFacts(document, nodes)
        noteVersion(nodes, place, facts)
        if let guess = guess(place.name, facts, place.context, place.isCollected) {
            return add(place.steps, guess)
        }
        if !place.isCollected, isBits(nodes, place.name) { add(place.steps, Self.bits) }
    }

    static let bits = Guess(MergeRule(.union, as: .bits), "bits of one number; once 1, it stays 1")

    func isBits(_ nodes: [JSONNode], _ name: NameWords) -> Bool {
        name.ends(GuessWords.bits) && name.has(GuessWords.achievements) && ValueFacts(document, nodes).isNumber
            && nodes.allSatisfy { BitField(document.value($0)) != nil }
    }

    func guess(_ name: NameWords, _ facts: ValueFacts, _ context: GuessContext, _ isCollected: Bool) -> Guess? {
        Guess.scalar(name, facts, context, isCollected: isCollected, startsOver: startsOver)
    }

    /// Notes the place of the save's version; of several places the one nearest to the root.
    private mutating func noteVersion(_ nodes: [JSONNode], _ place: Place, _ facts: ValueFacts) {
        guard place.name.has(GuessWords.version), !place.isCollected, (1...2).contains(place.steps.count),
            facts.kind != .truth
        else { return }
        if let known = version, known.steps.count <= place.steps.count { return }
        version = RulePattern(steps: place.steps)
    }
}
