import assert from "node:assert/strict";
import { testPattern } from "../../src/model/pattern.ts";

const TEXTS = [
  "",
  "a",
  "b",
  "ab",
  "aab",
  "abab",
  "aaa-bbb-ccc",
  "-",
  "a.b",
  "12345",
  "123-4567",
  "a1b2",
  " a ",
  "a\nb",
  "é🙂",
  "🙂",
  "{",
  "a{2}",
  "aaaaaaaaaa",
  "foo bar",
];

const PATTERNS = [
  "",
  "a",
  "^a$",
  "^(a|b)+$",
  "^(?:ab)*$",
  "^[a-z]+(-[a-z]+)*$",
  "^(\\d{3}-)?\\d{4}$",
  "^(a+)+$",
  "^(a?){5}a{5}$",
  "a{2,3}",
  "^a{2,}b?$",
  "^(?<first>a|ab)(c|bab)?$",
  "\\bbar\\b",
  "\\Bb",
  "^.$",
  "^..$",
  "^[^\\d\\s]+$",
  "^\\p{L}",
  "\\u{1F642}",
  "^(|a)+b|c$",
  "(a*)*b",
  "^((a|b)|(ab|-))*$",
  "^\\w+?$",
  "[\\w\\-.]+\\.",
  "^(?=a).+$",
  "(a)\\1",
  "^[\\w-.]+$",
  "^\\-",
  "a{2",
  "^(a{2}){2}$|^b$",
  "x|y|a$",
];

for (const pattern of PATTERNS) {
  Deno.test(`testPattern() agrees with the engine on ${JSON.stringify(pattern)}`, () => {
    const expression = (() => {
      try {
        return new RegExp(pattern, "u");
      } catch {
        return new RegExp(pattern);
      }
    })();
    for (const text of TEXTS) {
      assert.equal(testPattern(pattern, text), expression.test(text), JSON.stringify(text));
    }
  });
}

Deno.test("testPattern() checks patterns that would keep a backtracking engine busy for ever", () => {
  const long = "a".repeat(5_000);
  for (const pattern of ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^(.*a){12}$", "(x+x+)+y"]) {
    assert.equal(testPattern(pattern, `${long}!`), false, pattern);
  }
  assert.equal(testPattern("^(a+)+$", long), true);
});

Deno.test("testPattern() says where it cannot tell", () => {
  assert.equal(testPattern("(", "a"), undefined);
  assert.equal(testPattern("(?=(a+)+$)x", "a".repeat(100)), undefined);
  assert.equal(testPattern("^((a{1000}){1000}){1000}$", "a"), undefined);
  const depth = 60;
  assert.equal(testPattern("(".repeat(depth) + "a)?".repeat(depth), "a"), undefined);
  assert.equal(testPattern("(".repeat(depth) + "){1}".repeat(depth), "a"), undefined);
});

Deno.test("testPattern() survives what is nested or divided without end", () => {
  for (const count of [400, 5_000, 20_000]) {
    assert.notEqual(testPattern("(".repeat(count) + "a" + ")".repeat(count), "a"), false);
    assert.notEqual(testPattern("(?:".repeat(count) + "a" + ")?".repeat(count), "a"), false);
    assert.notEqual(testPattern("b|".repeat(count) + "a", "a"), false);
  }
  assert.equal(testPattern("b|".repeat(2_000) + "a", "a"), true);
  assert.equal(testPattern("b|".repeat(2_000) + "a", "c"), false);
});
