/** A category that is stricter than its company: created on screen, and explained where it refuses an action. */
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { uniqueSuffix } from "./browser.ts";
import { faultsOf } from "./page-faults.ts";
import { openProperties } from "./edit-screen.ts";
import { describeJourney } from "./journey.ts";

describeJourney("a strict category", {}, ({ server, open }) => {
  let manager: TestUser;
  let approver: TestUser;

  beforeAll(async () => {
    const company = await server().company();
    await company.letApprove("viewer");
    manager = await company.user("manager", { name: "Mona Manager" });
    approver = await company.user("viewer", { name: "Vi Viewer" });
    await manager.client.teams.create({ body: { name: "Laboratory" } });
  });

  it("is created in the sidebar, and the edit screen says what it requires to publish", async () => {
    const category = `Labs ${uniqueSuffix()}`;
    const page = await open(manager, "/");
    await page.getByRole("button", { name: "New Category" }).click();
    const form = page.getByRole("dialog", { name: "New Category" });
    await form.getByLabel("Category name").fill(category);
    await form.getByRole("radio", { name: "Purple" }).check();
    await form.getByText("Team and rules").click();
    await form.getByLabel("Team").selectOption({ label: "Laboratory" });
    await form.getByRole("switch", { name: /^Approval required/ }).check();
    await form.getByLabel("An SOP is approved when").selectOption({ label: "One of them has approved" });
    await form.getByRole("button", { name: "Create Category" }).click();
    await page.getByRole("heading", { level: 1, name: category }).waitFor();
    await page.getByText("Team Laboratory · Approval required · One approval is enough").waitFor();

    await page.getByRole("link", { name: "New SOP in Category" }).click();
    await openProperties(page);
    await page.getByText("Laboratory, as its category").first().waitFor({ state: "attached" });
    const published = page.getByLabel("Status", { exact: true }).locator('option[value="published"]');
    await expect.poll(() => published.textContent()).toBe("Published: save first, then approval");
    expect(await published.isDisabled()).toBe(true);
  });

  it("sends a text back to its author, whose dashboard says who did it and why, on a small screen too", async () => {
    const title = `Titrate ${uniqueSuffix()}`;
    const { id } = await manager.client.sops.create({ body: { title, description: "D", markdown: "One\n" } });
    const body = { approverIds: [approver.id] };
    const page = await open(manager, "/", 390);
    await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
    const request = await manager.client.sops.requestApproval({ params: { id }, body });
    const waiting = await open(approver, "/");
    await waiting
      .getByRole("region", { name: /waits? for you/ })
      .getByRole("link", { name: title })
      .waitFor();
    const comment = "Name the indicator";
    await approver.client.approvals.requestChanges({ params: { id: request.id }, body: { comment } });
    // without a reload
    const back = page.getByRole("region", { name: /waits? for you/ });
    await back.getByText(/Vi Viewer \(\S+\) requested changes: “Name the indicator”/).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await waiting.getByRole("heading", { level: 1, name: "Nothing waits for you" }).waitFor();
    await back.getByRole("link", { name: title }).click();
    await page.getByRole("region", { name: "Approval" }).getByText(comment).waitFor();
  });
});
