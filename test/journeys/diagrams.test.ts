/** Mermaid in an SOP: drawn in a frame that can do nothing else. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { canReadPdfs, pdfPages } from "../pdf-text.ts";
import type { TestUser } from "../server.ts";
import { describeJourney } from "./journey.ts";
import { faultsOf } from "./page-faults.ts";

const block = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\`\n`;
const chart = "flowchart TD\n  accTitle: How to start the mill\n  A[Start the mill] --> B{Is it warm?}";
const broken = "flowchart TD\n  A[Start the pump --> B";
const isLibrary = (address: string) => address.includes("/assets/mermaid.tiny-");

describeJourney("diagrams", {}, ({ server, contextOf, open }) => {
  let ann: TestUser;

  beforeAll(async () => {
    ann = await (await server().company()).user("manager", { name: "Ann Archer" });
  });

  async function newSop(title: string, markdown: string): Promise<string> {
    const body = { title, description: "Daily.", markdown, readTime: 1 };
    return (await ann.client.sops.create({ body })).id;
  }
  const node = (page: Page, words: string) =>
    page.frameLocator('iframe[title="How to start the mill"]').locator(".screen").getByText(words, { exact: true });

  it("are drawn with their names and colors, and show their source", async () => {
    const id = await newSop("Start the mill", `## Way\n\n${block(chart)}`);
    const page = await open(ann, `/sop/${id}`);
    await node(page, "Start the mill").waitFor();
    await node(page, "Is it warm?").waitFor();
    const source = page.locator(".reading pre");
    const textColor = () => node(page, "Is it warm?").evaluate((words) => getComputedStyle(words).color);
    await expect.poll(() => source.isVisible()).toBe(false);
    const light = await textColor();
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(textColor).not.toBe(light);
    await page.getByRole("button", { name: "Show source" }).click();
    await source.getByText("accTitle: How to start the mill").waitFor();
    await expect.poll(() => node(page, "Is it warm?").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Show diagram" }).click();
    await node(page, "Is it warm?").waitFor();
  });

  it("are drawn in steps and in the preview, too", async () => {
    const id = await newSop("Step by step", `## Steps\n\n1. Look.\n\n${block(chart).replaceAll(/^/gm, "   ")}`);
    const steps = await open(ann, `/sop/${id}/steps`, 390);
    await node(steps, "Is it warm?").waitFor();
    const editor = await open(ann, `/sop/${id}/edit`);
    await editor.getByRole("button", { name: "More actions" }).click();
    await editor.getByRole("menuitem", { name: "Preview" }).click();
    await node(editor, "Is it warm?").waitFor();
  });

  it("that are broken show their source, and why", async () => {
    const id = await newSop("Broken", `## Way\n\n${block(broken)}\n${block("nonsense\n  A")}`);
    const page = await open(ann, `/sop/${id}`);
    await page.getByText(/^Couldn't draw this diagram\. Parse error on line \d+\.$/).waitFor();
    await page.getByText("Couldn't draw this diagram. Its type isn't supported.").waitFor();
    expect(await page.locator(".reading pre").first().isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: "Show source" }).count()).toBe(0);
  });

  it.skipIf(!canReadPdfs)("are on paper, between the words before and after them", async () => {
    const id = await newSop("On paper", `## Way\n\n${block(chart).repeat(5)}\nThe last line.\n`);
    const page = await open(ann, `/sop/${id}`, { viewport: { width: 1280, height: 3000 } });
    const shown = page.locator(".diagram:not(.diagram-away)");
    await expect.poll(() => shown.count()).toBe(5);
    const text = pdfPages(await page.pdf({ format: "A4" }), "-layout").join("");
    const places = [...text.matchAll(/Is it warm\?|The last line\.|Change class/g)].map(([words]) => words);
    expect(places).toEqual([...Array<string>(5).fill("Is it warm?"), "The last line.", "Change class"]);
  });

  it("load what draws them when they come into view, and other texts never do", async () => {
    const filler = "A line of text.\n\n".repeat(200);
    const id = await newSop("A long way", `## Way\n\n${filler}${block(chart)}`);
    const other = await newSop("Code", "## Way\n\n```bash\nls\n```\n");
    const page = await (await contextOf(ann)).newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    for (const address of [other, id]) {
      await page.goto(`${server().url}/sop/${address}`);
      await page.getByRole("button", { name: "Copy code" }).waitFor();
    }
    expect(asked.filter(isLibrary)).toEqual([]);
    await page.locator(".reading pre").scrollIntoViewIfNeeded();
    await node(page, "Is it warm?").waitFor();
    expect(asked.filter(isLibrary)).toHaveLength(1);
  });

  it("have no faults that axe finds", async () => {
    const id = await newSop("Both", `## Way\n\n${block(chart)}\n${block(broken)}`);
    // axe itself writes to the console: it looks for a frame's origin
    const page = await (await contextOf(ann)).newPage();
    await page.goto(`${server().url}/sop/${id}`);
    await node(page, "Is it warm?").waitFor();
    await page.getByText(/^Couldn't draw/).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it("run nothing, ask no other address, and reach neither the page nor the API", async () => {
    const asked: string[] = [];
    const foreign = createServer((request, answer) => {
      asked.push(request.url ?? "");
      answer.end();
    });
    await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
    const outside = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
    const hostile = [
      `flowchart TD\n  A["<img src='${outside}/a.png' onerror='parent.hit=1'>"] --> B["<script>parent.hit=1</script>"]`,
      `flowchart TD\n  A --> B\n  click A "javascript:parent.hit=1"\n  click B "${outside}/b"\n  click A call alert()`,
      `%%{init: {"securityLevel": "loose", "themeCSS": "@import url(${outside}/c.css); *{background:url(${outside}/d.png)}"}}%%\nflowchart TD\n  A["<iframe src='${outside}'></iframe>"] --> B`,
      `flowchart TD\n  A --> B\n  classDef red fill:url(${outside}/e.svg),background:url(${outside}/f.png)\n  class A red`,
      `---\nconfig:\n  securityLevel: loose\n  fontFamily: "x;} @import url(${outside}/g.css);"\n---\nsequenceDiagram\n  link A: L @ ${outside}/h\n  A->>B: <b onclick=parent.hit=1>x</b>`,
    ];
    const id = await newSop("Hostile", `## Way\n\n${hostile.map(block).join("\n")}`);
    const page = await (await contextOf(ann, { viewport: { width: 1280, height: 4000 } })).newPage();
    await page.goto(`${server().url}/sop/${id}`);
    const answered = page.locator(".diagram:not(.diagram-away), .diagram-fault");
    await expect.poll(() => answered.count()).toBe(hostile.length);
    const frames = page.frames().filter((frame) => frame.url().endsWith("/diagram.html"));
    expect(frames).toHaveLength(hostile.length);
    for (const frame of frames) {
      for (const words of await frame.getByText(/^[AB]$|L/).all()) await words.click({ force: true }).catch(() => {});
      expect(await frame.locator("script:not([src]), a, iframe, [onerror], [onclick]").count()).toBe(0);
      const reach = (what: () => unknown) => frame.evaluate(what).then(String, () => "refused");
      expect(await reach(() => fetch("/api/auth/me").then(({ status }) => status))).toBe("refused");
      expect(await reach(() => window.parent.document.title)).toBe("refused");
      expect(await reach(() => localStorage.length)).toBe("refused");
      expect(await reach(() => document.cookie)).toBe("refused");
    }
    expect(await page.evaluate(() => "hit" in globalThis)).toBe(false);
    // the address answers, and only the policy of the frame kept it from being asked
    await page.context().request.get(`${outside}/reachable`);
    expect(asked).toEqual(["/reachable"]);
    foreign.close();
    expect(page.frames().map((frame) => new URL(frame.url()).pathname)).toEqual([
      `/sop/${id}`,
      ...hostile.map(() => "/diagram.html"),
    ]);
  });
});
