extension Progression {
    /// The save of a game that was just begun.
    mutating func begun() -> JSON {
        guard let save = JSON(start) else { preconditionFailure("no JSON: \(kind)") }
        return save
    }

    private var start: String {
        switch kind {
        case .incremental:
            #"""
            {"saveVersion": 3, "money": 10, "gems": 5, "level": 1, "prestige": {"points": 0, "count": 0},
             "upgrades": [{"id": "cursor", "owned": 1}, {"id": "farm", "owned": 0}, {"id": "mine", "owned": 0}],
             "unlocked": ["cursor"], "totalEarned": "10", "bestRunMoney": "10", "fastestRun": 0,
             "autobuyers": {"cursor": {"bought": true, "active": false, "interval": 500}},
             "achievementBits": 1, "lastSaved": 1700000000, "boost": {"left": 0, "cooldown": 30},
             "settings": {"volume": 3, "notation": "short"}}
            """#
        case .story:
            #"""
            {"chapter": 1, "scene": "hall", "flags": {"windowOpen": true, "cacheFound": false, "metWizard": false,
             "usedKey": 0, "usedRope": 1, "askedKing": true, "vaultLocked": true, "lampOn": true},
             "seenScenes": ["hall"], "endingsSeen": [], "trust": {"ann": 3, "bob": -1}, "gold": 7, "name": "Ann",
             "journal": [{"day": 1, "text": "It began."}], "options": {"textSpeed": 2}}
            """#
        case .inventory:
            #"""
            {"gold": 120, "level": 4, "xp": 30, "equipped": {"hand": "i1", "head": null},
             "inventory": [{"id": "i1", "kind": "sword", "count": 1, "durability": 40},
                           {"id": "i2", "kind": "potion", "count": 3, "durability": 0},
                           {"id": "i3", "kind": "axe", "count": 1, "durability": 12}],
             "bag": ["potion", "potion", "rope"], "hotbar": ["i1", null, "i2"], "stash": {"rope": 2, "torch": 5},
             "skins": ["plain"], "recipes": ["bread"], "friends": ["bo", "cy"], "position": {"x": 1, "y": 2}}
            """#
        case .statistics:
            #"""
            {"stats": {"game:mined": {"game:stone": 3, "game:dirt": 9, "game:ore": 1},
                       "game:custom": {"game:jump": 12, "game:time_since_rest": 400, "game:deaths": 1}},
             "records": {"bestCombo": 4, "longestStreak": 3, "fastestLap": 0}, "currentStreak": 2, "rating": 1200,
             "lastTen": [3, 5, 5, 1], "firstPlayed": "2023-05-01T10:00:00Z", "lastPlayed": "2024-04-01T10:00:00Z",
             "accuracy": 0.55, "dataVersion": 2860}
            """#
        case .levelStars:
            #"""
            {"levels": {"1": {"stars": 1, "best": 100, "done": true, "last": 90, "time": 30},
                        "2": {"stars": 0, "best": 0, "done": false, "last": 0, "time": 0}},
             "worlds": [{"unlocked": true, "medals": 0}, {"unlocked": false, "medals": 0}], "coins": 10, "lives": 5,
             "currentLevel": 1, "unlockedThemes": ["plain"], "selectedTheme": "plain", "tutorialDone": false,
             "scores": [], "achievements": {"first": true, "ten": false, "all": false}, "sound": {"music": true}}
            """#
        case .baseBuilding:
            #"""
            {"resources": {"wood": 50, "stone": 30, "food": 10}, "capacity": {"wood": 100, "stone": 100},
             "buildings": [{"id": 1, "type": "hut", "level": 1, "at": {"x": 1, "y": 1}},
                           {"id": 2, "type": "mill", "level": 2, "at": {"x": 4, "y": 1}}],
             "population": 4, "research": {"tools": true, "ships": false, "glass": false}, "techs": ["tools"],
             "queue": [{"id": 9, "left": 30}], "tiles": [[0, 1, 0], [1, 0, 0]], "day": 3, "explored": [1, 2, 3],
             "wave": {"now": 2, "best": 2}, "camera": {"x": 0, "y": 0, "zoom": 1.0}}
            """#
        }
    }

    /// Path and rule, as a rule file has them.
    var handWritten: [(String, String)] {
        switch kind {
        case .incremental:
            [
                ("/money", "counter"), ("/gems", "counter"), ("/prestige/points", "counter"),
                ("/prestige/count", "max"), ("/totalEarned", "{merge: max, as: number}"),
                ("/bestRunMoney", "{merge: max, as: number}"), ("/fastestRun", "{merge: min, none: [0]}"),
                ("/unlocked", "set"), ("/upgrades[id]/owned", "latest"), ("/autobuyers/*/bought", "flag"),
                ("/achievementBits", "{merge: union, as: bits}"), ("/boost", "{merge: latest, whole: true}"),
                ("/settings/**", "local"),
            ]
        case .story:
            [
                ("/chapter", "max"), ("/flags", "{merge: latest, whole: true}"), ("/seenScenes", "union"),
                ("/endingsSeen", "union"), ("/journal", "{merge: union, sort: day}"), ("/gold", "counter"),
                ("/options/**", "local"),
            ]
        case .inventory:
            [
                ("/gold", "counter"), ("/level", "max"), ("/xp", "latest"), ("/inventory[id]/count", "counter"),
                ("/equipped", "{merge: latest, whole: true}"), ("/stash/*", "counter"), ("/skins", "union"),
                ("/recipes", "union"), ("/friends", "set"), ("/position", "{merge: latest, whole: true}"),
            ]
        case .statistics:
            [
                ("/stats/*/*", "counter"), ("/stats/game:custom/game:time_since_rest", "latest"),
                ("/records/bestCombo", "max"), ("/records/longestStreak", "max"),
                ("/records/fastestLap", "{merge: min, none: [0]}"), ("/firstPlayed", "{merge: min, as: date}"),
                ("/lastPlayed", "{merge: max, as: date}"), ("/dataVersion", "max"),
            ]
        case .levelStars:
            [
                ("/levels/*/stars", "max"), ("/levels/*/best", "max"), ("/levels/*/done", "flag"),
                ("/levels/*/time", "{merge: min, none: [0]}"), ("/worlds/*/unlocked", "flag"),
                ("/worlds/*/medals", "max"), ("/coins", "counter"), ("/unlockedThemes", "union"),
                ("/tutorialDone", "flag"), ("/achievements/*", "flag"),
                ("/scores", "{merge: union, sort: at, limit: 5}"), ("/sound/**", "local"),
            ]
        case .baseBuilding:
            [
                ("/resources/*", "counter"), ("/buildings[id]/level", "max"),
                ("/buildings[id]/at", "{merge: latest, whole: true}"), ("/research/*", "flag"), ("/techs", "union"),
                ("/queue[id]/left", "latest"), ("/tiles", "latest"), ("/day", "max"), ("/explored", "union"),
                ("/wave/best", "max"), ("/camera/**", "local"),
            ]
        }
    }
}
