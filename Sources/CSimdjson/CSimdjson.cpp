#include "CSimdjson.h"

#include <memory>
#include <vector>

// The single-file release of simdjson, which scripts/setup takes from the distribution's source package. Compiled in,
// because distributions ship only a shared library, and each under another name.
#if !__has_include("simdjson/simdjson.cpp")
#error "the source of simdjson is missing: run scripts/setup"
#endif
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-literal-operator"
#include "simdjson/simdjson.cpp"
#pragma clang diagnostic pop

namespace {

constexpr size_t kMaxKept = 1 << 20;
constexpr size_t kDepth = 64;

struct Workspace {
    std::unique_ptr<simdjson::dom::parser> parser;
    std::vector<csimdjson_token> tokens;
};

thread_local Workspace workspace;

void flatten(simdjson::dom::element element, std::vector<csimdjson_token> &out) {
    csimdjson_token token{};
    switch (element.type()) {
    case simdjson::dom::element_type::NULL_VALUE: token.kind = CSIMDJSON_NULL; break;
    case simdjson::dom::element_type::BOOL:
        token.kind = bool(element) ? CSIMDJSON_TRUE : CSIMDJSON_FALSE;
        break;
    case simdjson::dom::element_type::INT64:
        token.kind = CSIMDJSON_INTEGER;
        token.value.integer = int64_t(element);
        break;
    case simdjson::dom::element_type::UINT64:
        token.kind = CSIMDJSON_DOUBLE;
        token.value.number = double(uint64_t(element));
        break;
    case simdjson::dom::element_type::DOUBLE:
        token.kind = CSIMDJSON_DOUBLE;
        token.value.number = double(element);
        break;
    case simdjson::dom::element_type::STRING: {
        std::string_view text = element;
        token.kind = CSIMDJSON_STRING;
        token.length = uint32_t(text.size());
        token.value.text = text.data();
        break;
    }
    case simdjson::dom::element_type::ARRAY: {
        token.kind = CSIMDJSON_ARRAY;
        size_t place = out.size();
        out.push_back(token);
        uint32_t length = 0;
        for (auto child : simdjson::dom::array(element)) {
            flatten(child, out);
            length++;
        }
        out[place].length = length;
        return;
    }
    case simdjson::dom::element_type::OBJECT: {
        token.kind = CSIMDJSON_OBJECT;
        size_t place = out.size();
        out.push_back(token);
        uint32_t length = 0;
        for (auto field : simdjson::dom::object(element)) {
            csimdjson_token key{};
            key.kind = CSIMDJSON_STRING;
            key.length = uint32_t(field.key.size());
            key.value.text = field.key.data();
            out.push_back(key);
            flatten(field.value, out);
            length++;
        }
        out[place].length = length;
        return;
    }
    }
    out.push_back(token);
}

}  // namespace

csimdjson_document csimdjson_parse(const uint8_t *bytes, size_t length) {
    csimdjson_document document{nullptr, 0, nullptr};
    try {
        if (!workspace.parser) {
            workspace.parser = std::make_unique<simdjson::dom::parser>();
        }
        if (workspace.parser->capacity() < length) {
            if (auto error = workspace.parser->allocate(length, kDepth)) {
                document.error = simdjson::error_message(error);
                return document;
            }
        }
        workspace.tokens.clear();
        simdjson::dom::element root;
        auto error = workspace.parser->parse(bytes, length, true).get(root);
        if (error) {
            document.error = simdjson::error_message(error);
            return document;
        }
        flatten(root, workspace.tokens);
        document.tokens = workspace.tokens.data();
        document.count = workspace.tokens.size();
    } catch (const std::exception &) {
        document.error = "not enough memory for this text";
    }
    return document;
}

void csimdjson_done(void) {
    if (workspace.parser && workspace.parser->capacity() > kMaxKept) {
        workspace.parser.reset();
        std::vector<csimdjson_token>().swap(workspace.tokens);
    }
}
