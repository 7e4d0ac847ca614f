import LosslessJSON

/// Parses text that the test itself wrote.
func document(_ text: String) throws -> JSONDocument { try JSONDocument(parsing: Array(text.utf8)) }
