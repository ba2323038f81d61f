import fc from "fast-check";
import { expect, it } from "vitest";
import { stemInLanguage, searchWordsOf } from "./analyse.ts";
import { searchColumnsOf } from "./columns.ts";
import { isEmptyWord } from "./empty-words.ts";

const text = { number: "SOP-0042", title: "Calibrated pumps", description: "Of it", tags: ["Lab"], lang: "en" };

it("keeps words apart by where they stand, as stems, and once each as they are where that differs", () => {
  const markdown =
    'See [the *valves*](https://example.org/secret "hidden") &amp; pumps.\n\n- `wait`<br>ing<!-- x -->\n';
  expect(searchColumnsOf({ ...text, markdown })).toEqual({
    title: "calibr pump sop42",
    description: "of it lab",
    body: "see the valv pump wait ing x",
    words: "calibrated pumps valves",
  });
});

it("finds H2O however it is written, and words beside references of characters", () => {
  const { body } = searchColumnsOf({
    ...text,
    markdown: "H<sub>2</sub>O, H₂O, 10<sup>3</sup>, こ&#x306E;水, 40&nbsp;l",
  });
  expect(body.split(" ").slice(0, 3)).toEqual(["h2o", "h2o", "103"]);
  expect(body).toContain("この");
});

it("stems nothing in another language", () => {
  const { body, words } = searchColumnsOf({ ...text, lang: "de", markdown: "Die Pumpen prüfen" });
  expect([body, words]).toEqual(["die pumpen prufen", ""]);
});

it("has what the analyser finds, each word that means nothing once", () => {
  const parts = fc.constantFrom("The", "valve", "valves'", "’s", " ", "-", "12", "É", "日本語を", "ing", "\n", "of");
  fc.assert(
    fc.property(fc.array(fc.array(parts), { minLength: 3, maxLength: 3 }), (made) => {
      const [title = "", description = "", markdown = ""] = made.map((some) => some.join(""));
      const seen = new Set<string>();
      const expected = [title, description, markdown].map((one) => {
        const kept: string[] = [];
        for (const { text: word } of searchWordsOf(one)) {
          if (!seen.has(word) || !isEmptyWord(word)) kept.push(stemInLanguage(word, "en"));
          seen.add(word);
        }
        return kept.join(" ");
      });
      const columns = searchColumnsOf({ number: "SOP-1", title, description, tags: [], lang: "en", markdown });
      const sorted = (texts: readonly string[]) => texts.map((one) => one.trim().split(" ").toSorted());
      expect(sorted([columns.title, columns.description, columns.body])).toEqual(
        sorted([`${expected[0]} sop1`, ...expected.slice(1)]),
      );
      const inflected = [...seen].filter((word) => stemInLanguage(word, "en") !== word);
      expect(columns.words.split(" ").filter(Boolean).toSorted()).toEqual(inflected.toSorted());
    }),
    { numRuns: 200 },
  );
});
