/// The words that names in game saves consist of, sorted by what they are evidence of.
enum GuessWords {
    // MARK: Nothing is guessed there

    /// Names of containers in which nothing is guessed: one run or session, daily things, a machine's choices. Values
    /// in them go up and down.
    static let opaque: Set<String> = [
        "this", "current", "ongoing", "active", "run", "runs", "session", "speedrun", "battle", "combat", "dungeon",
        "match", "round", "fight", "temp", "tmp", "cache", "cached", "undo", "redo", "checkpoint", "snapshot",
        "quicksave",
        "requirement", "requirements", "auto", "autobuyers", "automation", "ai", "npc", "npcs", "enemies", "entities",
        "monsters", "enemy", "daily", "weekly", "monthly", "season", "seasonal", "event", "events", "challenge",
        "challenges", "shop", "store", "costs", "prices", "flags", "switches", "variables", "story", "dialogue", "log",
        "history", "shown",
    ]
    /// Names of a run in progress, which is one value.
    static let games: Set<String> = [
        "run", "game", "match", "battle", "round", "hand", "puzzle", "session", "fight", "speedrun", "dungeon",
    ]
    /// Words that say that a value is no total, no record and no unlock.
    static let passing: Set<String> = [
        "current", "selected", "this", "since", "previous", "prev", "next", "remaining", "left", "required", "needed",
        "target", "goal", "cooldown", "timer", "price", "cost", "chance", "interval", "threshold", "mode", "today",
        "daily", "weekly", "week", "monthly", "temporary", "limit", "last", "active", "enabled", "auto", "pending",
        "start", "cap", "capacity", "multiplier", "mult", "rate", "per", "speed", "average", "avg", "mean", "ratio",
        "percentile", "percentage", "percent", "at", "to", "until", "for", "bonus", "row", "run", "session", "streak",
        "season", "factor", "gain", "income", "production", "level", "upgrade", "power", "used", "new", "recent",
        "queue", "tracked", "equipped", "favorite", "favourite", "pinned", "progress", "max", "min", "storage", "id",
        "index", "seed", "slot", "date", "timestamp", "temp", "tmp", "old", "reset",
    ]
    /// First words of names that say how something is shown, known or allowed.
    static let switches: Set<String> = [
        "show", "shown", "hide", "display", "no", "not", "use", "used", "allow", "enable", "can", "has", "had", "is",
        "seen", "met", "want", "wants",
    ]
    /// Words of games with prestige, in which values fall that only rise in other games.
    static let prestige: Set<String> = [
        "prestige", "prestiges", "prestiged", "ascension", "ascensions", "ascend", "rebirth", "rebirths",
        "reincarnation", "reincarnations", "transcend", "eternity", "eternities", "infinities", "reality", "realities",
    ]

    // MARK: Settings

    /// Names of containers that hold settings, where the members look like settings too.
    static let settings: Set<String> = ["settings", "options", "preferences", "prefs", "config", "configuration"]
    /// Names of containers that hold settings of keys, screens and volume.
    static let devices: Set<String> = [
        "graphics", "volume", "volumes", "keybindings", "keybinds", "keybinding", "resolution", "controls",
    ]
    /// Words that may precede those names.
    static let settingOwners: Set<String> = [
        "user", "game", "player", "app", "client", "video", "audio", "sound", "graphics", "display", "ui", "local",
    ]
    /// Names of members that only settings have.
    static let settingMembers: Set<String> = [
        "volume", "music", "sfx", "sound", "sounds", "audio", "fullscreen", "vsync", "resolution", "language", "locale",
        "keybinds", "keybindings", "graphics", "brightness", "subtitles", "autosave", "hotkeys", "fps", "gamma",
        "notation", "theme", "particles", "vibration", "gamepad", "mouse", "sensitivity", "muted", "mute",
    ]
    /// Words that never occur in settings: a container with one of them holds more than settings.
    static let progress: Set<String> = [
        "unlocked", "completed", "achieved", "achievements", "coins", "gold", "gems", "money", "score", "xp", "quest",
        "quests", "kills", "inventory", "level", "levels", "chapter", "story",
    ]

    // MARK: Totals and purses

    static let purses: Set<String> = [
        "coins", "coin", "gold", "gems", "gem", "money", "cash", "credits", "diamonds", "crystals", "tokens", "dollars",
        "rubies", "silver", "bucks",
    ]
    static let purseOwners: Set<String> = [
        "my", "player", "total", "the", "num", "number", "of", "amount", "owned", "soft", "hard", "premium", "lifetime",
        "bank", "banked", "count",
    ]
    static let purseContainers: Set<String> = [
        "currencies", "currency", "wallet", "purse", "resources", "materials",
    ]
    /// Events that are counted and never undone.
    static let tallies: Set<String> = [
        "kills", "deaths", "wins", "losses", "victories", "jumps", "clicks", "attempts",
    ]
    /// Ends of names of such events, and the words that may precede them.
    static let tallyEnds: [String: Set<String>] = [
        "played": played, "won": played, "lost": played, "walked": ["steps"], "taken": ["steps"],
        "killed": foes, "defeated": foes, "slain": foes,
    ]
    private static let played: Set<String> = [
        "games", "matches", "rounds", "runs", "battles", "races", "hands", "times",
    ]
    private static let foes: Set<String> = ["enemies", "monsters", "zombies", "bosses"]
    /// Words for things that happened and are counted from then on, as in "totalRuns".
    static let finished: Set<String> = ["runs", "games", "matches"]
    static let lifetime: Set<String> = ["total", "lifetime"]
    static let lifetimeEnds: Set<String> = [
        "earned", "spent", "collected", "mined", "crafted", "killed", "defeated", "sold", "bought", "opened", "clicked",
        "broken", "travelled", "traveled",
    ]
    static let playTimeUnits: Set<String> = ["time", "seconds", "minutes", "hours", "ms", "secs", "in"]
    static let statistics: Set<String> = ["stats", "statistics", "lifetime", "totals", "counters", "tallies"]

    // MARK: Things

    /// Names of collections with one element for each kind of thing.
    static let things: Set<String> = [
        "inventory", "items", "bag", "backpack", "stash", "pouch", "consumables", "ingredients", "potions",
    ]
    static let amounts: Set<String> = ["quantity", "qty", "count", "amount"]

    // MARK: Records

    static let best: Set<String> = [
        "best", "high", "highest", "longest", "max", "maximum", "record", "peak", "furthest", "farthest", "deepest",
        "biggest", "largest", "most", "top",
    ]
    /// First words of distances. They are records whatever the second word is, because a distance cannot be lost.
    static let distances: Set<String> = ["furthest", "farthest", "deepest"]
    static let feats: Set<String> = [
        "score", "scores", "combo", "combos", "streak", "streaks", "chain", "wave", "waves", "floor", "depth", "stage",
        "distance", "height", "round", "zone", "altitude", "jump", "hit", "word", "damage",
    ]
    /// Values that a game may limit: "maxDamage" is a property of a weapon, not a record.
    static let limited: Set<String> = ["damage", "stage", "round", "zone", "hit"]
    static let highScores: Set<String> = ["highscore", "highscores", "hiscore", "hiscores"]
    static let least: Set<String> = ["fastest", "quickest", "shortest", "fewest"]
    static let lowIsGood: Set<String> = [
        "time", "times", "lap", "laps", "ms", "seconds", "secs", "moves", "turns", "strokes", "mistakes", "guesses",
        "win", "clear",
    ]
    /// A best one is always the least one.
    static let fewIsGood: Set<String> = ["moves", "strokes", "mistakes", "guesses"]
    /// How far a player got. Alone they are no record: a level may fall.
    static let reached: Set<String> = ["level", "stage", "world", "chapter", "episode"]
    static let levels: Set<String> = ["levels", "stages", "worlds", "maps", "songs", "tracks", "courses", "puzzles"]
    static let stars: Set<String> = ["stars", "medal", "medals"]

    // MARK: Unlocks

    static let achievements: Set<String> = [
        "achievements", "achievement", "trophies", "trophy", "badges", "badge",
    ]
    static let unlocked: Set<String> = ["unlocked", "unlocks"]
    /// First or last words of lists of ``kept`` things.
    static let gathered: Set<String> = ["visited", "discovered", "collected", "completed", "opened", "received"]
    /// Things of which games keep a book that only grows. Rooms, words, keys and tasks are none: they start over.
    static let kept: Set<String> = [
        "maps", "areas", "regions", "places", "locations", "towns", "cities", "islands", "planets", "worlds", "levels",
        "stages", "chapters", "puzzles", "quests", "recipes", "blueprints", "species", "monsters", "lore", "secrets",
        "endings", "stickers", "stamps", "artifacts", "songs", "chests", "mail", "letters",
    ]
    /// Things that stay unlocked even in a game with prestige.
    static let looks: Set<String> = [
        "themes", "skins", "titles", "costumes", "avatars", "hats", "outfits", "endings", "songs", "characters",
    ]
    static let done: Set<String> = ["unlocked", "achieved", "completed", "done", "earned"]
    static let tutorials: Set<String> = ["tutorial", "tutorials", "intro"]
    static let bits: Set<String> = ["bits", "bitmask", "bitfield", "bitset"]

    // MARK: What belongs together

    static let together: Set<String> = [
        "position", "pos", "location", "transform", "coords", "coordinates", "rotation", "velocity", "spawn",
        "spawnpoint", "camera", "respawn", "color", "colour", "tint",
    ]
    static let coordinates: Set<String> = [
        "x", "y", "z", "w", "r", "g", "b", "a", "lat", "lon", "lng", "row", "col", "column",
    ]
    /// Names that only the identity of one element has.
    static let identities: Set<[String]> = [["uuid"], ["guid"], ["uid"], ["instance", "id"], ["unique", "id"]]
    /// Names of the place where an element lies.
    static let slots: Set<[String]> = [["slot"], ["slot", "id"], ["slot", "index"]]

    // MARK: The save as one whole

    static let version: Set<String> = ["version", "dataversion", "saveversion", "schema", "revision"]
    static let checksums: Set<String> = [
        "checksum", "hash", "signature", "crc", "crc32", "md5", "sha1", "sha256", "hmac", "digest", "integrity", "sig",
    ]
    static let salts: Set<String> = ["salt", "nonce"]
    /// Words that say that a hash belongs to something other than the save.
    static let hashed: Set<String> = [
        "password", "pin", "commit", "git", "world", "seed", "map", "build", "content", "mod", "asset", "file", "user",
        "device", "version", "level",
    ]
    /// Names of containers in which a story game stores what has happened.
    static let stories: Set<String> = [
        "switches", "flags", "variables", "vars", "story", "dialogue", "dialog", "choices", "plot", "events",
    ]
    static let storySwitches: Set<String> = [
        "used", "seen", "met", "flag", "visited", "asked", "told", "knows", "talked",
    ]
}
