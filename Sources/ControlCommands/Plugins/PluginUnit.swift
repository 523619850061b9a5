/// The units that run a plugin as its own, confined service: a socket, and one instance of the program for each
/// connection.
struct PluginUnit: Hashable {
    let name: String
    /// A program by its absolute path, and its arguments.
    let command: [String]

    /// Whether it can name a plugin.
    static func isName(_ name: String) -> Bool {
        let scalars = name.unicodeScalars
        return (1...40).contains(scalars.count) && scalars.first.map { ("a"..."z").contains($0) } == true
            && scalars.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }
    }

    var socketName: String { "moviesync-plugin-\(name).socket" }
    var serviceName: String { "moviesync-plugin-\(name)@.service" }
    var socketPath: String { "/run/moviesync-plugins/\(name).sock" }

    var socket: String {
        """
        [Unit]
        Description=Socket of the moviesync plugin \(name)

        [Socket]
        ListenStream=\(socketPath)
        # Only the daemon may call it.
        SocketMode=0600
        SocketUser=moviesync
        Accept=yes
        MaxConnections=2
        RemoveOnStop=yes

        [Install]
        WantedBy=sockets.target
        """
    }

    var service: String {
        """
        [Unit]
        Description=The moviesync plugin \(name)
        CollectMode=inactive-or-failed

        [Service]
        ExecStart=\(command.map(PluginUnit.quoted).joined(separator: " "))
        StandardInput=socket
        StandardOutput=socket
        StandardError=journal
        Environment=PYTHONUNBUFFERED=1 MOVIESYNC_PLUGIN=\(name)
        # A user that exists only while it runs.
        DynamicUser=yes
        NoNewPrivileges=yes
        CapabilityBoundingSet=
        ProtectSystem=strict
        ProtectHome=yes
        PrivateTmp=yes
        PrivateDevices=yes
        PrivateIPC=yes
        ProtectProc=invisible
        ProtectClock=yes
        ProtectControlGroups=yes
        ProtectHostname=yes
        ProtectKernelLogs=yes
        ProtectKernelModules=yes
        ProtectKernelTunables=yes
        RestrictNamespaces=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        LockPersonality=yes
        # One that needs no network: PrivateNetwork=yes, and AF_UNIX alone.
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
        # State and secrets of the daemon.
        InaccessiblePaths=-/var/lib/moviesync -/var/spool/moviesync -/run/moviesync -/etc/moviesync
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallFilter=~@privileged @resources
        SystemCallErrorNumber=EPERM
        MemoryMax=256M
        TasksMax=32
        TimeoutStopSec=10
        RuntimeMaxSec=1d
        """
    }

    /// All of it, with what to do.
    var text: String {
        """
        # Into /etc/systemd/system/\(socketName):
        \(socket)

        # Into /etc/systemd/system/\(serviceName):
        \(service)

        # Then: systemctl daemon-reload && systemctl enable --now \(socketName)
        # And in moviesync.yaml:
        #   plugins:
        #     \(name):
        #       socket: \(socketPath)
        """
    }

    /// A word of ExecStart: quoted, and without meaning for systemd.
    private static func quoted(_ word: String) -> String {
        let plain = word.replacing("%", with: "%%").replacing("$", with: "$$")
        let isSimple = plain.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "/._-+=:,@%$".unicodeScalars.contains(scalar)
        }
        guard !isSimple || plain.isEmpty else { return plain }
        return "\"" + plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
