import LosslessJSON
import MergeCore

extension Migration {
    /// One step. Places are JSON Pointers, in which `*` and `[key]` stand for every member and element where a step
    /// says so. A place that is not there is passed over.
    public struct Step: Sendable {
        let make: @Sendable () throws -> MigrationStep

        /// Gives a member another name: `.rename("/hp", to: "health")`. Takes `*`.
        public static func rename(_ path: String, to name: String) -> Step {
            Step { .rename(try RulePattern(parsing: path), to: JSONString(name)) }
        }

        /// Takes a member to another place: `.move("/coins", to: "/wallet/coins")`.
        public static func move(_ path: String, to place: String) -> Step {
            Step { .move(try JSONPointer(parsing: path), to: try JSONPointer(parsing: place)) }
        }

        /// Puts the same value at another place as well.
        public static func copy(_ path: String, to place: String) -> Step {
            Step { .copy(try JSONPointer(parsing: path), to: try JSONPointer(parsing: place)) }
        }

        /// Drops what is there. Takes `*`. There is no way back but a backup.
        public static func remove(_ path: String) -> Step { Step { .remove(try RulePattern(parsing: path)) } }

        /// Adds a member where it is missing: `.fill("/volume", with: 5)`. Takes `*`.
        public static func fill(_ path: String, with value: Literal) -> Step {
            Step { .fill(try RulePattern(parsing: path), value: value.json) }
        }

        /// Replaces values by others: `.map("/hard", [true: "hard", false: "normal"])`. Takes `*`; others stay.
        public static func map(_ path: String, _ values: KeyValuePairs<Literal, Literal>) -> Step {
            let pairs = values.map { MigrationStep.Mapping($0.key.json, $0.value.json) }
            return Step { .map(try RulePattern(parsing: path), pairs) }
        }

        /// Puts a value into a new object: `.wrap("/coins", as: "amount")` makes `5` into `{"amount": 5}`. Takes `*`.
        public static func wrap(_ path: String, as name: String) -> Step {
            Step { .wrap(try RulePattern(parsing: path), as: JSONString(name)) }
        }

        /// Puts the elements of a list into members of the same object: `.split("/at", into: "x", "y")`. Takes `*`.
        public static func split(_ path: String, into names: String...) -> Step {
            Step {
                .split(try RulePattern(parsing: path), by: nil, into: names.map { JSONString($0) }, asNumbers: false)
            }
        }

        /// Puts the parts of a text into members: `.split("/at", by: ",", into: "x", "y", asNumbers: true)`. Takes `*`.
        public static func split(_ path: String, by separator: String, into names: String..., asNumbers: Bool = false)
            -> Step
        {
            Step {
                .split(
                    try RulePattern(parsing: path),
                    by: JSONString(separator),
                    into: names.map { JSONString($0) },
                    asNumbers: asNumbers
                )
            }
        }

        /// Grants a number for what had to be dropped: `.compensate("/coins", add: 500, for: "/oldSword")`.
        public static func compensate(_ path: String, add amount: Int, for reason: String? = nil) -> Step {
            Step {
                .compensate(
                    try JSONPointer(parsing: path),
                    add: JSONNumber(amount),
                    for: try reason.map { try JSONPointer(parsing: $0) }
                )
            }
        }

        /// Refuses the migration where the place is missing. Takes `*`.
        public static func require(_ path: String) -> Step { Step { .require(try RulePattern(parsing: path), nil) } }
    }
}
