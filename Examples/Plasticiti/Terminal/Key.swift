/// What a player pressed.
enum Key: Hashable, Sendable {
    case up, down, left, right, enter, escape, backspace
    case letter(Character)
    /// Ctrl-C, Ctrl-D.
    case interrupt
    /// Ctrl-Z.
    case suspend
}
