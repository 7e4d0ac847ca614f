/// A rule as people and programs read and write it.
package struct RuleLine: Codable, Hashable, Sendable {
    /// The places that the rule is for, as in a rule file.
    package var place: String
    /// How values at these places merge: `max`, `counter`, …
    package var merge: String
    /// The other options of the rule, as the JSON text of one object; none where there are none.
    package var options: String?

    package init(place: String, merge: String, options: String? = nil) {
        (self.place, self.merge, self.options) = (place, merge, options)
    }
}

/// The rules of a profile, in force or only proposed.
package struct RulesReport: Codable, Hashable, Sendable {
    package struct Row: Codable, Hashable, Sendable {
        package var rule: RuleLine
        /// The number of places of the save that the rule decides about.
        package var places: Int
        /// What is odd about the rule, compared with the save.
        package var finding: String?
    }

    /// A place at which another rule than now would decide.
    package struct Move: Codable, Hashable, Sendable {
        package var place: String
        /// The rule now, in words; none where the rules take the save apart in another way, so that there is no such place.
        package var old: String?
        /// The rule then.
        package var new: String?
    }

    /// A rule that the save suggests, and why.
    package struct Guess: Codable, Hashable, Sendable {
        package var rule: RuleLine
        /// A few words, without a full stop.
        package var reason: String
    }

    /// The profile's name and id.
    package var profile: String
    package var id: String
    /// In the order of the rule file.
    package var rules: [Row]
    /// The number of places that no rule is about: the last writer wins there.
    package var others: Int
    /// The names of the scopes that can be reset alone; none where the rules name none.
    package var scopes: [String]? = nil
    /// Whether the whole save was compared with the rules. If not, there may be more places than are counted.
    package var isWhole: Bool
    /// Whether the text of a rule file, with its comments, travels with the rules. Rules that are changed here travel
    /// without it.
    package var hasText: Bool
    /// The first places at which the proposed rules decide otherwise than those in force.
    package var moves: [Move]
    package var moreMoves: Int
    /// The first places whose value would change at once, or has changed.
    package var changes: [ChangeReport]
    package var more: Int
    /// The rules that the save suggests by its names and values, for a person to look over; where they were asked for.
    package var guesses: [Guess]?
}
