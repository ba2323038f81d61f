/**
 * A company's administrator in a real browser against a real server: rules, invitations, teams, access, and the audit
 * log.
 */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { type Company, type TestUser } from "../server.ts";
import { uniqueSuffix } from "./browser.ts";
import { faultsOf } from "./page-faults.ts";
import { describeJourney } from "./journey.ts";
import { chooseMore } from "./more-actions.ts";

describeJourney("administering a company", { expected: /status of 404/ }, ({ server, contextOf, open }) => {
  let company: Company;
  let cora: TestUser;
  let ann: TestUser;
  let eve: TestUser;
  let sopId = "";

  beforeAll(async () => {
    company = await server().company();
    cora = await company.user("company_admin", { name: "Cora Chief" });
    ann = await company.user("manager", { name: "Ann Archer" });
    eve = await company.user("viewer", { name: "Eve Evans" });
    const [category] = await ann.client.categories.list();
    const sop = await ann.client.sops.create({
      body: { title: "Pay the staff", description: "Every month.", markdown: "1. Pay\n", categoryId: category?.id },
    });
    sopId = sop.id;
    await cora.client.teams.create({ body: { name: "Bakers" } });
  });

  /** Removes the restriction, so that a second try starts like the first one. */
  async function reopen(): Promise<void> {
    const params = { id: sopId };
    const { permissions } = await cora.client.sops.restrict({ params, body: { restricted: false } });
    for (const { id } of permissions) {
      await cora.client.sops.revoke({ params: { ...params, permissionId: id } });
    }
  }
  const told = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

  it("saves the company's rules, which count at once", async () => {
    const context = await contextOf(cora);
    const page = await open(context, "/admin/company");
    const topic = (name: string) => page.getByRole("region", { name });
    await topic("Profile").getByLabel("Industry").fill("Bakery");
    await topic("Profile").getByText("1 change not saved").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await topic("Profile").getByRole("button", { name: "Save" }).click();
    await told(page, "Company updated");
    await page.getByRole("link", { name: "Publishing" }).click();
    const rules = topic("Publishing");
    await rules.getByRole("radio", { name: /^Strict/ }).check();
    await rules.getByLabel("An SOP is approved when").selectOption("n_of_m");
    await rules.getByLabel("How many").fill("2");
    await rules.getByRole("button", { name: "Save" }).click();
    await told(page, "Rules saved");
    await page.getByRole("link", { name: "Passwords" }).click();
    const passwords = topic("Passwords");
    await passwords.getByLabel("Shortest password").fill("4");
    await passwords.getByRole("button", { name: "Save" }).click();
    await passwords.getByText("Password must be at least 6 characters").waitFor();
    await passwords.getByLabel("Shortest password").fill("12");
    await passwords.getByRole("button", { name: "Save" }).click();
    await passwords.getByText("1 change not saved").waitFor({ state: "detached" });
    const { settings, industry } = await cora.client.company.get();
    expect({ settings, industry }).toMatchObject({
      industry: "Bakery",
      settings: {
        documentControl: "strict",
        approvalRule: { kind: "n_of_m", count: 2 },
        allowSelfApproval: false,
        passwordMinimum: 12,
      },
    });
    await expect(ann.client.sops.publish({ params: { id: sopId } })).rejects.toMatchObject({ status: 409 });

    await passwords.getByLabel("Shortest password").fill("");
    // a link asks before the change is lost
    await page.getByRole("link", { name: "Publishing" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
    await rules.getByRole("radio", { name: /^Flexible/ }).check();
    await rules.getByRole("button", { name: "Save" }).click();
    // the toast of the first save may still be there, so it proves nothing about this one
    await expect.poll(async () => (await cora.client.company.get()).settings.documentControl).toBe("flexible");
    await ann.client.sops.publish({ params: { id: sopId } });
    await cora.client.company.update({ body: { settings: { passwordMinimum: null } } });
  });

  it("takes a right from a role and gives it back", async () => {
    const context = await contextOf(cora);
    const page = await open(context, "/admin/company/roles");
    const cell = page.getByRole("button", { name: /^Manager, Write new SOPs/ });
    await cell.click();
    await page.getByRole("menuitemradio", { name: "Deny" }).click();
    await told(page, "Role changed");
    const [category] = await ann.client.categories.list();
    const body = { title: "Another", description: "D", markdown: "x\n", categoryId: category?.id };
    await expect(ann.client.sops.create({ body })).rejects.toMatchObject({ status: 403 });
    await page.getByRole("button", { name: "Reset all changes (1)" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Reset" }).click();
    await told(page, "All roles reset");
    await ann.client.sops.create({ body });
  });

  it("invites a colleague, who registers by the link", async () => {
    const context = await contextOf(cora);
    const page = await open(context, "/admin/users");
    await page.getByRole("button", { name: "Invite" }).click();
    const dialog = page.getByRole("dialog", { name: "Invite people" });
    await dialog.getByLabel("Role").selectOption("editor");
    await dialog.getByRole("button", { name: "Create Link" }).click();
    const link = await page.getByLabel("One-time link").inputValue();
    await page.getByRole("button", { name: "Done" }).click();

    const stranger = await contextOf(null);
    const { pathname, search } = new URL(link);
    const theirs = await open(stranger, pathname + search);
    await theirs.getByLabel("Full name").fill("Nora New");
    await theirs.getByLabel("Username").fill(`nora-${uniqueSuffix()}`);
    await theirs.getByLabel("Password", { exact: true }).fill("a long walk to the sea");
    await theirs.getByLabel("Confirm password").fill("a long walk to the sea");
    await theirs.getByRole("button", { name: "Create account" }).click();
    await theirs.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
    await stranger.close();

    await page.getByRole("table", { name: "All invitations" }).getByText("by Nora New").first().waitFor();
    const people = await cora.client.users.list();
    expect(people.map(({ name }) => name)).toContain("Nora New");
  });

  it("keeps a team and its members", async () => {
    const context = await contextOf(cora);
    const name = `Kitchen ${uniqueSuffix()}`;
    const page = await open(context, "/admin/teams");
    await page.getByRole("button", { name: "New Team" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create New Team" });
    await dialog.getByLabel("Team name").fill(name);
    await dialog.getByRole("button", { name: "Create Team" }).click();
    const members = page.getByRole("dialog", { name: `Members of ${name}` });
    await members.getByLabel("Person").selectOption({ label: `Eve Evans (${eve.username})` });
    await members.getByRole("button", { name: "Add" }).click();
    await told(page, "Eve Evans added");
    await members.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: `Members of ${name}: 2` }).waitFor();
    const teams = await cora.client.teams.list();
    expect(teams.find((team) => team.name === name)).toMatchObject({ ownerName: "Cora Chief", memberCount: 2 });
  });

  it("opens a restricted SOP to a person by a grant, and closes it again", async () => {
    await reopen();
    const context = await contextOf(cora);
    const page = await open(context, `/sop/${sopId}`);
    await chooseMore(page, "Share");
    const dialog = page.getByRole("dialog", { name: "Share" });
    await dialog.getByRole("switch", { name: /^Restricted/ }).check();
    await told(page, "The SOP is now restricted");
    const reader = await contextOf(eve);
    const theirs = await open(reader, `/sop/${sopId}`);
    await theirs.getByRole("heading", { level: 1, name: "SOP Not Found" }).waitFor();

    await dialog.getByLabel("Person or team").selectOption({ label: `Eve Evans (${eve.username})` });
    await dialog.getByRole("button", { name: "Share" }).click();
    await told(page, "SOP shared");
    await theirs.reload();
    await theirs.getByRole("heading", { level: 1, name: "Pay the staff" }).waitFor();

    await dialog.getByRole("button", { name: "Remove Eve Evans" }).click();
    await told(page, "Access removed");
    await theirs.reload();
    await theirs.getByRole("heading", { level: 1, name: "SOP Not Found" }).waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect
      .poll(() =>
        page.getByRole("button", { name: "More actions" }).evaluate((button) => button === document.activeElement),
      )
      .toBe(true);
  });

  it("warns managers before they lose access to an SOP, and leaves its screen", async () => {
    await reopen();
    const max = await company.user("manager", { name: "Max Miller" });
    const context = await contextOf(max);
    const page = await open(context, `/sop/${sopId}`);
    await chooseMore(page, "Share");
    const restricted = page.getByRole("dialog", { name: "Share" }).getByRole("switch", { name: /^Restricted/ });
    await restricted.click();
    const question = page.getByRole("alertdialog", { name: "You'll lose access to this SOP" });
    await question.waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await question.getByRole("button", { name: "Cancel" }).click();
    expect(await restricted.isChecked()).toBe(false);
    expect(await max.client.sops.get({ params: { id: sopId } })).toMatchObject({ restricted: false });
    await restricted.click();
    await question.getByRole("button", { name: "Restrict anyway" }).click();
    await page.getByRole("heading", { level: 1, name: "Standard Operating Procedures" }).waitFor();
    await expect(max.client.sops.get({ params: { id: sopId } })).rejects.toMatchObject({ status: 404 });
    await reopen();
  });

  it("shows all of it in the audit log, before and after, and exports it", async () => {
    const context = await contextOf(cora);
    const page = await open(context, "/admin/audit");
    const log = page.getByRole("table", { name: "Audit log" });
    for (const text of [
      "SOP restricted",
      "SOP shared",
      "Access to SOP removed",
      "Team created",
      "Invitation created",
    ]) {
      await log.getByText(text, { exact: true }).first().waitFor();
    }
    await page.getByLabel("What happened").selectOption("company.update");
    await log.getByText("SOP restricted", { exact: true }).first().waitFor({ state: "detached" });
    await expect.poll(() => log.getByText("Company updated").count()).toBeGreaterThanOrEqual(3);
    await log
      .getByRole("button", { name: /^Show details/ })
      .last()
      .click();
    const entry = page.getByRole("dialog", { name: "Company updated" });
    await entry.getByText("Bakery").waitFor();
    await entry.getByText("empty", { exact: true }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await entry.getByRole("button", { name: "Close" }).first().click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const text = await readFile(await download.path(), "utf8");
    expect(text).toContain("company.update");
    expect(text).not.toContain("sop.grant");
  });

  it("breaks long values of an entry of the log, on a phone too", async () => {
    const context = await contextOf(cora, 390);
    const page = await open(context, "/admin/audit?action=sop.create");
    await page
      .getByRole("button", { name: /^Show details/ })
      .first()
      .click();
    const entry = page.getByRole("dialog", { name: "SOP created" });
    await entry.getByText("Fingerprint").waitFor();
    expect((await entry.innerText()).match(/[0-9a-f]{64}/g)?.length).toBeGreaterThanOrEqual(2);
    const wide = (parts: Element[]) => parts.filter((part) => part.scrollWidth > part.clientWidth).length;
    expect(await entry.locator("div").evaluateAll(wide)).toBe(0);
  });

  it("says in words that access is denied", async () => {
    const context = await contextOf(eve);
    for (const address of ["/admin/company", "/admin/audit"]) {
      const page = await open(context, address);
      await page.getByRole("heading", { level: 1, name: "Access Denied" }).waitFor();
      await page.close();
    }
  });
});
