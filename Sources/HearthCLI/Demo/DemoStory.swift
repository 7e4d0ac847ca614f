package import LosslessJSON

/// What the demo plays: the first save, what each machine does to it, and the result that both files must have.
package struct DemoStory: Sendable {
    package enum Machine: String, CaseIterable, Sendable {
        case laptop = "Laptop"
        case desktop = "Desktop"

        var folder: String { rawValue.lowercased() }
    }

    /// One line of the table at the end.
    package struct Field: Sendable {
        package var name: String
        /// The rule in words.
        package var rule: String
        package var pointer: [JSONString]
        package var before: String
        package var played: [Machine: String]
        package var wanted: [Machine: JSONValue]
    }

    package static let profile = "Universe RPG"

    package static let rules = """
        # How this save merges. Try it on a save of your own: hearth add FILE --rules THIS_FILE
        profile: Universe RPG
        rules:
          /level: max               # the higher level counts
          /coins: counter           # earned and spent on every machine add up
          /themes: union            # what is unlocked stays unlocked
          /displayName: latest      # the last change counts
          /settings/**: local       # every machine keeps its own

        """

    package static let save = """
        {
          "displayName": "Robin",
          "level": 3,
          "coins": 100,
          "themes": ["classic"],
          "settings": { "volume": 80 }
        }

        """

    package static let fields: [Field] = [
        Field(
            name: "level",
            rule: "highest counts",
            pointer: ["level"],
            before: "3",
            played: [.laptop: "7", .desktop: "5"],
            wanted: [.laptop: 7, .desktop: 7]
        ),
        Field(
            name: "coins",
            rule: "all adds up",
            pointer: ["coins"],
            before: "100",
            played: [.laptop: "earns 250", .desktop: "spends 80"],
            wanted: [.laptop: 270, .desktop: 270]
        ),
        Field(
            name: "themes",
            rule: "both stay",
            pointer: ["themes"],
            before: "classic",
            played: [.laptop: "+ aurora", .desktop: "+ neon"],
            wanted: [.laptop: ["classic", "aurora", "neon"], .desktop: ["classic", "aurora", "neon"]]
        ),
        Field(
            name: "displayName",
            rule: "last change",
            pointer: ["displayName"],
            before: "Robin",
            played: [.laptop: "Robin the Bold", .desktop: "Robin Hood (later)"],
            wanted: [.laptop: "Robin Hood", .desktop: "Robin Hood"]
        ),
        Field(
            name: "settings.volume",
            rule: "each its own",
            pointer: ["settings", "volume"],
            before: "80 / –",
            played: [.laptop: "20", .desktop: "65"],
            wanted: [.laptop: 20, .desktop: 65]
        ),
    ]

    /// The save after the game on one machine was played while the other is away.
    package static func played(_ machine: Machine, on save: JSONDocument) throws -> [UInt8] {
        let root = save.root
        func member(_ name: JSONString) throws -> JSONNode {
            guard let node = save.member(root, named: name) else {
                throw CommandFailure(
                    "the save on the \(machine.rawValue) has no \(name)",
                    "this is a fault of the demo; please report it"
                )
            }
            return node
        }
        var edits: [JSONEdit] = []
        switch machine {
        case .laptop:
            edits.append(.replace(try member("level"), 7))
            edits.append(.replace(try member("coins"), 350))
            edits.append(.appendElement(to: try member("themes"), "aurora"))
            edits.append(.replace(try member("displayName"), "Robin the Bold"))
            edits.append(.replace(try member("settings"), ["volume": 20]))
        case .desktop:
            edits.append(.replace(try member("level"), 5))
            edits.append(.replace(try member("coins"), 20))
            edits.append(.appendElement(to: try member("themes"), "neon"))
            edits.append(.replace(try member("displayName"), "Robin Hood"))
            // Settings are local, so the laptop's never came here and the game writes its own.
            edits.append(.insertMember(into: root, key: "settings", ["volume": 65]))
        }
        return try save.patched(edits)
    }

    /// The fields of a machine's file that have a wrong value; empty when all is right.
    package static func wrong(_ machine: Machine, in file: JSONDocument) -> [Field] {
        fields.filter { field in
            guard let node = file.node(at: JSONPointer(tokens: field.pointer)), let wanted = field.wanted[machine]
            else {
                return true
            }
            let value = file.value(node)
            // The order of a union may differ between the machines.
            if case .array(let elements) = value, case .array(let all) = wanted {
                return elements.count != all.count || Set(elements) != Set(all)
            }
            return value != wanted
        }
    }
}
