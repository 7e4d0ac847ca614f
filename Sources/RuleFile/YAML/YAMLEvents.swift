import CYAML

/// The events of a YAML text, as libyaml reads them.
///
/// It owns libyaml's parser and the bytes that it reads, and frees both. The parser points to itself and to the bytes,
/// so neither may move.
struct YAMLEvents: ~Copyable {
    private let text: RuleFileText
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ text: RuleFileText) throws(RuleFileError) {
        self.text = text
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            // It has freed what it had taken.
            parser.deallocate()
            throw text.refusal(of: .noMemory)
        }
        bytes = .allocate(capacity: text.string.utf8.count)
        _ = bytes.initialize(from: text.string.utf8)
        // Otherwise it would guess.
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    /// The next event; the end of the text for good, once that was reached.
    mutating func next() throws(RuleFileError) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw text.refusal(of: YAMLProblem(of: parser.pointee)) }
        defer { yaml_event_delete(&event) }
        return YAMLEvent(event)
    }
}
