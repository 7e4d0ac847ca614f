/// What one step of play does in each game.
extension Progression {
    private static let themes = ["dark", "sea", "moss", "snow", "sand", "höhle"]

    /// One of more than two elements goes.
    private mutating func drop(_ path: String) {
        list(path) { list, dice in
            if list.count > 2 { list.remove(at: dice.number(0...list.count - 1)) }
        }
    }

    private func string(_ text: String) -> JSON { .string(text) }

    mutating func playIncremental() {
        add("lastSaved", dice.number(5...600))
        switch dice.number(0...8) {
        case 0...2:
            let earned = dice.number(1...500)
            add("money", earned)
            // Totals are texts: they outgrow what computers count with.
            change("totalEarned") { total in
                guard case .string(let text)? = total, let old = ExactNumber(text) else { return total }
                return .string((old + ExactNumber(earned)).description)
            }
            let money = int("money")
            change("bestRunMoney") { best in
                guard case .string(let text)? = best, let old = Int(text), old < money else { return best }
                return .string("\(money)")
            }
        case 3: add("money", -dice.number(1...200))
        case 4:
            let (index, price) = (dice.number(0...2), dice.number(1...60))
            guard int("money") >= price else { return }
            add("money", -price)
            list("upgrades") { list, _ in
                list[index] = list[index].changed(["owned"]) { .number("\(($0?.int ?? 0) + 1)") }
            }
        case 5:
            add("level", 1)
            include("unlocked", string(dice.pick(["farm", "mine", "bank"])))
        case 6:
            toggle("autobuyers/cursor/active")
            if dice.once(in: 3) { set("autobuyers/farm", JSON(#"{"bought": true, "active": true, "interval": 900}"#)) }
            set("boost", JSON(#"{"left": \#(dice.number(0...60)), "cooldown": \#(dice.number(0...30))}"#))
        case 7:
            let bit = 1 << dice.number(0...20)
            change("achievementBits") { .number("\(($0?.int ?? 0) | bit)") }
            add("gems", dice.number(-3...4))
            set("settings/volume", dice.number(0...9))
        default:
            // Starts over, for a point that stays.
            set("money", 0)
            set("level", 1)
            set("unlocked", .array([string("cursor")]))
            list("upgrades") { list, _ in list = list.map { $0.setting("owned", to: .number("0")) } }
            add("prestige/points", dice.number(1...3))
            add("prestige/count", 1)
            let (old, new) = (int("fastestRun"), dice.number(20...900))
            if old == 0 || new < old { set("fastestRun", new) }
        }
    }

    mutating func playStory() {
        switch dice.number(0...6) {
        case 0...2:
            for _ in 0...dice.number(0...2) {
                let flag = dice.pick((inner["flags"]?.members ?? []).map(\.name))
                change("flags/" + flag) { value in
                    switch value {
                    case .bool(let isSet)?: .bool(!isSet)
                    default: .number("\(1 - (value?.int ?? 0))")
                    }
                }
            }
        case 3:
            let scene = "room \(dice.number(1...20))"
            set("scene", string(scene))
            include("seenScenes", string(scene))
        case 4:
            add("trust/" + dice.pick(["ann", "bob"]), dice.number(-2...2), floor: -9)
            add("gold", dice.number(-3...6))
        case 5:
            add("chapter", 1)
            let day = new()
            list("journal") { list, _ in list.insert(JSON(#"{"day": \#(day), "text": "Day \#(day)."}"#)!, at: 0) }
            if dice.once(in: 2) { set("flags/seenChapter\(int("chapter"))", .bool(true)) }
        default:
            include("endingsSeen", string(dice.pick(["crown", "exile", "sea"])))
            set("options/textSpeed", dice.number(1...3))
        }
    }

    mutating func playInventory() {
        switch dice.number(0...9) {
        case 0: add("gold", dice.number(1...90))
        case 1: add("gold", -dice.number(1...90))
        case 2: drop("inventory")
        case 3:
            let item = JSON(#"{"id": "i\#(new())", "kind": "potion", "count": 2, "durability": 0}"#)!
            list("inventory") { list, _ in list.append(item) }
        case 4: list("inventory") { list, dice in list.shuffle(using: &dice) }
        case 5:
            list("inventory") { list, dice in
                let index = dice.number(0...list.count - 1)
                list[index] = list[index].setting("count", to: .number("\(dice.number(0...5))"))
                    .setting("durability", to: .number("\(dice.number(0...50))"))
            }
        case 6:
            let thing = string(dice.pick(["potion", "rope", "axe"]))
            list("bag") { list, dice in
                if dice.once(in: 2), !list.isEmpty {
                    list.remove(at: dice.number(0...list.count - 1))
                } else {
                    list.append(thing)
                }
            }
            list("hotbar") { list, dice in list.shuffle(using: &dice) }
        case 7:
            set("stash/torch", dice.once(in: 2) ? nil : .number("\(dice.number(0...9))"))
            add("xp", dice.number(-4...9))
            set("equipped", JSON(#"{"hand": "i\#(dice.number(1...3))", "head": null}"#))
        case 8:
            include(dice.once(in: 2) ? "skins" : "recipes", string(dice.pick(Self.themes)))
            let friend = string(dice.pick(["di", "ed", "fi", "bo"]))
            list("friends") { list, _ in
                if let index = list.firstIndex(where: { $0.isSame(as: friend) }) {
                    list.remove(at: index)
                } else {
                    list.insert(friend, at: 0)
                }
            }
        default:
            add("level", 1)
            set("position", JSON(#"{"x": \#(dice.number(0...9)), "y": \#(dice.number(0...9))}"#))
        }
    }

    mutating func playStatistics() {
        switch dice.number(0...5) {
        case 0...1:
            for path in ["stats/game:mined/game:stone", "stats/game:custom/game:jump"] {
                add(path, dice.number(0...20))
            }
            add("stats/game:custom/game:time_since_rest", 50)
            raise("records/bestCombo", to: dice.number(1...20))
            set("accuracy", .number("0.\(dice.number(10...99))"))
        case 2:
            set("stats/game:custom/game:time_since_rest", 0)
            add("stats/game:\(dice.pick(["mined", "killed", "used"]))/game:\(dice.pick(["gold", "fox", "bow"]))", 1)
        case 3:
            add("currentStreak", 1)
            raise("records/longestStreak", to: int("currentStreak"))
        case 4:
            set("currentStreak", 0)
            let (old, new) = (int("records/fastestLap"), dice.number(20...90))
            if old == 0 || new < old { set("records/fastestLap", new) }
            list("lastTen") { list, dice in
                list.append(.number("\(dice.number(0...9))"))
                list.removeFirst()
            }
        default:
            add("rating", dice.number(-30...30))
            add("stats/game:custom/game:deaths", 1)
            let played = new()
            let date = [2_024 + played / 336, played / 28 % 12 + 1, played % 28 + 1].map {
                $0 < 10 ? "0\($0)" : "\($0)"
            }
            set("lastPlayed", string(date.joined(separator: "-") + "T10:00:00Z"))
        }
    }

    mutating func playLevelStars() {
        let level = "levels/\(dice.number(1...6))"
        switch dice.number(0...6) {
        case 0...2:
            let score = dice.number(1...500)
            raise(level + "/stars", to: dice.number(0...3))
            raise(level + "/best", to: score)
            set(level + "/done", .bool(true))
            set(level + "/last", score)
            let (old, new) = (int(level + "/time"), dice.number(9...90))
            set(level + "/time", old == 0 ? new : Swift.min(old, new))
            add("coins", 5)
            let entry = JSON(#"{"at": \#(new + self.new() * 1_000), "score": \#(score)}"#)!
            list("scores") { list, _ in list = Array(([entry] + list).prefix(5)) }
        case 3: add("coins", -dice.number(1...9))
        case 4:
            include("unlockedThemes", string(dice.pick(Self.themes)))
            set("selectedTheme", string(dice.pick(["plain"] + Self.themes)))
            toggle("sound/music")
        case 5:
            set("tutorialDone", .bool(true))
            set("achievements/" + dice.pick(["ten", "all"]), .bool(true))
            list("worlds") { list, dice in
                let index = dice.number(0...list.count - 1)
                list[index] = JSON(#"{"unlocked": true, "medals": \#((list[index]["medals"]?.int ?? 0) + 1)}"#)!
                if dice.once(in: 3) { list.append(JSON(#"{"unlocked": false, "medals": 0}"#)!) }
            }
        default:
            add("lives", dice.number(-2...2))
            set("currentLevel", dice.number(1...6))
        }
    }

    mutating func playBaseBuilding() {
        switch dice.number(0...8) {
        case 0: for name in ["wood", "stone", "food"] { add("resources/" + name, dice.number(0...40)) }
        case 1: for name in ["wood", "stone"] { add("resources/" + name, -dice.number(0...40)) }
        case 2:
            let (id, row) = (new(), dice.number(0...9))
            let hut = JSON(#"{"id": \#(id), "type": "hut", "level": 1, "at": {"x": 3, "y": \#(row)}}"#)!
            list("buildings") { list, _ in list.append(hut) }
            add("population", 2)
        case 3: drop("buildings")
        case 4:
            list("buildings") { list, dice in
                list.shuffle(using: &dice)
                list[0] = list[0].changed(["level"]) { .number("\(($0?.int ?? 0) + 1)") }
                    .setting("at", to: JSON(#"{"x": \#(dice.number(0...9)), "y": 2}"#))
            }
        case 5:
            set("resources/iron", dice.once(in: 3) ? nil : .number("\(dice.number(0...9))"))
            set("capacity/wood", 50 + dice.number(0...100))
        case 6:
            include("techs", string(dice.pick(["ships", "glass", "bronze", "wheels"])))
            set("research/" + dice.pick(["ships", "glass"]), .bool(true))
            let job = JSON(#"{"id": \#(new()), "left": 60}"#)!
            list("queue") { list, dice in
                if dice.once(in: 2), !list.isEmpty { list.removeFirst() }
                list.append(job)
            }
        case 7:
            let tile = JSON.number("\(dice.number(0...9))")
            list("tiles") { list, dice in
                list[dice.number(0...1)] = .array([.number("0"), tile, .number("\(dice.number(0...3))")])
            }
            include("explored", .number("\(dice.number(1...60))"))
            set("camera/zoom", .number(dice.pick(["1.0", "1.5", "2"])))
        default:
            add("day", 1)
            add("wave/now", dice.number(-1...1))
            raise("wave/best", to: int("wave/now"))
            add("population", dice.number(-2...2))
        }
    }
}
