/// The words that game saves use, and what they hint at.
enum GuessWords {
    // MARK: Stays on the device

    static let settings: Set<String> = [
        "settings", "setting", "options", "option", "config", "configuration", "preferences", "prefs", "volume",
        "language",
        "lang", "locale", "controls", "keybinds", "keybindings", "keybinding", "bindings", "window", "graphics",
        "fullscreen", "resolution", "vsync", "accessibility", "gamepad", "keyboard",
    ]
    /// Only alone, or beside ``settingTails``.
    static let weakSettings: Set<String> = [
        "audio", "sound", "sounds", "music", "video", "display", "screen", "ui", "hud", "theme", "sfx", "brightness",
    ]
    static let settingTails: Set<String> = [
        "enabled", "on", "off", "muted", "mode", "size", "scale", "quality", "brightness", "level", "effects",
        "selected",
    ]
    static let running: Set<String> = [
        "grid", "board", "session", "cache", "cached", "temp", "tmp", "undo", "redo", "clipboard",
    ]
    static let current: Set<String> = ["current", "active", "ongoing", "running"]
    static let games: Set<String> = ["game", "run", "match", "battle", "round", "hand", "puzzle", "session", "fight"]

    // MARK: Numbers

    static let identifiers: Set<String> = [
        "id", "uuid", "guid", "seed", "index", "idx", "slot", "x", "y", "z", "w", "code", "hash", "checksum", "crc",
        "signature",
    ]
    static let version: Set<String> = ["version", "dataversion", "saveversion", "schema", "revision"]
    /// Goes up and down in play, or is no progress.
    static let passing: Set<String> = [
        "current", "selected", "this", "since", "previous", "prev", "next", "remaining", "left", "required", "needed",
        "target", "goal", "cooldown", "timer", "price", "cost", "chance", "interval", "threshold", "mode", "today",
        "daily",
        "weekly", "week", "day", "monthly", "temporary", "limit", "last", "active", "enabled", "auto", "pending",
        "start",
        "cap", "capacity", "multiplier", "mult", "rate", "per", "speed", "average", "avg", "mean", "ratio",
        "percentile",
        "percentage", "percent", "at",
    ]
    /// What a name begins with that says how something is shown or allowed.
    static let switches: Set<String> = [
        "show", "shown", "hide", "display", "no", "not", "use", "allow", "enable", "can",
    ]
    /// Full on one machine and empty on the other: only the last writer can be right, unless the name says max.
    static let vital: Set<String> = [
        "health", "hp", "mana", "mp", "energy", "stamina", "hunger", "shield", "streak", "fuel",
    ]
    static let least: Set<String> = ["fastest", "quickest", "shortest", "fewest", "lowest", "least"]
    static let bestOrLeast: Set<String> = ["best", "min", "minimum", "record", "records", "top", "pb", "bests"]
    static let lowIsGood: Set<String> = [
        "time", "times", "lap", "laps", "ms", "seconds", "secs", "moves", "turns", "strokes", "duration", "split",
        "splits",
        "mistakes", "guesses",
    ]
    static let best: Set<String> = [
        "best", "high", "highest", "max", "maximum", "longest", "most", "record", "records", "peak", "furthest",
        "farthest", "biggest", "largest", "greatest", "deepest", "highscore", "highscores", "hiscore", "hiscores",
        "bests",
    ]
    static let totals: Set<String> = [
        "coins", "coin", "gold", "gems", "gem", "money", "cash", "credits", "credit", "diamonds", "diamond", "crystals",
        "currency", "tokens", "token", "dollars", "rubies", "silver", "kills", "deaths", "wins", "losses", "draws",
        "plays", "played", "count", "counter", "total", "totals", "jumps", "clicks", "collected", "defeated", "killed",
        "used", "spent", "earned", "attempts", "tries", "realities", "prestiges", "playtime",
        "souls", "shards", "wood", "stone", "ore", "food", "potions", "opened", "crafted", "mined", "dropped", "sold",
        "bucks", "resets", "runs", "games", "matches", "battles", "paperclips",
    ]
    /// How many there are of what a purse or a bag holds.
    static let amounts: Set<String> = ["quantity", "qty", "amount", "number", "stack", "owned"]
    /// Points that are spent.
    static let pointOwners: Set<String> = [
        "skill", "perk", "talent", "upgrade", "research", "ability", "attribute", "shop", "bonus",
    ]
    static let grown: Set<String> = [
        "level", "levels", "lvl", "score", "scores", "xp", "exp", "experience", "rank", "ranks", "star", "stars",
        "tier",
        "wave", "floor", "stage", "stages", "chapter", "progress", "prestige", "grade", "medal", "medals", "mastery",
        "completion", "completions", "completed", "unlocked", "reached", "reputation", "cleared",
    ]

    // MARK: Lists and truths

    static let unlocked: Set<String> = [
        "unlocked", "unlocks", "unlock", "achievements", "achievement", "advancements", "visited", "trophies", "trophy",
        "badges", "badge", "discovered", "discoveries", "completed", "collected", "collectibles", "seen", "found",
        "owned",
        "purchased", "perks", "titles", "recipes", "themes", "skins", "cleared", "beaten", "defeated", "known",
        "learned",
        "learnt", "explored", "milestones", "secrets", "endings", "codex", "lore", "tutorials", "tutorial", "flags",
        "medals", "criteria", "earned", "blueprints", "costumes", "solved", "finished",
    ]
    static let removable: Set<String> = [
        "friends", "friend", "favorites", "favourites", "favorite", "favourite", "blocked", "bookmarks", "tags",
        "wishlist",
        "inventory", "items", "bag", "backpack", "stash", "cards", "pinned", "muted", "followers", "following",
    ]
    static let done: Set<String> = [
        "completed", "complete", "unlocked", "done", "seen", "tutorial", "finished", "beaten", "cleared", "won",
        "defeated",
        "discovered", "found", "visited", "achieved", "earned", "collected", "owned", "purchased", "bought", "solved",
        "passed", "intro", "viewed", "watched", "met", "opened", "learned", "known", "played", "explored", "has",
    ]
    static let bits: Set<String> = ["bits", "bit", "bitmask", "mask", "bitfield", "bitset"]

    // MARK: Dates and logs

    static let first: Set<String> = [
        "first", "earliest", "created", "started", "unlocked", "achieved", "earned", "joined", "registered", "birth",
        "criteria", "achievements", "discovered", "creation", "installed",
    ]
    static let latest: Set<String> = ["last", "latest", "updated", "modified", "saved", "recent", "lastplayed"]
    static let logs: Set<String> = [
        "history", "log", "logs", "games", "matches", "runs", "results", "records", "replays", "battles", "journal",
        "scores", "highscores", "leaderboard", "sessions", "events",
    ]
    static let moments: Set<String> = [
        "played", "finished", "ended", "date", "time", "timestamp", "at", "when", "on", "created",
    ]

    // MARK: Containers

    static let counters: Set<String> = [
        "stats", "statistics", "stat", "counters", "totals", "lifetime", "tallies", "counts",
    ]
    static let bests: Set<String> = ["records", "bests", "best", "highscores", "hiscores", "record", "pb"]
    static let purses: Set<String> = [
        "inventory", "items", "resources", "materials", "currencies", "currency", "wallet", "bag", "purse",
        "consumables",
        "ingredients", "stash", "backpack", "bank",
    ]
    /// One run's state, a machine's choices: nothing in there is progress by its name.
    static let inProgress: Set<String> = ["this", "current", "ongoing"]
    static let inProgressAlone: Set<String> = ["run", "speedrun", "dungeon", "battle", "combat"]
    static let opaque: Set<String> = [
        "requirement", "requirements", "auto", "autobuyers", "automation", "ai", "npc", "npcs", "enemies",
        "entities", "monsters",
    ]
    static let together: Set<String> = [
        "position", "pos", "location", "transform", "coords", "coordinates", "rotation", "velocity", "spawn",
        "spawnpoint",
        "checkpoint", "camera", "facing", "direction", "color", "colour", "tint", "respawn",
    ]
    static let coordinates: Set<String> = [
        "x", "y", "z", "w", "r", "g", "b", "a", "lat", "lon", "lng", "row", "col", "column",
    ]
    static let checksums: Set<String> = [
        "checksum", "hash", "signature", "crc", "crc32", "md5", "sha1", "sha256", "hmac", "digest", "integrity", "sig",
    ]
    static let keys = [
        "id", "_id", "uuid", "guid", "uid", "key", "identifier", "itemid", "item_id", "slug", "code", "name",
    ]
}
