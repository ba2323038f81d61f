/** From the sign-in to the approval without a pointer, with every stop checked. */
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { password, type TestUser } from "../server.ts";
import { describeJourney } from "./journey.ts";
import { faultsOf } from "./page-faults.ts";
import { tabThrough } from "./keyboard-walk.ts";

describeJourney("by keyboard alone", {}, ({ server, complaints, contextOf }) => {
  let ann: TestUser;
  let cy: TestUser;

  beforeAll(async () => {
    const company = await server().company();
    await company.letApprove("viewer");
    ann = await company.user("editor", { name: "Ann Archer" });
    cy = await company.user("viewer", { name: "Cy Cole" });
    await company.user("viewer", { name: "Eve Evans" });
  });

  async function open(address: string, user?: TestUser): Promise<Page> {
    const context = await contextOf(user ?? null, { viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
    await page.goto(new URL(address, server().url).href);
    return page;
  }

  it("an SOP is written, submitted, found by its approver and approved", async () => {
    const page = await open("/login");
    const keys = page.keyboard;
    const walk = tabThrough(page);
    const focused = walk.reach;
    const signIn = async (user: TestUser) => {
      await focused(/"Username"/);
      await keys.type(user.username);
      await walk.tabTo(/"Password"/, 1);
      await keys.type(password);
      await keys.press("Enter");
      await focused(/h1 "Dashboard/);
    };
    const arrowTo = async (what: RegExp, key: string, atMost: number) => {
      const passed: string[] = [];
      for (let pressed = 0; pressed <= atMost; pressed += 1) {
        passed.push(await walk.look());
        if (what.test(passed.at(-1) ?? "")) return;
        await keys.press(key);
      }
      throw new Error(`${atMost} × ${key} do not lead to ${what}: ${passed.join(", ")}`);
    };
    await page.getByLabel("Username").waitFor();
    await signIn(ann);

    await keys.press("n");
    await focused(/"Title"/);
    await walk.tabTo(/"Category"/, 6, "Shift+Tab");
    await keys.type("Safety P");
    await walk.tabTo(/"Title"/, 6);
    await keys.type("Rinse the mill");
    await walk.tabTo(/"Description"/, 1);
    await keys.type("After each shift.");
    await page.locator(".ProseMirror").waitFor();
    await walk.tabTo(/"Content"/, 2);
    await keys.type("## Steps\n1. Switch it off\nLock the switch");
    // ends the list; a table comes from the bar at the caret
    await keys.press("Enter");
    await keys.press("Enter");
    await keys.press("Alt+F10");
    await arrowTo(/"Insert table"/, "ArrowLeft", 4);
    await keys.press("Enter");
    await focused(/"Content"/);
    for (const cell of ["Part", "Cleaned with", "How often", "Sieve", "Water"]) {
      await keys.type(cell);
      await keys.press("Tab");
    }
    await keys.type("Daily");
    await keys.press("Escape");
    await keys.press("Control+s");

    await focused(/h1 "Rinse the mill"/);
    const [sop] = (await ann.client.sops.list({ query: { search: "mill" } })).data;
    expect(sop?.status).toBe("draft");
    await expect.poll(() => page.getByRole("cell", { name: "Daily" }).count()).toBe(1);
    // its code loads after the text
    await page.getByRole("button", { name: "Submit for Approval" }).waitFor();
    // after "Steps"
    await walk.tabTo(/"Submit for Approval"/, 2);
    await keys.press("Enter");
    await focused(/button "Close"/);
    await page.getByRole("checkbox", { name: /Cy Cole/ }).waitFor();
    await walk.tabTo(/"Cy Cole"/, 3);
    await keys.press("Space");
    await walk.tabTo(/"(Request note|Change note|What changed)/, 5);
    await keys.type("Please look at the table.");
    await keys.press("Control+Enter");
    await page.getByText("Waiting for Cy Cole").waitFor();
    // the focused button is gone, but its place keeps the focus
    await focused(/^(?!nothing)/);

    await keys.press("Control+k");
    await focused(/combobox "Search SOPs, or type a command…"/);
    await keys.type("sign o");
    await keys.press("Enter");
    await signIn(cy);
    await keys.press("g");
    await keys.press("p");
    await focused(/h1 "Pending Approval"/);
    await page.getByRole("main").getByText("Rinse the mill").first().waitFor();
    await walk.tabTo(/Rinse the mill/, 1);
    await keys.press("Enter");
    await page.getByText("Please look at the table.").waitFor();
    // offered once the text is loaded
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
    await walk.tabTo(/textarea "Comment"|textbox "Comment"/, 15);
    await keys.type("Clear.");
    await walk.tabTo(/button "Approve"/, 3);
    await keys.press("Enter");
    await focused(/button "Approve version 1"/);
    await keys.press("Enter");
    await page.getByText("No pending approvals").waitFor();
    await focused(/^(?!nothing)/);

    await keys.press("Control+k");
    await focused(/combobox/);
    await keys.type("rinse mill");
    await page.getByRole("option", { name: /Rinse the mill/ }).waitFor();
    await keys.press("Enter");
    await focused(/h1 "Rinse the mill"/);
    await page
      .locator("header")
      .locator("span", { hasText: /^Published$/ })
      .first()
      .waitFor();
    expect(walk.faults).toEqual([]);
  }, 120_000);

  it("puts the focus on the screen's heading after signing in, and keeps it however late code and lists arrive", async () => {
    const page = await open("/login");
    const walk = tabThrough(page);
    /** Holds answers until the returned function is called. */
    const hold = async (what: RegExp): Promise<() => void> => {
      const { promise: given, resolve: give } = Promise.withResolvers<void>();
      await page.route(what, async (route) => {
        await given;
        await route.continue();
      });
      return give;
    };
    const giveShell = await hold(/\/assets\/shell-[^/]*\.js$/);
    const giveParts = await hold(/\/assets\/(Bell|NeedsAttention)-[^/]*\.js$|\/api\/(stats|sops|categories)/);
    const givePending = await hold(/\/assets\/PendingPage-[^/]*\.js$/);
    const giveList = await hold(/\/api\/approvals/);
    await page.getByLabel("Username").fill(cy.username);
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    // not an empty page
    await page.getByRole("status").filter({ hasText: "Loading" }).waitFor();
    giveShell();
    await walk.reach(/h1 "Dashboard/);
    const frame = await page.getByRole("complementary", { name: "Sidebar" }).elementHandle();
    giveParts();
    await page.getByRole("link", { name: "Rinse the mill" }).first().waitFor();
    expect(await walk.look()).toMatch(/h1 "Dashboard/);
    // a second key counts for a while only: it does not wait for the answer to the first
    await Promise.all(["g", "p"].map((key) => page.keyboard.press(key)));
    givePending();
    await walk.reach(/h1 "Pending Approval"/);
    await page.keyboard.press("/");
    await walk.reach(/"Search pending/);
    giveList();
    await page.getByText("No pending approvals").waitFor();
    expect(await walk.look()).toMatch(/"Search pending/);
    expect(await frame?.evaluate((one) => one.isConnected)).toBe(true);
    expect(walk.faults).toEqual([]);
  }, 120_000);

  it("every screen is gone through by Tab and left again; the skip link goes past what every screen has", async () => {
    const [category] = await ann.client.categories.list();
    const body = { title: "Grease the mill", description: "Weekly.", markdown: "## Steps\n\n1. One\n", readTime: 5 };
    const { id } = await ann.client.sops.create({ body: { ...body, categoryId: category?.id } });
    const page = await open("/favorites", ann);
    const walk = tabThrough(page);
    for (const address of ["/", "/sops", `/sop/${id}`, `/sop/${id}/edit`, "/settings"]) {
      await page.goto(new URL(address, server().url).href);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
      if (address.endsWith("edit")) await page.locator(".ProseMirror").waitFor();
      await walk.tabTo(/"Skip to content"/, 1);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.getElementById("main")?.contains(document.activeElement))).toBe(true);
      const stops = await walk.round(120, (what) => (/"Content"/.test(what) ? ["Escape"] : []));
      expect(stops.length, address).toBeGreaterThan(2);
    }
    expect(walk.faults).toEqual([]);
  }, 120_000);

  it("menus and tooltips open within the page's landmarks, where assistive technology looks for them", async () => {
    const body = { title: "Oil the mill", description: "Weekly.", markdown: "## Steps\n\n1. One\n", readTime: 5 };
    const { id } = await ann.client.sops.create({ body });
    const page = await open(`/sop/${id}`, ann);
    const faults: string[] = [];
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Export Word" }).waitFor();
    faults.push(...(await faultsOf(page)));
    await page.keyboard.press("Escape");
    await page.getByRole("menu").first().waitFor({ state: "detached" });
    for (const name of ["Switch to dark theme", "Keyboard shortcuts"]) {
      await page.getByRole("button", { name }).hover();
      await page.getByRole("tooltip").waitFor();
      faults.push(...(await faultsOf(page)));
    }
    await page.goto(`${server().url}/sop/${id}/edit`);
    await page.locator(".ProseMirror").waitFor();
    await page.locator(".ProseMirror").focus();
    await page.keyboard.press("Alt+F10");
    await page.getByRole("button", { name: /: turn into$/ }).click();
    await page.getByRole("menu").waitFor();
    faults.push(...(await faultsOf(page)));
    expect(faults).toEqual([]);
  }, 120_000);
});
