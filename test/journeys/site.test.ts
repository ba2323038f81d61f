/** An exported site in a real browser: from a disk, and from a folder on a server. */
import { createServer, type Server } from "node:http";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFolder, runSop, type Folder } from "../cli/run-sop.ts";
import { hasChromium, launchChromium } from "./browser.ts";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

describe.skipIf(!hasChromium("an exported site"))("an exported site", () => {
  let folder: Folder;
  let browser: Browser;
  let server: Server;

  beforeAll(async () => {
    const files = Array.from({ length: 24 }, (_, index): [string, string] => [
      `docs/${index % 2 ? "safety" : "office"}/doc-${index}.md`,
      `---\nsop: SOP-${String(index).padStart(4, "0")}\ntitle: Number ${index}\ndescription: About ${index}\n---\n## Steps\n\nTurn the ${index === 7 ? "Förderschnecke" : "switch"}. See [next](doc-${index + 2}.md).\n\n![dot](dot.png)\n`,
    ]);
    folder = makeFolder({ ...Object.fromEntries(files), "docs/safety/dot.png": pixel, "docs/office/dot.png": pixel });
    const ran = await runSop(["export", "--from-dir", "docs", "--format", "site", "-o", "site"], { cwd: folder.path });
    expect(ran.code).toBe(0);
    browser = await launchChromium();
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://x");
      const types: Record<string, string> = {
        ".html": "text/html",
        ".js": "text/javascript",
        ".css": "text/css",
        ".svg": "image/svg+xml",
      };
      readFile(path.join(folder.path, pathname.replace(/^\/some\/where/, "site"))).then(
        (bytes) => response.setHeader("content-type", types[path.extname(pathname)] ?? "image/png").end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    folder?.remove();
  });

  async function walk(page: Page, home: string): Promise<void> {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(home);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByRole("link", { name: /^Number \d+$/ }).count()).toBe(24);
    // without the accent, and only the beginning of a word
    await page.getByRole("searchbox").fill("forderschn");
    await page.getByRole("status").getByText("1 document").waitFor();
    expect(await page.getByRole("link", { name: /^Number \d+$/ }).allTextContents()).toEqual(["Number 7"]);
    await page.getByRole("link", { name: "Number 7" }).click();
    await page.getByRole("heading", { level: 1, name: "Number 7" }).waitFor();
    const image = page.getByRole("img", { name: "dot" });
    await expect
      .poll(() => image.evaluate((node) => (node as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(1);
    expect(await page.evaluate("getComputedStyle(document.querySelector('dl')).display")).toBe("grid");
    await page.getByRole("link", { name: "next" }).click();
    await page.getByRole("heading", { level: 1, name: "Number 9" }).waitFor();
    await page.getByRole("link", { name: "All documents" }).click();
    await page.getByRole("searchbox").fill("nothing like this");
    await page.getByRole("status").getByText("0 documents").waitFor();
    expect(complaints).toEqual([]);
  }

  it("is read and searched from a disk", async () => {
    const page = await browser.newPage();
    await walk(page, pathToFileURL(path.join(folder.path, "site/index.html")).href);
    await page.close();
  });

  it("is read and searched below any address, and a search has an address of its own", async () => {
    const page = await browser.newPage();
    const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/where/index.html`;
    await walk(page, home);
    await page.goto(`${home}?q=number+7`);
    await page.getByRole("status").getByText("1 document").waitFor();
    await page.close();
  });
});
