/// The head of an HTTP request, as far as it is looked at here.
struct WebRequest: Hashable, Sendable {
    struct Header: Hashable, Sendable {
        /// In small letters.
        var name: String
        var value: String
    }

    var method: String
    /// What stands behind the method: the path, with a query if there is one.
    var target: String
    var headers: [Header]

    init(_ method: String, _ target: String, _ headers: [(name: String, value: String)] = []) {
        self.method = method
        self.target = target
        self.headers = headers.map { Header(name: $0.name.lowercased(), value: $0.value) }
    }

    /// The value of a header that decides something; `nil` where it is not there.
    ///
    /// - Throws: ``Refusal`` where it is there twice: two readers might go by different ones.
    func value(_ name: String) throws(Refusal) -> String? {
        let found = headers.filter { $0.name == name }
        guard found.count < 2 else { throw Refusal(400, "The header \(name) is there \(found.count) times.") }
        return found.first?.value
    }

    /// The path without the query.
    var path: Substring { target.prefix { $0 != "?" } }
}

/// Why a request gets no answer: the HTTP status, and one sentence that says what is wrong.
struct Refusal: Error, Hashable, Sendable {
    var status: Int
    var message: String

    init(_ status: Int, _ message: String) { (self.status, self.message) = (status, message) }
}
