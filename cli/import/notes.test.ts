import { expect, it } from "vitest";
import { notesText } from "./notes.ts";

it("prints each note on a text of another SOP, and 20 others", () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({
    path: `${at}.md`,
    notes: [
      { code: "owner-unknown", message: "No such owner" },
      { code: "same-text", message: `It has the text of SOP-${at}` },
    ],
  }));
  const { lines, hidden } = notesText(rows, false);
  const shown = lines.split("\n");
  expect(shown.filter((line) => line.includes("It has the text of"))).toHaveLength(30);
  expect(shown.filter((line) => line.includes("No such owner"))).toHaveLength(20);
  expect([shown.at(-2), hidden]).toEqual(["… and 10 more such notes", ""]);
});
