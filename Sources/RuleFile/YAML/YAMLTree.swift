/// Builds the tree of nodes of a text from the events of libyaml, without recursion.
///
/// What could take more time or memory than its text is refused at its event: nesting, for which libyaml 0.2.5 has no
/// limit, and aliases, by which a few lines stand for any number of nodes.
struct YAMLTree {
    /// The most sequences and mappings that lie in each other. The deepest rule file that the readers take has 39, the
    /// last 32 of them in a value of a migration; to read or free such a tree by recursion takes little of the stack.
    static let depthLimit = 64
    /// The most nodes. A rule file that can travel to other devices has fewer than 70,000, and a device configuration
    /// fewer still.
    static let nodeLimit = 100_000

    private let text: RuleFileText
    private var root: YAMLNode?
    /// The sequences and mappings that have begun and not ended, from the outermost.
    private var open: [Open] = []
    private var count = 0

    /// A sequence or mapping that has not ended.
    private struct Open {
        let mark: YAMLMark
        let isMapping: Bool
        /// Its nodes so far; of a mapping keys and values by turns.
        var nodes: [YAMLNode] = []
        /// The lines of the keys of a mapping.
        var lines: [String: Int] = [:]

        var node: YAMLNode {
            guard isMapping else { return YAMLNode(content: .sequence(nodes), mark: mark) }
            let pairs = stride(from: 1, to: nodes.count, by: 2).map { (key: nodes[$0 - 1], value: nodes[$0]) }
            return YAMLNode(content: .mapping(pairs), mark: mark)
        }
    }

    private init(_ text: RuleFileText) { self.text = text }

    /// The root of a text; `nil` for one with only white space and comments.
    static func root(of text: RuleFileText) throws(RuleFileError) -> YAMLNode? {
        var tree = YAMLTree(text)
        var events = try YAMLEvents(text)
        while try tree.take(events.next()) {}
        return tree.root
    }

    /// Takes the next event. Returns false after the last one.
    private mutating func take(_ event: YAMLEvent) throws(RuleFileError) -> Bool {
        switch event.kind {
        case .scalar(let scalar, let isPlain):
            try begin(event)
            try put(YAMLNode(content: .scalar(scalar, isPlain: isPlain), mark: event.mark))
        case .sequenceStart: try open(event, isMapping: false)
        case .mappingStart: try open(event, isMapping: true)
        case .end: if let last = open.popLast() { try put(last.node) }
        case .alias: throw text.refusal(of: .alias, event.mark)
        case .documentStart:
            guard root == nil else {
                throw text.refusal(event.mark, "a \(text.title) is one YAML document; remove the second one")
            }
        case .between: break
        case .streamEnd: return false
        }
        return true
    }

    /// Refuses a node at its first event, before anything is kept of it.
    private mutating func begin(_ event: YAMLEvent) throws(RuleFileError) {
        if let markup = text.markup(at: event.mark) { throw text.refusal(of: markup, event.mark) }
        count += 1
        guard count <= Self.nodeLimit else {
            throw text.refusal(
                event.mark, "up to here the \(text.title) has more than \(Self.nodeLimit) words and lists; write fewer")
        }
    }

    private mutating func open(_ event: YAMLEvent, isMapping: Bool) throws(RuleFileError) {
        try begin(event)
        guard open.count < Self.depthLimit else {
            throw text.refusal(
                event.mark, "this is nested deeper than \(Self.depthLimit) levels; put fewer lists into each other")
        }
        open.append(Open(mark: event.mark, isMapping: isMapping))
    }

    /// Puts a node that has ended into the innermost sequence or mapping.
    private mutating func put(_ node: YAMLNode) throws(RuleFileError) {
        let last = open.count - 1
        guard last >= 0 else {
            root = node
            return
        }
        if open[last].isMapping, open[last].nodes.count.isMultiple(of: 2), case .scalar(let key, _) = node.content {
            if let line = open[last].lines.updateValue(node.mark.line, forKey: key) {
                throw text.refusal(node.mark, "\"\(key)\" occurs twice (first on line \(line)); keep one of them")
            }
        }
        open[last].nodes.append(node)
    }
}
