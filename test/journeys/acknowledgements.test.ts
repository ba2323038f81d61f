/**
 * "I have read this version" in a real browser: requested, confirmed next to an open overview, reopened by a major
 * change.
 */
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { countActions } from "./actions.ts";
import { faultsOf } from "./page-faults.ts";
import { describeJourney } from "./journey.ts";

const steps = Array.from({ length: 40 }, (_, n) => `${n + 1}. Look at valve ${n + 1}, and close it when it drips`);
const markdown = `## Steps\n\n${steps.join("\n")}\n`;

const options = { start: new Date().toISOString() };

describeJourney("read acknowledgements", options, ({ server, complaints, contextOf, open }) => {
  let boss: TestUser;
  let reader: TestUser;
  let id: string;

  beforeAll(async () => {
    const company = await server().company();
    boss = await company.user("manager", { name: "Mona Manager" });
    reader = await company.user("viewer", { name: "Rita Reader" });
    const others = [await company.user("viewer", { name: "Otto Other" }), await company.user("editor")];
    const team = await boss.client.teams.create({ body: { name: "Night shift" } });
    for (const { id: userId } of [reader, ...others])
      await boss.client.teams.addMember({ params: { id: team.id }, body: { userId } });
    const body = { title: "Close the valves", description: "Every evening.", markdown, status: "published" } as const;
    id = (await boss.client.sops.create({ body })).id;
  });

  async function hasNoFaults(page: Page): Promise<void> {
    expect(await faultsOf(page)).toEqual([]);
  }

  it("who publishes asks a team, a reader confirms, and the open overview shows it without a reload", async () => {
    const [atDesk, atMachine] = [await contextOf(boss), await contextOf(reader)];
    const desk = await open(atDesk, `/sop/${id}`);
    const counted = await countActions(desk);
    await desk.getByRole("button", { name: "Ask to read" }).click();
    const ask = desk.getByRole("dialog", { name: "Ask to read" });
    await ask.getByRole("checkbox", { name: "Night shift" }).check();
    await hasNoFaults(desk);
    await ask.getByRole("button", { name: "Ask to read" }).click();
    await desk.getByText("0 of 4", { exact: true }).waitFor();
    const { steps, typed } = await counted.print("ask a team to read");
    expect(steps + typed).toBeLessThanOrEqual(3);
    await desk.getByRole("heading", { name: "Read confirmations" }).click();
    await desk.getByText("0 of 4 confirmed").waitFor();
    await desk.getByRole("button", { name: "Who has confirmed" }).click();
    const overview = desk.getByRole("dialog", { name: "Who has confirmed" });
    await overview.getByRole("listitem").filter({ hasText: "Rita Reader" }).getByText("Not yet").waitFor();
    await hasNoFaults(desk);

    const machine = await open(atMachine, "/");
    const toRead = machine.getByRole("region", { name: /to read$/ });
    await toRead.getByRole("link", { name: "Close the valves" }).waitFor();
    await hasNoFaults(machine);
    await toRead.getByRole("link", { name: "Close the valves" }).click();
    const question = machine.getByRole("region", { name: "Your confirmation" });
    await question.getByText(/^Read this by /).waitFor();
    // visible while the text is read, without covering the text below it
    expect(await machine.evaluate(() => window.scrollY)).toBe(0);
    expect((await question.boundingBox())?.y ?? 0).toBeGreaterThan(700);
    await hasNoFaults(machine);
    await question.getByRole("button", { name: "I have read this version" }).click();
    const answer = machine.getByText(/^You confirmed version 1 on /);
    await answer.waitFor();
    expect(await answer.evaluate((element) => element === document.activeElement)).toBe(true);
    await hasNoFaults(machine);

    await overview.getByText("1 of 4 confirmed").waitFor();
    await overview.getByRole("listitem").filter({ hasText: "Rita Reader" }).getByText("version 1 on").waitFor();
    const download = desk.waitForEvent("download");
    await overview.getByRole("link", { name: "Export CSV" }).click();
    expect((await download).suggestedFilename()).toMatch(/^SOP-0001-acknowledgements-.*\.csv$/);
  });

  it("a minor change keeps the answer, a major one asks again, on a small screen too", async () => {
    const context = await contextOf(reader, 320);
    const page = await open(context, `/sop/${id}`);
    await page.getByText(/^You confirmed version 1 on /).waitFor();
    const publish = (changeClass: "minor" | "major", text: string) =>
      boss.client.sops.update({ params: { id }, body: { markdown: text, changeClass, status: "published" } });
    await publish("minor", markdown.replace("drips", "leaks"));
    await page.getByText(/^Version 2, published /).waitFor();
    await page.getByText(/^You confirmed version 1 on /).waitFor();
    expect(await page.getByRole("button", { name: /I have read/ }).count()).toBe(0);
    await publish("major", `${markdown}\nThen tell the night shift.\n`);
    await page.getByText(/^Version 3, published /).waitFor();
    await page.getByText(/It has changed since\.$/).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await hasNoFaults(page);
    await page.getByRole("button", { name: "I have read this version" }).click();
    await page.getByText(/^You confirmed version 3 on /).waitFor();
  });

  it("a reader on a phone confirms after the whole text was shown, in the text and after the steps", async () => {
    const long = "This is the plan of the plant, and the office keeps it for the time of the law. ".repeat(5);
    const text = `## Scope\n\n${long}\n\n## Steps\n\n1. Stop the mill.\n2. Clean it.\n`;
    const body = {
      title: "Clean the mill",
      description: "Every evening.",
      markdown: text,
      status: "published",
    } as const;
    const { id: other } = await boss.client.sops.create({ body });
    await boss.client.acknowledgements.ask({ params: { id: other }, body: { userIds: [reader.id] } });
    const context = await contextOf(reader, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    const page = await open(context, `/sop/${other}/steps`);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Finish" }).click();
    const confirm = page.getByRole("button", { name: /I have read/ });
    await page.getByText("Open the folded sections first.").waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByText("2 more sections").click();
    await page.getByText("Open the folded sections first.").waitFor({ state: "detached" });
    expect(await confirm.isEnabled()).toBe(true);
    await hasNoFaults(page);
    await page.getByRole("button", { name: "Back to the SOP" }).click();
    await page.getByText("Some text is folded.").waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await hasNoFaults(page);
    await page.getByRole("button", { name: "Show the whole text" }).click();
    await page.getByText("Some text is folded.").waitFor({ state: "detached" });
    expect(await page.locator(".before-steps p").isVisible()).toBe(true);
    await confirm.click();
    await page.getByText(/^You confirmed version 1 on /).waitFor();
  });

  it("nothing complained on the way", () => {
    expect(complaints).toEqual([]);
  });
});
