/** One browser acts, the others show it: the bell, the approval, the comment. No reloads, no polling. */
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { sendNotice } from "../notices.ts";
import type { TestUser } from "../server.ts";
import { describeJourney } from "./journey.ts";

const options = { start: new Date(Date.now() - 60_000).toISOString() };

describeJourney("notifications", options, ({ server, complaints, contextOf, open }) => {
  let [ada, bob, eve] = [] as unknown as [TestUser, TestUser, TestUser];

  beforeAll(async () => {
    const company = await server().company();
    ada = await company.user("editor", { name: "Ada Author" });
    bob = await company.user("manager", { name: "Bob Boss" });
    eve = await company.user("viewer", { name: "Eve Evans" });
  });

  /** The bell with this many unread notifications. */
  const bell = (page: Page, unread: number) =>
    page.getByRole("button", {
      name: unread === 0 ? "Notifications" : `Notifications, ${unread} unread`,
      exact: true,
    });
  const panel = (page: Page) => page.getByRole("dialog", { name: "Notifications" });
  /** On the screen, because the printed page has the text too. */
  const status = (page: Page, text: string) =>
    page.getByRole("main").getByText(text, { exact: true }).filter({ visible: true }).first();
  const draft = (title: string) => ada.client.sops.create({ body: { title, description: "D", markdown: "One\n" } });
  const askBob = (id: string) => ada.client.sops.requestApproval({ params: { id }, body: { approverIds: [bob.id] } });

  it("rings in every browser of who is asked, leads there, and is quiet again everywhere", async () => {
    const { id, number } = await draft("Lock out the press");
    const [desk, laptop] = [await contextOf(bob), await contextOf(bob)];
    const [one, other] = [await open(desk, "/"), await open(laptop, "/sops")];
    for (const page of [one, other]) await bell(page, 0).waitFor();
    await askBob(id);
    for (const page of [one, other]) await bell(page, 1).waitFor();

    await bell(one, 1).focus();
    await one.keyboard.press("Enter");
    const row = panel(one).getByRole("link", {
      name: `Ada Author (${ada.username}) asks you to approve ${number} Lock out the press`,
    });
    await row.waitFor();
    await one.keyboard.press("Escape");
    await panel(one).waitFor({ state: "detached" });
    await expect
      .poll(() => one.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Notifications, 1 unread");

    await bell(one, 1).click();
    await row.click();
    await one.waitForURL(`**/sop/${id}`);
    await one.getByRole("heading", { level: 1, name: "Lock out the press" }).waitFor();
    for (const page of [one, other]) await bell(page, 0).waitFor();
  });

  it("shows an approval given in one browser in the other, with no reload and no polling", async () => {
    const { id, number } = await draft("Wash the tanks");
    const request = await askBob(id);
    const [hers, his] = [await contextOf(ada), await contextOf(bob)];
    const page = await hers.newPage();
    await page.clock.install();
    page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
    await page.goto(`${server().url}/sop/${id}`);
    await status(page, "Under Review").waitFor();
    await bell(page, 0).waitFor();
    await page.waitForLoadState("load");
    const approver = await open(his, `/sop/${id}`);
    await approver.getByRole("heading", { level: 1, name: "Wash the tanks" }).waitFor();

    const asked: string[] = [];
    // code that loads ahead sends no requests to the API
    page.on("request", (one) => {
      if (!one.url().includes("/assets/")) asked.push(`${one.resourceType()} ${one.url()}`);
    });
    // a polling client would send a request within ten minutes
    await page.clock.runFor("10:00");
    expect(asked).toEqual([]);

    await bob.client.approvals.approve({ params: { id: request.id }, body: {} });
    await status(page, "Published").waitFor();
    await bell(page, 1).waitFor();
    // the approver's second browser
    await status(approver, "Published").waitFor();
    // it loaded the changed data, but neither the page nor the stream again
    expect(asked.filter((what) => /^document|\/api\/events$/.test(what))).toEqual([]);
    await bell(page, 1).click();
    await panel(page).getByText(`Bob Boss (${bob.username}) approved ${number} Wash the tanks`).waitFor();
  });

  it("names no SOP to who can't see it, marks all as read, loads more, and fits a phone", async () => {
    const { id } = await draft("Quartz secret");
    for (let n = 0; n < 24; n++)
      await sendNotice(server(), [eve], {
        kind: n % 2 ? "comment" : "mention",
        sopId: id,
        actor: { _id: ada.id, name: ada.name, username: ada.username },
      });
    const phone = await contextOf(eve, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
    const page = await open(phone, "/");
    await bell(page, 24).tap();
    await panel(page).getByText(`Ada Author (${ada.username}) commented on an SOP`).first().waitFor();
    expect(await panel(page).getByRole("listitem").count()).toBe(20);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(await overflow()).toBe(false);
    await panel(page).getByRole("button", { name: "Load more" }).tap();
    await expect.poll(() => panel(page).getByRole("listitem").count()).toBe(24);
    expect(await page.content()).not.toContain("Quartz");
    await panel(page).getByRole("button", { name: "Mark all as read" }).tap();
    await bell(page, 0).waitFor();
    await panel(page).getByRole("switch", { name: "Unread only" }).tap();
    await panel(page).getByText("You're all caught up").waitFor();
  });
});
