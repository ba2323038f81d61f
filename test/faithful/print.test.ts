import { readFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentAsHtmlFile } from "#core/export/html/page.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { documentOf } from "../export-words.ts";
import { hasChromium, launchChromium } from "../journeys/browser.ts";
import { canReadPdfs } from "../pdf-text.ts";
import { browserFaults } from "./pdf.ts";

const word = (at: number) =>
  `q${[...String(at).padStart(3, "0")].map((digit) => "abcdefghik"[Number(digit)]).join("")}`;
const address = (at: number) => `${word(at)}${"mnoprst".repeat(28)}`;

/** Tables with words of up to 200 letters, in 2 to 24 columns, and a wide line of code. */
function wideText(): { markdown: string; words: string[] } {
  const words: string[] = [];
  const say = (text: string) => {
    words.push(text);
    return text;
  };
  let at = 0;
  const next = () => word((at += 1));
  const tables = [2, 5, 8, 12, 24].map((columns) => {
    const row = (long: number) =>
      `| ${Array.from({ length: columns }, (_, column) => say(column === long ? address((at += 1)) : next())).join(" | ")} |`;
    return [row(-1), `|${" --- |".repeat(columns)}`, row(1), row(columns - 1)].join("\n");
  });
  const code = `\`\`\`\n${say(address((at += 1)))} ${say(next())}\n\`\`\``;
  const inList = `1. ${say(next())}\n\n   | ${say(next())} | b |\n   | --- | --- |\n   | \`${say(address((at += 1)))}\` | ${say(next())} |\n`;
  return { markdown: [...tables, code, inList].join("\n\n"), words };
}

describe.skipIf(!canReadPdfs || !hasChromium("print of wide tables"))(
  "a browser prints wide tables within the paper",
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(async () => browser.close());

    const { markdown, words } = wideText();
    const html = renderHtml(markdown);
    const styles = readFileSync(path.resolve(import.meta.dirname, "../../web/reading.css"), "utf8");
    const screen = `<!doctype html><style>@page{margin:15mm}${styles}</style><div class="reading numbered">${html}</div>`;
    const exported = documentAsHtmlFile(documentOf(markdown), { html, image: () => undefined }, () => "").replace(
      /<meta http-equiv[^>]*>/,
      "",
    );

    it.each([
      ["from the screen", screen],
      ["from an exported page", exported],
    ])("%s", async (_, text) => {
      const page = await browser.newPage();
      await page.setContent(text);
      const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
      await page.close();
      expect(browserFaults(pdf, words)).toEqual([]);
    });
  },
);
