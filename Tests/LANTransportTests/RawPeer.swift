import Crypto
import NIOCore
import NIOPosix
import NIOSSL
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A peer that does not keep to the rules: plain TCP, or TLS with any settings.
struct RawPeer {
    let channel: any Channel
    /// The port it connects from.
    let port: UInt16

    private init(channel: any Channel) {
        self.channel = channel
        // Asked now: a closed channel has none.
        port = UInt16(clamping: channel.localAddress?.port ?? 0)
    }

    /// Connects with plain TCP.
    static func plain(port: UInt16) async throws -> RawPeer {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: Int(port)).get()
        return RawPeer(channel: channel)
    }

    /// Connects and begins a TLS handshake with settings that would be let in, changed by `change`.
    static func tls(port: UInt16, _ change: (inout TLSConfiguration) throws -> Void) async throws -> RawPeer {
        var settings = TLSConfiguration.makeClientConfiguration()
        settings.minimumTLSVersion = .tlsv13
        settings.applicationProtocols = ["hearth/1"]
        settings.certificateVerification = .noHostnameVerification
        settings.trustRoots = .certificates([])
        settings.shutdownTimeout = .milliseconds(100)
        settings.verifySignatureAlgorithms = [.ecdsaSecp256R1Sha256]
        let key = P256.Signing.PrivateKey()
        settings.certificateChain = [.certificate(try certificate(.init(key)))]
        settings.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der))
        try change(&settings)
        let context = try NIOSSLContext(configuration: settings)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(
                        context: context,
                        serverHostname: nil,
                        customVerificationCallback: { $1.succeed(.certificateVerified) }
                    )
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(host: "127.0.0.1", port: Int(port)).get()
        return RawPeer(channel: channel)
    }

    /// A certificate for `key`, signed by `issuer`, or by itself where that is nil.
    static func certificate(
        _ key: Certificate.PrivateKey,
        issuer: Certificate.PrivateKey? = nil,
        subject: String = "anything",
        issuerName: String = "anything"
    ) throws -> NIOSSLCertificate {
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(bytes: [7]),
            publicKey: key.publicKey,
            notValidBefore: Date(timeIntervalSince1970: 1_000_000_000),
            // Long over: dates are not looked at.
            notValidAfter: Date(timeIntervalSince1970: 1_000_000_001),
            issuer: DistinguishedName { CommonName(issuerName) },
            subject: DistinguishedName { CommonName(subject) },
            extensions: .init(),
            issuerPrivateKey: issuer ?? key
        )
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der)
    }

    func send(_ bytes: [UInt8]) {
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    /// Closes; done when closed, however that went.
    func close() async {
        try? await channel.close().get()
    }

    /// Waits until the other side has closed.
    func ended() async {
        try? await channel.closeFuture.get()
    }
}
