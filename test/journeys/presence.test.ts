/** Two people at one SOP see each other's editing without a reload. Readers of the published version see nothing of it. */
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { presenceLifetimeMs } from "#core/presence/rules.ts";
import type { TestUser } from "../server.ts";
import { faultsOf } from "./page-faults.ts";
import { describeJourney } from "./journey.ts";

describeJourney("presence", { expected: /ERR_INTERNET_DISCONNECTED/ }, ({ server, contextOf, open }) => {
  let [ann, bob, reader] = [] as unknown as [TestUser, TestUser, TestUser];

  beforeAll(async () => {
    const company = await server().company();
    ann = await company.user("editor", { name: "Ann Archer" });
    bob = await company.user("manager", { name: "Bob Baker" });
    reader = await company.user("viewer", { name: "Vic Viewer" });
  });

  async function opened(context: BrowserContext, address: string): Promise<Page> {
    const page = await open(context, address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    return page;
  }
  const line = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });
  const published = async () => {
    const [category] = await bob.client.categories.list();
    const text = { title: "Boiler", description: "D", markdown: "M" };
    const body = { ...text, status: "published" as const, categoryId: category?.id };
    return (await bob.client.sops.create({ body })).id;
  };

  it("is shown to who sees the draft, at once and no longer than it lasts; a reader learns nothing", async () => {
    const id = await published();
    const [anns, bobs, readers] = [await contextOf(ann), await contextOf(bob), await contextOf(reader)];
    const [watching, reading] = [await opened(bobs, `/sop/${id}`), await opened(readers, `/sop/${id}`)];
    const asked: string[] = [];
    reading.on("request", (request) => asked.push(request.url()));

    let writing = await opened(anns, `/sop/${id}/edit`);
    await line(watching, "Ann Archer is editing").waitFor();
    const empty = { people: [], ownTabs: [] };
    expect(await reader.client.presence.list({ params: { id } })).toEqual(empty);
    const { id: draftId } = await bob.client.sops.create({ body: { title: "New", description: "D", markdown: "M" } });
    expect((await reader.send({ path: `/api/sops/${draftId}/presence` })).status).toBe(404);

    // within the app
    await writing.getByRole("link", { name: "Back to the SOP" }).click();
    await line(watching, "is editing").waitFor({ state: "detached" });
    // by closing the tab
    writing = await opened(anns, `/sop/${id}/edit`);
    await line(watching, "Ann Archer is editing").waitFor();
    await writing.close({ runBeforeUnload: true });
    await line(watching, "is editing").waitFor({ state: "detached" });
    // by a lost connection
    writing = await opened(anns, `/sop/${id}/edit`);
    await line(watching, "Ann Archer is editing").waitFor();
    await anns.setOffline(true);
    server().clock.advance(presenceLifetimeMs.here);
    await server().running.deadlines.run();
    await line(watching, "is editing").waitFor({ state: "detached" });

    expect(asked.filter((url) => url.includes("/presence"))).toEqual([]);
    expect(await line(reading, "editing").count()).toBe(0);
  }, 120_000);

  it("says on the edit screen who else is at it, who saved, and that one is there twice oneself", async () => {
    const id = await published();
    const [anns, bobs] = [await contextOf(ann), await contextOf(bob)];
    const [annsPage, bobsPage] = [await opened(anns, `/sop/${id}/edit`), await opened(bobs, `/sop/${id}/edit`)];
    await line(annsPage, "Bob Baker is editing").waitFor();
    await line(bobsPage, "Ann Archer is editing").waitFor();
    await annsPage.getByRole("textbox", { name: "Content" }).waitFor();
    expect(await faultsOf(annsPage)).toEqual([]);
    const second = await opened(anns, `/sop/${id}/edit`);
    for (const page of [annsPage, second]) await line(page, "You have this open in another tab").waitFor();
    const view = await opened(anns, `/sop/${id}`);
    await line(view, "You are editing this in another tab").waitFor();
    await annsPage.setViewportSize({ width: 320, height: 700 });
    await annsPage.waitForFunction(() => window.innerWidth <= 320);
    expect(await annsPage.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await second.close({ runBeforeUnload: true });
    await line(annsPage, "You have this open in another tab").waitFor({ state: "detached" });

    await bobsPage.getByLabel("Title").fill("Boiler, daily");
    await bobsPage.keyboard.press("Control+s");
    await annsPage.getByText(/^Bob Baker \(\S+\) saved version 2 while you were editing version 1\./).waitFor();
  }, 120_000);
});
