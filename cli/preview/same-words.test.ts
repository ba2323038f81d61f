import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseHtmlPage } from "#core/markdown/html-tree.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { anyMarkdown, elementsIn, htmlWords } from "../../test/export-words.ts";
import { renderDocumentPage } from "./pages.ts";
import { createServedImages } from "./served-images.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "sop-preview-"));
  await mkdir(join(root, "sops"));
});
afterAll(() => rm(root, { recursive: true }));

const tagsOf = (html: string) =>
  elementsIn(parseHtmlPage(html)).flatMap(({ tagName }) =>
    /^(meta|script|link|main|article|base|iframe)$/.test(tagName) ? [tagName] : [],
  );

it("shows the words of the screen in the same order, for any text", { timeout: 120_000 }, async () => {
  const preview = {
    root,
    name: "x",
    images: createServedImages(root),
    optionsOf: () => Promise.resolve({ preset: "minimal" as const }),
  };
  const page = async (markdown: string) => {
    await writeFile(join(root, "sops", "a.md"), `---\ntitle: T\n---\n${markdown}\n`);
    return (await renderDocumentPage(preview, "sops/a.md")) ?? "";
  };
  const frame = tagsOf(await page("x"));
  const check = async (hostile: string) => {
    // the program takes a file with this character for binary
    const markdown = hostile.replaceAll("\u0000", "");
    const html = await page(markdown);
    expect(htmlWords(html, "article")).toEqual(htmlWords(renderHtml(`${markdown}\n`)));
    expect(tagsOf(html)).toEqual(frame);
  };
  await fc.assert(fc.asyncProperty(anyMarkdown, check), { numRuns: 30 });
});
