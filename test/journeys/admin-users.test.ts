/** Managing companies and users in a real browser against a real server, with keyboard, phone and both themes. */
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { cookieOf, type TestUser } from "../server.ts";
import { uniqueSuffix } from "./browser.ts";
import { faultsOf } from "./page-faults.ts";
import { describeJourney } from "./journey.ts";

describeJourney(
  "administering users",
  { expected: /status of 409/, sendsEmail: true },
  ({ server, contextOf, open }) => {
    let root: TestUser;
    let cora: TestUser;
    let eve: TestUser;

    beforeAll(async () => {
      const company = await server().company();
      root = await company.user("system_admin", { name: "Rob Root" });
      cora = await company.user("company_admin", { name: "Cora Chief" });
      eve = await company.user("viewer", { name: "Eve Evans" });
    });

    /** Shown on screen, and announced by the live region of toasts. */
    const told = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
    const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
    async function choose(page: Page, name: string, action: string) {
      await page.getByRole("button", { name: new RegExp(`^Actions for ${name}(?: \\(|$)`) }).click();
      await page.getByRole("menuitem", { name: action }).click();
    }
    const expectNoFaults = async (page: Page) => expect(await faultsOf(page)).toEqual([]);
    /** The focus moves shortly after its element is gone. */
    const expectFocus = (page: Page, label: RegExp) =>
      expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(label);

    it("founds a company, gives it people, and changes both", async () => {
      const context = await contextOf(root);
      const page = await open(context, "/");
      await page.getByRole("link", { name: "Companies" }).click();
      await page.getByRole("button", { name: "New Company" }).click();
      const form = page.getByRole("dialog");
      await form.locator("input:focus").waitFor();
      await page.keyboard.type("Globex Industries");
      expect(await form.getByLabel("Slug").inputValue()).toBe("globex-industries");
      await form.getByLabel("Max Users").fill("2");
      await form.getByLabel("Size").selectOption({ label: "Large (201-1000)" });
      await page.keyboard.press("Enter");
      await told(page, "Company created");
      await choose(page, "Globex Industries", "Edit Company");
      await form.getByLabel("Industry").fill("Energy");
      await page.getByRole("button", { name: "Update Company" }).click();
      await told(page, "Company updated");
      await row(page, "Energy").getByRole("link", { name: "Globex Industries" }).click();

      await page.getByText("Manage users of Globex Industries").waitFor();
      await page.getByRole("button", { name: "New User" }).click();
      const dialog = page.getByRole("dialog", { name: "Create New User" });
      await dialog.locator("input:focus").waitFor();
      await page.keyboard.type("dee");
      await dialog.getByLabel("Full Name").fill("Dee Dow");
      await dialog.getByLabel("Email").fill("dee@globex.example");
      await dialog.getByLabel("Password").fill("walnut bread at noon");
      await dialog.getByLabel("Role").selectOption("company_admin");
      await dialog.getByRole("button", { name: "Create User" }).click();
      await told(page, "User created");
      await row(page, "Dee Dow").getByText("Company Admin").waitFor();
      await page.getByText("1 of 2 users").waitFor();

      // a taken name is reported at its field, a full company above the form
      await page.getByRole("button", { name: "New User" }).click();
      await dialog.getByLabel("Username").fill("dee");
      await dialog.getByLabel("Full Name").fill("Gus Grey");
      await dialog.getByRole("button", { name: "Create User" }).click();
      await dialog.getByText("This username is taken").waitFor();
      await dialog.getByLabel("Username").fill("gus");
      await dialog.getByRole("button", { name: "Create User" }).click();
      // no email and no password: the administrator passes the link on
      const link = await page.getByLabel("One-time link").inputValue();
      expect(link.startsWith(`${server().url}/`)).toBe(true);
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByText("2 of 2 users").waitFor();
      await page.getByRole("button", { name: "New User" }).click();
      await dialog.getByLabel("Username").fill("third");
      await dialog.getByLabel("Full Name").fill("Third Man");
      await dialog.getByRole("button", { name: "Create User" }).click();
      await dialog
        .getByRole("alert")
        .getByText(/limit|places|users/)
        .waitFor();
      await expectNoFaults(page);
    });

    it("filters, edits, suspends, activates, resets, deletes; the address says what is shown", async () => {
      const context = await contextOf(root);
      const page = await open(context, "/admin/users");
      await page.getByLabel("Search users by name, email, or username...").fill("dow");
      await page.getByText("1 user", { exact: true }).waitFor();
      await choose(page, "Dee Dow", "Edit User");
      await page.getByLabel("Job Title").fill("Director");
      await page.getByRole("button", { name: "Update User" }).click();
      await told(page, "User updated");
      await row(page, "Dee Dow").getByText("Director").waitFor();
      expect(new URL(page.url()).search).toBe("?search=dow");

      // the only administrator of the company can't be suspended
      await choose(page, "Dee Dow", "Suspend User");
      await page.getByRole("alertdialog").getByRole("button", { name: "Suspend User" }).click();
      await page.getByRole("alertdialog").getByText("This is the company's last active administrator").waitFor();
      await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
      await choose(page, "Dee Dow", "Reset Password");
      await told(page, "A reset link was sent to dee@globex.example.");

      await page.getByLabel("Search users by name, email, or username...").fill("gus");
      await page.getByRole("cell", { name: "Viewer" }).waitFor();
      const before = await server().signIn("dee", "walnut bread at noon");
      expect(cookieOf(before)).not.toBe("");
      await choose(page, "Gus Grey", "Suspend User");
      await page.getByRole("alertdialog").getByRole("button", { name: "Suspend User" }).click();
      await page.getByText("No users found").waitFor();
      await page.getByLabel("Status").selectOption("Suspended");
      await row(page, "Gus Grey").getByText("Suspended").waitFor();
      await page.reload();
      await row(page, "Gus Grey").waitFor();
      await choose(page, "Gus Grey", "Activate User");
      await page.getByText("No users found").waitFor();
      await page.getByLabel("Status").selectOption("Active");
      await choose(page, "Gus Grey", "Delete User");
      const question = page.getByRole("alertdialog", { name: "Are you sure you want to delete Gus Grey?" });
      await question.waitFor();
      await expectNoFaults(page);
      await question.getByRole("button", { name: "Cancel" }).click();
      await expectFocus(page, /^Actions for Gus Grey /);
      await choose(page, "Gus Grey", "Delete User");
      await question.getByRole("button", { name: "Delete User" }).click();
      await told(page, "User deleted");
      await page.getByText("No users found").waitFor();
      await expectFocus(page, /^Users$/);
    });

    it("shows a company's administrator only the company's users, and prevents locking oneself out", async () => {
      const context = await contextOf(cora);
      const page = await open(context, "/admin/users");
      await page.getByText("Manage users in your organization").waitFor();
      await row(page, "Eve Evans").waitFor();
      expect(await page.getByText("Dee Dow").count()).toBe(0);
      expect(await page.getByRole("link", { name: "Companies" }).count()).toBe(0);
      await page.getByRole("button", { name: /^Actions for Cora Chief \(/ }).press("Enter");
      await page.getByRole("menuitem", { name: "Edit User" }).waitFor();
      await page.getByText("You can't delete yourself.").waitFor();
      await expectNoFaults(page);
      // the keyboard reaches a disabled item, and pressing it does nothing
      await page.keyboard.press("End");
      await page.keyboard.press("Enter");
      expect(await page.getByRole("alertdialog").count()).toBe(0);
      await page.keyboard.press("Escape");
      await expectFocus(page, /^Actions for Cora Chief /);
      await page.goto(new URL("/admin/companies", server().url).href);
      await page.getByRole("heading", { level: 1, name: "Access Denied" }).waitFor();
    });

    it("sees at once what another administrator changes, and ends the access of who is suspended", async () => {
      const [mine, hers] = await Promise.all([contextOf(cora), contextOf(eve)]);
      const page = await open(mine, "/admin/users");
      await row(page, "Eve Evans").waitFor();
      await root.client.adminUsers.update({ params: { id: eve.id }, body: { department: "Harbour" } });
      await row(page, "Eve Evans").getByText("Harbour").waitFor();
      const theirs = await open(hers, "/", 1280, /status of 401/);
      await theirs.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
      await choose(page, "Eve Evans", "Suspend User");
      await page.getByRole("alertdialog").getByRole("button", { name: "Suspend User" }).click();
      await told(page, "User updated");
      await theirs.waitForURL("**/login");
    });

    it("keeps its width with very long names", async () => {
      const word = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft";
      const name = `Aa ${word}`;
      const body = { username: `long-${uniqueSuffix()}`, name, email: `${word.slice(0, 60)}@a-long-name.example` };
      await cora.client.companyUsers.create({
        body: { ...body, password: "a walk to the sea", role: "editor", department: word, title: word },
      });
      for (const width of [1280, 320]) {
        const context = await contextOf(cora, { viewport: { width, height: 800 } });
        const page = await open(context, "/admin/users");
        await row(page, name).first().waitFor();
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
          0,
        );
        await page
          .getByRole("button", { name: new RegExp(`^Actions for ${name} \\(`) })
          .first()
          .click();
        await page.getByRole("menuitem", { name: "Delete User" }).click();
        const question = page.getByRole("alertdialog", {
          name: `Are you sure you want to delete ${name}?`,
        });
        expect(await question.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
        await context.close();
      }
    });
  },
);
