import LosslessJSON

/// Finds the places above a path that hold a value in one state, for many paths.
///
/// A peer can name many long paths in few bytes. So each step of a path is looked at once, and what two paths that
/// follow each other begin with is not looked at again.
struct ValuesAbove {
    private struct Container {
        let end: Int
        let matcher: RuleMatcher
        let holdsValue: Bool
    }

    private let state: ProfileState
    private let root: RuleMatcher
    private var path: [UInt8] = []
    /// The containers around ``path``, the outermost first, without the whole document.
    private var containers: [Container] = []

    init(_ state: ProfileState) { (self.state, root) = (state, RuleMatcher(state.rules)) }

    /// The places above a path at which there is a value that is no empty container, the outermost first. None for bytes
    /// that are no path. O(length), and a look in O(length) for each step that the path before did not have.
    mutating func places(above place: DocumentPath) -> [DocumentPath] {
        guard !place.isReserved, take(place.encoded) else { return [] }
        return containers.filter(\.holdsValue).map { DocumentPath(encoded: Array(path[..<$0.end])) }
    }

    /// Makes ``containers`` those around another path; returns `false` if that is no path.
    private mutating func take(_ bytes: [UInt8]) -> Bool {
        let shared = zip(path, bytes).prefix { $0 == $1 }.count
        while let last = containers.last, last.end >= shared { containers.removeLast() }
        path = bytes
        var start = (containers.last?.end ?? 0) + 1
        guard bytes.isEmpty || bytes[0] == UInt8(ascii: "/") else { return false }
        while start <= bytes.count, let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) {
            guard containers.count < DocumentPath.stepLimit, let step = DocumentPath.step(bytes[start..<end]) else {
                return false
            }
            let matcher = (containers.last?.matcher ?? root).stepping(step)
            let here = DocumentPath(encoded: Array(bytes[..<end]))
            let holds = state.holdsValue(here, matcher.rule)
            containers.append(Container(end: end, matcher: matcher, holdsValue: holds))
            start = end + 1
        }
        return true
    }
}

extension ProfileState {
    /// Whether a value that is no empty container is at a place.
    func holdsValue(_ path: DocumentPath, _ rule: MergeRule) -> Bool {
        guard let kind = rule.kind, table.place(path, .latest) != nil || table.place(path, kind) != nil,
            let value = shown(path, rule)?.json
        else { return false }
        return !value.isEmptyContainer
    }
}
