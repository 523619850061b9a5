internal import HookRules
internal import SyncModel

/// The secret of a webhook can't be used.
struct WebhookSecretFault: Error {
    /// Why, on one line.
    let reason: String
}

extension HookContext {
    /// What signs the requests of a webhook: its secret is read anew each time, so that a new one counts at once. May block.
    func signature(of webhook: HookSettings.Webhook) throws(WebhookSecretFault) -> WebhookSignature {
        let secret: [UInt8]
        do {
            secret = try readSecret(webhook.secretFile)
        } catch {
            throw WebhookSecretFault(reason: "its secret can't be read: \(error)".oneLine)
        }
        guard let signature = WebhookSignature(secret: secret) else {
            throw WebhookSecretFault(reason: "\(webhook.secretFile) \(WebhookSignature.complaint)")
        }
        return signature
    }

    /// Why a hook can't be used as things are now; nil where it can.
    func objection(to settings: HookSettings) -> String? {
        if let objection = settings.objection { return objection }
        guard case .webhook(let webhook) = settings.way else { return nil }
        do {
            _ = try signature(of: webhook)
            return nil
        } catch {
            return error.reason
        }
    }
}
