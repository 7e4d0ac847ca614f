/// One node of a YAML text: a scalar, a sequence or a mapping.
///
/// It has no tag and no anchor, because a text with one is refused (``YAMLTree``). A scalar is not resolved, so there
/// are no octal numbers, dates, `yes` or merge keys of YAML 1.1: the readers decide what a plain scalar means.
struct YAMLNode {
    enum Content {
        /// `isPlain` where it has neither quotes nor the `|` or `>` of a block, so that it may be a number or `true`.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// In the order of the text. No two keys that are scalars have the same text, quoted or not.
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    let content: Content
    /// Where it begins.
    let mark: YAMLMark
}
