/// Elements of an array in another order.
extension TextPatch {
    /// Takes elements out of an array, adds new ones, and gives all of them an order. Call once every edit inside the
    /// array is in the patch.
    mutating func arrange(_ edits: ContainerEdits, _ order: [Int]) {
        guard document.count(edits.node) > edits.removed.count else {
            // No element of the text stays: only the new elements need an order.
            var edits = edits
            edits.inserts = order.map { edits.inserts[$0] }
            return edit(edits)
        }
        let container = document.range(edits.node)
        var (inside, outside): ([Replacement], [Replacement]) = ([], [])
        for replacement in replacements {
            if container.lowerBound < replacement.range.lowerBound, replacement.range.upperBound < container.upperBound
            {
                inside.append(replacement)
            } else {
                outside.append(replacement)
            }
        }
        inside.sort { $0.range.lowerBound < $1.range.lowerBound }
        let children = document.children(edits.node).map { document.range($0) }
        var (elements, gaps) = texts(of: edits, inside[...])
        let spacing = ContainerSpacing(document, edits.node)
        let last =
            children.count > 1
            ? children[children.count - 2].upperBound..<children[children.count - 1].lowerBound : nil
        let gap = separator(spacing, lastGap: last)
        for insert in edits.inserts {
            let one = ContainerEdits(node: edits.node, inserts: [insert])
            elements.append(joined(one, spacing: spacing, gap: gap))
        }
        var text: [UInt8] = []
        for (place, element) in order.enumerated() {
            if place > 0 { text += place < gaps.count ? gaps[place] : gap[...] }
            text += elements[element]
        }
        let all = children[0].lowerBound..<children[children.count - 1].upperBound
        replacements = outside + [Replacement(range: all, text: text)]
    }

    /// The patched text of each element that stays, and the text before each. `replacements` must be sorted.
    private func texts(
        of edits: ContainerEdits, _ replacements: ArraySlice<Replacement>
    ) -> (elements: [[UInt8]], gaps: [ArraySlice<UInt8>]) {
        var (removed, rest) = (edits.removed[...], replacements)
        var texts: [[UInt8]] = []
        var gaps: [ArraySlice<UInt8>] = []
        var end = document.range(edits.node).lowerBound + 1
        for child in document.children(edits.node) {
            let range = document.range(child)
            let inner = rest.prefix { $0.range.lowerBound < range.upperBound }
            rest = rest.dropFirst(inner.count)
            if removed.first == child.index {
                removed.removeFirst()
            } else {
                texts.append(text(of: range, Array(inner)))
                gaps.append(document.bytes[end..<range.lowerBound])
            }
            end = range.upperBound
        }
        return (texts, gaps)
    }
}
