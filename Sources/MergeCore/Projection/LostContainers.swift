import LosslessJSON

/// The containers that a profile had once and shows no more, whether a game removed them or a reset hid them.
///
/// Each container is looked at once, from the root down: all questions together cost O((places + questions) · depth).
struct LostContainers {
    private struct Found {
        /// Whether the container, or one around it, is lost, or is a value that is no container.
        let isLost: Bool
        /// The container in the view; `nil` where nothing was ever written.
        let node: ViewNode?
    }

    private var known: Set<DocumentPath>
    private var found: [DocumentPath: Found]

    /// - Parameters:
    ///   - known: The places below which something was ever written.
    ///   - version: The place of the version, which no view shows: that a container around it shows nothing means
    ///     nothing.
    init(_ view: ViewNode, known: Set<DocumentPath>, besides version: DocumentPath?) {
        self.known = known
        var around = version?.parent
        while let container = around {
            self.known.remove(container)
            around = container.parent
        }
        found = [.root: Found(isLost: view.isGone, node: view)]
    }

    /// Whether a place lies in such a container, or in a value that is no container.
    mutating func isLost(around path: DocumentPath) -> Bool {
        path.parent.map { look(at: $0).isLost } ?? false
    }

    private mutating func look(at container: DocumentPath) -> Found {
        if let answer = found[container] { return answer }
        guard let parent = container.parent, let step = container.steps?.last else {
            return Found(isLost: false, node: nil)
        }
        let around = look(at: parent)
        let node = around.node?.children[step]
        let answer = Found(isLost: around.isLost || isLost(container, node), node: node)
        found[container] = answer
        return answer
    }

    private func isLost(_ container: DocumentPath, _ node: ViewNode?) -> Bool {
        guard let node else { return known.contains(container) }
        if node.isGone { return true }
        if case .leaf(let leaf) = node.resolution, leaf.json?.isEmptyContainer == false { return true }
        return known.contains(container) && node.life == .none
    }
}
