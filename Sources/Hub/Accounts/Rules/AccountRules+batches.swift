internal import SyncModel

/// What administrators do with many accounts at once, and with the project.
extension AccountRules {
    func batchGet() throws -> AccountAnswer {
        let wanted = Int(clamping: try body.whole("maxResults") ?? 20)
        let limit = min(max(wanted, 1), 1000)
        let accounts = try book.accounts(after: try body.words("nextPageToken"), limit: limit + 1)
        var answer = AccountAnswer(["kind": "identitytoolkit#DownloadAccountResponse"])
        answer.body["users"] = .array(accounts.prefix(limit).map { .object($0.shown(withHash: true)) })
        if accounts.count > limit { answer.body["nextPageToken"] = .string(accounts[limit - 1].id) }
        return answer
    }

    func query() throws -> AccountAnswer {
        guard !body.has("expression") else { throw AccountRefusal("NOT_IMPLEMENTED : expression", code: 501) }
        var answer = AccountAnswer(["recordsCount": .string(String(try book.count()))])
        if try body.truth("returnUserInfo") == false { return answer }
        let limit = min(max(Int(clamping: try body.whole("limit") ?? 500), 1), 500)
        let offset = max(Int(clamping: try body.whole("offset") ?? 0), 0)
        guard offset <= 100_000 else { throw AccountRefusal("INVALID_PAGE_SELECTION") }
        let found = try book.accounts(after: nil, limit: offset + limit).dropFirst(offset)
        answer.body["userInfo"] = .array(found.map { .object($0.shown(withHash: true)) })
        return answer
    }

    func batchDelete() throws -> AccountAnswer {
        let ids = try body.texts("localIds")
        guard (1...1000).contains(ids.count) else { throw AccountRefusal("LOCAL_ID_LIST_EXCEEDS_LIMIT") }
        let isForced = try body.truth("force") ?? false
        var errors: [JSONValue] = []
        for (index, id) in ids.enumerated() {
            guard let account = try book.account(id: id) else { continue }
            if account.isDisabled || isForced {
                try book.removeAccount(id: id)
            } else {
                errors.append([
                    "index": .integer(Int64(index)), "localId": .string(id),
                    "message": "NOT_DISABLED : Disable the account before batch deletion.",
                ])
            }
        }
        var answer = AccountAnswer(errors.isEmpty ? [:] : ["errors": .array(errors)])
        answer.endsSessions = true
        return answer
    }

    func batchCreate() throws -> AccountAnswer {
        let users = try body.objects("users")
        guard !users.isEmpty else { throw AccountRefusal("MISSING_USER_ACCOUNT") }
        guard users.count <= 1000 else { throw AccountRefusal("MAXIMUM_USER_COUNT_EXCEEDED") }
        let overwrites = try body.truth("allowOverwrite") ?? false
        if !overwrites {
            var ids: Set<String> = []
            for id in try users.compactMap({ user throws(AccountRefusal) in try user.words("localId") }) {
                guard ids.insert(id).inserted else { throw AccountRefusal("DUPLICATE_LOCAL_ID : \(id)") }
            }
        }
        let reader = AccountImport(hashing: try ImportedHashing(body), now: now)
        var errors: [JSONValue] = []
        for (index, user) in users.enumerated() {
            do {
                let account = try reader.account(user, rules: self)
                try checkPlace(of: account, overwrites: overwrites)
                try book.put(account)
            } catch let refusal as AccountRefusal {
                errors.append([
                    "index": .integer(Int64(index)), "message": .string(AccountImport.message(refusal)),
                ])
            }
        }
        var answer = AccountAnswer(["kind": "identitytoolkit#UploadAccountResponse"])
        if !errors.isEmpty { answer.body["error"] = .array(errors) }
        answer.endsSessions = overwrites
        return answer
    }

    /// Throws where another account has what must be one's own.
    private func checkPlace(of account: Account, overwrites: Bool) throws {
        if !overwrites, try book.account(id: account.id) != nil {
            throw AccountRefusal("localId belongs to an existing account - can not overwrite.")
        }
        if let email = account.email, let other = try book.account(email: email), other.id != account.id {
            throw AccountRefusal("email exists in other account in database")
        }
        if let phone = account.phoneNumber, let other = try book.account(phoneNumber: phone), other.id != account.id {
            throw AccountRefusal("phone number exists in other account in database")
        }
    }

    func clear() throws -> AccountAnswer {
        try book.removeAll()
        var answer = AccountAnswer([:])
        answer.endsSessions = true
        return answer
    }

    /// What clients ask at their start.
    func describe() -> AccountAnswer {
        switch request.call {
        case .projectConfig:
            AccountAnswer(["projectId": .string(request.project), "authorizedDomains": ["localhost"]])
        case .recaptchaParams: AccountAnswer(["kind": "identitytoolkit#GetRecaptchaParamResponse"])
        default: AccountAnswer(["recaptchaEnforcementState": []])
        }
    }

    /// Shows what users may do by themselves, and changes it where the call says so.
    func configure() throws -> AccountAnswer {
        var policy = try policy()
        if request.call == .updateConfig {
            if let signIn = try body.object("signIn") {
                if let enabled = try signIn.object("email")?.truth("enabled") { policy.allowsPasswords = enabled }
                if let required = try signIn.object("email")?.truth("passwordRequired") {
                    policy.allowsEmailLinks = !required
                }
                if let enabled = try signIn.object("anonymous")?.truth("enabled") { policy.allowsAnonymous = enabled }
                guard try signIn.truth("allowDuplicateEmails") != true else { throw AccountRefusal.notAllowed }
            }
            let privacy = try body.object("emailPrivacyConfig")
            if let hides = try privacy?.truth("enableImprovedEmailPrivacy") { policy.hidesEmails = hides }
            let permissions = try body.object("client")?.object("permissions")
            if let refused = try permissions?.truth("disabledUserSignup") { policy.allowsSignUp = !refused }
            if let refused = try permissions?.truth("disabledUserDeletion") { policy.allowsDeletion = !refused }
            try book.put(policy)
        }
        return AccountAnswer(policy.shown(project: request.project))
    }
}
