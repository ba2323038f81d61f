/**
 * A user's own account in a real browser against a real server: forgotten passwords, invitations, sessions, tokens,
 * settings.
 */
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { writtenEmails } from "../emails.ts";
import { password, type Company, type TestUser } from "../server.ts";
import { uniqueSuffix } from "./browser.ts";
import { describeJourney } from "./journey.ts";

const pngPixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

// a browser uses the real time, so what expires in it must not be in the past
describeJourney(
  "the user's own account",
  { start: new Date().toISOString(), sendsEmail: true },
  ({ server, complaints, contextOf }) => {
    let company: Company;

    beforeAll(async () => {
      company = await server().company();
    });

    async function open(context: BrowserContext, address: string): Promise<Page> {
      const page = await context.newPage();
      page.on("console", (message) => {
        // the browser's own lines for expected refusals, and its messages that are neither errors nor warnings
        const isComplaint =
          ["error", "warning"].includes(message.type()) && !/status of (?:400|401)/.test(message.text());
        if (isComplaint) complaints.push(`${message.type()}: ${message.text()}`);
      });
      page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
      await page.goto(new URL(address, server().url).href);
      return page;
    }
    async function signIn(page: Page, username: string, secret: string) {
      await page.getByLabel("Username").fill(username);
      await page.getByLabel("Password").fill(secret);
      await page.getByRole("button", { name: "Sign in" }).click();
    }
    async function withAddress(user: TestUser, email: string): Promise<TestUser> {
      await server().db.collection("users").updateOne({ _id: user.id }, { $set: { email } });
      return user;
    }
    const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
    const toast = (page: Page, title: string) => page.getByText(title, { exact: true }).first().waitFor();

    /** The reset link in the newest email to an address, once it has arrived. */
    async function mailedLink(to: string): Promise<string> {
      let link = "";
      const look = async () => {
        const newest = (await writtenEmails(server())).findLast((mail) => mail.includes(`To: ${to}`)) ?? "";
        link = /https?:\/\/\S+\/reset-password\?token=\S+/.exec(unfolded(newest))?.[0] ?? "";
        return link;
      };
      await expect.poll(look, { timeout: 20_000 }).not.toBe("");
      return link;
    }

    it("sets a new password by a mailed link, once, and signs in with it", async () => {
      const address = `ann-${uniqueSuffix()}@journey.test`;
      const ann = await withAddress(await company.user("editor", { name: "Ann Archer" }), address);
      const context = await contextOf(null);
      const page = await open(context, "/login");
      await page.getByRole("link", { name: "Forgot password" }).click();
      await page.getByLabel("Email").fill(address);
      await page.getByRole("button", { name: "Send reset link" }).click();
      await page.getByText(/If an account exists .* valid for 1 hour/).waitFor();

      const link = await mailedLink(address);
      await page.goto(link);
      await heading(page, "Set a new password");
      expect(new URL(page.url()).search).toBe("");
      // the history entry still knows it
      await page.reload();
      await page.getByLabel("New password").fill("another long walk");
      await page.getByLabel("Confirm password").fill("another long walk");
      await page.getByRole("button", { name: "Set new password" }).click();
      await heading(page, "Password changed");
      await page.waitForURL("**/login");
      await signIn(page, ann.username, password);
      await page.getByText("The username or the password is wrong").waitFor();
      await signIn(page, ann.username, "another long walk");
      await heading(page, "Dashboard");

      await page.goto(link);
      await heading(page, "Invalid or expired reset link");
      await page.getByRole("link", { name: "Request a new link" }).waitFor();
    });

    it("says what is wrong with a link, and leads back", async () => {
      const context = await contextOf(null);
      const page = await open(context, "/reset-password");
      await heading(page, "Invalid reset link");
      await page.goto(new URL("/reset-password?token=made-up", server().url).href);
      await heading(page, "Invalid or expired reset link");
      await page.getByRole("link", { name: "Request a new link" }).click();
      await heading(page, "Forgot password");
      await page.goto(new URL("/register?invite=made-up", server().url).href);
      await heading(page, "Invalid invitation");
    });

    it("joins a company by invitation, with the role it names", async () => {
      const cora = await company.user("company_admin", { name: "Cora Chief" });
      const { link } = await cora.client.invitations.create({ body: { role: "reviewer", email: "ben@journey.test" } });
      const username = `ben-${uniqueSuffix()}`;
      const context = await contextOf(null);
      const page = await open(context, link);
      const { company: joined } = (await cora.client.auth.me()).user;
      await heading(page, `Join ${joined.name}`);
      await page.getByText(`You're invited to ${joined.name} as Reviewer, by `).waitFor();
      await page.getByLabel("Full name").fill("Ben Baker");
      await page.getByLabel("Username").fill(username);
      await page.getByLabel("Password", { exact: true }).fill("a walk to the sea");
      await page.getByLabel("Confirm password").fill("a walk to the sea");
      await page.getByRole("button", { name: "Create account" }).click();
      await heading(page, "Dashboard");
      await page.getByText("Ben Baker").waitFor();
      await page.getByText("Reviewer", { exact: true }).waitFor();
      expect(await server().db.collection("users").findOne({ username })).toMatchObject({
        companyId: company.id,
        role: "reviewer",
        email: "ben@journey.test",
      });
    });

    it("ends the other browser at once when the password changes, and loses none of its text", async () => {
      const user = await company.user("editor", { name: "Dora Dean" });
      const [category] = await user.client.categories.list();
      const body = { title: "Knead", description: "Daily.", markdown: "One\n", categoryId: category?.id, readTime: 5 };
      const sop = await user.client.sops.create({ body });
      const [here, there] = [await contextOf(null), await contextOf(user)];
      const other = await open(there, `/sop/${sop.id}/edit`);
      await other.locator(".ProseMirror p").last().click();
      await other.keyboard.press("End");
      await other.keyboard.type(" and two");

      const page = await open(here, "/login");
      await signIn(page, user.username, password);
      await heading(page, "Dashboard");
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByRole("link", { name: "Password" }).click();
      const form = page.getByRole("form", { name: "Password" });
      await form.getByLabel("Current password").fill("not this one");
      await form.getByLabel("New password").fill("a third long walk");
      await form.getByLabel("Confirm password").fill("a third long walk");
      await form.getByRole("button", { name: "Change password" }).click();
      await form.getByText(/wrong/i).waitFor();
      await form.getByLabel("Current password").fill(password);
      // no new streams: the open one must report the sign-out, because a reconnected stream would report it anyway
      await there.route("**/api/events*", (route) => route.abort());
      // typed at the last moment, before the editor's own autosave
      await other.keyboard.type(" and three");
      const signedOut = other.getByText("You've been signed out").waitFor();
      await form.getByRole("button", { name: "Change password" }).click();
      await toast(page, "Password changed");
      const answered = performance.now();
      await signedOut;
      console.info(`the other browser was signed out ${Math.round(performance.now() - answered)} ms after the answer`);
      await there.unroute("**/api/events*");
      expect(new URL(other.url()).pathname).toBe("/login");
      // the other session continues
      await page.getByRole("link", { name: /^All SOPs/ }).click();
      await heading(page, "Standard Operating Procedures");

      await signIn(other, user.username, "a third long walk");
      await other.waitForURL(`**/sop/${sop.id}/edit`);
      await other.getByText("Unsaved changes found").waitFor();
      await other.getByRole("button", { name: "Restore them" }).click();
      await other.getByText("One and two and three").waitFor();
    });

    it("lists sessions and ends one at once", async () => {
      const user = await company.user("editor");
      const [here, there] = [await contextOf(user), await contextOf(null)];
      const other = await open(there, "/login");
      await signIn(other, user.username, password);
      await heading(other, "Dashboard");
      const page = await open(here, "/settings#sessions");
      const section = page.getByRole("region", { name: "Sessions" });
      await section.getByText("This device").waitFor();
      await section.getByRole("button", { name: /^Sign out Chrome on/ }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click();
      await toast(page, "Session ended");
      await section.getByText("No other sessions.").waitFor();
      await other.getByText("You've been signed out").waitFor();
    });

    it("makes a token that works until it is revoked", async () => {
      const user = await company.user("editor");
      const context = await contextOf(user);
      const page = await open(context, "/settings/tokens");
      await page.getByRole("button", { name: "New Token" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Import pipeline");
      await page.getByRole("button", { name: "Create token" }).click();
      const token = await page.getByLabel("Token", { exact: true }).inputValue();
      await page.getByRole("button", { name: "Done" }).click();
      const ask = async () =>
        (await server().send({ path: "/api/sops", headers: { authorization: `Bearer ${token}` } })).status;
      expect(await ask()).toBe(200);
      expect(await page.content()).not.toContain(token);
      await page.getByRole("button", { name: "Revoke Import pipeline" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByText("No access tokens yet.").waitFor();
      expect(await ask()).toBe(401);
    });

    it("keeps an AI key masked, and removes it when it is cleared", async () => {
      const user = await company.user("editor");
      const context = await contextOf(user);
      const page = await open(context, "/settings/ai");
      await page.getByText("No API Key Configured").waitFor();
      const key = page.getByLabel("OpenAI API Key");
      await key.fill("sk-journey-1234567890-wxyz");
      await page.getByRole("button", { name: "Save Settings" }).click();
      await toast(page, "Settings Updated");
      await expect.poll(() => key.inputValue()).toBe("sk-••••wxyz");
      await page.getByRole("button", { name: "Test Key" }).click();
      await page.getByText("Invalid Key: Please enter a valid API key to test.").waitFor();
      await page.getByRole("switch", { name: /^Enable AI Features/ }).uncheck();
      await page.getByRole("button", { name: "Save Settings" }).click();
      await expect
        .poll(() => user.client.settings.get())
        .toMatchObject({ hasApiKey: true, aiFeaturesEnabled: false, openaiApiKey: "sk-••••wxyz" });
      await page.reload();
      expect(await key.inputValue()).toBe("sk-••••wxyz");
      await key.fill("");
      await page.getByRole("button", { name: "Save Settings" }).click();
      await page.getByText("No API Key Configured").waitFor();
      expect(await user.client.settings.get()).toMatchObject({ hasApiKey: false, openaiApiKey: null });
    });

    it("changes one's profile and picture, for the colleagues too, and keeps the theme", async () => {
      const user = await company.user("editor", { name: "Fay Ford" });
      const context = await contextOf(user);
      const page = await open(context, "/settings");
      await page
        .locator('input[type="file"]')
        .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: pngPixel });
      await toast(page, "Image updated");
      const picture = page.locator('img[src^="/api/assets/"]');
      await expect.poll(() => picture.count()).toBe(2);
      expect(await picture.first().evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1);
      const profile = page.getByRole("form", { name: "Profile" });
      await profile.getByLabel("Full name").fill("Fay Fox");
      await profile.getByLabel("Email").fill("fay@journey.test");
      await profile.getByRole("button", { name: "Save" }).click();
      await toast(page, "Profile updated");
      await page.getByText("Fay Fox").first().waitFor();
      expect((await user.client.auth.me()).user).toMatchObject({
        name: "Fay Fox",
        initials: "FF",
        email: "fay@journey.test",
      });

      await page.getByRole("link", { name: "Appearance" }).click();
      await page.getByRole("radio", { name: "Dark" }).check();
      await page.reload();
      await heading(page, "Settings");
      expect(await page.evaluate("document.documentElement.className")).toBe("dark");
      expect(await page.getByRole("radio", { name: "Dark" }).isChecked()).toBe(true);
    });
  },
);

/** Quoted-printable lines, joined. */
function unfolded(mail: string): string {
  return mail.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");
}
