import HearthKit
import HearthTesting
import Testing

// What the examples of HearthTesting take for granted.

struct Crew: ProfilePart, Identifiable {
    var id = ""
    @Highest var level = 1
}
struct Hero: Profile {
    @Counter var coins = 0
    @Members var items: Set<String> = []
    @Union var themes: Set<String> = []
    @Keyed var crew: [Crew] = []
}
typealias Player = Hero
