/** Starring SOPs and finding recently opened ones again, in a real browser: two tabs, mouse and keyboard. */
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { describeJourney } from "./journey.ts";

const titles = ["Start the press", "Stop the press", "Clean the press", "Report an accident"];

describeJourney("favorites and recent", {}, ({ server, contextOf, open: openPage }) => {
  let ann: TestUser;
  let ben: TestUser;
  let ids: string[];

  beforeAll(async () => {
    const company = await server().company();
    const boss = await company.user("manager", { name: "Bea Boss" });
    ann = await company.user("viewer", { name: "Ann Archer" });
    ben = await company.user("viewer", { name: "Ben Baker" });
    const [category] = await boss.client.categories.list();
    ids = [];
    for (const title of titles) {
      server().clock.advance(60_000);
      const body = { title, description: "Every morning, before the shift.", markdown: "## Steps\n\n1. Look\n" };
      const made = await boss.client.sops.create({ body: { ...body, status: "published", categoryId: category?.id } });
      ids.push(made.id);
    }
  });

  async function open(context: BrowserContext, address: string, heading: string): Promise<Page> {
    const page = await openPage(context, address);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    return page;
  }
  const star = (page: Page, title: string) => page.getByRole("button", { name: `Favorite ${title}` });
  /** The toast's title, not its announcement to screen readers. */
  const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first();
  const shown = (page: Page) => page.getByRole("main").getByRole("heading", { level: 3 }).allTextContents();

  it("a star set in one tab shows in the other, and its SOP among the favorites, until it is taken off", async () => {
    const context = await contextOf(ann);
    const list = await open(context, "/sops", "Standard Operating Procedures");
    const favorites = await open(context, "/favorites", "Favorites");
    await favorites.getByText("No favorites yet").waitFor();
    await star(list, "Stop the press").click();
    await toast(list, "Added to favorites").waitFor();
    await favorites.getByRole("link", { name: "Stop the press" }).waitFor();
    await star(list, "Report an accident").focus();
    await list.keyboard.press("Space");
    await favorites.getByRole("link", { name: "Report an accident" }).waitFor();
    expect(await shown(favorites)).toEqual(["Report an accident", "Stop the press"]);

    // on the SOP's own screen, then back to the list
    await favorites.getByRole("link", { name: "Stop the press" }).click();
    const button = favorites.getByRole("button", { name: "Favorite", exact: true });
    await expect.poll(() => button.getAttribute("aria-pressed")).toBe("true");
    await button.click();
    await toast(favorites, "Removed from favorites").waitFor();
    await expect.poll(() => star(list, "Stop the press").getAttribute("aria-pressed")).toBe("false");
    await favorites.goBack();
    await expect.poll(() => shown(favorites)).toEqual(["Report an accident"]);

    // removing the star removes the card; Undo restores it
    await star(favorites, "Report an accident").click();
    await favorites.getByText("No favorites yet").waitFor();
    await favorites.getByRole("button", { name: "Undo" }).click();
    await favorites.getByRole("link", { name: "Report an accident" }).waitFor();
    await favorites.reload();
    await favorites.getByRole("link", { name: "Report an accident" }).waitFor();
  });

  it("what was opened comes first among the recent, within the range that was chosen", async () => {
    const context = await contextOf(ann);
    // the earlier test's visits become old
    await ann.client.sops.list({ query: { recent: "all" } });
    const longAgo = new Date(server().clock.millis() - 40 * 24 * 3_600_000).toISOString();
    const marks = server().db.forCompany(ann.companyId).collection("sop_uses");
    await marks.updateMany({ userId: ann.id, recentAt: { $gt: "" } }, { $set: { recentAt: longAgo } });
    const page = await open(context, "/recent", "Recent");
    await page.getByText("No recent activity").waitFor();
    for (const title of ["Clean the press", "Start the press"]) {
      server().clock.advance(60_000);
      await page.goto(new URL(`/sop/${ids[titles.indexOf(title)]}`, server().url).href);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
    }
    const navigation = page.getByRole("navigation", { name: "Main navigation" });
    await navigation.getByRole("link", { name: "Recent" }).click();
    await expect.poll(() => shown(page)).toEqual(["Start the press", "Clean the press"]);
    server().clock.advance(60_000);
    await page.getByRole("link", { name: "Clean the press" }).click();
    await page.getByRole("heading", { level: 1, name: "Clean the press" }).waitFor();
    await page.goBack();
    await expect.poll(() => shown(page)).toEqual(["Clean the press", "Start the press"]);
    await page.getByRole("combobox", { name: "Time range" }).selectOption("Past Quarter");
    await expect.poll(() => shown(page)).toEqual(["Clean the press", "Start the press", "Stop the press"]);
    expect(new URL(page.url()).search).toBe("?range=quarter");
    await page.reload();
    await expect.poll(() => shown(page)).toEqual(["Clean the press", "Start the press", "Stop the press"]);
  });

  it("are each user's own, and say how to fill them when empty", async () => {
    const [hers, his] = [await contextOf(ann), await contextOf(ben)];
    for (const id of ids.slice(0, 2)) await ann.client.sops.favorite({ params: { id } });
    const favorites = await open(his, "/favorites", "Favorites");
    await favorites.getByText("No favorites yet", { exact: true }).waitFor();
    await favorites.getByText("Star SOPs to add them to your favorites for quick access", { exact: true }).waitFor();
    const recent = await open(his, "/recent", "Recent");
    await recent.getByText("No recent activity", { exact: true }).waitFor();

    const list = await open(his, "/sops", "Standard Operating Procedures");
    await expect.poll(() => star(list, "Start the press").getAttribute("aria-pressed")).toBe("false");
    await star(list, "Report an accident").click();
    await favorites.getByRole("link", { name: "Report an accident" }).waitFor();
    expect(await shown(favorites)).toEqual(["Report an accident"]);
    await list.getByRole("link", { name: "Report an accident" }).click();
    await list.getByRole("heading", { level: 1, name: "Report an accident" }).waitFor();
    await recent.reload();
    await expect.poll(() => shown(recent)).toEqual(["Report an accident"]);

    const herFavorites = await open(hers, "/favorites", "Favorites");
    await herFavorites.getByRole("link", { name: "Stop the press" }).waitFor();
    const starred = (await ann.client.sops.list({ query: { favorite: "true" } })).data.map(({ title }) => title);
    expect(await shown(herFavorites)).toEqual(starred);
    expect(starred).toEqual(expect.arrayContaining(["Start the press", "Stop the press"]));
    const stars = server().db.forCompany(ann.companyId).collection("sop_uses");
    expect(await stars.countDocuments({ userId: ben.id, favorite: true })).toBe(1);
  });
});
