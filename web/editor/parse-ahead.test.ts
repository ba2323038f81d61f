import { expect, it, vi } from "vitest";
import * as parse from "#core/markdown/parse.ts";
import { parseAhead, takeParsedTree } from "./parse-ahead.ts";

const text = `# One\n\n${"Close the valve. ".repeat(200)}\n\n## Two\n\n${"Open it. ".repeat(300)}\n`;

it("a text that was read ahead is not read once more, and given once", async () => {
  await parseAhead(text);
  const spy = vi.spyOn(parse, "parseMarkdown");
  const root = takeParsedTree(text);
  expect(spy).not.toHaveBeenCalled();
  spy.mockRestore();
  expect(root).toEqual(parse.parseMarkdown(text));
  expect(takeParsedTree(text)).not.toBe(root);
  expect(takeParsedTree(text)).toEqual(root);
});

it("a text that is empty is one as any", async () => {
  await parseAhead("");
  expect(takeParsedTree("")).toEqual(parse.parseMarkdown(""));
  expect(takeParsedTree("")).toEqual(parse.parseMarkdown(""));
});

it("one that was given up does not stop the next", async () => {
  const given = parseAhead("One.\n");
  const next = parseAhead(text);
  await Promise.all([given, next]);
  const spy = vi.spyOn(parse, "parseMarkdown");
  expect(takeParsedTree(text).children.length).toBeGreaterThan(3);
  expect(spy).not.toHaveBeenCalled();
  spy.mockRestore();
});

it("another text is never taken for it, and the latest asked for is kept", async () => {
  const first = parseAhead(text);
  await Promise.all([first, parseAhead("Other.\n")]);
  expect(takeParsedTree(`${text}More.\n`)).toEqual(parse.parseMarkdown(`${text}More.\n`));
  await parseAhead("Other.\n");
  expect(takeParsedTree("Other.\n")).toEqual(parse.parseMarkdown("Other.\n"));
});
