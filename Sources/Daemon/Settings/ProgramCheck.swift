internal import HookDelivery
internal import HookRules
internal import OperatingSystem
internal import PluginHost
internal import PluginLink
internal import SyncEngine
internal import SystemPackage

/// Looks at the programs and secrets that the configuration names. A daemon starts without one that can't be used, and says
/// so in its status; who checks the configuration wants to know before.
struct ProgramCheck {
    let settings: Settings
    /// Where the settings were read from.
    let file: FilePath?
    /// Where in it.
    var places: [[String]: SettingOrigin] = [:]

    var problems: [SettingsProblem] {
        settings.plugins.compactMap(problem) + settings.hooks.compactMap(problem)
            + settings.users.tokens.sorted { $0.key < $1.key }.compactMap(problem)
    }

    private func problem(_ name: String, _ token: String) -> SettingsProblem? {
        let key = ["users", "tokens", name]
        do throws(SystemError) {
            let isEmpty = try SecretFile.read(at: token).isEmpty
            return isEmpty ? complaint(about: key, " \(token) is empty: write a refresh token into it") : nil
        } catch {
            return complaint(about: key, ": \(error)")
        }
    }

    private func problem(_ plugin: PluginSettings) -> SettingsProblem? {
        guard case .command(let words) = plugin.way else { return nil }
        let path = PluginSurroundings.variables(for: plugin.name)["PATH"] ?? PluginSurroundings.standardPath
        do throws(SystemError) {
            _ = try PluginProgram(words.first ?? "", searchPath: path)
            return nil
        } catch {
            return complaint(about: ["plugins", plugin.name, "command"], ": \(error)")
        }
    }

    private func problem(_ hook: HookSettings) -> SettingsProblem? {
        switch hook.way {
        case .program(let path): return hook.objection.map { SettingsProblem(.wholeFile(path), $0) }
        case .plugin: return nil
        case .webhook(let webhook):
            let key = ["webhooks", hook.name, "secretFile"]
            do throws(SystemError) {
                let isSecret = WebhookSignature(secret: try SecretFile.read(at: webhook.secretFile)) != nil
                if isSecret { return nil }
                return complaint(about: key, " \(webhook.secretFile) \(WebhookSignature.complaint)")
            } catch {
                return complaint(about: key, ": \(error)")
            }
        }
    }

    private func complaint(about key: [String], _ words: String) -> SettingsProblem {
        let place: SettingOrigin = places[key] ?? file.map { SettingOrigin.wholeFile($0.string) } ?? .builtIn
        return SettingsProblem(place, key.joined(separator: ".") + words)
    }
}
