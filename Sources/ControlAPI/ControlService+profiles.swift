internal import SyncModel

extension ControlService {
    /// The profiles of those who wrote these records, by person; of whom there is none is left out.
    package func profiles(ofAuthorsOf records: [RecordReply]) async throws -> [String: RecordReply] {
        guard schemas().contains(where: { $0.name == "profiles" }) else { return [:] }
        var profiles: [String: RecordReply] = [:]
        for person in Set(records.compactMap { $0.fields["uid"]?.text }) {
            profiles[person] = try await profile(of: person)
        }
        return profiles
    }

    /// The profile of a person; nil where there is none.
    package func profile(of person: String) async throws -> RecordReply? {
        do {
            let profile = try await record(withKey: person, in: "profiles")
            return profile.deleted ? nil : profile
        } catch let error as ControlError where ["unknownCollection", "unknownRecord"].contains(error.code) {
            return nil
        }
    }
}
