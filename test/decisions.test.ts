/** All decisions have the same shape, so that readers find what was chosen, what was not, and the consequences. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { longerThan, sentencesOf } from "./sentences.ts";

const folder = path.join(import.meta.dirname, "../docs/decisions");
const decisions = globSync("0*.md", { cwd: folder }).toSorted();
const parts = ["Status", "Decision", "Alternatives", "Consequences"];

function faultsOf(name: string, text: string): string[] {
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
  const places = parts.map((part) => headings.indexOf(part)).filter((place) => place !== -1);
  const number = name.slice(0, 4);
  return [
    ...(text.startsWith(`# ${number} `) ? [] : [`the title doesn't begin with "# ${number} "`]),
    ...parts.filter((part) => !headings.includes(part)).map((part) => `no heading "${part}"`),
    ...(places.join() === places.toSorted((a, b) => a - b).join() ? [] : ["the headings are in another order"]),
    ...longerThan(25, sentencesOf(text)).map((sentence) => `longer than 25 words: ${sentence}`),
  ];
}

describe("decisions", () => {
  test.each(decisions)("%s has a status, a decision, alternatives, consequences and no long sentence", (name) => {
    expect(faultsOf(name, readFileSync(path.join(folder, name), "utf8"))).toEqual([]);
  });

  test("are numbered once", () => {
    expect(decisions.length).toBeGreaterThan(20);
    const numbers = decisions.map((name) => name.slice(0, 4));
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
  });

  test("are found by the former numbers that the README lists, each once", () => {
    const page = readFileSync(path.join(folder, "README.md"), "utf8");
    const rows = [...page.matchAll(/^\| \[(\d{4} .+)\]\((.+)\) \| (.+) \|$/gm)];
    expect(rows.length).toBe(page.match(/^\| \[/gm)?.length);
    for (const [, title = "", file = ""] of rows)
      expect(readFileSync(path.join(folder, file), "utf8").split("\n")[0]).toBe(`# ${title}`);
    const former = rows.flatMap(([, , , numbers = ""]) => numbers.split(", "));
    expect(former.length).toBeGreaterThan(50);
    const all = [...former, ...decisions.map((name) => name.slice(0, 4))];
    expect(all.filter((number, at) => all.indexOf(number) !== at)).toEqual([]);
  });
});

test("a decision without alternatives, or with a long sentence, is found", () => {
  const sound =
    "# 0001 Title\n\n## Status\n\nAccepted.\n\n## Decision\n\nOne.\n\n## Alternatives\n\nTwo.\n\n## Consequences\n\nThree.\n";
  expect(faultsOf("0001-title.md", sound)).toEqual([]);
  expect(faultsOf("0001-title.md", sound.replace("## Alternatives", "## Others"))).toEqual([
    'no heading "Alternatives"',
  ]);
  expect(faultsOf("0002-title.md", sound)).toEqual([`the title doesn't begin with "# 0002 "`]);
  expect(faultsOf("0001-title.md", sound.replace("One.", `${"word ".repeat(26)}end.`))).toHaveLength(1);
});
