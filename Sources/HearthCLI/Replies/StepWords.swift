/// How a step of the history came about, as the player reads it.
enum StepWords {
    /// - Parameter origin: The origin as reports have it; one that this version does not know stands for itself.
    static func words(_ origin: String) -> String {
        switch origin {
        case "save": "played"
        case "merge": "came in"
        case "adopt": "taken up"
        case "reset": "started over"
        case "restore": "put in place whole"
        case "undo": "step taken back"
        case "decision": "decided"
        case "rules": "other rules"
        default: PlainText.line(origin)
        }
    }
}
