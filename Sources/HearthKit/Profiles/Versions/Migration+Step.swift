import LosslessJSON
import MergeCore

extension Migration {
    /// One step of a migration. Places are JSON Pointers; where a step says "Takes `*`", they may contain `*` and
    /// `[key]` for every member and every element. A place that does not exist is skipped.
    public struct Step: Sendable {
        let make: @Sendable () throws -> MigrationStep

        /// Renames a member: `.rename("/hp", to: "health")`. Takes `*`.
        public static func rename(_ path: String, to name: String) -> Step {
            Step { .rename(try RulePattern(parsing: path), to: JSONString(name)) }
        }

        /// Moves a value: `.move("/coins", to: "/wallet/coins")`.
        public static func move(_ path: String, to place: String) -> Step {
            Step { .move(try JSONPointer(parsing: path), to: try JSONPointer(parsing: place)) }
        }

        /// Copies a value to another place.
        public static func copy(_ path: String, to place: String) -> Step {
            Step { .copy(try JSONPointer(parsing: path), to: try JSONPointer(parsing: place)) }
        }

        /// Removes what is there. Takes `*`. It cannot be taken back except from a backup.
        public static func remove(_ path: String) -> Step { Step { .remove(try RulePattern(parsing: path)) } }

        /// Adds a member where it is missing: `.fill("/volume", with: 5)`. Takes `*`.
        public static func fill(_ path: String, with value: Literal) -> Step {
            Step { .fill(try RulePattern(parsing: path), value: value.json) }
        }

        /// Replaces values: `.map("/hard", [true: "hard", false: "normal"])`. Takes `*`. Values that are not listed
        /// stay.
        public static func map(_ path: String, _ values: KeyValuePairs<Literal, Literal>) -> Step {
            let pairs = values.map { MigrationStep.Mapping($0.key.json, $0.value.json) }
            return Step { .map(try RulePattern(parsing: path), pairs) }
        }

        /// Puts a value into a new object: `.wrap("/coins", as: "amount")` turns `5` into `{"amount": 5}`. Takes `*`.
        public static func wrap(_ path: String, as name: String) -> Step {
            Step { .wrap(try RulePattern(parsing: path), as: JSONString(name)) }
        }

        /// Turns the elements of a list into members of the same object: `.split("/at", into: "x", "y")`. Takes `*`.
        public static func split(_ path: String, into names: String...) -> Step {
            Step {
                .split(try RulePattern(parsing: path), by: nil, into: names.map { JSONString($0) }, asNumbers: false)
            }
        }

        /// Turns the parts of a text into members: `.split("/at", by: ",", into: "x", "y", asNumbers: true)`. Takes
        /// `*`.
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

        /// Adds an amount above 0 to a number, as compensation for a value that the player lost:
        /// `.compensate("/coins", add: 500, for: "/oldSword")`. With `for:` only where that place exists or an earlier
        /// step dropped it. A number that is missing is added to the save.
        public static func compensate(_ path: String, add amount: Int, for reason: String? = nil) -> Step {
            Step {
                .compensate(
                    try JSONPointer(parsing: path),
                    add: JSONNumber(amount),
                    for: try reason.map { try JSONPointer(parsing: $0) }
                )
            }
        }

        /// Stops the migration with an error where the place is missing. Takes `*`.
        public static func require(_ path: String) -> Step { Step { .require(try RulePattern(parsing: path), nil) } }
    }
}
