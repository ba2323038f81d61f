/** Approval between people with a browser each: no reloads, and only permitted users decide. */
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { Sop } from "#core/sops/schema.ts";
import type { TestUser } from "../server.ts";
import { chooseAction, openProperties } from "./edit-screen.ts";
import { describeJourney } from "./journey.ts";
import { chooseMore } from "./more-actions.ts";
import { faultsOf } from "./page-faults.ts";

describeJourney("approving an SOP", {}, ({ server, complaints, contextOf, open: openPage }) => {
  let ann: TestUser;
  let ben: TestUser;
  let cy: TestUser;
  let dora: TestUser;
  let eve: TestUser;
  const refusals: string[] = [];
  /** The SOPs whose refusals are expected. */
  const provoked: string[] = [];

  beforeAll(async () => {
    const company = await server().company();
    await company.letApprove("viewer");
    ann = await company.user("manager", { name: "Ann Archer" });
    ben = await company.user("editor", { name: "Ben Baker" });
    cy = await company.user("viewer", { name: "Cy Cole" });
    dora = await company.user("editor", { name: "Dora Dahl" });
    eve = await company.user("viewer", { name: "Eve Evans" });
  });

  /** A separate browser: it shares no cookies or storage. */
  async function open(user: TestUser, address: string, width = 1280): Promise<Page> {
    const page = await (await contextOf(user, width)).newPage();
    page.on("console", (message) => {
      // the browser's own lines for the refused save, and for the draft that an approver can't see after rejecting it
      if (/ (409|404) /.test(message.text())) refusals.push(message.location().url);
      else complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
    await page.goto(new URL(address, server().url).href);
    return page;
  }

  let made = 0;
  async function newSop(user: TestUser, title: string, markdown = "One\n"): Promise<Sop> {
    made += 1;
    const [category] = await user.client.categories.list();
    const description = "Every morning.";
    return user.client.sops.create({
      body: { title: `${title} ${made}`, description, markdown, categoryId: category?.id, readTime: 5 },
    });
  }
  const request = (user: TestUser, sop: Sop, approvers: readonly TestUser[]) =>
    user.client.sops.requestApproval({
      params: { id: sop.id },
      body: { approverIds: approvers.map(({ id }) => id) },
    });
  const statusOf = async (sop: Sop) => (await ann.client.sops.get({ params: { id: sop.id } })).status;
  const panel = (page: Page) => page.getByRole("region", { name: "Approval", exact: true });
  const pendingLink = (page: Page, name: RegExp) =>
    page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name });

  /** @param instead approvers of the last request who are left out this time */
  async function submit(page: Page, approver: string, note = "", instead: readonly string[] = []) {
    await page.getByRole("button", { name: "Submit for Approval" }).click();
    const dialog = page.getByRole("dialog", { name: "Submit for Approval" });
    for (const name of instead) await dialog.getByRole("button", { name: `Remove ${name}` }).click();
    await dialog.getByRole("checkbox", { name: approver }).check();
    if (note) await dialog.getByLabel("Request note").fill(note);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/request-approval")),
      dialog.getByRole("button", { name: "Submit for Approval" }).click(),
    ]);
    // an earlier toast may still be there
    expect(answer.ok()).toBe(true);
    await page.getByText("The SOP has been submitted for approval.").first().waitFor();
  }
  async function decide(page: Page, button: "Approve" | "Reject" | "Request changes", comment = "") {
    await page.getByRole("button", { name: button, exact: true }).click();
    const dialog = page.getByRole("alertdialog");
    if (comment) await dialog.getByLabel("Comment").fill(comment);
    await dialog.getByRole("button", { name: button, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  }
  /** On Pending Approval: the button asks with the version's number, and asks nothing anymore once it is stored. */
  async function decideCase(page: Page, button: "Approve" | "Request changes", version: number, comment: string) {
    const bar = page.getByRole("group", { name: "Your decision" });
    await bar.getByLabel("Comment").fill(comment);
    await bar.getByRole("button", { name: button, exact: true }).click();
    const what = button === "Approve" ? button : `${button} to`;
    await bar.getByRole("button", { name: `${what} version ${version}` }).click();
    await bar.waitFor({ state: "detached" });
  }

  it("a request shows in the approver's sidebar, and its approval on other screens, without a reload", async () => {
    const sop = await newSop(ben, "Open the kitchen");
    const [author, approver, reader] = await Promise.all([
      open(ben, `/sop/${sop.id}`),
      open(cy, "/"),
      open(eve, "/sops"),
    ]);
    await reader.getByText("No SOPs found").first().waitFor();
    await pendingLink(approver, /^Pending Approval$/).waitFor();

    await submit(author, "Cy Cole", "Shorter, please look at step 1");
    const waiting = panel(author).getByText("Waiting for Cy Cole");
    await waiting.waitFor();
    const leftOf = async (one: ReturnType<typeof author.locator>) => (await one.boundingBox())?.x;
    expect(await leftOf(panel(author).getByRole("button", { name: "Replace Cy Cole" }).locator("svg"))).toBe(
      await leftOf(waiting),
    );
    await pendingLink(approver, /1 ?waiting for you/).click();

    await approver.getByText("Action Required").waitFor();
    await approver.getByText("Select an SOP to view approval details").waitFor();
    await approver.getByRole("link", { name: new RegExp(sop.title) }).click();
    await approver.getByText("Shorter, please look at step 1").waitFor();
    expect(new URL(approver.url()).search).toBe(`?sop=${sop.id}`);
    await decideCase(approver, "Approve", 1, "Clear.");
    const approvedAt = performance.now();
    await Promise.all([
      panel(author)
        .getByText(/^Approved by Cy Cole/)
        .waitFor(),
      reader.getByRole("link", { name: sop.title }).waitFor(),
    ]);
    console.log(`approved in one browser, seen in two others after ${Math.round(performance.now() - approvedAt)} ms`);
    await approver.getByText("You have approved this SOP.").first().waitFor();
    await approver.getByText("No pending approvals").waitFor();
    await pendingLink(approver, /^Pending Approval$/).waitFor();
    await panel(author).getByRole("button", { name: "Show how it was approved" }).click();
    await panel(author).getByText("Clear.").waitFor();
    expect(await statusOf(sop)).toBe("published");
    await author.locator("header").getByText("Published", { exact: true }).waitFor();
  });

  it("keeps an approver's comment when the request is withdrawn, and never goes back to a hidden SOP", async () => {
    const [withdrawn, rejected] = [await newSop(ben, "Air the kitchen"), await newSop(ben, "Heat the kitchen")];
    provoked.push(withdrawn.id, rejected.id);
    const asked = await request(ben, withdrawn, [ann]);
    await request(ben, rejected, [cy]);
    const manager = await open(ann, `/sop/${withdrawn.id}`);
    await manager.getByRole("button", { name: "Request changes" }).click();
    const question = manager.getByRole("alertdialog");
    await question.getByLabel("Comment").fill("Open both windows");
    await ben.client.approvals.withdraw({ params: { id: asked.id }, body: {} });
    await question.getByText(/^This request has ended\. Ben Baker \(\S+\) withdrew it\.$/).waitFor();
    expect(await question.getByLabel("Comment").inputValue()).toBe("Open both windows");
    const confirm = question.getByRole("button", { name: "Request changes" });
    expect(await confirm.getAttribute("aria-disabled")).toBe("true");
    await question.getByRole("button", { name: "Cancel" }).click();
    await panel(manager).getByText("Request withdrawn").first().waitFor();

    const approver = await open(cy, `/pending?sop=${rejected.id}`);
    const details = approver.getByRole("region", { name: "Approval details" });
    await details.getByRole("link", { name: rejected.title }).click();
    // the previous screen has a button of the same name
    await approver.getByRole("heading", { level: 1, name: rejected.title }).waitFor();
    await decide(approver, "Reject", "Too hot");
    await approver.waitForURL("**/pending");
    await approver.goBack();
    await approver.getByRole("heading", { level: 1, name: "Pending Approval" }).waitFor();
    expect(await approver.getByText("SOP Not Found").count()).toBe(0);
  });

  it("is refused with a comment; the author sees it, submits again, and gets it", async () => {
    const sop = await newSop(ben, "Close the kitchen");
    provoked.push(sop.id);
    await request(ben, sop, [cy]);
    const [author, approver] = await Promise.all([open(ben, `/sop/${sop.id}`), open(cy, `/sop/${sop.id}`)]);
    await panel(author).getByText("Waiting for Cy Cole").waitFor();
    await decide(approver, "Reject", "Step 1 is missing");
    await approver.getByText("You have rejected this SOP.").first().waitFor();
    // the approver can't see a draft without an open request
    await approver.waitForURL("**/pending");
    await panel(author).getByText("Step 1 is missing").waitFor();
    await panel(author)
      .getByText(/^Cy Cole \(\S+\) rejected/)
      .waitFor();
    expect(await statusOf(sop)).toBe("draft");

    await submit(author, "Cy Cole");
    await approver.getByRole("link", { name: new RegExp(sop.title) }).click();
    await decideCase(approver, "Request changes", 1, "Name the valve in step 1");
    await panel(author)
      .getByText(/^Cy Cole \(\S+\) requested changes/)
      .waitFor();
    await panel(author).getByText("Earlier requests (1)").waitFor();
    await submit(author, "Ann Archer", "", ["Cy Cole"]);
    await ann.client.approvals.approve({
      params: { id: (await ann.client.approvals.list({ query: { sopId: sop.id } }))[0]?.id ?? "" },
    });
    await panel(author)
      .getByText(/^Approved by Ann Archer/)
      .waitFor();
    expect(await statusOf(sop)).toBe("published");
  });

  it("belongs to the approvers: others get no button, and their calls are refused", async () => {
    const sop = await newSop(ben, "Clean the kitchen");
    const { id } = await request(ben, sop, [cy]);
    const page = await open(dora, `/sop/${sop.id}`);
    await panel(page).getByText("Waiting for Cy Cole").waitFor();
    for (const name of ["Approve", "Reject", "Request changes", "Withdraw request"]) {
      expect(await page.getByRole("button", { name, exact: true }).count(), name).toBe(0);
    }
    await page.goto(`${server().url}/pending?sop=${sop.id}`);
    await page.getByRole("region", { name: "Waiting for others" }).waitFor();
    await page.getByRole("region", { name: "Approval details" }).getByText("Waiting for Cy Cole").waitFor();
    expect(await page.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
    expect(await page.getByText("Action Required").count()).toBe(0);
    const refusedTo = (user: TestUser) =>
      user.client.approvals.approve({ params: { id } }).catch((error) => error.status);
    expect([await refusedTo(dora), await refusedTo(ben), await refusedTo(eve)]).toEqual([403, 403, 404]);
    await ben.client.approvals.withdraw({ params: { id } });
    await page.getByText(/^Ben Baker \(\S+\) withdrew the request/).waitFor();
  });

  it("ends when the text is edited or an older version restored, under the approver's eyes", async () => {
    const sop = await newSop(ben, "Air the kitchen");
    await request(ben, sop, [ann]);
    const [author, approver] = await Promise.all([
      open(ben, `/sop/${sop.id}/edit`),
      open(ann, `/pending?sop=${sop.id}`),
    ]);
    await approver.getByRole("button", { name: "Approve", exact: true }).waitFor();
    await author.getByText("Saving changes ends this review.").waitFor();
    await author.locator(".ProseMirror p").last().click();
    await author.keyboard.press("End");
    await author.keyboard.type(" more");
    await author.getByRole("button", { name: "Save SOP" }).click();
    await author.getByText("SOP Updated").first().waitFor();
    const ended = "Canceled because the SOP was edited";
    await approver.getByText(ended).first().waitFor();
    expect(await approver.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
    await panel(author).getByText(ended).first().waitFor();

    await submit(author, "Ann Archer");
    await approver.getByRole("button", { name: "Approve", exact: true }).waitFor();
    await chooseMore(author, "Version history");
    await author.getByRole("button", { name: "Restore version 1" }).click();
    const question = author.getByRole("alertdialog", { name: "Restore this version?" });
    await question.getByText("This ends the review.").waitFor();
    await question.getByRole("button", { name: "Restore", exact: true }).click();
    await author.getByText("Version restored").first().waitFor();
    await approver.getByText(ended).first().waitFor();
    expect(await statusOf(sop)).toBe("draft");
  });

  it("is the only way in a strict company: the form says so, and the server", async () => {
    const company = await server().company();
    await company.letApprove("viewer");
    await company.set({ "settings.documentControl": "strict" });
    const boss = await company.user("company_admin", { name: "Bo Boss" });
    await company.user("viewer", { name: "Vi Viewer" });
    const sop = await newSop(boss, "Count the till");
    provoked.push(sop.id);
    const page = await open(boss, `/sop/${sop.id}`);
    await panel(page).getByRole("button", { name: "Submit for Approval" }).waitFor();
    expect(await page.getByRole("button", { name: "Publish…" }).count()).toBe(0);
    await page.getByRole("link", { name: "Edit" }).click();
    const drawer = await openProperties(page);
    await drawer.getByLabel("Status after saving").selectOption("published");
    const refusal = "This company publishes through approval only: use Submit for Approval";
    await page.getByText(refusal).first().waitFor();
    await page.getByRole("button", { name: "Save SOP" }).click();
    await page.getByText("Failed to update SOP").first().waitFor();
    expect((await boss.client.sops.get({ params: { id: sop.id } })).version).toBe(1);

    // saving first stores the text as a draft, and that version is submitted
    await page.getByLabel("Description").fill("Twice a day.");
    await page.getByRole("button", { name: "Submit for Approval" }).click();
    const dialog = page.getByRole("dialog", { name: "Submit for Approval" });
    await dialog.getByText(`${sop.title}, version 2`).waitFor();
    await dialog.getByRole("checkbox", { name: "Vi Viewer" }).check();
    await dialog.getByRole("button", { name: "Submit for Approval" }).click();
    await page.waitForURL(`**/sop/${sop.id}`);
    await panel(page).getByText("Waiting for Vi Viewer").waitFor();
    const submitted = await boss.client.sops.get({ params: { id: sop.id } });
    expect(submitted).toMatchObject({ version: 2, status: "under_review", description: "Twice a day." });
  });

  it.each([1280, 390])("goes on after an approver was invited from the dialog, at %i px", async (width) => {
    const alone = await (await server().company()).user("company_admin", { name: "Al Alone" });
    const sop = await newSop(alone, "Wipe the oven");
    const page = await open(alone, `/sop/${sop.id}/edit`, width);
    await chooseAction(page, "Submit for Approval");
    const dialog = page.getByRole("dialog", { name: "Submit for Approval" });
    await dialog.getByLabel("Request note").fill("Please look");
    await dialog.getByRole("button", { name: "Invite people" }).click();
    const invite = page.getByRole("dialog", { name: "Invite people" });
    await invite.getByLabel("Role").waitFor();
    expect(await invite.getByLabel("Role").inputValue()).toBe("reviewer");
    expect(await faultsOf(page)).toEqual([]);
    await invite.getByRole("button", { name: "Create Link" }).click();
    await page.getByRole("dialog", { name: "Invitation link" }).getByRole("button", { name: "Done" }).click();
    await dialog.getByText("1 invited person can approve once they have joined.").waitFor();
    expect(await dialog.getByLabel("Request note").inputValue()).toBe("Please look");
    expect(new URL(page.url()).pathname).toBe(`/sop/${sop.id}/edit`);
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("shows a phone's toast at the top, below the bar that is in use", async () => {
    const sop = await newSop(ann, "Dry the board");
    const page = await open(ann, `/sop/${sop.id}`, 390);
    await page.getByRole("button", { name: "Favorite" }).click();
    const toast = page.locator("[role=region] ol > li");
    const [bar, shown] = [await page.getByRole("banner").boundingBox(), await toast.boundingBox()];
    expect((shown?.y ?? 0) - ((bar?.y ?? 0) + (bar?.height ?? 0))).toBeGreaterThanOrEqual(0);
    expect(shown?.y).toBeLessThan(100);
  });

  it.each([390, 1280])(
    "shows no toast over the title or a button of the window that opens with it, at %i px",
    async (width) => {
      const sop = await newSop(ann, "Wipe the board");
      const page = await open(ann, `/sop/${sop.id}/edit`, width);
      // the window is as high as the screen
      await page.setViewportSize({ width, height: 600 });
      await page.getByLabel("Description").fill("Twice a day.");
      await chooseAction(page, "Submit for Approval");
      const rects = await page.waitForFunction(() => {
        const boxes = (selector: string) =>
          [...document.querySelectorAll(selector)]
            .map((one) => one.getBoundingClientRect())
            .filter((box) => box.width > 0);
        const [toast] = boxes("[role=region] ol > li");
        const buttons = boxes("[role=dialog] :is(h2, h2 + p, button, input, textarea)");
        const isHere = document.querySelector("[role=dialog] input") !== null;
        return toast && isHere ? { toast, buttons: buttons.map((box) => box.toJSON() as DOMRect) } : null;
      });
      const { toast, buttons } = (await rects.jsonValue()) ?? { toast: new DOMRect(), buttons: [] };
      expect(buttons.length).toBeGreaterThan(3);
      const covered = buttons.filter(
        (one) => one.left < toast.right && one.right > toast.left && one.top < toast.bottom && one.bottom > toast.top,
      );
      expect(covered).toEqual([]);
      expect([toast.left >= 0, toast.right <= width, toast.top >= 0, toast.bottom <= 600]).toEqual([
        true,
        true,
        true,
        true,
      ]);
    },
  );

  /** Version 1 is published, version 2 has one of two approvals. */
  async function reviewedTwice(): Promise<Sop> {
    const sop = await newSop(ben, "Lock the kitchen", "## Steps\n\n1. Lights\n2. Door\n");
    await ann.client.sops.publish({ params: { id: sop.id } });
    const body = { markdown: "## Steps\n\n1. Lights off\n2. Door\n3. Alarm\n", status: "draft" as const };
    const next = await ben.client.sops.update({ params: { id: sop.id }, body });
    const { id } = await request(ben, next, [ann, cy]);
    await cy.client.approvals.approve({ params: { id }, body: { comment: "Good" } });
    return next;
  }

  it("is given to no version whose comparison can't be shown, and can be given once it is", async () => {
    const sop = await reviewedTwice();
    const context = await contextOf(ann);
    const comparison = /\/assets\/(CasePane|DiffBlocks)-[^/]*\.js$/;
    await context.route(comparison, (route) => route.abort());
    const noCode = /net::ERR_|Failed to fetch dynamically imported module/;
    const page = await openPage(context, `/pending?sop=${sop.id}`, 1280, noCode);
    const approve = page.getByRole("button", { name: "Approve", exact: true });
    await page.getByText("Couldn't load this part").waitFor();
    expect(await approve.count()).toBe(0);
    await context.unroute(comparison);
    await page.getByRole("button", { name: "Reload" }).click();
    await approve.waitFor();
  });

  it("is submitted by keyboard alone", async () => {
    const draft = await newSop(ann, "Oil the hinges");
    const page = await open(ann, `/sop/${draft.id}`);
    await page.getByRole("button", { name: "Submit for Approval" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Submit for Approval" });
    await dialog.getByRole("checkbox", { name: "Cy Cole" }).focus();
    await page.keyboard.press("Space");
    await dialog.getByRole("button", { name: "Submit for Approval" }).focus();
    await page.keyboard.press("Enter");
    await panel(page).getByText("Waiting for Cy Cole").waitFor();
  });

  it("never made the browser complain", () => {
    expect(complaints).toEqual([]);
    expect(refusals.filter((url) => !provoked.some((id) => url.includes(id)))).toEqual([]);
  });
});
