import HouseholdAgent
import NIOCore
import NIOSSL

/// The TLS settings of all connections: only version 1.3, with a certificate on both sides. Hearth's own clients never
/// resume a session.
///
/// A context is expensive in BoringSSL, so there is one for the server side and one for each purpose of the client
/// side.
struct TLSContexts: Sendable {
    private let server: NIOSSLContext
    private let sync: NIOSSLContext
    private let pairing: NIOSSLContext
    private let maximumCertificateBytes: Int

    init(credentials: DeviceCredentials, limits: TransportLimits) {
        do {
            let certificate = try NIOSSLCertificate(bytes: credentials.certificate, format: .der)
            let key = try NIOSSLPrivateKey(bytes: credentials.privateKeyDER, format: .der)
            func context(_ purposes: [LinkPurpose]) throws -> NIOSSLContext {
                var settings = TLSConfiguration.makeServerConfiguration(
                    certificateChain: [.certificate(certificate)],
                    privateKey: .privateKey(key)
                )
                settings.minimumTLSVersion = .tlsv13
                settings.maximumTLSVersion = .tlsv13
                settings.applicationProtocols = purposes.map(\.rawValue)
                // Asks for a certificate and fails without one. `examine` decides which certificates are accepted: it
                // replaces the library's verification, so there are no trusted roots, not even the system's.
                settings.certificateVerification = .noHostnameVerification
                settings.trustRoots = .certificates([])
                settings.verifySignatureAlgorithms = [.ecdsaSecp256R1Sha256, .ed25519]
                settings.signingSignatureAlgorithms = [.ecdsaSecp256R1Sha256]
                // The default includes a hybrid group that costs 2.3 kB for each handshake.
                settings.curves = [.x25519, .secp256r1]
                settings.shutdownTimeout = TimeAmount(limits.farewellTimeout)
                return try NIOSSLContext(configuration: settings)
            }
            server = try context([.sync, .pairing])
            sync = try context([.sync])
            pairing = try context([.pairing])
        } catch {
            preconditionFailure("BoringSSL refuses a P-256 key and certificate made by this process: \(error)")
        }
        maximumCertificateBytes = limits.certificateBytes
    }

    /// The handler for one connection: the server side where `purpose` is `nil`, else the client side.
    ///
    /// `verdict` is called once in a full handshake, with the result for the peer's certificate, and not at all in a
    /// resumed session.
    func handler(
        for purpose: LinkPurpose?,
        verdict: @escaping (SelfSignedCertificate.Verdict) -> Void
    ) throws -> NIOSSLHandler {
        let maximumBytes = maximumCertificateBytes
        let verify: NIOSSLCustomVerificationCallback = { chain, promise in
            let result = SelfSignedCertificate.examine(chain, maximumBytes: maximumBytes)
            verdict(result)
            switch result {
            case .accepted: promise.succeed(.certificateVerified)
            case .refused: promise.succeed(.failed)
            }
        }
        switch purpose {
        case nil:
            return NIOSSLServerHandler(context: server, customVerificationCallback: verify)
        case .sync:
            return try NIOSSLClientHandler(context: sync, serverHostname: nil, customVerificationCallback: verify)
        case .pairing:
            return try NIOSSLClientHandler(context: pairing, serverHostname: nil, customVerificationCallback: verify)
        }
    }
}
