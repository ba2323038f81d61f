/**
 * Real documents, imported by `sop import`, opened in a real browser and saved: no byte changes. `npm test` takes a
 * sample, `npm run bench -- web:roundtrip` every document.
 */
import { cpSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { corpusFiles, largeCorpus } from "../corpus.ts";
import { callSop, makeFolder } from "../cli/run-sop.ts";
import { isProof, recordFigure } from "../proof.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { hasChromium, launchChromium } from "./browser.ts";
import type {} from "./editor-page/probe.ts";
import { serveEditorPage, type EditorPage } from "./editor-page/serve.ts";
import { signedIn } from "./signed-in.ts";

const isBuilt = existsSync(path.resolve("dist/web/index.html"));
if (!isBuilt && process.env["CI"] === "true") throw new Error("dist/web is not built (npm run build)");

/** The share of the corpus that is tested, and how many of these go through the whole application. */
const oneIn = isProof ? 1 : 16;
const throughAll = isProof ? 20 : 3;

interface Imported {
  id: string;
  title: string;
  markdown: string;
}

describe.skipIf(!hasChromium("real documents in the editor"))("real documents", () => {
  let server: TestServer;
  let browser: Browser;
  let ann: TestUser;
  let documents: Imported[];
  const complaints: string[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer("sqlite"), launchChromium()]);
    ann = await (await server.company()).user("manager", { name: "Ann Archer" });
    documents = await importCorpus();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** As stored. */
  async function importCorpus(): Promise<Imported[]> {
    const { token } = await ann.client.tokens.create({ body: { name: "import", scopes: ["sops:read", "sops:write"] } });
    const folder = makeFolder();
    for (const { name, path: source } of corpusFiles(".md", { oneIn })) {
      mkdirSync(path.dirname(path.join(folder.path, name)), { recursive: true });
      cpSync(source, path.join(folder.path, name));
    }
    const env = { SOP_SERVER: server.url, SOP_TOKEN: token };
    const ran = await callSop(["import", ".", "--json", "--category", "Safety Protocols"], { cwd: folder.path, env });
    folder.remove();
    // a few are broken on purpose, or equal another one
    if (ran.code === null || ![0, 2, 3].includes(ran.code)) throw new Error(`${ran.code}: ${ran.stdout} ${ran.stderr}`);
    const sops = await server.db.collection("sops").find({ companyId: ann.companyId });
    const documents: Imported[] = [];
    // one after the other: the server refuses hundreds of requests of one user at once
    for (const { _id } of sops) documents.push(await ann.client.sops.get({ params: { id: _id } }));
    return documents;
  }

  function watch(page: Page): Page {
    page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
    return page;
  }

  it("open in the rich editor, and come back to the byte untouched, and after a letter that was taken back", async () => {
    const site: EditorPage = await serveEditorPage();
    const page = watch(await browser.newPage());
    const opened = { rich: 0, source: [] as string[], damaged: [] as string[] };
    const kept = new Map<string, number>();
    try {
      await page.goto(site.url);
      await page.waitForFunction(() => window.editor !== undefined);
      for (const { title, markdown } of documents) {
        const { mode, blocks } = await load(page, markdown);
        if (mode === "rich") opened.rich += 1;
        else opened.source.push(title);
        for (const block of blocks) kept.set(constructOf(block), (kept.get(constructOf(block)) ?? 0) + 1);
        const read = () => page.evaluate(() => window.editor?.read() ?? "");
        const untouched = await read();
        await page.locator('.editor [role="textbox"]').focus();
        await page.keyboard.press("Control+End");
        await page.keyboard.type("x");
        const changed = await read();
        await page.keyboard.press("Backspace");
        if (untouched !== markdown || changed === markdown || (await read()) !== markdown) opened.damaged.push(title);
      }
    } finally {
      await page.close();
      site.close();
    }
    const share = opened.rich / documents.length;
    const constructs = [...kept].toSorted((a, b) => b[1] - a[1]).map(([name, count]) => `${count} ${name}`);
    console.info(
      `${documents.length} imported documents: ${opened.rich} open as rich text, ${opened.source.length} as source ` +
        `(${opened.source.join("; ") || "none"}); kept as source within rich text: ${constructs.join(", ") || "none"}`,
    );
    recordFigure({ name: "round trip: documents opened", value: documents.length, unit: "documents", goal: "all" });
    recordFigure({ name: "round trip: opened as rich text", value: share, unit: "share", goal: ">= 0.8" });
    recordFigure({
      name: "round trip: with a byte changed",
      value: opened.damaged.length,
      unit: "documents",
      goal: "= 0",
    });
    for (const [construct, value] of kept)
      recordFigure({ name: `round trip: kept as source, ${construct}`, value, unit: "times", goal: "shown" });
    expect(opened.damaged).toEqual([]);
    expect(documents.length).toBeGreaterThan(largeCorpus === null ? 8 : isProof ? 350 : 15);
    expect(share).toBeGreaterThanOrEqual(0.8);
  }, 600_000);

  it.skipIf(!isBuilt)(
    "are stored as they were by the whole application, in a version of their own",
    async () => {
      const context = await signedIn(browser, server, ann);
      const page = watch(await context.newPage());
      const every = Math.ceil(documents.length / throughAll);
      const chosen = documents.filter((_, index) => index % every === 0);
      const damaged: string[] = [];
      for (const { id, title, markdown } of chosen) {
        await page.goto(`${server.url}/sop/${id}/edit`);
        const text = page.getByRole("textbox", { name: "Content" });
        await page.locator('.ProseMirror[contenteditable="true"]').waitFor();
        await text.focus();
        await page.keyboard.press("Control+End");
        await page.keyboard.type(" x");
        await page.keyboard.press("Backspace");
        await page.keyboard.press("Backspace");
        await page.getByLabel("Description").fill(`Looked through: ${title}`.slice(0, 200));
        await page.keyboard.press("Control+s");
        await page.getByText("SOP Updated").first().waitFor();
        const stored = await ann.client.sops.get({ params: { id } });
        if (stored.markdown !== markdown || stored.version !== 2) damaged.push(title);
      }
      await context.close();
      recordFigure({
        name: "round trip: through the whole application, with a byte changed",
        value: damaged.length,
        unit: `of ${chosen.length} documents`,
        goal: "= 0",
      });
      expect(damaged).toEqual([]);
    },
    300_000,
  );

  it("without a word in the console", () => expect(complaints).toEqual([]));
});

/**
 * Gives the editor a text. Returns the form in which it opened, and what it keeps as source in rich text (null: within
 * a line).
 */
async function load(page: Page, markdown: string): Promise<{ mode: "rich" | "source"; blocks: (string | null)[] }> {
  return page.evaluate(async (value) => {
    const before = document.querySelector(".editor");
    window.editor?.load(value);
    for (;;) {
      await new Promise(requestAnimationFrame);
      const editor = document.querySelector(".editor");
      if (!editor || editor === before) continue;
      if (editor.querySelector("textarea")) return { mode: "source", blocks: [] };
      if (!editor.querySelector('.ProseMirror[contenteditable="true"]')) continue;
      // an unfaithful text switches to source shortly after
      await new Promise(requestAnimationFrame);
      if (editor.querySelector("textarea")) continue;
      const blocks = [...editor.querySelectorAll(".ProseMirror [data-source]")].map(({ localName, textContent }) =>
        localName === "pre" ? textContent : null,
      );
      return { mode: "rich", blocks };
    }
  }, markdown);
}

/** @param source of a block; null: within a line, where only references stay source */
function constructOf(source: string | null): string {
  if (source === null) return "reference in a line";
  return parseMarkdown(source).children[0]?.type ?? "nothing";
}
