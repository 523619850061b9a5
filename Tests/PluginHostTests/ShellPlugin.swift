import Foundation
import TestSupport

/// A plugin in a few lines of shell, which does by the name of the call what plugins should not do.
struct ShellPlugin {
    private static let text = #"""
        #!/bin/sh
        while IFS= read -r line; do
          id=${line#*\"id\":}; id=${id%%[,\}]*}
          case $line in
            *'"call":"hello"'*)
              printf '%s\n' "$line" >> "$0.greeted"
              echo "{\"id\":$id,\"ok\":{\"protocol\":1,\"name\":\"sh\",\"version\":\"1.0\",\"provides\":{\"catalog\":{}},\"secrets\":[\"key\",\"more\"]}}" ;;
            *'"call":"two"'*) echo "{\"id\":$id,\"item\":{\"key\":\"1\"}}"; echo "{\"id\":$id,\"ok\":{\"next\":null}}" ;;
            *'"call":"many"'*)
              i=0; while [ $i -lt 200 ]; do echo "{\"id\":$id,\"item\":{\"key\":\"$i\"}}"; i=$((i+1)); done
              echo "{\"id\":$id,\"ok\":{}}" ;;
            *'"call":"die"'*) exit 3 ;;
            *'"call":"lie"'*) echo '{"id":999,"ok":{}}' ;;
            *'"call":"flood"'*) yes '{"id":1,"item":{}}' ;;
            *'"call":"hang"'*) sleep 1000 ;;
            *'"call":"leave"'*) sleep 1000 > "$0.held" & echo "{\"id\":$id,\"ok\":{}}" ;;
            *'"call":"log"'*) echo '<4>the key is hunter22' >&2; echo "{\"id\":$id,\"ok\":{}}" ;;
            *'"call":"surroundings"'*) echo "{\"id\":$id,\"ok\":{\"lines\":$(env | wc -l),\"credential\":\"$CREDENTIALS_DIRECTORY\"}}" ;;
            *'"cancel"'*) ;;
            *) echo "{\"id\":$id,\"error\":{\"code\":\"unknownCall\",\"message\":\"no\"}}" ;;
          esac
        done
        """#

    let path: String

    /// Writes it into a folder.
    init(in folder: TemporaryFolder, name: String = "plugin.sh", mode: Int = 0o700) throws {
        path = folder(name)
        try Data(ShellPlugin.text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// What it was greeted with, a line each time.
    var greetings: [Substring] {
        ((try? String(contentsOfFile: path + ".greeted", encoding: .utf8)) ?? "").split(separator: "\n")
    }
}
