"""The local Firebase over bare HTTP: what curl sees where no client library sends such a thing."""

import json
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from curl_case import ANY, OWNER, WithCurl  # noqa: E402

ETAG = "X-Firebase-ETag: true"
RULES = {"rules": {"open": {".read": True, ".write": True, ".indexOn": ["n", "m/o"]}, "shut": {}}}


class Requests(WithCurl):
    def test_methods_can_be_overridden(self):
        self.told(
            ("POST /a.json", '{"b":1,"c":2}', 200, {"b": 1, "c": 2}, "X-HTTP-Method-Override: PUT"),
            ("POST /a.json", '{"b":null,"d/e":3}', 200, {"b": None, "d/e": 3}, "X-HTTP-Method-Override: PATCH"),
            ("POST /a.json?x-http-method-override=GET", None, 200, {"c": 2, "d": {"e": 3}}),
            ("POST /a.json?x-http-method-override=patch", '{"f":1}', 200, {"f": 1}),
            ("POST /a.json?x-http-method-override=DELETE", None, 200, None),
            ("GET /a.json", None, 200, None),
            ("POST /a.json", "1", 405, ANY, "X-HTTP-Method-Override: BREW"),
        )

    def test_print_changes_how_an_answer_looks(self):
        self.told(
            ("PUT /a.json?print=pretty", '{"b":[1,{"c":"d"}]}', 200, re.compile(r'\{\n +"b" : \[\n +1,\n')),
            ("GET /a.json?print=pretty", None, 200, {"b": [1, {"c": "d"}]}),
            ("GET /a.json?print=silent", None, 204, ""),
            ("PUT /a.json?print=silent", "1", 204, ""),
            ("PATCH /a.json?print=silent", '{"b":2}', 204, ""),
            ("POST /l.json?print=silent", "1", 204, ""),
            ("GET /a.json?print=loud", None, 400, ANY),
            ("PUT /a.json?print=silent", "{", 400, ANY),
        )
        self.assertEqual(len(self.curl("GET", "/l.json").value), 1)

    def test_conditions_decide(self):
        first = self.curl("PUT", "/a.json", '{"n":1}', ETAG).head["etag"]
        self.told(
            ("PUT /a.json", "2", 412, {"n": 1}, "if-match: null_etag"),
            ("DELETE /a.json", None, 412, {"n": 1}, "if-match: other"),
            ("GET /a.json", None, 304, "", f"if-none-match: {first}"),
            ("GET /a.json", None, 200, {"n": 1}, "if-none-match: null_etag"),
            ("PUT /a.json", "2", 200, 2, f"if-match: {first}"),
            ("PUT /a.json", "3", 412, 2, f"if-match: {first}"),
            ("PUT /b.json", "1", 200, 1, "if-match: null_etag"),
            ("DELETE /none.json", None, 412, None, f"if-match: {first}"),
        )
        second = self.curl("GET", "/a.json", None, ETAG).head["etag"]
        lost = self.curl("PUT", "/a.json", "3", f"if-match: {first}")
        self.assertEqual((lost.status, lost.head["etag"], lost.value), (412, second, 2))
        self.assertNotIn("etag", self.curl("PUT", "/a.json", "2", f"if-match: {second}").head)
        gone = self.curl("DELETE", "/a.json", None, f"if-match: {second}", ETAG)
        self.assertEqual((gone.status, gone.head["etag"], gone.body), (200, "null_etag", "null"))
        self.assertEqual(self.curl("GET", "/a.json", None, ETAG).head["etag"], "null_etag")
        self.assertIn("etag", self.curl("POST", "/l.json", "1", ETAG).head)

    def test_conditions_that_can_not_be_are_refused(self):
        self.told(
            ("GET /a.json", None, 400, ANY, "if-match: null_etag"),
            ("PATCH /a.json", '{"b":1}', 400, ANY, "if-match: null_etag"),
            ("PATCH /a.json", '{"b":1}', 400, ANY, ETAG),
            ("POST /a.json", "1", 400, ANY, "if-match: null_etag"),
            ("PUT /a.json?print=silent", "1", 400, ANY, "if-match: null_etag"),
            ("GET /.json", None, 200, None),
        )

    def test_what_is_not_understood_is_refused(self):
        deep = "/".join("k" * 33)
        self.told(
            *((f"GET /a.json?{query}", None, 400, ANY) for query in (
                "cachebuster=1", "print=", "shallow=maybe", "timeout=16min", "timeout=0s", "timeout=x",
                "shallow=true&format=export", "shallow=true&orderBy=%22$key%22&limitToFirst=1",
                "orderBy=n&limitToFirst=1", "limitToFirst=1",
                "orderBy=%22n%22&limitToFirst=1&limitToLast=1", "orderBy=%22$key%22&startAt=1", "orderBy=%22n%22&startAt={}",
                "orderBy=%22n%22&limitToFirst=-1", "orderBy=%22n%22&limitToFirst=x", "orderBy=%22n%22&orderBy=%22m%22",
            )),
            *(("PUT /a.json", body, 400, ANY) for body in (
                "", "{", "nul", "{'a':1}", '{"a":1}}', '{"a":1,}', "[1,]", "01", "NaN", '"\t"', '"\\ud800"',
                '{"a.b":1}', '{"":1}', '{"a/b":1}', '{"$a":1}', '{"a#":1}', '{"a[0]":1}', '{"a\\u0007":1}', '{"a\\u007f":1}',
                json.dumps({"k" * 769: 1}), '{"a":{".sv":"now"}}', '{"a":{".sv":{"increment":"1"}}}',
                '{"a":' * 32 + "1" + "}" * 32,
            )),
            *(("PATCH /a.json", body, 400, ANY) for body in (
                "[1]", "1", '"a"', '{"b":1,"b/c":2}', '{"b/c":1,"b":null}', '{"/b":1,"b":2}', '{"":1}', '{"b.c":1}',
                '{"b":{"c.d":1}}',
            )),
            ("PUT /a$b.json", "1", 400, ANY), ("PUT /a%2Fb.json", "1", 400, ANY), ("PUT /a%00.json", "1", 400, ANY),
            ("PUT /a%zz.json", "1", 400, ANY), ("PUT /%ff.json", "1", 400, ANY), (f"PUT /{deep}.json", "1", 400, ANY),
            (f"PUT /{'k' * 769}.json", "1", 400, ANY), ("PUT /a.json?orderBy=%22$key%22", "1", 400, ANY),
            ("GET /a", None, 404, ANY),
            ("GET /.json", None, 200, None),
        )

    def test_the_largest_that_is_allowed_is_stored(self):
        deep = "/".join("k" * 32)
        self.told(
            (f"PUT /{deep}.json", "1", 200, 1), (f"GET /{deep}.json", None, 200, 1),
            (f"PUT /{'k' * 768}.json", "2", 200, 2), ("PUT /a.json", '{"a":' * 31 + "1" + "}" * 31, 200, ANY),
            ("GET /a.json?timeout=15min", None, 200, ANY), ("DELETE /.json", None, 200, None),
        )

    def test_server_values_and_arrays(self):
        self.told(
            ("PUT /n.json", '{".sv":{"increment":2}}', 200, 2),
            ("PATCH /.json", '{"n":{".sv":{"increment":0.5}},"t":{".sv":"timestamp"}}', 200, ANY),
            ("GET /n.json", None, 200, 2.5),
            ("GET /t.json", None, 200, re.compile(r"^\d{13}$")),
            ("PUT /max.json", "9223372036854775807", 200, "9223372036854775807"),
            ("PUT /max.json", '{".sv":{"increment":1}}', 200, 9.223372036854775807e18),
            ("PUT /a.json", '["x",null,"y"]', 200, ["x", None, "y"]),
            ("PUT /a/9.json", '"z"', 200, '"z"'),
            ("GET /a.json", None, 200, {"0": "x", "2": "y", "9": "z"}),
            ("DELETE /a/9.json", None, 200, None),
            ("GET /a.json", None, 200, ["x", None, "y"]),
            ("GET /a/2.json", None, 200, '"y"'),
            ("PUT /e.json", '{"a":null,"b":{},"c":[],"d":[null,{}]}', 200, None),
            ("GET /e.json", None, 200, None),
        )

    def test_databases_are_apart(self):
        self.told(
            ("PUT /a.json?ns=one", "1", 401, ANY), ("PUT /a.json?ns=one", "1", 200, 1, OWNER),
            ("PUT /a.json?ns=two", "2", 200, 2, OWNER), ("GET /a.json?ns=one", None, 200, 1),
            ("GET /a.json?ns=two", None, 200, 2), ("GET /a.json", None, 200, None),
        )

    def test_every_way_to_send_a_body(self):
        large = json.dumps({"text": "é" * 300_000})
        for name, headers in (
            ("chunked", ("Transfer-Encoding: chunked",)), ("asked before", ("Expect: 100-continue",)),
            ("form", ("Content-Type: application/x-www-form-urlencoded",)),
        ):
            with self.subTest(name):
                self.assertEqual(self.curl("PUT", "/a.json?print=silent", large, *headers).status, 204)
                self.assertEqual(self.curl("GET", "/a.json").value, json.loads(large))
                self.curl("DELETE", "/a.json")

    def test_answers_have_the_heads_that_clients_look_at(self):
        self.curl("PUT", "/a.json", '{"b":1}')
        plain = self.curl("GET", "/a.json")
        self.assertEqual(plain.head["content-type"], "application/json; charset=utf-8")
        self.assertEqual(plain.head["cache-control"], "no-cache")
        self.assertIn("filename", self.curl("GET", "/a.json?download=copy.json").head["content-disposition"])


class Rules(WithCurl):
    def test_a_query_without_index_is_refused_in_the_words_of_the_service(self):
        self.assertEqual(self.put_rules(json.dumps(RULES)).status, 200)

        def missing(name):
            return {"error": f'Index not defined, add ".indexOn": "{name}", for path "/open", to the rules'}

        self.told(
            ("PUT /open.json", '{"a":{"n":1,"x":2,"m":{"o":3}}}', 200, ANY),
            ("GET /open.json?orderBy=%22n%22&equalTo=1", None, 200, {"a": {"n": 1, "x": 2, "m": {"o": 3}}}),
            ("GET /open.json?orderBy=%22m/o%22&equalTo=4", None, 200, {}),
            ("GET /open.json?orderBy=%22$key%22&limitToFirst=1&shallow=false", None, 200, ANY),
            ("GET /open.json?orderBy=%22x%22&equalTo=1", None, 400, missing("x")),
            ("GET /open.json?orderBy=%22$value%22&equalTo=1", None, 400, missing(".value")),
            ("GET /open.json?orderBy=%22x%22&equalTo=1", None, 400, missing("x"), "Accept: text/event-stream"),
        )

    def test_rules_bind_whoever_is_not_the_owner(self):
        self.assertEqual(self.put_rules(json.dumps(RULES)).status, 200)
        denied = {"error": "Permission denied"}
        self.told(
            ("PUT /shut.json", "1", 401, denied), ("GET /shut.json", None, 401, denied), ("GET /.json", None, 401, denied),
            ("PATCH /.json", '{"open/a":1,"shut/a":1}', 401, denied), ("GET /open.json", None, 200, None),
            ("GET /shut.json", None, 401, denied, "Accept: text/event-stream"),
            ("PUT /shut.json", "1", 200, 1, OWNER), ("GET /.json", None, 200, {"shut": 1}, OWNER),
            ("GET /.json?auth_variable_override=null", None, 401, denied, OWNER),
        )

    def test_rules_with_a_fault_are_refused_with_its_place(self):
        faulty = '{\n  "rules": {\n    ".read": "auth !! null"\n  }\n}'
        refused = self.put_rules(faulty)
        self.assertEqual(refused.status, 400)
        self.assertRegex(refused.value["error"], r"\b3\b")
        for text in ("", "{", "[]", '{"rulez":{}}', '{"rules":{".read":1}}', '{"rules":{".write":"nonsense("}}'):
            with self.subTest(text):
                self.assertEqual(self.put_rules(text).status, 400)
        self.assertEqual(self.curl("PUT", "/still/open.json", "1").status, 200)
        self.assertEqual(self.put_rules(json.dumps(RULES), "?ns=other").status, 200)
        self.assertEqual(self.curl("GET", "/.settings/rules.json?ns=other", None, OWNER).value, RULES)


if __name__ == "__main__":
    unittest.main()
