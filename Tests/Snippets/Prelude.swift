import HearthKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What the examples take for granted.

struct Player: Profile {
    @Highest var level = 1
    @Counter var coins = 0
    @Counter var score = 0
    @Union var themes: Set<Theme> = []
    @Latest var displayName = "Player"
    @Choice var ending: Ending?
}
struct PlayerV1: Codable { var level = 1, coins = 0 }
struct Statistics: ProfilePart { @Counter var games = 0 }
struct LevelResult: ProfilePart { @Highest var stars = 0 }
struct Equipment: ProfilePart { var slot = "", power = 0 }
struct Grid: Codable, Hashable { var cells: [Int] = [] }
struct Hero: Codable, Hashable { var name = "" }
struct Badges: OptionSet, Codable, Hashable { var rawValue = 0 }
enum Theme: String, Codable, Hashable, Sendable { case neon, forest }
enum Ending: String, Codable, Hashable, Sendable { case king, hermit }
enum Enemy: String, Codable, Hashable, Sendable, CodingKeyRepresentable { case rat, troll }
enum Mode: String, Codable, Hashable, Sendable, CodingKeyRepresentable { case classic, timed }
enum Slot: String, Codable, Hashable, Sendable, CodingKeyRepresentable { case head, hand }
enum World: String, Codable, Hashable, Sendable, CodingKeyRepresentable { case forest, cave }
enum Action: String, Codable, Hashable, Sendable, CodingKeyRepresentable { case jump, run }
enum Key: String, Codable, Hashable, Sendable { case space, shift }
enum Colour: String, Codable, Hashable, Sendable { case red, green }
enum Achievement: String, Codable, Hashable, Sendable, CodingKeyRepresentable { case first }

func show(_ values: Any?...) {}
func ask(_ values: Any?...) -> Int { 0 }
func confirm(_ values: Any?...) -> Bool { false }
func celebrate(_ values: Any?...) {}
