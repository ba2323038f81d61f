/** Document control in a real browser: a review is due and done, and a version takes effect by itself on its day. */
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { faultsOf } from "./page-faults.ts";
import { describeJourney } from "./journey.ts";

const dayMs = 24 * 3_600_000;
// the browser uses the real time
const dayAhead = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

describeJourney("document control", { start: new Date().toISOString() }, ({ server, complaints, open }) => {
  let manager: TestUser;
  let reader: TestUser;
  let id: string;

  beforeAll(async () => {
    const company = await server().company();
    manager = await company.user("manager", { name: "Mona Manager" });
    reader = await company.user("viewer");
    const [category] = await manager.client.categories.list();
    const about = { title: "Boiler check", description: "Every Monday.", categoryId: category?.id, readTime: 3 };
    const markdown = "## Steps\n\n1. Read the pressure\n2. Write it down\n";
    const body = { ...about, markdown, status: "published" as const, reviewBy: dayAhead(5), ownerId: manager.id };
    ({ id } = await manager.client.sops.create({ body }));
  });

  it("a review that is due is given: the SOP is kept until the day asked for", async () => {
    const page = await open(manager, `/sop/${id}`);
    await page.getByText("Review due soon").waitFor();
    await page.getByRole("heading", { name: "Document control" }).click();
    const block = page.getByRole("region", { name: "Document control" });
    expect(await block.textContent()).toContain("due in 5 days");
    await page.getByRole("button", { name: "Review", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Review this SOP" });
    await dialog.getByLabel("Note").fill("Nothing changed");
    await dialog.getByLabel("Next review").fill(dayAhead(400));
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Record review" }).click();
    await page.getByText("Review recorded", { exact: true }).waitFor();
    await page.getByText("Review due soon").waitFor({ state: "detached" });
    expect(await block.textContent()).toContain("Kept, Mona Manager");
  }, 120_000);

  it("a scheduled version waits, and readers see it on its day", async () => {
    const form = await open(manager, `/sop/${id}/edit`);
    await form.getByLabel("Title").fill("Boiler check, twice a week");
    await form.getByRole("button", { name: "Publish or submit…" }).click();
    const question = form.getByRole("dialog", { name: "Publish version 2" });
    await question.getByText("twice a week").first().waitFor();
    await question.getByRole("button", { name: "Effective date: Now" }).click();
    await question.getByLabel("Effective date").fill(dayAhead(1));
    await question.getByRole("button", { name: "Publish", exact: true }).click();
    await form.getByText("Version 2 takes effect on").waitFor();
    await form.getByText("Until then readers see version 1.").waitFor();

    const reading = await open(reader, `/sop/${id}`, 390);
    await reading.getByRole("heading", { level: 1, name: "Boiler check", exact: true }).waitFor();
    expect(await reading.getByText("takes effect").count()).toBe(0);
    server().clock.advance(dayMs);
    await server()
      .db.collection("sessions")
      .updateMany({}, { $set: { lastSeenAt: server().clock.now() } });
    await server().running.deadlines.run();
    await reading.getByRole("heading", { level: 1, name: "Boiler check, twice a week" }).waitFor();
    await form.getByText("Version 2 takes effect on").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  }, 120_000);
});
