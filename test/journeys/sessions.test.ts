/** Signing in and out in several tabs, the way back to a link, and two companies in one browser. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { password } from "../server.ts";
import { uniqueSuffix } from "./browser.ts";
import { describeJourney } from "./journey.ts";
import { hearConsole } from "./signed-in.ts";

describeJourney("sessions", { start: new Date().toISOString() }, ({ server, complaints, contextOf }) => {
  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

  it("end in every tab, lead to the link that was asked for, and leave nothing to the next company", async () => {
    const ann = await server().signUp(`ann-${uniqueSuffix()}`);
    const ben = await server().signUp(`ben-${uniqueSuffix()}`);
    const { id } = await ann.client.sops.create({
      body: { title: "A secret of the first company", description: "D", markdown: "Whisper\n" },
    });
    const context = await contextOf(null);
    const [page, other] = [await context.newPage(), await context.newPage()];
    // the end of a session, and requests for another company's data
    const provoked = /Failed to load resource.*status of (401|404)|^Clear-Site-Data header on/;
    for (const tab of [page, other]) hearConsole(tab, complaints, provoked);
    const signIn = async (username: string) => {
      await page.getByLabel("Username").fill(username);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await page.goto(`${server().url}/sop/${id}?from=mail`);
    await page.waitForURL("**/login");
    await signIn(ann.username);
    await heading(page, "A secret of the first company");
    expect(new URL(page.url()).search).toBe("?from=mail");

    await other.goto(`${server().url}/sops`);
    await other.getByRole("link", { name: "A secret of the first company" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await other.waitForURL("**/login");

    // records everything that the next user sees, even for a moment
    await page.waitForURL("**/login");
    await page.evaluate(() => {
      const seen = () => {
        if (document.body.textContent?.includes("A secret of the first")) document.documentElement.dataset["leak"] = "";
      };
      new MutationObserver(seen).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await signIn(ben.username);
    await page.getByRole("complementary").getByRole("link", { name: "All SOPs" }).click();
    await page.getByText("No SOPs found").waitFor();
    expect(await page.evaluate(() => "leak" in document.documentElement.dataset)).toBe(false);
    for (const address of [`/sop/${id}`, `/sop/${id}/edit`, `/sop/${id}/compare`]) {
      await page.goto(server().url + address);
      await page.getByText("SOP Not Found").first().waitFor();
      expect(await page.getByText("A secret of the first company").count()).toBe(0);
    }
  });
});
