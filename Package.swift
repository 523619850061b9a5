// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    // A new deprecation in a dependency must not break the build of a user who installs from source.
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

/// What a simulation spends its time in: optimized in a debug build too, where it runs thousands of stories.
let quick: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

func module(
    _ name: String, path: String? = nil, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting] = strict
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let asyncAlgorithms = product(name: "AsyncAlgorithms", package: "swift-async-algorithms")
    static let asyncHTTPClient = product(name: "AsyncHTTPClient", package: "async-http-client")
    static let collections = product(name: "Collections", package: "swift-collections")
    static let configuration = product(name: "Configuration", package: "swift-configuration")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let grdbSQLite = product(name: "GRDBSQLite", package: "GRDB.swift")
    static let hummingbird = product(name: "Hummingbird", package: "hummingbird")
    static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird")
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
    static let jwtKit = product(name: "JWTKit", package: "jwt-kit")
    static let logging = product(name: "Logging", package: "swift-log")
    static let mustache = product(name: "Mustache", package: "swift-mustache")
    static let nioCore = product(name: "NIOCore", package: "swift-nio")
    static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio")
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
    static let nioWebSocket = product(name: "NIOWebSocket", package: "swift-nio")
    static let nioHTTPCompression = product(name: "NIOHTTPCompression", package: "swift-nio-extras")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
    static let serviceLifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let subprocess = product(name: "Subprocess", package: "swift-subprocess")
    static let systemPackage = product(name: "SystemPackage", package: "swift-system")
    static let swiftASN1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let x509 = product(name: "X509", package: "swift-certificates")
    static let yams = product(name: "Yams", package: "Yams")
}

let package = Package(
    name: "moviesync",
    products: [
        .executable(name: "moviesyncd", targets: ["moviesyncd"]),
        .executable(name: "moviesync", targets: ["moviesync"]),
        .executable(name: "moviesync-picture", targets: ["moviesync-picture"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.0.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // 0 pure
        module("SyncModel", [], quick),
        // scripts/setup puts simdjson as released into the folder, and CSimdjson.cpp includes it whole: optimized also
        // in a debug build, as a library that is linked would be.
        .target(name: "CSimdjson", exclude: ["simdjson"], cxxSettings: [.unsafeFlags(["-O3"])]),
        module("JSONText", ["SyncModel", "CSimdjson", .crypto], quick),
        module("SyncCore", ["SyncModel", "JSONText"], quick),
        module("EventStream"),
        module("FirebaseWire", ["SyncModel", "JSONText"], quick),
        module("PluginWire", ["SyncModel", "JSONText"]),
        module("HookRules", ["SyncModel", "JSONText", .crypto]),

        // 1 contracts
        module("PluginKit", ["SyncModel"]),
        module("ControlAPI", ["SyncModel", "JSONText"]),

        // 2 adapters
        .systemLibrary(name: "CLinux"),
        module("OperatingSystem", ["CLinux"]),
        .target(name: "CSQLiteSettings"),
        module("SQLiteFile", ["CSQLiteSettings", "OperatingSystem", .grdb, .grdbSQLite]),
        module(
            "LocalStore", ["SyncCore", "SyncModel", "JSONText", "OperatingSystem", "SQLiteFile", .grdb], quick
        ),
        module("JournalTail", ["SyncModel", "JSONText", "OperatingSystem", .crypto]),
        module(
            "HTTPListening",
            [
                "OperatingSystem", .httpTypes, .hummingbirdCore, .logging, .nioCore, .nioHTTP1, .nioHTTPCompression,
                .nioPosix, .nioSSL, .nioWebSocket, .serviceLifecycle,
            ]
        ),
        module("HTTPCalling", ["SyncModel", .asyncHTTPClient, .nioCore, .nioHTTP1, .nioPosix, .nioSSL]),
        module(
            "ControlServer",
            [
                "ControlAPI", "HTTPListening", "SyncModel", "OperatingSystem", .hummingbird, .hummingbirdCore,
                .httpTypes, .logging, .nioCore, .nioPosix, .serviceLifecycle,
            ]
        ),
        module(
            "PluginLink", ["PluginWire", "OperatingSystem", .nioCore, .nioPosix, .subprocess, .systemPackage]
        ),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        module("Systemd", ["CSystemd", .logging]),

        // 3 engine
        module(
            "SyncEngine",
            [
                "SyncCore", "PluginKit", "LocalStore", "JournalTail", "ControlAPI", "SyncModel", "JSONText",
                "OperatingSystem", .asyncAlgorithms, .collections, .logging, .serviceLifecycle,
            ]
        ),

        module(
            "PluginHost",
            [
                "PluginWire", "PluginLink", "PluginKit", "ControlAPI", "SyncModel", .logging, .serviceLifecycle,
            ]
        ),
        module(
            "CatalogDesk",
            [
                "HTTPCalling", "PluginKit", "ControlAPI", "SyncModel", "JSONText", .asyncHTTPClient, .crypto, .logging,
                .nioCore, .nioHTTP1, .serviceLifecycle,
            ]
        ),
        module(
            "HookDelivery",
            [
                "HookRules", "PluginWire", "PluginLink", "ControlAPI", "LocalStore", "SyncModel", "JSONText",
                "HTTPCalling", "OperatingSystem", .asyncHTTPClient, .logging, .nioCore, .nioHTTP1, .nioPosix,
                .serviceLifecycle, .subprocess, .systemPackage,
            ]
        ),
        module(
            "Artwork",
            [
                "HTTPCalling", "PluginKit", "ControlAPI", "OperatingSystem", "SyncModel", .asyncHTTPClient, .crypto,
                .logging, .nioCore, .nioHTTP1, .serviceLifecycle, .subprocess, .systemPackage,
            ]
        ),
        module("PluginExam", ["PluginWire", "PluginLink", "SyncModel", "OperatingSystem"]),
        module(
            "Simulation",
            [
                "SyncCore", "LocalStore", "SyncModel", "JSONText", "FirebaseWire", "DatabaseTree", "SecurityRules",
            ], quick
        ),

        // 4 plugins
        module("Movies", path: "Sources/Plugins/Movies", ["PluginKit", "SyncModel"]),
        module("Artists", path: "Sources/Plugins/Artists", ["PluginKit", "SyncModel"]),
        module(
            "BuiltInCollections", path: "Sources/Plugins/BuiltInCollections",
            ["PluginKit", "Movies", "Artists", "DeclaredCollections"]),
        module(
            "Firebase", path: "Sources/Plugins/Firebase",
            [
                "PluginKit", "SyncModel", "EventStream", "FirebaseWire", "HTTPCalling", "JSONText", .asyncHTTPClient,
                .jwtKit, .logging, .nioCore, .nioHTTP1, .nioPosix, .nioSSL,
            ]
        ),

        module(
            "DeclaredCollections", path: "Sources/Plugins/DeclaredCollections", ["PluginKit", "SyncModel", "JSONText"]),
        module("Catalogs", path: "Sources/Plugins/Catalogs", ["PluginKit", "SyncModel", "JSONText"]),

        // the wing of the hub
        module(
            "DatabaseTree", path: "Sources/Hub/DatabaseTree", ["FirebaseWire", "JSONText", "SyncModel", .crypto], quick
        ),
        module(
            "SecurityRules", path: "Sources/Hub/SecurityRules",
            ["DatabaseTree", "FirebaseWire", "JSONText", "SyncModel"], quick
        ),
        module("Accounts", path: "Sources/Hub/Accounts", ["JSONText", "SyncModel", .crypto]),
        module(
            "DatabaseServer", path: "Sources/Hub/DatabaseServer",
            [
                "Accounts", "DatabaseTree", "SecurityRules", "HTTPListening", "FirebaseWire", "JSONText", "SyncModel",
                "OperatingSystem", "SQLiteFile", .crypto, .cryptoExtras, .grdb, .hummingbirdCore, .httpTypes, .jwtKit,
                .logging, .nioCore, .nioPosix, .serviceLifecycle, .subprocess, .swiftASN1, .systemPackage,
                .x509,
            ]
        ),

        // 5 faces
        .target(
            name: "WebFace",
            dependencies: [
                "ControlAPI", "HTTPListening", "JSONText", "OperatingSystem", "SyncModel", .crypto, .hummingbirdCore,
                .httpTypes, .logging, .mustache, .nioCore, .serviceLifecycle,
            ],
            // In the program itself: where it runs, there is no folder with them.
            resources: [.embedInCode("Templates"), .embedInCode("Assets")], swiftSettings: strict),
        module(
            "Daemon",
            [
                "SyncModel", "JSONText", "PluginKit", "ControlAPI", "OperatingSystem", "LocalStore", "Firebase",
                "DatabaseServer", "ControlServer", "PluginHost", "Systemd", "SyncEngine", "BuiltInCollections",
                "CatalogDesk", "Catalogs", "DeclaredCollections", "HookDelivery", "HookRules", "PluginLink",
                "PluginWire",
                "Artwork", "Simulation", "WebFace",
                .argumentParser, .configuration, .crypto, .logging, .nioSSL, .serviceLifecycle, .unixSignals,
                .systemPackage, .yams,
            ]
        ),
        module(
            "ControlCommands",
            [
                "ControlAPI", "EventStream", "HTTPCalling", "SyncModel", "JSONText", "JournalTail", "OperatingSystem",
                "PluginExam", "PluginKit", "BuiltInCollections", "Catalogs", .argumentParser, .asyncHTTPClient,
                .nioCore, .nioHTTP1, .nioPosix, .subprocess, .systemPackage,
            ]
        ),
        .target(name: "CThreadPriority", cSettings: [.define("_GNU_SOURCE")]),
        .executableTarget(
            name: "moviesyncd", dependencies: ["ControlCommands", "Daemon", "CThreadPriority"], swiftSettings: strict),
        // In C, for it has to be small; its libraries are compiled in, for they are called otherwise elsewhere.
        .executableTarget(
            name: "moviesync-picture", cSettings: [.define("_GNU_SOURCE")],
            linkerSettings: [":libjpeg.a", ":libpng16.a", "z", "m"].map { .linkedLibrary($0) }),
        .executableTarget(name: "moviesync", dependencies: ["ControlCommands"], swiftSettings: strict),

        // tests
        module("TestSupport", [.nioCore, .nioHTTP1, .nioPosix, .nioSSL, .subprocess, .systemPackage]),
        tests(
            "AcceptanceTests",
            [
                "TestSupport", "ControlAPI", "JSONText", "SyncModel", "moviesync", "moviesyncd", "ExampleDaemon",
                .asyncHTTPClient, .crypto, .nioCore, .nioHTTP1, .nioPosix, .subprocess, .systemPackage,
            ]
        ),
        // The documentation's example of a collection, and a daemon that has it.
        module("ExampleBooks", path: "Tests/ExampleBooks", ["PluginKit", "SyncModel"]),
        .executableTarget(
            name: "ExampleDaemon",
            dependencies: ["BuiltInCollections", "Daemon", "ExampleBooks", "PluginKit", "SyncModel"],
            path: "Tests/ExampleDaemon", swiftSettings: strict),
        tests(
            "WebFaceTests",
            [
                "TestSupport", "ControlTestSupport", "ControlAPI", "OperatingSystem", "SyncModel", "WebFace", .logging,
                .nioCore,
            ]
        ),
        tests("SystemdTests", ["Systemd", "TestSupport", .logging]),
        tests(
            "DaemonTests",
            [
                "Daemon", "ControlAPI", "ControlTestSupport", "Firebase", "HookDelivery", "HookRules", "JSONText",
                "LocalStore",
                "Movies", "OperatingSystem", "PluginConformance", "PluginHost", "PluginKit", "Simulation", "SyncEngine",
                "SyncModel", "Systemd", "TestSupport", "WebFace", "moviesyncd", .argumentParser, .logging, .nioCore,
                .serviceLifecycle,
                .systemPackage,
            ]
        ),
        module("PluginConformance", ["PluginKit", "SyncModel", "JSONText"]),
        tests("SyncModelTests", ["TestSupport", "SyncModel", "JSONText"]),
        tests("JSONTextTests", ["TestSupport", "JSONText", "SyncModel"]),
        tests(
            "SyncCoreTests",
            ["TestSupport", "SyncCore", "SyncModel", "JSONText", "PluginKit", "Movies", "FirebaseWire", "LocalStore"]
        ),
        tests(
            "LocalStoreTests",
            [
                "TestSupport", "LocalStore", "SQLiteFile", "OperatingSystem", "SyncModel", "JSONText", "SyncCore",
                .grdb,
            ]
        ),
        tests("SimulationTests", ["Simulation", "SyncModel"]),
        tests(
            "SyncEngineTests",
            [
                "SyncEngine", "SyncCore", "PluginConformance", "PluginKit", "Movies", "ControlAPI", "JSONText",
                "LocalStore", "SyncModel", "TestSupport", .grdb, .logging,
            ]
        ),
        tests(
            "PluginTests",
            [
                "PluginConformance", "Movies", "Artists", "DeclaredCollections", "ExampleBooks", "PluginKit",
                "SyncModel",
                "JSONText", "TestSupport",
            ]
        ),
        tests("PluginWireTests", ["PluginWire", "JSONText", "SyncModel", "TestSupport"]),
        tests(
            "PluginHostTests",
            [
                "PluginHost", "PluginLink", "PluginWire", "ControlAPI", "OperatingSystem", "SyncModel", "TestSupport",
                .logging, .nioCore, .nioPosix, .serviceLifecycle,
            ]
        ),
        tests(
            "PluginExamTests",
            [
                "Catalogs", "PluginExam", "PluginKit", "PluginLink", "PluginWire", "JSONText", "OperatingSystem",
                "SyncModel", "TestSupport",
            ]
        ),
        tests("HookRulesTests", ["HookRules", "SyncModel", "JSONText", "TestSupport"]),
        tests("CatalogsTests", ["Catalogs", "PluginKit", "SyncModel"]),
        tests(
            "CatalogDeskTests",
            [
                "CatalogDesk", "Catalogs", "ControlAPI", "ControlTestSupport", "PluginKit", "JSONText", "SyncModel",
                "TestSupport", .logging, .nioCore, .nioHTTP1, .nioPosix, .serviceLifecycle,
            ]
        ),
        tests(
            "ArtworkTests",
            [
                "Artwork", "Catalogs", "ControlAPI", "PluginKit", "OperatingSystem", "SyncModel", "TestSupport",
                "moviesync-picture",
                .logging, .nioCore, .nioHTTP1, .nioPosix, .serviceLifecycle, .subprocess, .systemPackage,
            ]
        ),
        tests("EventStreamTests", ["EventStream", "TestSupport"]),
        tests("FirebaseWireTests", ["FirebaseWire", "JSONText", "SyncModel"]),
        tests("DatabaseTreeTests", ["DatabaseTree", "FirebaseWire", "JSONText", "SyncModel", "TestSupport"]),
        tests("AccountsTests", ["Accounts", "JSONText", "SyncModel", "TestSupport"]),
        tests("SecurityRulesTests", ["SecurityRules", "DatabaseTree", "FirebaseWire", "SyncModel", "TestSupport"]),
        tests(
            "DatabaseServerTests",
            [
                "Accounts", "DatabaseServer", "DatabaseTree", "HTTPListening", "FirebaseWire", "SQLiteFile",
                "SyncModel", "JSONText", "TestSupport", .asyncHTTPClient, .crypto, .cryptoExtras, .grdb, .logging,
                .nioCore, .nioEmbedded, .nioHTTP1, .nioSSL, .nioWebSocket, .serviceLifecycle,
            ]
        ),
        tests("HTTPCallingTests", ["HTTPCalling", .asyncHTTPClient, .nioCore, .nioEmbedded, .nioHTTP1, .nioSSL]),
        tests(
            "FirebaseTests",
            [
                "Firebase", "DatabaseServer", "EventStream", "PluginConformance", "PluginKit", "JSONText", "SyncModel",
                "TestSupport", .cryptoExtras, .jwtKit,
                .logging, .nioCore, .nioEmbedded, .nioHTTP1, .nioPosix, .nioSSL,
            ]
        ),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "Accounts", "Catalogs", "ControlAPI", "ControlTestSupport", "Daemon", "DatabaseServer", "DatabaseTree",
                "DeclaredCollections", "Firebase", "FirebaseWire",
                "JSONText", "JournalTail", "Movies", "OperatingSystem", "PluginKit", "PluginWire", "SecurityRules",
                "SyncModel", "TestSupport", "WebFace", .httpTypes, .logging,
                .nioCore, .systemPackage,
            ],
            exclude: ["Corpus"], swiftSettings: strict),
        tests("OperatingSystemTests", ["TestSupport", "OperatingSystem"]),
        tests("JournalTailTests", ["TestSupport", "JournalTail", "OperatingSystem", "SyncModel"]),
        module(
            "ControlTestSupport", path: "Tests/ControlTestSupport",
            ["TestSupport", "ControlAPI", "ControlServer", "OperatingSystem", "SyncModel", .logging]
        ),
        tests("ControlAPITests", ["ControlAPI", "SyncModel"]),
        tests(
            "ControlServerTests",
            [
                "TestSupport", "ControlTestSupport", "ControlAPI", "ControlServer", "OperatingSystem", "SyncModel",
                .logging, .nioCore, .serviceLifecycle,
            ]
        ),
        tests(
            "ControlCommandsTests",
            [
                "TestSupport", "ControlTestSupport", "ControlCommands", "ControlAPI", "JSONText", "OperatingSystem",
                "SyncModel",
                "moviesync",
                .argumentParser, .subprocess, .systemPackage,
            ]
        ),
    ],
    cxxLanguageStandard: .cxx17
)
