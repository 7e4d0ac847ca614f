/// The order in which atoms are joined.
extension ProfileState {
    /// The atoms in the order in which they were written.
    static func byDot(_ atoms: [KeyedAtom]) -> [KeyedAtom] {
        let inOrder = zip(atoms, atoms.dropFirst()).allSatisfy { !($1.atom.dot < $0.atom.dot) }
        return inOrder ? atoms : atoms.sorted { $0.atom.dot < $1.atom.dot }
    }

    /// The order in which atoms are joined: the rules first, because they say what paths mean. Then epochs, so that
    /// every place learns once which one is in force there. Then all others.
    static func inOrder(_ atoms: [KeyedAtom]) -> [KeyedAtom] {
        let isInOrder = zip(atoms, atoms.dropFirst()).allSatisfy { turn(of: $0.key.path) <= turn(of: $1.key.path) }
        if isInOrder { return atoms }
        return (0..<3).flatMap { turn in atoms.filter { Self.turn(of: $0.key.path) == turn } }
    }

    private static func turn(of path: DocumentPath) -> Int {
        guard path.isReserved else { return 2 }
        return path == .rules ? 0 : path.version.place == .epochs ? 1 : 2
    }
}
