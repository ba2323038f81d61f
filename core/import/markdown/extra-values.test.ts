/** Values of unknown keys: a text stays a text, and an exported file comes back byte for byte. */
import fc from "fast-check";
import { stringify } from "yaml";
import { expect, it } from "vitest";
import { fileTextOf } from "#core/markdown/front-matter.ts";
import { readMarkdownDocument } from "./markdown-file.ts";

/** Texts that YAML or TOML would read as another value without their quotes. */
const likeNumbers = "01 1 1e3 1.10 1.0 -0 +1 .5 0x1F 0o7 1_000 1,000 12:30 9007199254740993 .inf .nan NaN Infinity";
const likeWords = "true True yes on null Null ~ 2024-01-01 2001-12-14t21:59:43.10-05:00";
const likeMarks = "- [1] {a: 1} #1 &a *a !!int \"1\" '1' | >";
const text = fc.constantFrom(...`${likeNumbers} ${likeWords} ${likeMarks}`.split(" "), "a: b", "- x", "!!int 3");
const other = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
const { nested } = fc.letrec<{ nested: unknown }>((tie) => ({
  nested: fc.oneof(
    { maxDepth: 3, depthIdentifier: "value" },
    text,
    other,
    fc.constant(null),
    fc.array(tie("nested"), { maxLength: 3, depthIdentifier: "value" }),
    fc.dictionary(fc.constantFrom("a", "01", "true", "null"), tie("nested"), { maxKeys: 3, depthIdentifier: "value" }),
  ),
}));
const texts = fc.array(text, { minLength: 1, maxLength: 4 });

const read = (file: string) => readMarkdownDocument({ path: "a.md", text: file });
const written = (file: string) => {
  const { frontMatter, body } = read(file);
  return fileTextOf(frontMatter, body);
};

const headers = {
  "YAML in blocks": (values: object) => `---\ntitle: T\n${stringify(values, { version: "1.2" })}---\n`,
  "YAML in one line": (values: object) => `---\ntitle: T\n${lines(values, ":")}---\n`,
  TOML: (values: object) => `+++\ntitle = "T"\n${lines(values, " =")}+++\n`,
};
const lines = (values: object, sign: string) =>
  Object.entries(values)
    .map(([key, value]) => `${key}${sign} ${JSON.stringify(value)}\n`)
    .join("");

it.each(Object.entries(headers))("texts stay texts, alone and in lists: %s", (_, header) => {
  fc.assert(
    fc.property(text, texts, (one, list) => {
      const file = `${header({ "x-one": one, "x-list": list, "x-level": 7 })}\nText.\n`;
      const stored = written(file);
      for (const { frontMatter } of [read(file), read(stored)])
        expect(frontMatter).toMatchObject({ "x-one": one, "x-list": list, "x-level": 7 });
    }),
  );
});

it("any value comes back byte for byte", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("x-a", "x-b", "audience"), nested, { minKeys: 1 }), (values) => {
      const stored = written(`${headers["YAML in blocks"](values)}\nText.\n`);
      expect(written(stored)).toBe(stored);
    }),
  );
});
