/** A push that waits: its author, and the person who decides in the browser. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { gitFolder } from "../git.ts";
import { gitWriter } from "../git-writer.ts";
import type { Company, TestUser } from "../server.ts";
import { describeJourney } from "./journey.ts";

describeJourney("proposals by git", {}, ({ server, contextOf, open }) => {
  const { dir, remove } = gitFolder();
  const { publish, clone, edit, commit, push } = gitWriter(server, () => dir);
  const rinse = "sops/uncategorized/sop-0001-rinse-the-mill.md";
  let company: Company;
  let ann: TestUser;
  let ben: TestUser;
  let id = "";
  beforeAll(async () => {
    company = await server().company();
    ann = await company.user("manager", { name: "Ann Archer" });
    ben = await company.user("editor", { name: "Ben Baker" });
    const text = "## Steps\n\n1. Rinse it.\n2. Dry it.\n3. Close it.\n";
    id = await publish(ann, "Rinse the mill", text);
    const at = await clone(company, ben);
    const markdown = text.replace("Dry it", "Dry it well").replace("Close it", "Close it at night");
    await ann.client.sops.update({ params: { id }, body: { markdown } });
    edit(at, rinse, "Rinse it.", "Rinse it twice.");
    edit(at, rinse, "Dry it.", "Dry it with air.");
    await commit(at, "Rinse twice");
    expect((await push(at)).remote[0]).toContain("conflict, proposal 1");
  }, 120_000);
  afterAll(remove);

  it("merges a pushed text with what was saved since", async () => {
    const page = await open(await contextOf(ann), "/");
    await page
      .getByRole("navigation", { name: "Main navigation" })
      .getByRole("link", { name: /Proposals/ })
      .click();
    await page.getByRole("link", { name: "Rinse the mill" }).click();
    await page.getByRole("heading", { level: 1, name: "Rinse the mill" }).waitFor();
    await page.getByText("based on version 1, now version 2").waitFor();
    const merge = page.getByRole("button", { name: "Merge" });
    expect(await merge.isDisabled()).toBe(true);
    await page
      .getByRole("group", { name: /Changed in both/ })
      .getByRole("button", { name: "Take proposed" })
      .click();
    await merge.click();
    await page.getByText(/^Ann Archer \(\S+\) merged it as version 3/).waitFor();
    const { markdown, version, status } = await ann.client.sops.get({ params: { id } });
    expect([version, status, markdown]).toEqual([
      3,
      "draft",
      "## Steps\n\n1. Rinse it twice.\n2. Dry it with air.\n3. Close it at night.\n",
    ]);
    // the entry is gone with the last open proposal
    const link = page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: /Proposals/ });
    await expect.poll(() => link.count()).toBe(0);
  });

  it("tells the author, who finds the decision behind the notification", async () => {
    const page = await open(await contextOf(ben), "/");
    await page.getByRole("button", { name: /notification/i }).click();
    await page.getByRole("link", { name: /Ann Archer \(\S+\) merged your change/ }).click();
    await page.getByText(/^Ann Archer \(\S+\) merged it as version 3/).waitFor();
    expect(new URL(page.url()).pathname).toBe("/proposals/1");
  });
});
