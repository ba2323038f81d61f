/** Finding an SOP by the words of one of its steps, in a real browser: top bar, palette, keyboard and mouse. */
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { countActions } from "./actions.ts";
import { describeJourney } from "./journey.ts";

const filler = (text: string) => Array.from({ length: 12 }, (_, line) => `${text} Line ${line + 1}.`).join("\n\n");
const seventh = "Tighten the wingnut by **hand**, with a torque of 5 Nm.";
const mill = `${filler("What comes before.")}\n\n## Cleaning\n\n${[
  "Open the cover.",
  "Stop the pump.",
  "Wait.",
  "Take the filter out.",
  "Rinse it.",
  "Put it back.",
  seventh,
  "Wait.",
]
  .map((step, at) => `${at + 1}. ${step}`)
  .join("\n")}\n\n## Afterwards\n\n${filler("What comes after.")}\n`;

const longList = (word: string) =>
  Array.from({ length: 40 }, (_, at) => `- Check part ${at + 1}.${at === 30 ? ` Then ${word}.` : ""}`).join("\n");
/** Blocks that are longer than the screen of a phone. */
const press = `${filler("What comes before.")}

## Pressure

> [!WARNING]
> Relieve the pressure.
>
${longList("sludgeword").replace(/^/gm, "> ")}
>
> | Part | Limit |
> | --- | --- |
> | Valve | cellword |

- First.

${longList("pageword").replace(/^/gm, "  ")}

\`\`\`sh
${"echo line\n".repeat(60)}echo codeword
${"echo line\n".repeat(20)}\`\`\`

Stop[^1].

${filler("What comes after.")}

[^1]: Ask for the noteword.
`;

describeJourney("search in a browser", {}, ({ server, contextOf, open: openPage }) => {
  let ann: TestUser;
  let admin: TestUser;
  let id: string;

  beforeAll(async () => {
    const company = await server().company();
    ann = await company.user("manager", { name: "Ann Archer" });
    admin = await company.user("company_admin", { name: "Cora Chief" });
    const [category] = await ann.client.categories.list();
    const make = async (title: string, markdown: string, status: "published" | "draft" = "published") => {
      const body = {
        title,
        description: "Every week, after the last shift.",
        markdown,
        status,
        categoryId: category?.id,
      };
      return (await ann.client.sops.create({ body })).id;
    };
    id = await make("Clean the mill", mill);
    await make("Relieve the press", press);
    await make("Report an accident", "## Steps\n\n1. Call the shift lead.\n2. Keep the protective equipment on.\n");
    await make("Start the mill", "## Steps\n\n1. Look.\n2. Tighten the cover.\n", "draft");
  });

  async function open(context: BrowserContext, address: string, heading?: string): Promise<Page> {
    const page = await openPage(context, address);
    await page.getByRole("heading", { level: 1, ...(heading === undefined ? {} : { name: heading }) }).waitFor();
    return page;
  }
  const phone = { viewport: { width: 390, height: 700 } };
  const field = (page: Page) => page.getByRole("combobox", { name: "Search SOPs, procedures, or topics..." });
  const palette = (page: Page) => page.getByRole("dialog", { name: "Search and commands" });
  /** The step is highlighted, in sight, and has the focus. */
  async function isAtStep(page: Page, words = "Tighten the wingnut"): Promise<void> {
    const step = page.getByRole("listitem").filter({ hasText: words });
    await expect.poll(() => step.evaluate((node) => node === document.activeElement)).toBe(true);
    await expect
      .poll(() =>
        step.evaluate((node) => {
          const { top, bottom } = node.getBoundingClientRect();
          return (
            top > 56 && bottom < window.innerHeight && getComputedStyle(node).backgroundColor !== "rgba(0, 0, 0, 0)"
          );
        }),
      )
      .toBe(true);
  }

  it.each([
    ["a word of its seventh step", "wingnut"],
    ["the beginning of one", "wingn"],
    ["a word with a slip in it", "wingnit"],
  ])("finds an SOP by %s, in the top bar and in the palette, and opens it at that step", async (_, typed) => {
    const context = await contextOf(ann);
    const page = await open(context, "/settings", "Settings");
    await page.keyboard.press("/");
    await page.keyboard.type(typed);
    const hit = page.getByRole("option", { name: /^Clean the mill/ });
    await hit.getByText("Step 7 · Under Cleaning").waitFor();
    expect(await hit.locator("mark").allTextContents()).toEqual(["wingnut"]);
    if (typed === "wingnit") await page.getByText("Showing results for “wingnut”").first().waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await hit.getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Clean the mill" }).waitFor();
    await isAtStep(page);

    await page.goto(new URL("/settings", server().url).href);
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type(typed);
    await palette(page)
      .getByRole("option", { name: /Step 7/ })
      .waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Clean the mill" }).waitFor();
    await isAtStep(page);
  });

  it.each(["sludgeword", "cellword", "pageword", "codeword", "noteword"])(
    "opens a hit at %s on a phone, at each place of a long block",
    async (word) => {
      const page = await open(await contextOf(ann, phone), "/settings", "Settings");
      await page.keyboard.press("Control+k");
      await page.keyboard.type(word);
      await palette(page)
        .getByRole("option", { name: /^Relieve the press/ })
        .waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Relieve the press" }).waitFor();
      const place = () =>
        page.evaluate((wanted) => {
          const walker = document.createTreeWalker(
            document.querySelector(".reading") ?? document,
            NodeFilter.SHOW_TEXT,
          );
          let node = walker.nextNode();
          while (node && !node.textContent?.includes(wanted)) node = walker.nextNode();
          if (!node) return "missing";
          const range = document.createRange();
          range.selectNodeContents(node);
          range.setStart(node, node.textContent?.indexOf(wanted) ?? 0);
          const { top, bottom } = range.getClientRects()[0] ?? { top: -1, bottom: -1 };
          return top > 56 && bottom < window.innerHeight ? "in sight" : `at ${top}`;
        }, word);
      await expect.poll(place).toBe("in sight");
    },
  );

  it("finds a step from anywhere by at most two actions and typing", async () => {
    const context = await contextOf(ann);
    const page = await open(context, "/settings", "Settings");
    const counted = await countActions(page);
    await page.keyboard.press("Control+k");
    const input = palette(page).getByRole("combobox");
    await expect.poll(() => input.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.keyboard.type("wingnut");
    await palette(page)
      .getByRole("option", { name: /Step 7/ })
      .waitFor();
    await page.keyboard.press("Enter");
    await isAtStep(page);
    expect(await counted.print("find a step, by keyboard")).toEqual({ steps: 2, typed: 1 });

    const phonePage = await open(await contextOf(ann, { ...phone, hasTouch: true }), "/settings", "Settings");
    const taps = await countActions(phonePage);
    await field(phonePage).tap();
    await phonePage.keyboard.type("wingnut");
    await phonePage.getByRole("option", { name: /Step 7/ }).tap();
    await isAtStep(phonePage);
    expect(await taps.print("find a step, on a phone")).toEqual({ steps: 2, typed: 1 });
  });

  it("opens the step by its address alone, and another one of the same SOP without leaving it", async () => {
    const context = await contextOf(ann, phone);
    const address = `/sop/${id}?step=7&at=Tighten+the+wingnut+by+hand%2C+with#user-content-cleaning`;
    const page = await open(context, address, "Clean the mill");
    await isAtStep(page);
    await field(page).fill("filter out");
    await page.getByRole("option", { name: /Step 4/ }).click();
    const fourth = page.getByRole("listitem").filter({ hasText: "Take the filter out." });
    await expect.poll(() => fourth.evaluate((node) => node === document.activeElement)).toBe(true);
    const { hash } = new URL(page.url());
    expect(hash).toMatch(/^#user-content-step\.\w+$/);
    await page.goBack();
    await isAtStep(page);
    const alone = await open(context, `/sop/${id}${hash}`, "Clean the mill");
    await isAtStep(alone, "Take the filter out.");
  });

  it("shows the menus of a list on a phone when asked", async () => {
    const context = await contextOf(ann, phone);
    const page = await open(context, "/sops", "Standard Operating Procedures");
    const filter = page.getByRole("button", { name: "Filter", exact: true });
    await filter.waitFor();
    expect(await page.getByRole("region", { name: "Filters" }).count()).toBe(0);
    await filter.click();
    await page.getByRole("region", { name: "Filters" }).getByLabel("Category").waitFor();
    await page.getByLabel("Sort", { exact: true }).selectOption("title");
    await page.waitForURL(/sort=title/);
  });

  it("marks the step calmly: a tint without a frame, also for who typed, and where colours are forced", async () => {
    const context = await contextOf(ann, phone);
    const page = await open(context, "/", "Dashboard");
    await field(page).fill("filter out");
    await page.getByRole("option", { name: /Step 4/ }).click();
    const fourth = page.getByRole("listitem").filter({ hasText: "Take the filter out." });
    await expect.poll(() => fourth.evaluate((node) => node === document.activeElement)).toBe(true);
    const look = () =>
      fourth.evaluate((node) => {
        const { outlineColor, outlineStyle, backgroundColor, boxShadow } = getComputedStyle(node);
        return { frame: outlineStyle === "none" ? "none" : outlineColor, backgroundColor, boxShadow };
      });
    const clear = "rgba(0, 0, 0, 0)";
    const held = await look();
    expect([clear, "none"]).toContain(held.frame);
    expect(held.backgroundColor).not.toBe(clear);
    // paler once the focus has moved on, but still there
    await page.keyboard.press("Tab");
    await fourth.evaluate((node: HTMLElement) => node.blur());
    await expect.poll(async () => (await look()).backgroundColor).not.toBe(held.backgroundColor);
    expect((await look()).backgroundColor).not.toBe(clear);
    await page.emulateMedia({ forcedColors: "active" });
    expect([clear, "none"]).not.toContain((await look()).frame);
  });

  it("Enter without a choice goes on to the list, which corrects the slip too and says so", async () => {
    const context = await contextOf(ann);
    const page = await open(context, "/settings", "Settings");
    await field(page).fill("wingnit");
    await page.getByRole("option", { name: /^Clean the mill/ }).waitFor();
    await field(page).press("Enter");
    await page.getByRole("heading", { level: 1, name: "1 result" }).waitFor();
    await page.getByText("Showing results for “wingnut”").waitFor();
    expect(await page.getByRole("main").getByRole("heading", { level: 3 }).allTextContents()).toEqual([
      "Clean the mill",
    ]);
    expect(new URL(page.url()).search).toBe("?search=wingnit");
  });

  it("a word of the glossary finds what else it is called, as soon as it is saved", async () => {
    const [hers, his] = [await contextOf(admin), await contextOf(ann)];
    const page = await open(his, "/settings", "Settings");
    await field(page).fill("safety gear");
    await page.getByText("Nothing found for “safety gear”").waitFor();
    const company = await open(hers, "/admin/company/glossary", "Company settings");
    const glossary = company.getByRole("region", { name: "Glossary" });
    await glossary.getByLabel("Words with the same meaning").fill("PPE, protective equipment, safety gear");
    await glossary.getByRole("button", { name: "Save" }).click();
    await company.getByText("Glossary saved", { exact: true }).first().waitFor();
    // the open search is answered again
    const hit = page.getByRole("option", { name: /^Report an accident/ });
    await hit.getByText("Step 2").waitFor();
    expect(await hit.locator("mark").allTextContents()).toEqual(["protective equipment"]);
  });

  it("keys go to screens, the sheet lists them, and none fires while one types", async () => {
    const context = await contextOf(ann);
    const page = await open(context, "/settings", "Settings");
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.getByRole("heading", { level: 1, name: "Favorites" }).waitFor();
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.getByText("G then F").waitFor();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "hidden" });
    const listField = page.getByPlaceholder("Search your favorite SOPs...");
    await listField.pressSequentially("n?ga");
    expect(await listField.inputValue()).toBe("n?ga");
    expect(new URL(page.url()).pathname).toBe("/favorites");
    await page.goto(new URL("/sop/new", server().url).href);
    const editor = page.getByRole("textbox", { name: "Content" });
    await editor.click();
    await page.keyboard.type("g a n ?");
    expect(new URL(page.url()).pathname).toBe("/sop/new");
    expect(await palette(page).count()).toBe(0);
  });
});
