import { expect, it } from "vitest";
import { columnsOf } from "./columns.ts";

const text = { number: "SOP-0042", title: "Calibrated pumps", description: "Of it", tags: ["Lab"], lang: "en" };

it("keeps words apart by where they stand, as stems, and once each as they are where that differs", () => {
  const markdown =
    'See [the *valves*](https://example.org/secret "hidden") &amp; pumps.\n\n- `wait`<br>ing<!-- x -->\n';
  expect(columnsOf({ ...text, markdown })).toEqual({
    title: "calibr pump sop42",
    description: "of it lab",
    body: "see the valv pump wait ing x",
    words: "calibrated pumps valves",
  });
});

it("stems nothing in another language", () => {
  const { body, words } = columnsOf({ ...text, lang: "de", markdown: "Die Pumpen prüfen" });
  expect([body, words]).toEqual(["die pumpen prufen", ""]);
});
