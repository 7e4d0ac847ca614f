import MergeCore

extension RuleFileReader {
    /// One reset, with its nodes in the file.
    struct ResetNode {
        let reset: Reset
        /// The node of the reset's name.
        let place: YAMLNode
        let paths: [YAMLNode]
    }

    func resets(_ node: YAMLNode, _ budget: inout PatternBudget) throws(RuleFileError) -> [ResetNode] {
        if isNothing(node) { return [] }
        var result: [ResetNode] = []
        for (key, value) in try members(node, "\"resets\" needs lines such as \"progress: [/level, /coins]\"") {
            guard result.count < Reset.countLimit else {
                throw fault(key, "this is reset \(result.count + 1); a rule file may have \(Reset.countLimit)")
            }
            let name = try word(key, "a reset needs a name").text
            let complaint = "the reset \"\(name.prefix(80))\" takes a list of paths, such as [/level, /coins]"
            guard case .sequence(let list) = value.content else { throw fault(value, complaint) }
            var patterns: [RulePattern] = []
            for item in list {
                patterns.append(try pattern(try word(item, complaint).text, item, &budget))
            }
            result.append(ResetNode(reset: Reset(name, patterns), place: key, paths: Array(list)))
        }
        return result
    }
}
