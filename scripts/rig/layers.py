"""Who may know whom: the tables that scripts/check-layers holds the sources to."""

# What each target of this package may depend on. A target that is not listed here may not exist.
EVERYTHING = None
LAYERS = {
    # 0 pure
    "SyncModel": set(),
    "CSimdjson": set(),
    "JSONText": {"SyncModel", "CSimdjson"},
    "SyncCore": {"SyncModel", "JSONText"},
    "EventStream": set(),
    "FirebaseWire": {"SyncModel", "JSONText"},
    "PluginWire": {"SyncModel", "JSONText"},
    "HookRules": {"SyncModel", "JSONText"},
    # 1 contracts
    "PluginKit": {"SyncModel"},
    "ControlAPI": {"SyncModel", "JSONText"},
    # 2 adapters
    "CLinux": set(),
    "OperatingSystem": {"CLinux"},
    # What both SQLite files need: quick statements, and a check that no acknowledged commit is missing.
    "CSQLiteSettings": set(),
    "SQLiteFile": {"CSQLiteSettings", "OperatingSystem"},
    "LocalStore": {"SyncCore", "SyncModel", "JSONText", "OperatingSystem", "SQLiteFile"},
    "JournalTail": {"SyncModel", "JSONText", "OperatingSystem"},
    # below Sources/Plugins, but speaks the hub's wire
    "Firebase": {"PluginKit", "SyncModel", "EventStream", "FirebaseWire", "HTTPCalling", "JSONText"},
    "HTTPListening": {"OperatingSystem"},
    # What every client of HTTP begins with.
    "HTTPCalling": {"SyncModel"},
    # the wing of the hub; its doors are below
    "DatabaseTree": {"FirebaseWire", "JSONText", "SyncModel"},
    "SecurityRules": {"DatabaseTree", "FirebaseWire", "JSONText", "SyncModel"},
    "Accounts": {"JSONText", "SyncModel"},
    "DatabaseServer": {
        "Accounts", "DatabaseTree", "SecurityRules", "HTTPListening", "FirebaseWire", "JSONText", "SyncModel", "OperatingSystem",
        "SQLiteFile",
    },
    "ControlServer": {"HTTPListening", "ControlAPI", "SyncModel", "OperatingSystem"},
    "PluginLink": {"PluginWire", "OperatingSystem"},
    "CSystemd": set(),
    # Of no use to a module: it takes the place of a function of the C library in the program.
    "CThreadPriority": set(),
    "Systemd": {"CSystemd"},
    # 3 engine
    # OperatingSystem: the change feed's file, and giving memory back.
    "SyncEngine": {
        "SyncCore", "PluginKit", "LocalStore", "JournalTail", "ControlAPI", "SyncModel", "JSONText", "OperatingSystem",
    },
    # Runs plugins in other processes; knows nothing of the engine.
    "PluginHost": {"PluginWire", "PluginLink", "PluginKit", "ControlAPI", "SyncModel"},
    # Asks catalogs, wherever they run; knows the library as any reader of the control socket does.
    "CatalogDesk": {"HTTPCalling", "PluginKit", "ControlAPI", "SyncModel", "JSONText"},
    # Fetches and keeps pictures; which ones it may, catalogs say.
    "Artwork": {"HTTPCalling", "PluginKit", "ControlAPI", "OperatingSystem", "SyncModel"},
    # Tries plugins, without a daemon.
    "PluginExam": {"PluginWire", "PluginLink", "SyncModel", "OperatingSystem"},
    # Tells hooks of changes: knows nothing of the engine, but reads the change feed where that writes it.
    "HookDelivery": {"HookRules", "HTTPCalling", "LocalStore", "JSONText", "PluginWire", "PluginLink", "ControlAPI", "SyncModel",
        "OperatingSystem"},
    # The wing's tree and rules stand in for the database.
    "Simulation": {
        "SyncCore", "LocalStore", "SyncModel", "JSONText", "FirebaseWire", "DatabaseTree", "SecurityRules",
    },
    # 5 faces
    # but not the wire of the remote and of the hub, nor the programs; the wing by its door
    "Daemon": EVERYTHING,
    # The page: asks the daemon what the control socket asks it, and appends to the journal as the tool does.
    "WebFace": {"ControlAPI", "HTTPListening", "JSONText", "OperatingSystem", "SyncModel"},
    # JournalTail: `journal verify` reads lines as the daemon does. BuiltInCollections: edits while the daemon is down.
    # Catalogs: what they ask to be shown.
    "ControlCommands": {
        "ControlAPI", "EventStream", "HTTPCalling", "SyncModel", "JSONText", "JournalTail", "OperatingSystem",
        "PluginExam", "PluginKit", "BuiltInCollections", "Catalogs",
    },
    "moviesyncd": {"ControlCommands", "Daemon", "CThreadPriority"},
    "moviesync": {"ControlCommands"},
    "moviesync-picture": set(),
    # tests' own libraries
    "PluginConformance": {"PluginKit", "SyncModel", "JSONText"},
    "TestSupport": set(),
    "ExampleBooks": {"PluginKit", "SyncModel"},
    "ExampleDaemon": {"BuiltInCollections", "Daemon", "ExampleBooks", "PluginKit", "SyncModel"},
    "ControlTestSupport": {"TestSupport", "ControlAPI", "ControlServer", "OperatingSystem", "SyncModel"},
}
# 4 plugins: every target below Sources/Plugins that LAYERS does not list, and what a remote of them needs of others.
PLUGIN = {"PluginKit", "SyncModel", "JSONText", "EventStream"}
PLUGIN_LIBRARIES = {
    "AsyncHTTPClient", "Crypto", "JWTKit", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL",
}
# The one list of collections, which knows them all.
COLLECTION_LIST = "BuiltInCollections"
# The hub is a wing of its own: whoever is outside of it knows only what stands behind a door. That nothing in it knows
# the engine, the store or a plugin is said in LAYERS.
WING = {"Accounts", "DatabaseTree", "SecurityRules", "DatabaseServer"}
DOORS = {"Daemon": {"DatabaseServer"}, "Simulation": {"DatabaseTree", "SecurityRules"}}

# Libraries of others that only some targets may use; one that is not listed is free from layer 2 upwards.
LIBRARIES = {
    "Crypto": {
        "JSONText", "HookRules", "DatabaseTree", "LocalStore", "JournalTail", "Firebase", "Accounts", "DatabaseServer", "Daemon",
        "CatalogDesk", "Artwork", "WebFace",
    },
    "CryptoExtras": {"DatabaseServer"},
    "X509": {"DatabaseServer"},
    "SwiftASN1": {"DatabaseServer"},
    "Yams": {"Daemon"},
    "Configuration": {"Daemon"},
    "GRDB": {"SQLiteFile", "LocalStore", "DatabaseServer"},
    "GRDBSQLite": {"SQLiteFile"},
    "Hummingbird": {"DatabaseServer", "ControlServer"},
    "HummingbirdCore": {"HTTPListening", "DatabaseServer", "ControlServer", "WebFace"},
    "Mustache": {"WebFace"},
    "AsyncHTTPClient": {"HTTPCalling", "Firebase", "HookDelivery", "ControlCommands", "CatalogDesk", "Artwork"},
    "JWTKit": {"Firebase", "DatabaseServer"},
    "ArgumentParser": {"Daemon", "ControlCommands"},
}
# These know no library of others but the ones LIBRARIES names them for.
PURE = {
    "SyncModel", "JSONText", "SyncCore", "EventStream", "FirebaseWire", "PluginWire", "HookRules", "PluginKit",
    "ControlAPI", "Accounts", "DatabaseTree", "SecurityRules", COLLECTION_LIST,
}

# Modules that come with the toolchain, for every target.
TOOLCHAIN = {"Swift", "Foundation", "FoundationEssentials", "Synchronization", "Dispatch", "RegexBuilder"}
# The C library: all POSIX calls live in one place.
C_LIBRARY = {"Glibc", "Musl"}
C_LIBRARY_IN = {"OperatingSystem", "Systemd", "TestSupport"}
# Test libraries are known to no product.
TEST_MODULES = {"Testing", "XCTest"}
TEST_LIBRARIES = {"PluginConformance", "TestSupport", "ControlTestSupport", "ExampleBooks", "ExampleDaemon"}

# Modules that a product brings under another name than its own.
MODULES_OF_PRODUCT = {
    "Collections": {"Collections", "DequeModule", "HashTreeCollections", "HeapModule", "OrderedCollections"},
    "GRDB": {"GRDB", "GRDBSQLite"},
}
