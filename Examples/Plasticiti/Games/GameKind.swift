/// The games of the arcade.
enum GameKind: String, Codable, CaseIterable, Sendable {
    case wordley, slideIt

    var title: String {
        switch self {
        case .wordley: "Wordley"
        case .slideIt: "SlideIt"
        }
    }
}
