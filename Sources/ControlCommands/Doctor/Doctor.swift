internal import ControlAPI
internal import FoundationEssentials
internal import OperatingSystem
internal import SyncModel

/// Looks at everything that a node needs, with or without a daemon that answers.
struct Doctor {
    let session: Session
    let socket: String
    let inquiry: ConfigurationInquiry
    let side: DefaultPaths.Side

    func findings() async -> [Finding] {
        let places = await inquiry.places(of: side)
        let status: Result<StatusSnapshot, CommandFailure>
        let isUp: Bool
        do {
            status = .success(try await session.client.status())
            isUp = true
        } catch {
            let failure = (error as? CommandFailure) ?? CommandFailure(.internalFault, "\(error)")
            status = .failure(failure)
            isUp = failure.isSilence
        }
        let running = (try? status.get())?.journal.path
        let isAnother = running.map { Doctor.isAnother($0, than: places?.journal) } ?? false
        var findings = DaemonRules.configuration(places) + [DaemonRules.socket(socket, status)]
        findings += files(places, running, isUp: isUp, isAnother: isAnother)
        findings.append(MachineRules.clock(KernelClock.now()))
        findings.append(
            MachineRules.watches(instances: limit("max_user_instances"), watches: limit("max_user_watches")))
        return findings + (await remote(status, maxAhead: isAnother ? nil : places?.maxAheadMs))
    }

    /// Whether the daemon that answers is another one than the configuration is of.
    private static func isAnother(_ running: String, than configured: String?) -> Bool {
        func place(_ path: String) -> String {
            let folder = Folder.containing(path)
            return Folder.path(Folder.name(of: path), in: Folder.resolved(folder) ?? folder)
        }
        return configured.map { place($0) != place(running) } ?? false
    }

    private func files(
        _ places: ConfiguredPlaces?, _ running: String?, isUp: Bool, isAnother: Bool
    ) -> [Finding] {
        var findings: [Finding] = []
        var folders: [String] = []
        if let journal = running ?? places?.journal {
            var problem: SystemError?
            do throws(SystemError) {
                try AppendingFile.check(journal)
            } catch {
                // Its folder is made by the daemon.
                problem = error.isMissing && !isUp ? nil : error
            }
            findings.append(MachineRules.journal(journal, try? FileIdentity.of(path: journal), problem: problem))
            folders.append(Folder.containing(journal))
        }
        if let state = places?.state, isAnother {
            findings.append(MachineRules.stateOfAnother(than: state))
        } else if let state = places?.state {
            let folder = Result { () throws(SystemError) in try FileIdentity.of(path: state) }
            let refusal = Folder.refusal(toWriteIn: state)
            findings.append(MachineRules.state(state, folder, refusal, user: ThisProcess.user, isDaemonUp: isUp))
            if !folders.contains(state) { folders.append(state) }
        }
        return findings
            + folders.compactMap { folder in (try? DiskRoom.of(folder)).map { MachineRules.disk(folder, $0) } }
    }

    private func limit(_ name: String) -> Int? {
        let text = try? String(contentsOfFile: "/proc/sys/fs/inotify/\(name)", encoding: .utf8)
        return text.flatMap { Int($0.filter(\.isNumber)) }
    }

    /// What only the daemon knows; without one the remote is tried by the program that checks the configuration.
    private func remote(_ status: Result<StatusSnapshot, CommandFailure>, maxAhead: Int64?) async -> [Finding] {
        let answer: StatusSnapshot
        switch status {
        case .success(let status): answer = status
        case .failure(let failure):
            return [DaemonRules.probe(await inquiry.probe(side))] + DaemonRules.unchecked(failure)
        }
        var findings = [
            DaemonRules.remote(answer.remote, paused: answer.pausedDirections),
            MachineRules.serverClock(offset: answer.remote.clockOffsetMs, maxAhead: maxAhead),
        ]
        // Both wait for the remote.
        async let nodes = nodeChecks()
        findings += await remoteChecks()
        if let health = answer.health { findings += DaemonRules.health(health) }
        return findings + (await nodes)
    }

    private func nodeChecks() async -> [Finding] {
        do {
            return DaemonRules.nodes(try await session.client.nodes())
        } catch {
            return [Finding("nodes", .unknown, CommandFailure.message(of: error))]
        }
    }

    /// What the daemon finds at the remote.
    private func remoteChecks() async -> [Finding] {
        do {
            let checks: [RemoteCheckReply] = try await session.client.all(ControlRoute.checks)
            return checks.map {
                Finding($0.check, Finding.Level(rawValue: $0.level) ?? .unknown, $0.message, fix: $0.fix)
            }
        } catch {
            return [Finding("rules", .unknown, CommandFailure.message(of: error))]
        }
    }
}
