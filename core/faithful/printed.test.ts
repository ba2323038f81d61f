import { expect, it } from "vitest";
import type { ExportBlock } from "#core/export/blocks.ts";
import { readExportBlocks } from "#core/export/read-blocks.ts";
import { blocksForTypesetting } from "#core/export/settable.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { printWarnings } from "./printed.ts";

const text = `# Heat

1. **Stop** it at 80\\
   85 °C, H<sub>2</sub>O, 10<sup>3</sup>, ~~never~~.[^1]

   - [x] Sign
   - [ ] Log

   > [!WARNING]
   > Hot!

7) Seven ![pump](/api/assets/${"a".repeat(64)}.png "Turn")

| A | B |
| --- | --- |
| \`x  y\` | [b](https://example.org) |
| only |

<details><summary>More</summary>

\`\`\`sh
a  b
\`\`\`

</details>

<table><tr><th rowspan="2">Task<th colspan="2">Shift<tr><th>Day<th>Night<tr><td>n1<td>ann<td>cy</table>

[^1]: A note.
`;

it("finds nothing where blocks say what the view says", () => {
  const html = renderHtml(text);
  expect(printWarnings(html, readExportBlocks(html))).toEqual([]);
});

it("names each block that the paper lacks, by kind", () => {
  const html = renderHtml(text);
  const blocks = readExportBlocks(html);
  for (const at of blocks.keys()) {
    const without = blocks.filter((_, index) => index !== at);
    expect(printWarnings(html, without).join("\n"), blocks[at]?.type).toContain("is missing");
  }
});

it.each([
  "[a missing image](/api/assets/none.png)",
  "[another SOP](/sop/SOP-0007)",
  "![lost](logo.png)",
  "[a missing heading](#none)",
])("expects no link on paper that paper can't hold: %s", (markdown) => {
  const html = renderHtml(`${markdown} and more.`);
  expect(printWarnings(html, blocksForTypesetting(readExportBlocks(html)))).toEqual([]);
});

it.each(["[the web](https://example.org)", "[a heading](#heat)", "[mail](mailto:a@example.org)"])(
  "names a link that paper could hold: %s",
  (markdown) => {
    const html = renderHtml(`## Heat\n\n${markdown}`);
    const plain = readExportBlocks(html.replaceAll(/<\/?a\b[^>]*>/g, ""));
    expect(printWarnings(html, plain).join()).toContain("links: ");
  },
);

it("names another number of a note", () => {
  const html = renderHtml("a[^1] b[^1]\n\n[^1]: Note.\n");
  const other = JSON.parse(
    JSON.stringify(readExportBlocks(html)).replace('again","number":1', 'again","number":2'),
  ) as ExportBlock[];
  expect(printWarnings(html, readExportBlocks(html))).toEqual([]);
  expect(printWarnings(html, other).join()).toContain("“b^1” became “b^2”");
});
