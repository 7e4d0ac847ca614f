enum Key: Hashable, Sendable {
    case up, down, left, right, enter, escape, backspace
    case letter(Character)
    /// Ctrl-C or Ctrl-D.
    case interrupt
    /// Ctrl-Z.
    case suspend
}
