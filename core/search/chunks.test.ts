import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { formatMarkdown } from "#core/markdown/format.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { corpusFiles } from "../../test/corpus.ts";
import { searchChunksOf } from "./chunks.ts";

it("reads steps with their numbers under their headings", () => {
  const text = `Before *all*.

## Do [it](x)

1. **Press** \`Stop\`.
   Wait.

   > [!WARNING]
   > Hot!
   - inner
2. Open.

- Bullet
  goes on

## Do it

| A | B |
| --- | --- |
| c | \\*d |

\`\`\`
# not a heading
\`\`\`
`;
  const [one, two] = ["user-content-do-it", "user-content-do-it-1"];
  expect(searchChunksOf(text)).toEqual([
    { anchor: null, heading: null, step: null, text: "Before all." },
    { anchor: one, heading: "Do it", step: null, text: "" },
    { anchor: one, heading: "Do it", step: "1", text: "Press Stop. Wait. Hot! inner" },
    { anchor: one, heading: "Do it", step: "2", text: "Open." },
    { anchor: one, heading: "Do it", step: null, text: "Bullet goes on" },
    { anchor: two, heading: "Do it", step: null, text: "" },
    { anchor: two, heading: "Do it", step: null, text: "A B" },
    { anchor: two, heading: "Do it", step: null, text: "c *d" },
    { anchor: two, heading: "Do it", step: null, text: "# not a heading" },
  ]);
});

it.each([
  ["Torque 12 Nm<br>Paint mark", "Torque 12 Nm Paint mark"],
  ["Set 80\\\n85 °C", "Set 80 85 °C"],
  ["| Oil<br>Water | 40 l<br>60 °C |\n| --- | --- |", "Oil Water 40 l 60 °C"],
  ["こ&#x306E;**「重要」**&#x3092;読む", "この「重要」を読む"],
  [
    'see [this *one*](/sop/1 "T") and <https://e.org> ![pump](/a.png) H<sub>2</sub>O',
    "see this one and https://e.org pump H2O",
  ],
])("%j shows %j", (markdown, text) => expect(searchChunksOf(markdown)[0]?.text).toBe(text));

const root = path.resolve(import.meta.dirname, "../..");

it("names the headings of our library and of the corpus as the page does", () => {
  const files = globSync("templates/{sops,demo/sops}/*.md", { cwd: root }).map((file) => path.join(root, file));
  files.push(
    ...corpusFiles(".md", { oneIn: 200 }).flatMap((file) => (/broken|laboratory/.test(file.name) ? [] : [file.path])),
  );
  let [headings, named] = [0, 0];
  for (const file of files) {
    const body = formatMarkdown(readMarkdownFile(readFileSync(file, "utf8")).body);
    const ids = [...renderHtml(body).matchAll(/<h[1-6] id="([^"]+)"/g)].map(([, id]) => id);
    const anchors = new Set(searchChunksOf(body).map(({ anchor }) => anchor));
    headings += ids.length;
    named += ids.filter((id = "") => anchors.has(id)).length;
    if (file.includes("/templates/")) expect([file, ids.filter((id = "") => !anchors.has(id))]).toEqual([file, []]);
  }
  expect(headings).toBeGreaterThan(100);
  expect(named / headings).toBeGreaterThan(0.98);
});
