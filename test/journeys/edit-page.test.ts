/** Writing as a page, in a real browser: how little is on it, and how few actions lead to readers. */
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { countActions } from "./actions.ts";
import { uniqueSuffix } from "./browser.ts";
import { chooseAction } from "./edit-screen.ts";
import { describeJourney } from "./journey.ts";
import { faultsOf } from "./page-faults.ts";

const seen = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 } };

describeJourney("the page to write on", {}, ({ server, open, contextOf, expectRefusals }) => {
  let ann: TestUser;
  let ben: TestUser;

  beforeAll(async () => {
    const company = await server().company();
    ann = await company.user("manager", { name: "Ann Archer" });
    ben = await company.user("editor", { name: "Ben Baker" });
  });

  const text = (page: Page) => page.getByRole("textbox", { name: "Content" });
  const bar = (page: Page) => page.getByRole("link", { name: /^Back to/ });
  async function newSop() {
    const [category] = await ann.client.categories.list();
    const body = {
      title: "Open the kitchen",
      description: "Every morning.",
      markdown: "## Steps\n\n1. Lights on\n2. Unlock the door\n",
      categoryId: category?.id,
      readTime: 5,
    };
    return ann.client.sops.create({ body });
  }
  /** What can be used without scrolling: fields, buttons, links. */
  const controlsInView = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, [contenteditable=true]")]
        .filter((one) => one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
        .filter((one) => {
          const { top, bottom, width, left } = one.getBoundingClientRect();
          return bottom > 0 && top < innerHeight && width > 1 && left < innerWidth && left >= 0;
        })
        .map((one) => one.getAttribute("aria-label") ?? one.textContent.trim()),
    );

  it.each([
    ["a new SOP, on a desk", seen, true],
    ["a new SOP, on a phone", phone, true],
    ["an SOP, on a desk", seen, false],
    ["an SOP, on a phone", phone, false],
  ])("shows at most 12 controls before typing starts, and the text in the upper third: %s", async (_, look, isNew) => {
    const path = isNew ? "/sop/new" : `/sop/${(await newSop()).id}/edit`;
    const page = await open(ann, path, look);
    await page.locator('.ProseMirror[contenteditable="true"]').waitFor();
    const controls = await controlsInView(page);
    console.log(`controls: ${isNew ? "new" : "edit"}, ${look.viewport.width} px: ${controls.length}`);
    expect(controls.length, controls.join("; ")).toBeLessThanOrEqual(12);
    const top = await text(page).evaluate((one) => (one.firstElementChild ?? one).getBoundingClientRect().top);
    expect(top).toBeLessThan(800 / 3);
    expect(await faultsOf(page)).toEqual([]);
  });

  it("shows the text alone in focus mode, and all again after it", async () => {
    const page = await open(ann, `/sop/${(await newSop()).id}/edit`, seen);
    await page.locator('.ProseMirror[contenteditable="true"]').waitFor();
    await page.getByRole("button", { name: "Properties" }).click();
    await page.getByRole("complementary", { name: "Properties" }).waitFor();
    await chooseAction(page, "Focus mode");
    await bar(page).waitFor({ state: "hidden" });
    await page.getByRole("complementary", { name: "Properties" }).waitFor({ state: "hidden" });
    expect(await text(page).evaluate((one) => one.contains(document.activeElement))).toBe(true);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Leave focus mode" }).click();
    await bar(page).waitFor();
  });

  it("undoes, redoes and shows the source from the menu, and leads back to the text", async () => {
    const page = await open(ann, `/sop/${(await newSop()).id}/edit`, seen);
    await page.locator(".ProseMirror li").last().click();
    await page.keyboard.press("End");
    await page.keyboard.type(" and the window");
    await chooseAction(page, "Undo");
    await expect.poll(() => text(page).textContent()).not.toContain("window");
    await chooseAction(page, "Redo");
    await expect.poll(() => text(page).textContent()).toContain("and the window");
    await chooseAction(page, "Markdown source");
    await expect.poll(() => text(page).evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await text(page).inputValue()).toBe("## Steps\n\n1. Lights on\n2. Unlock the door and the window\n");
    await chooseAction(page, "Rich text");
    await page.locator(".ProseMirror li").nth(1).waitFor();
  });

  it.each([
    ["a desk", seen],
    ["a phone", phone],
  ])("begins with a warning and steps to fill in, and saves none of their hints: on %s", async (_, look) => {
    const page = await open(ann, "/sop/new", look);
    await page.getByLabel("Title").fill("Clean the coffee machine");
    await page.getByLabel("Description").fill("Every evening.");
    await page.locator('.ProseMirror[contenteditable="true"]').waitFor();
    await page.getByRole("button", { name: "Numbered steps with a warning" }).click();
    const hints = page.locator("[data-hint]");
    await expect.poll(() => hints.count()).toBe(3);
    await page.keyboard.type("Steam burns. Let it cool down.");
    await expect.poll(() => hints.count()).toBe(2);
    expect(await faultsOf(page)).toEqual([]);
    await text(page).locator("li p").first().click();
    await page.keyboard.type("Switch it off");
    await expect.poll(() => hints.count()).toBe(1);
    await page.getByText("Or begin with").waitFor({ state: "detached" });
    await chooseAction(page, "Markdown source");
    expect(await text(page).inputValue()).toBe(
      "> [!WARNING]\n> Steam burns. Let it cool down.\n\n1. Switch it off\n2.\n",
    );
  });

  it("makes a version after a pause, quietly", async () => {
    const sop = await newSop();
    const context = await contextOf(ann, seen);
    await context.clock.install();
    const page = await open(context, `/sop/${sop.id}/edit`);
    await page.locator(".ProseMirror li").last().click();
    await page.keyboard.type(" today");
    await page.getByText("Saved in this browser only").waitFor();
    await page.clock.fastForward("05:01");
    await page.getByText("· version 2").waitFor();
    expect(await page.getByText("SOP Updated").count()).toBe(0);
    const [made] = await ann.client.sops.versions({ params: { id: sop.id } });
    expect(made).toMatchObject({ version: 2, automatic: true });
  });

  it.each([
    // no SOP of the company is like them
    ["on a desk", seen, "Feed the goldfish"],
    ["on a phone", phone, "Water our ferns"],
  ])("asks in place where no category fits, and goes on from there: %s", async (_, look, title) => {
    const page = await open(ben, "/sop/new", look);
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Description").fill(`${title}.`);
    await text(page).click();
    await page.keyboard.type("Slowly");
    await page.getByRole("button", { name: "Submit for Approval" }).click();
    const question = page.getByRole("dialog", { name: "Which category is it in?" });
    const category = question.getByLabel("Category", { exact: true });
    await expect.poll(() => category.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await faultsOf(page)).toEqual([]);
    await category.selectOption({ label: "Safety Protocols" });
    await question.getByRole("button", { name: "Continue" }).click();
    const request = page.getByRole("dialog", { name: "Submit for Approval" });
    const chosen = request.getByLabel("Category", { exact: true });
    await expect
      .poll(() => chosen.evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.text))
      .toBe("Safety Protocols");
    // the SOP moves there at once
    await chosen.selectOption({ label: "Finance" });
    await request.getByRole("checkbox", { name: /Ann Archer/ }).check();
    await request.getByRole("button", { name: "Submit for Approval" }).click();
    await page.getByText("Under Review").filter({ visible: true }).first().waitFor();
    const [moved] = (await ann.client.sops.list({ query: { search: title } })).data;
    expect(moved).toMatchObject({ category: { name: "Finance" }, version: 1 });
  });

  it("takes at most five actions from a new SOP to its submission", async () => {
    const page = await open(ben, "/", seen);
    const link = page.getByRole("link", { name: "New SOP" }).first();
    await link.waitFor();
    const counted = await countActions(page);
    await link.click();
    await page.getByRole("heading", { level: 1, name: "New SOP" }).waitFor();
    await page.keyboard.type("Close the kitchen");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Every evening.");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Lights off");
    await page.getByLabel("Category", { exact: true }).selectOption({ label: "Safety Protocols" });
    await page.getByRole("button", { name: "Submit for Approval" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("checkbox", { name: /Ann Archer/ }).check();
    await dialog.getByRole("button", { name: "Submit for Approval" }).click();
    await page.getByText("Under Review").filter({ visible: true }).first().waitFor();
    const { steps } = await counted.print("new SOP to submitted");
    expect(steps).toBeLessThanOrEqual(5);
  });

  it("takes at most three actions to publish a change", async () => {
    const sop = await newSop();
    await ann.client.sops.publish({ params: { id: sop.id } });
    const page = await open(ann, `/sop/${sop.id}/edit`, seen);
    const end = page.locator(".ProseMirror li").last();
    await end.waitFor();
    const width = await end.evaluate((one) => one.clientWidth);
    const counted = await countActions(page);
    await end.click({ position: { x: width - 4, y: 14 } });
    await page.keyboard.type(" at six");
    await page.getByRole("button", { name: "Publish or submit…" }).click();
    const dialog = page.getByRole("dialog");
    await expect
      .poll(() => dialog.getByLabel("Change note").evaluate((one) => one === document.activeElement))
      .toBe(true);
    await page.keyboard.type("The hour.");
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await page.waitForURL(`**/sop/${sop.id}`);
    const { steps } = await counted.print("publish a change");
    expect(steps).toBeLessThanOrEqual(3);
    expect((await ann.client.sops.get({ params: { id: sop.id } })).published).toMatchObject({ version: 2 });
  });

  it("takes at most twelve actions from registering to the first published SOP", async () => {
    const page = await open(await contextOf(null, seen), "/register", undefined, /status of 401/);
    const counted = await countActions(page);
    const isFocused = (label: string) =>
      page.getByLabel(label, { exact: true }).evaluate((one) => one === document.activeElement);
    for (const [label, typed] of [
      ["Full name", "Petra Vogel"],
      ["Username", `petra-${uniqueSuffix()}`],
      ["Password", "a walk to the sea"],
      ["Confirm password", "a walk to the sea"],
    ] as const) {
      if (!(await isFocused(label))) await page.getByLabel(label, { exact: true }).click();
      await page.keyboard.type(typed);
    }
    await page.keyboard.press("Enter");
    const heading = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
    await heading("What is your company called?");
    await expect.poll(() => isFocused("Company name")).toBe(true);
    await page.keyboard.type("Harbor Lane");
    await page.getByRole("radio", { name: "Cafés, hotels and shops" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await heading("Choose what you need first");
    await page.getByRole("button", { name: "Skip" }).click();
    await heading("Who works with you?");
    await page.getByRole("button", { name: "Skip" }).click();
    await page.getByRole("link", { name: "New SOP" }).first().click();
    await heading("New SOP");
    await page.keyboard.type("Close the kitchen");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Every evening.");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Lights off");
    await page.getByLabel("Category", { exact: true }).selectOption({ index: 1 });
    await page.getByRole("button", { name: "Publish or submit…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
    await page.waitForURL(/\/sop\/[^/]{20,}$/);
    const done = await counted.print("register to the first published SOP");
    expect(done.steps).toBeLessThanOrEqual(12);
    await expectRefusals();
  });
});
