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
        guard atoms.contains(where: { $0.key.path.isReserved }) else { return atoms }
        var (rules, epochs, others): ([KeyedAtom], [KeyedAtom], [KeyedAtom]) = ([], [], [])
        for atom in atoms {
            if atom.key.path == .rules {
                rules.append(atom)
            } else if atom.key.path.isReserved, atom.key.path.version.place == .epochs {
                epochs.append(atom)
            } else {
                others.append(atom)
            }
        }
        return rules + epochs + others
    }
}
