/** The first day of a company in a real browser: register, name it, take drafts, invite, open the first draft. */
import { expect, it } from "vitest";
import { countActions } from "./actions.ts";
import { uniqueSuffix } from "./browser.ts";
import { describeJourney } from "./journey.ts";
import { faultsOf } from "./page-faults.ts";

describeJourney("the first day", {}, ({ server, open, contextOf, expectRefusals }) => {
  it("leads from registering to the first draft in a few actions", async () => {
    const page = await open(await contextOf(null), "/register", undefined, /status of 401/);
    await page.getByLabel("Full name").fill("Petra Vogel");
    await page.getByLabel("Username").fill(`petra-${uniqueSuffix()}`);
    await page.getByLabel("Password", { exact: true }).fill("a walk to the sea");
    await page.getByLabel("Confirm password").fill("a walk to the sea");
    const counted = await countActions(page);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { level: 1, name: "What is your company called?" }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel("Company name").fill("Harbor Lane");
    await page.getByRole("radio", { name: "Cafés, hotels and shops" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { level: 1, name: "Choose what you need first" }).waitFor();
    await page.getByRole("checkbox").nth(5).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Add 3 drafts" }).click();
    await page.getByRole("heading", { level: 1, name: "Who works with you?" }).waitFor();
    await page.getByLabel("Addresses").fill("noah@harbor.test clara@harbor.test");
    await page.getByRole("button", { name: "Invite 2 people" }).click();
    await page.getByText("2 people invited").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Go to the dashboard" }).click();
    const steps = page.getByRole("region", { name: "Publish your first SOP" });
    await steps.getByText("2 of 4 done").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    const categories = page.getByRole("list", { name: "Number of SOPs" });
    expect(await categories.getByRole("link").first().innerText()).toMatch(/^Service/);
    await steps.getByRole("link", { name: /^Open “/ }).click();
    await page.waitForURL(/\/sop\/[^/]+\/edit$/);
    const { steps: done } = await counted.print("register to the first draft open");
    expect(done).toBeLessThanOrEqual(7);
    const company = await server().db.collection("companies").findOne({ name: "Harbor Lane" });
    expect(company).toMatchObject({ industry: "Cafés, hotels and shops" });
    await expectRefusals();
  });
});
