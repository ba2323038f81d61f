/** A text at any width of the window: the keyboard reaches wide tables, and numbers are next to their steps. */
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { launchChromium } from "./browser.ts";
import { describeJourney } from "./journey.ts";
import { signedIn } from "./signed-in.ts";

const row = [
  "Temperature of the product",
  "At least 72 °C for 15 seconds",
  "Every batch",
  "Batch record",
  "Stop the line",
];
const table = [row, row.map(() => "---"), row].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
const steps = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at}. Step number ${from + at}\n`).join("");
const lists = [steps(1, 9), steps(1, 12), steps(8, 11), steps(20, 22), steps(1, 120)];
const markdown = `## Limits\n\n${table}\n\n## Steps\n\n${lists.join("\n\nThen:\n\n")}`;

describeJourney("reading at several widths", {}, ({ server, contextOf, open: openPage }) => {
  let ann: TestUser;
  let ben: TestUser;
  let id: string;

  beforeAll(async () => {
    const company = await server().company();
    ann = await company.user("manager", { name: "Ann Archer" });
    ben = await company.user("viewer", { name: "Ben Baker" });
    const [category] = await ann.client.categories.list();
    const body = {
      title: "Pasteurise",
      description: "Daily.",
      markdown,
      categoryId: category?.id,
      readTime: 5,
      status: "published" as const,
    };
    id = (await ann.client.sops.create({ body })).id;
  });

  const open = (address: string, width: number) => openPage(ann, address, { viewport: { width, height: 800 } });

  it("a table that no longer fits its window takes the focus, and not where it fits again", async () => {
    const page = await open(`/sop/${id}`, 1600);
    const wide = page.locator(".reading table");
    await wide.waitFor();
    expect(await wide.getAttribute("tabindex")).toBeNull();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator('.reading table[tabindex="0"]').waitFor();
    await wide.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => (document.activeElement?.scrollLeft ?? 0) > 0);
    await page.setViewportSize({ width: 1600, height: 800 });
    await page.locator(".reading table:not([tabindex])").waitFor();
  });

  it("code is coloured and copied, moves nothing, and only texts with code load that", async () => {
    const isColours = (path: string) => path.startsWith("/assets/CodeBlocks-");
    const body = (title: string, text: string) => ({
      title,
      description: "Weekly.",
      markdown: text,
      categoryId: null,
      readTime: 1,
    });
    const script = `echo "${"a very long line ".repeat(20)}"`;
    const text = `## Steps\n\n1. Run this:\n\n   \`\`\`bash\n   ${script}\n   \`\`\`\n`;
    const withCode = (await ann.client.sops.create({ body: body("Back up", text) })).id;
    for (const [address, hasCode] of [
      [`/sop/${id}`, false],
      [`/sop/${withCode}`, true],
      [`/sop/${withCode}/steps`, true],
    ] as const) {
      const context = await contextOf(ann);
      const page = await context.newPage();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`${server().url}${address}`, { waitUntil: "networkidle" });
      await page.locator(".reading").first().waitFor();
      if (hasCode) {
        await context.grantPermissions(["clipboard-read", "clipboard-write"]);
        await page.waitForFunction(() => (CSS.highlights.get("code-string")?.size ?? 0) > 0);
        const code = page.locator(".reading pre");
        const before = await code.boundingBox();
        await page.getByRole("button", { name: "Copy code" }).click();
        await page.getByText("Copied").waitFor();
        expect((await page.evaluate(() => navigator.clipboard.readText())).trim()).toBe(script.trim());
        expect(await code.boundingBox()).toEqual(before);
      }
      expect(asked.some(isColours), address).toBe(hasCode);
      await context.close();
    }
  });

  it("shows the sentence of each step on a phone across, below long hazards too", async () => {
    const long = "Hot caustic under pressure sprays from a loose joint and blinds. ".repeat(3);
    const hazard = (kind: string) => `> [!${kind}]\n> ${long}\n\n`;
    const text = `## Safety\n\n${hazard("DANGER")}${hazard("NOTICE")}## Equipment\n\n- Gloves\n\n## Steps\n\n${long}\n\n1. Open the valve.\n2. Wait for the lamp.\n\n   > [!WARNING]\n   > ${long}\n\n${hazard("CAUTION")}${long}\n\n3. Close the valve.\n`;
    const body = { title: "Drain", description: "Weekly.", markdown: text, categoryId: null, readTime: 1 };
    const drain = (await ann.client.sops.create({ body })).id;
    const page = await openPage(ann, `/sop/${drain}/steps`, { viewport: { width: 844, height: 390 } });
    await page.getByText("Gloves").waitFor();
    await page.getByRole("button", { name: "Start" }).click();
    for (const sentence of ["Open the valve.", "Wait for the lamp.", "Close the valve."]) {
      const place = await page.locator(".run-step").getByText(sentence).boundingBox();
      const foot = await page.getByRole("button", { name: /Done|Finish/ }).boundingBox();
      expect((place?.y ?? 0) > 0 && (place?.y ?? 390) + (place?.height ?? 0) <= (foot?.y ?? 0), sentence).toBe(true);
      await page.getByRole("button", { name: /Done|Finish/ }).click();
    }
    await page.getByText("Nothing was recorded or sent.").waitFor();
  });

  it("contents name the part that is read, and open document control", async () => {
    const page = await open(`/sop/${id}`, 1280);
    const contents = page.getByRole("navigation", { name: "Contents" });
    const current = contents.locator('[aria-current="location"]');
    await expect.poll(() => current.textContent()).toBe("Limits");
    await contents.getByRole("link", { name: "Steps" }).click();
    await expect.poll(() => current.textContent()).toBe("Steps");
    await contents.getByRole("link", { name: "Document control" }).click();
    await page.getByText("Change class", { exact: true }).waitFor();
    await expect.poll(() => current.textContent()).toBe("Document control");
  });

  it("loads the editor ahead for people who can edit, and reads nothing for it", async () => {
    const isEditor = (path: string) => path.startsWith("/assets/MarkdownEditor-");
    async function askedBy(user: TestUser): Promise<{ page: Page; asked: string[] }> {
      const context = await contextOf(user);
      const page = await context.newPage();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await page.clock.install();
      await page.goto(`${server().url}/sop/${id}`);
      await page.getByRole("heading", { level: 1, name: "Pasteurise" }).waitFor();
      return { page, asked };
    }
    const author = await askedBy(ann);
    await author.page.getByRole("link", { name: "Edit" }).waitFor();
    // the page waits two seconds, which opening a second page can take
    expect(author.asked.filter(isEditor)).toEqual([]);
    const reader = await askedBy(ben);
    await Promise.all([author, reader].map(({ page }) => page.clock.runFor(10_000)));
    await expect.poll(() => author.asked.some(isEditor)).toBe(true);
    expect(reader.asked.filter(isEditor)).toEqual([]);
    // only the page itself loaded it, once
    for (const { asked } of [author, reader])
      expect(asked.filter((path) => path === `/api/sops/${id}`)).toHaveLength(1);
  });

  it("menus of a phone come from below, and a touch beside them closes them", async () => {
    const page = await open(`/sop/${id}`, 390);
    await page.getByRole("button", { name: "More actions" }).click();
    const menu = page.getByRole("menu");
    await menu.getByRole("menuitem", { name: "Version history" }).waitFor();
    await expect
      .poll(async () => {
        const box = await menu.boundingBox();
        return box && [box.x, box.width, box.y + box.height];
      })
      .toEqual([0, await page.evaluate(() => document.body.getBoundingClientRect().width), 800]);
    await page.mouse.click(200, 60);
    await menu.waitFor({ state: "detached" });
    // it only closed the menu
    expect(new URL(page.url()).pathname).toBe(`/sop/${id}`);
  });

  it("dialogs keep the page where it is, with classic scrollbars", async () => {
    const browser = await launchChromium(true);
    try {
      const page = await (await signedIn(browser, server(), ann, { viewport: { width: 1280, height: 800 } })).newPage();
      // the second is higher than the window
      for (const address of ["/pending", `/sop/${id}`]) {
        await page.goto(`${server().url}${address}`, { waitUntil: "networkidle" });
        const header = page.locator("header").first();
        const before = await header.boundingBox();
        expect(before && before.x + before.width).toBeLessThan(1280);
        await page.keyboard.press("Control+k");
        await page.locator("[data-overlay]").waitFor();
        expect(await header.boundingBox()).toEqual(before);
      }
    } finally {
      await browser.close();
    }
  });

  it.each([
    ["read", () => `/sop/${id}`, ".reading ol"],
    ["written", () => `/sop/${id}/edit`, ".ProseMirror ol"],
  ])("numbers of steps stand within the text as it is %s", async (_, address, list) => {
    const page = await open(address(), 390);
    await page.locator(list).nth(4).waitFor();
    expect(await roomOf(page, list)).toEqual(lists.map(() => "enough"));
    await page.emulateMedia({ media: "print" });
    expect(await roomOf(page, list)).toEqual(lists.map(() => "enough"));
  });
});

/** A list number has no box of its own, so this measures a copy of its letters in its place. */
function roomOf(page: Page, list: string): Promise<string[]> {
  return page.locator(list).evaluateAll((all) =>
    all.map((one) => {
      const last = (one as HTMLOListElement).start + one.children.length - 1;
      const item = one.lastElementChild ?? one;
      const number = item.appendChild(document.createElement("span"));
      number.style.cssText = "position: absolute; white-space: pre; font-variant-numeric: tabular-nums";
      number.textContent = `${last}. `;
      const needed = number.getBoundingClientRect().width;
      number.remove();
      // the number is in the list's padding, or in that of its item
      const room = [one, item].reduce((sum, box) => sum + Number.parseFloat(getComputedStyle(box).paddingLeft), 0);
      return room >= needed ? "enough" : `${last}: ${room} of ${needed}`;
    }),
  );
}
