import { describe, expect, it } from "vitest";
import { parseHtml } from "#core/markdown/html-tree.ts";
import { bodyOfHtml, changesFromHtml } from "./content.ts";
import { readingOfHtml } from "../../markdown/html/reading.ts";

const notes = (content: string) => bodyOfHtml({ content, title: "" }).notes.map(({ message }) => message);

describe("HTML that is stored", () => {
  it.each([
    "<b><p>Step one.</p><ol><li>x</li></ol><p>Last.</p></b>",
    "<h2>Set <div>80</div> °C</h2>",
    "<table><tr><th rowspan=2>Task<th colspan=2>Shift<tr><td>Day<td>Night</table>",
    "<ol><li value=4>Fourth</li><li>Fifth</li></ol>",
    "<p><input type=checkbox checked> Yes <input type=checkbox> No</p>",
    "<p style='color:red'>Stop <s>not</s> here</p>",
  ])("has no note where a reader sees the same: %s", (content) => {
    expect(notes(content).filter((note) => !/^style|^a table without a header/.test(note))).toEqual([]);
  });

  it("is compared with the HTML as it came, too: a cleaning that loses a word is found", () => {
    const page = parseHtml("<p>open it</p>");
    const converted = { markdown: "", losses: [], source: readingOfHtml(parseHtml("<p>Never open it</p>")), page };
    expect(changesFromHtml(converted, page, "")).toEqual([{ kind: "words", near: "", before: "Never", after: "" }]);
  });
});

it("names an image that views show as a link, and nothing else about it", () => {
  expect(notes('<p>Open <img src="img/valve.png" alt="valve" title="5 bar"> now</p>')).toEqual([
    "an image that isn't stored here is shown as a link: img/valve.png",
  ]);
});

it("says nothing about a stored image with a caption", () => {
  expect(notes(`<p><img src="/api/assets/${"a".repeat(64)}.png" alt="valve" title="5 bar"></p>`)).toEqual([]);
});
