import { expect, it } from "vitest";
import { createReport } from "#core/import/markdown/report.ts";
import { readHtmlFile } from "./html-file.ts";

function read(html: string): { text: string; notes: string[] } {
  const report = createReport("a.html");
  const { text } = readHtmlFile(new TextEncoder().encode(html), report);
  return { text, notes: report.lines.map(({ message }) => message) };
}

it("names what the text shows otherwise than the page", () => {
  const { notes } = read("<ol style='list-style:none'><li>Open</li></ol>");
  expect(notes).toContainEqual(expect.stringMatching(/^list numbers: “1” is missing near “Open/));
});

it("names nothing where the text shows the same", () => {
  const page =
    "<p>Use {{ tool }} at www.x.org <img src=p.png alt=pump title='5 bar'> <del>60</del> 65 °C<br><q>x</q></p><dl><dt>pH<dd>7</dl>";
  expect(read(page).notes).toEqual([]);
});

it("takes the title from the head, not from a drawing", () => {
  expect(read("<svg><title>Icon</title><text>MAX 60</text></svg><p>x</p>").text).toBe("MAX 60\n\nx\n");
});
