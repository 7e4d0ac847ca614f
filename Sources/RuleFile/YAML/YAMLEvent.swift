import CYAML

/// One event of libyaml: that a node, or the text, begins or ends.
struct YAMLEvent {
    enum Kind {
        case scalar(String, isPlain: Bool)
        case sequenceStart
        case mappingStart
        /// The end of a sequence or mapping, of that which began last.
        case end
        case alias
        case documentStart
        case streamEnd
        /// What says nothing about the nodes: the start of the text and the end of a document.
        case between
    }

    let kind: Kind
    /// Where it begins, with its tag and anchor.
    let mark: YAMLMark

    /// Copies what is in the event, which can be deleted then.
    init(_ event: yaml_event_t) {
        mark = YAMLMark(event.start_mark)
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            kind = .scalar(String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
        case YAML_SEQUENCE_START_EVENT: kind = .sequenceStart
        case YAML_MAPPING_START_EVENT: kind = .mappingStart
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .end
        case YAML_ALIAS_EVENT: kind = .alias
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        // Nothing comes after the end, nor after a problem.
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: kind = .streamEnd
        default: kind = .between
        }
    }
}
