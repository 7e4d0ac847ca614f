import LosslessJSON
import MergeCore
import RuleProposals
import TestSupport

/// A made-up game of one kind, and what such games do to their saves: earn and spend, start over, sell, toggle,
/// remove, put in another order.
struct MadeUpGame {
    enum Kind: String, CaseIterable {
        case incremental, story, inventory, statistics, levelStars, baseBuilding, roguelike, survival, shopping,
            checksummed
    }

    let kind: Kind
    private(set) var save: JSONValue
    private var random: SeededRandom
    private var made = 100

    init(_ kind: Kind, seed: UInt64) {
        self.kind = kind
        random = SeededRandom(seed: seed)
        save = json(Self.start(kind))
    }

    /// Plays on, with luck of its own: the same save on another device.
    func elsewhere(seed: UInt64) -> MadeUpGame {
        var other = self
        other.random = SeededRandom(seed: seed)
        other.made = Int(seed % 1_000) * 1_000
        return other
    }

    /// One session, and its save.
    mutating func play() -> JSONValue {
        for _ in 0...random.below(3) { act() }
        if kind == .checksummed { seal() }
        return save
    }

    private mutating func act() {
        switch kind {
        case .incremental: incremental()
        case .story: story()
        case .inventory: inventory()
        case .statistics: statistics()
        case .levelStars: levelStars()
        case .baseBuilding: baseBuilding()
        case .roguelike: roguelike()
        case .survival: survival()
        case .shopping: shopping()
        case .checksummed: checksummed()
        }
    }

    // MARK: Changing a save

    private mutating func change(_ path: String, _ body: (JSONValue?) -> JSONValue?) {
        save = Self.changed(save, path.split(separator: "/").map { JSONString(String($0)) }[...], body)
    }

    private static func changed(
        _ value: JSONValue, _ path: ArraySlice<JSONString>, _ body: (JSONValue?) -> JSONValue?
    ) -> JSONValue {
        guard let name = path.first else { return value }
        if path.count == 1 { return value.setting(name, to: body(value[name])) }
        return value.setting(name, to: changed(value[name] ?? [:], path.dropFirst(), body))
    }

    private mutating func set(_ path: String, _ new: JSONValue?) { change(path) { _ in new } }

    private mutating func add(_ path: String, _ amount: Int, floor: Int = 0) {
        change(path) { Self.number(max(floor, Self.int($0) + amount)) }
    }

    private mutating func raise(_ path: String, to new: Int) {
        change(path) { Self.number(max(Self.int($0), new)) }
    }

    private mutating func toggle(_ path: String) { change(path) { $0 == .bool(true) ? .bool(false) : .bool(true) } }

    private mutating func list(_ path: String, _ body: (inout [JSONValue], inout SeededRandom) -> Void) {
        var random = random
        change(path) { value in
            guard case .array(var elements)? = value else { return value }
            body(&elements, &random)
            return .array(elements)
        }
        self.random = random
    }

    private mutating func include(_ path: String, _ new: JSONValue) {
        list(path) { list, _ in if !list.contains(new) { list.append(new) } }
    }

    private func value(_ path: String) -> Int {
        Self.int(path.split(separator: "/").reduce(save as JSONValue?) { $0?[JSONString(String($1))] })
    }

    private static func int(_ value: JSONValue?) -> Int {
        guard case .number(let number)? = value else { return 0 }
        return number.decimal?.int ?? 0
    }

    private static func number(_ int: Int) -> JSONValue { .number(JSONNumber(int)) }

    private func text(_ text: String) -> JSONValue { .string(JSONString(text)) }

    // MARK: The games

    private static func start(_ kind: Kind) -> String {
        switch kind {
        case .incremental:
            #"""
            {"saveVersion": 3, "money": 10, "gems": 5, "xp": 12, "level": 2, "prestige": {"points": 0, "count": 0},
             "upgrades": [{"id": "cursor", "owned": 1, "level": 1}, {"id": "farm", "owned": 0, "level": 0}],
             "unlockedUpgrades": ["cursor"], "totalMoneyEarned": 10, "highestZone": 1, "maxLevel": 2, "clicks": 3,
             "autobuyers": {"cursor": {"unlocked": true, "active": false, "interval": 500}},
             "records": {"bestMoney": 10, "fastestRun": 0}, "achievements": ["first"], "lastSaved": 1700000000,
             "boost": {"used": 0, "cooldown": 30}, "moneyPerSecond": 1, "antimatter": "1e12",
             "settings": {"volume": 3, "notation": "short"}}
            """#
        case .story:
            #"""
            {"chapter": 1, "scene": "hall", "window_open": true, "cache_found": false, "door_closed": true,
             "_used_key": 0, "_used_rope": 1, "_used_lamp": 0, "met_wizard": false, "board_read": false,
             "session_one_done": true, "vault_unlocked": false, "quest_completed": false, "asked_king": true,
             "temp_in_room": false, "resolution_reached": false, "trust": 3, "gold": 7, "_used_map": 0,
             "told_truth": false, "seen_grid": true, "name": "Ann", "lamp_on": true, "cell_locked": true}
            """#
        case .inventory:
            #"""
            {"gold": 120, "level": 4, "xp": 30, "equipped": "i1",
             "inventory": [{"id": "i1", "kind": "sword", "count": 1, "durability": 40},
                           {"id": "i2", "kind": "potion", "count": 3, "durability": 0},
                           {"id": "i3", "kind": "axe", "count": 1, "durability": 12}],
             "bag": ["potion", "potion", "rope"], "hotbar": ["i1", null, "i2"], "items": {"rope": 2, "torch": 5},
             "skins": {"owned": ["plain"], "selected": "plain"}, "discoveredRecipes": ["bread"],
             "stash": {"coins": 3, "slots": 10}, "position": {"x": 1, "y": 2}}
            """#
        case .statistics:
            #"""
            {"stats": {"game:mined": {"game:stone": 3, "game:dirt": 9, "game:ore": 1},
                       "game:custom": {"game:jump": 12, "game:time_since_rest": 400, "game:deaths": 1}},
             "player": {"stats": {"strength": 5, "agility": 4, "kills": 12, "bestCombo": 4, "currentStreak": 2,
                                  "longestStreak": 3, "accuracy": 55, "playTime": 100, "level": 3},
                        "hp": 10, "maxHp": 20},
             "gamesPlayed": 3, "totalKills": 12, "rating": 1200, "highestRating": 1250, "winStreak": 2,
             "lastTen": [3, 5, 5, 1], "firstPlayed": "2023-05-01T10:00:00Z", "lastPlayed": "2024-05-01T10:00:00Z"}
            """#
        case .levelStars:
            #"""
            {"levels": {"1": {"stars": 2, "bestScore": 100, "completed": true, "lastScore": 90, "bestTime": 30},
                        "2": {"stars": 0, "bestScore": 0, "completed": false, "lastScore": 0, "bestTime": 0},
                        "3": {"stars": 0, "bestScore": 0, "completed": false, "lastScore": 0, "bestTime": 0}},
             "stars": 2, "starsSpent": 0, "coins": 10, "lives": 5, "currentLevel": 2, "highScores": {"easy": 5, "hard": 1},
             "unlockedThemes": ["plain"], "selectedTheme": "plain", "tutorialDone": false, "medals": [3, 2, 0],
             "achievements": {"first": true, "ten": false, "all": false}, "levelProgress": 2,
             "options": {"music": true, "sfx": true}}
            """#
        case .baseBuilding:
            #"""
            {"resources": {"wood": 50, "stone": 30, "food": 10, "woodCapacity": 100},
             "buildings": [{"id": 1, "type": "hut", "level": 1, "position": {"x": 1, "y": 1}},
                           {"id": 2, "type": "mill", "level": 2, "position": {"x": 4, "y": 1}}],
             "population": 4, "maxPopulation": 6, "unlocked": ["hut", "mill"], "research": {"tools": true, "ships": false},
             "queue": [{"id": 9, "left": 30}, {"id": 10, "left": 5}], "tiles": [[0, 1], [1, 0]], "day": 3,
             "explored": [1, 2, 3], "storage": {"items": 3, "max": 100}, "wave": 2, "bestWave": 2}
            """#
        case .roguelike:
            #"""
            {"run": {"floor": 2, "hp": 30, "maxHp": 40, "gold": 12, "kills": 3, "bestCombo": 2,
                     "deck": ["strike", "strike", "block"], "relics": ["ring"], "seed": 77},
             "souls": 20, "gems": 3, "runsPlayed": 4, "wins": 0, "deaths": 4, "furthestFloor": 6, "highestFloor": 6,
             "winStreak": 0, "unlockedCharacters": ["knight"], "unlockedCards": ["strike", "block"], "ascension": 1,
             "daily": {"completed": false, "score": 0}, "characters": {"knight": {"xp": 10, "unlocked": true},
             "mage": {"xp": 0, "unlocked": false}, "thief": {"xp": 0, "unlocked": false}}}
            """#
        case .survival:
            #"""
            {"bestTime": 120, "bestTimes": [120, 90, 60], "shelter": {"door_unlocked": true, "completed": false, "level": 2},
             "hunger": 50, "coins": 4, "friends": ["ann", "bob"], "pinned": ["a"], "visited": ["lake"], "tutorial": true,
             "companions": [{"name": "Rex", "level": 2, "xp": 4}, {"name": "Tom", "level": 1, "xp": 0}],
             "graphics": {"shadows": true, "quality": 2}, "radio": {"volume_found": true, "options": {"ask": true}},
             "log": [{"at": "2024-01-01", "text": "a"}, {"at": "2024-01-02", "text": "b"}], "debt": -5, "balance": -2,
             "createdAt": 1700000000, "deepest": 3, "gameVersion": "1.2.0"}
            """#
        case .shopping:
            #"""
            {"gold": 830, "gems": "120", "hints": 5, "lastUnlockedLevel": 3, "enemiesKilled": 4, "stepsWalked": 900,
             "inventory": [{"itemId": "potion", "quantity": 5}, {"itemId": "ether", "quantity": 2},
                           {"itemId": "rope", "quantity": 1}],
             "bag": [{"slot": 0, "id": "hoe", "qty": 1}, {"slot": 1, "id": "seeds", "qty": 6},
                     {"slot": 2, "id": "wood", "qty": 140}],
             "levels": {"1": {"stars": 2, "bestMoves": 20, "bestTime": 61.5, "completed": true},
                        "2": {"stars": 0, "bestMoves": 0, "bestTime": 0, "completed": false}},
             "visitedMaps": ["town"], "chestsOpened": ["town 1"], "achievementBits": [1, 0],
             "runs": [{"runId": "r-1", "won": false, "score": 340}, {"runId": "r-2", "won": true, "score": 900}],
             "totalRuns": 2, "upgrades": ["sharp"], "companions": [{"uid": "c1", "id": "wolf", "xp": 3},
                                                                    {"uid": "c2", "id": "owl", "xp": 0}]}
            """#
        case .checksummed:
            #"{"data": {"coins": 10, "level": 2, "achievements": ["a"], "flags": [1, 0]}, "salt": "9f3aa1c0de", "hash": "f3aa1c0de77"}"#
        }
    }

    private mutating func incremental() {
        add("lastSaved", 60)
        switch random.below(9) {
        case 0, 1, 2:
            let earned = random.below(500)
            for path in ["money", "totalMoneyEarned"] { add(path, earned) }
            raise("records/bestMoney", to: value("money"))
            add("xp", 5)
        case 3: add("money", -random.below(200))
        case 4: add("xp", -random.below(20))
        case 5:
            add("level", 1)
            add("highestZone", 1)
            raise("maxLevel", to: value("level"))
            include("unlockedUpgrades", text("farm"))
        case 6:
            toggle("autobuyers/cursor/active")
            set("autobuyers/cursor/unlocked", .bool(random.chance(50)))
        case 7:
            list("upgrades") { list, random in
                let index = random.below(list.count)
                list[index] = list[index].setting("owned", to: Self.number(random.below(9)))
            }
        default:
            // Starts over.
            for path in ["money", "xp"] { set(path, Self.number(1)) }
            for path in ["level", "highestZone", "maxLevel"] { set(path, Self.number(1)) }
            set("records/bestMoney", Self.number(1))
            set("records/fastestRun", Self.number(random.below(100)))
            set("unlockedUpgrades", [text("cursor")])
            for path in ["prestige/points", "prestige/count"] { add(path, 1) }
            add("boost/used", random.below(3) - 1)
        }
    }

    private mutating func story() {
        guard case .object(let members) = save else { return }
        let member = random.pick(members)
        switch member.value {
        case .bool(let known): save = save.setting(member.key, to: .bool(!known))
        case .number(let number):
            let known = number.decimal?.int ?? 0
            let new = member.key.string.hasPrefix("_") ? 1 - known : max(0, known + random.below(5) - 2)
            save = save.setting(member.key, to: Self.number(new))
        default: set("scene", text("room \(random.below(9))"))
        }
    }

    private mutating func inventory() {
        made += 1
        switch random.below(9) {
        case 0: add("gold", random.below(90))
        case 1: add("gold", -random.below(90))
        case 2: list("inventory") { list, random in if list.count > 2 { list.remove(at: random.below(list.count)) } }
        case 3:
            let new = json(#"{"id": "i\#(made)", "kind": "potion", "count": 2, "durability": 0}"#)
            list("inventory") { list, _ in list.append(new) }
        case 4: list("inventory") { list, random in list = random.shuffled(list) }
        case 5:
            list("inventory") { list, random in
                let index = random.below(list.count)
                list[index] = list[index].setting("count", to: Self.number(random.below(5)))
                    .setting("durability", to: Self.number(random.below(50)))
            }
        case 6:
            let thing = random.pick(["potion", "rope", "axe"])
            list("bag") { list, random in
                if random.chance(50), !list.isEmpty {
                    list.remove(at: random.below(list.count))
                } else {
                    list.append(.string(JSONString(thing)))
                }
            }
            list("hotbar") { list, random in list = random.shuffled(list) }
        case 7:
            set("items/torch", random.chance(50) ? nil : Self.number(random.below(9)))
            add("xp", random.below(9) - 4)
        default:
            list("skins/owned") { list, _ in
                if list.count > 1 { list.removeLast() } else { list.append("gold") }
            }
            add("stash/coins", random.below(9) - 4)
            add("position/x", 1)
        }
    }

    private mutating func statistics() {
        switch random.below(6) {
        case 0:
            for path in [
                "stats/game:mined/game:stone", "stats/game:custom/game:jump", "player/stats/kills", "totalKills",
            ] {
                add(path, random.below(20))
            }
            add("stats/game:custom/game:time_since_rest", 50)
            raise("player/stats/bestCombo", to: random.below(20))
        case 1:
            set("stats/game:custom/game:time_since_rest", Self.number(0))
            add("stats/game:mined/game:gold", 1)
        case 2:
            // Learns anew.
            add("player/stats/strength", random.below(5) - 3, floor: 1)
            add("player/stats/agility", random.below(5) - 2, floor: 1)
            add("player/stats/level", random.below(3) - 1, floor: 1)
        case 3:
            add("player/stats/currentStreak", 1)
            raise("player/stats/longestStreak", to: value("player/stats/currentStreak"))
            add("winStreak", 1)
        case 4:
            set("player/stats/currentStreak", Self.number(0))
            set("winStreak", Self.number(0))
            add("player/maxHp", random.below(7) - 3, floor: 5)
            list("lastTen") { list, random in
                list.append(Self.number(random.below(9)))
                list.removeFirst()
            }
        default:
            add("gamesPlayed", 1)
            add("rating", random.below(60) - 30)
            raise("highestRating", to: value("rating"))
            add("player/stats/playTime", 60)
            set("lastPlayed", text("2024-05-\(10 + random.below(20))T10:00:00Z"))
        }
    }

    private mutating func levelStars() {
        let level = "levels/\(1 + random.below(5))"
        switch random.below(7) {
        case 0, 1, 2:
            let score = random.below(500)
            raise(level + "/stars", to: random.below(4))
            raise(level + "/bestScore", to: score)
            set(level + "/lastScore", Self.number(score))
            set(level + "/completed", .bool(true))
            raise(level + "/bestTime", to: random.below(90))
            add("stars", 1)
            add("coins", 5)
            raise("highScores/easy", to: score)
        case 3:
            add("stars", -3)
            add("starsSpent", 3)
            add("coins", -random.below(9))
        case 4:
            include("unlockedThemes", text("theme \(random.below(9))"))
            set("selectedTheme", text(random.pick(["plain", "dark"])))
            toggle("options/music")
        case 5:
            set("tutorialDone", .bool(true))
            set("achievements/" + random.pick(["ten", "all"]), .bool(true))
            list("medals") { list, random in list.insert(0, at: random.below(list.count)) }
        default:
            add("lives", random.below(5) - 2)
            set("currentLevel", Self.number(1 + random.below(4)))
            add("levelProgress", random.below(3) - 1)
        }
    }

    private mutating func baseBuilding() {
        made += 1
        switch random.below(8) {
        case 0: for name in ["wood", "stone", "food"] { add("resources/" + name, random.below(40)) }
        case 1: for name in ["wood", "stone"] { add("resources/" + name, -random.below(40)) }
        case 2:
            let new = json(#"{"id": \#(made), "type": "hut", "level": 1, "position": {"x": 3, "y": \#(made)}}"#)
            list("buildings") { list, _ in list.append(new) }
            add("maxPopulation", 2)
        case 3:
            list("buildings") { list, random in if list.count > 2 { list.remove(at: random.below(list.count)) } }
            add("maxPopulation", -2)
        case 4:
            list("buildings") { list, random in
                list = random.shuffled(list)
                list[0] = list[0].setting("level", to: Self.number(random.below(4)))
                    .setting("position", to: ["x": Self.number(random.below(9)), "y": 2])
            }
        case 5:
            set("resources/iron", random.chance(60) ? Self.number(random.below(9)) : nil)
            set("resources/woodCapacity", Self.number(50 + random.below(100)))
        case 6:
            list("unlocked") { list, random in
                if random.chance(50) {
                    list.append(.string(JSONString("ship \(random.below(99))")))
                } else if list.count > 2 {
                    list.removeLast()
                }
            }
            toggle("research/ships")
            list("queue") { list, random in list = random.shuffled(list) }
        default:
            set("tiles", [[0, 2], [1, Self.number(random.below(9))]])
            add("day", 1)
            add("wave", random.below(3) - 1)
            raise("bestWave", to: value("wave"))
            add("population", random.below(5) - 2)
        }
    }

    private mutating func roguelike() {
        switch random.below(6) {
        case 0, 1:
            add("run/floor", 1)
            add("run/kills", random.below(4))
            add("run/gold", random.below(30) - 9)
            raise("run/bestCombo", to: random.below(9))
            list("run/deck") { list, _ in list.append("strike") }
            raise("furthestFloor", to: value("run/floor"))
        case 2:
            list("run/deck") { list, random in if list.count > 2 { list.remove(at: random.below(list.count)) } }
            add("run/hp", random.below(20) - 12, floor: 1)
            add("run/maxHp", random.below(9) - 4, floor: 5)
        case 3:
            let start = #""hp": 40, "maxHp": 40, "gold": 1, "kills": 1, "bestCombo": 1, "relics": []"#
            let seed = random.below(99)
            set("run", json(#"{"floor": 1, \#(start), "deck": ["strike", "strike", "block"], "seed": \#(seed)}"#))
            for path in ["runsPlayed", "deaths"] { add(path, 1) }
            add("souls", random.below(30))
        case 4:
            add("souls", -random.below(20))
            include("unlockedCharacters", text(random.pick(["mage", "thief"])))
            toggle("characters/mage/unlocked")
            add("characters/knight/xp", random.below(9) - 4)
        default:
            add("wins", 1)
            toggle("daily/completed")
            set("daily/score", Self.number(random.below(50)))
            add("winStreak", random.below(3) - 1)
            add("ascension", random.below(3) - 1)
            add("gems", random.below(9) - 3)
        }
    }

    private mutating func survival() {
        switch random.below(7) {
        case 0:
            raise("bestTime", to: 100 + random.below(300))
            list("bestTimes") { list, random in list[0] = Self.number(100 + random.below(300)) }
        case 1:
            toggle("shelter/door_unlocked")
            toggle("shelter/completed")
            add("shelter/level", random.below(3) - 1)
        case 2:
            list("friends") { list, random in
                if random.chance(50), list.count > 1 {
                    list.removeFirst()
                } else {
                    let new = JSONValue.string(JSONString("f\(random.below(99))"))
                    if !list.contains(new) { list.append(new) }
                }
            }
            list("visited") { list, random in list = [.string(JSONString("place \(random.below(9))"))] }
        case 3:
            list("companions") { list, random in
                list = random.shuffled(list)
                list[0] = list[0].setting("xp", to: Self.number(random.below(9))).setting("name", to: "Rex")
            }
        case 4:
            toggle("radio/volume_found")
            toggle("radio/options/ask")
            list("log") { list, random in
                list.append(["at": .string(JSONString("2024-02-\(10 + random.below(19))")), "text": "c"])
                list.removeFirst()
            }
        case 5:
            add("debt", random.below(9) - 6, floor: -50)
            add("balance", random.below(9) - 4, floor: -50)
            add("coins", random.below(9) - 4)
            set("createdAt", Self.number(1_700_000_000 + random.below(999)))
        default:
            add("hunger", random.below(30) - 15)
            raise("deepest", to: random.below(30))
            toggle("graphics/shadows")
            toggle("tutorial")
        }
    }

    private mutating func shopping() {
        made += 1
        switch random.below(8) {
        case 0: add("gold", random.below(90))
        case 1:
            // Buys one thing that was there, and one that was not; uses the last one of another.
            add("gold", -random.below(90))
            let new = json(#"{"itemId": "sword \#(made)", "quantity": 1}"#)
            list("inventory") { list, random in
                list[0] = list[0].setting("quantity", to: Self.number(random.below(9)))
                if random.chance(50) { list.append(new) } else if list.count > 2 { list.removeLast() }
            }
        case 2:
            change("gems") { value in
                guard case .string(let old)? = value else { return value }
                return .string(JSONString("\((Int(old.string) ?? 0) / 2 + 30)"))
            }
            change("hints") { Self.number(Self.int($0) / 2 + 3) }
        case 3:
            // Sorts the bag: every slot has another thing. Then a second stack of the same.
            list("bag") { list, random in
                let things = random.shuffled(list)
                list = things.indices.map { things[$0].setting("slot", to: Self.number($0)) }
                list.append(["slot": Self.number(list.count), "id": "wood", "qty": Self.number(random.below(90))])
            }
        case 4:
            list("bag") { list, random in
                if list.count > 3 { list.removeLast() }
                list[0] = list[0].setting("qty", to: Self.number(random.below(9)))
            }
        case 5:
            include("visitedMaps", text("map \(random.below(9))"))
            include("chestsOpened", text("chest \(made)"))
            add("enemiesKilled", random.below(5))
            add("stepsWalked", 40)
            list("achievementBits") { list, _ in list[1] = Self.number(Self.int(list[1]) | 4) }
        case 6:
            let run = json(#"{"runId": "run \#(made)", "won": false, "score": \#(random.below(999))}"#)
            list("runs") { list, _ in
                list.append(run)
                if list.count > 5 { list.removeFirst() }
            }
            add("totalRuns", 1)
            // A run begins without the upgrades of the last one.
            set("upgrades", [text("upgrade \(random.below(9))")])
            list("companions") { list, random in
                list[0] = list[0].setting("id", to: "owl").setting("xp", to: Self.number(random.below(9)))
            }
        default:
            raise("levels/2/stars", to: random.below(4))
            for path in ["levels/2/bestMoves", "levels/2/bestTime"] {
                let known = value(path)
                set(path, Self.number(known == 0 ? 40 : max(9, known - 3)))
            }
            set("levels/2/completed", .bool(true))
            raise("lastUnlockedLevel", to: 3 + random.below(9))
        }
    }

    private mutating func checksummed() {
        add("data/coins", random.below(50) - 20)
        add("data/level", random.below(3) - 1, floor: 1)
        include("data/achievements", text("a\(random.below(9))"))
    }

    /// Writes the checksum: the game refuses a save whose data has another.
    private mutating func seal() {
        set("salt", text("salt" + String(random.next(), radix: 16)))
        set("hash", text(Self.hash(save)))
    }

    /// FNV-1a over what the game protects.
    static func hash(_ save: JSONValue) -> String {
        let bytes = (save["data"]?.jsonBytes ?? []) + (save["salt"]?.jsonBytes ?? [])
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "f" + String(hash, radix: 16)
    }
}
