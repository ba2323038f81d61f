/** Approve in one browser, and another browser shows it. `npm run bench -- proof:live` prints how long that takes. */
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { recordTimes } from "../live.ts";
import { count, recordFigure } from "../proof.ts";
import type { TestUser } from "../server.ts";
import { describeJourney } from "./journey.ts";
import { hearConsole } from "./signed-in.ts";

/** Runs in the page, because the driver's own waiting checks only every half second. */
const untilShown = (text: string) =>
  new Promise<void>((resolve) => {
    const main = document.getElementById("main") ?? document.body;
    const isShown = (element: Element) => element.textContent === text && element.checkVisibility();
    const observer = new MutationObserver(() => look());
    const look = () => {
      if (![...main.querySelectorAll("*")].some(isShown)) return;
      observer.disconnect();
      resolve();
    };
    observer.observe(main, { subtree: true, childList: true, characterData: true, attributes: true });
    look();
  });

const rounds = count({ usual: 2, proof: 30 });

describeJourney("live", {}, ({ server, complaints, contextOf }) => {
  let [author, approver] = [] as unknown as [TestUser, TestUser];

  beforeAll(async () => {
    const company = await server().company();
    author = await company.user("editor", { name: "Ada Author" });
    approver = await company.user("manager", { name: "Bob Boss" });
  });

  async function pageOf({ cookie }: TestUser): Promise<Page> {
    const context = await contextOf({ cookie });
    const page = await context.newPage();
    hearConsole(page, complaints);
    return page;
  }
  /** On the screen, because the printed page has the text too. */
  const status = (page: Page, text: string) =>
    page.getByRole("main").getByText(text, { exact: true }).filter({ visible: true }).first();

  it(`shows an approval in the other browser, ${rounds} times, with no request while nothing happens`, async () => {
    const [watching, deciding] = [await pageOf(author), await pageOf(approver)];
    await watching.clock.install();
    const times: number[] = [];
    const idle: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const { id } = await author.client.sops.create({
        body: { title: `SOP ${round}`, description: "D", markdown: "M" },
      });
      await author.client.sops.requestApproval({ params: { id }, body: { approverIds: [approver.id] } });
      for (const page of [watching, deciding]) {
        await page.goto(`${server().url}/sop/${id}`);
        await status(page, "Under Review").waitFor();
      }
      await watching.getByRole("button", { name: /^Notifications/ }).waitFor();
      const decision = deciding.getByRole("button", { name: "Approve", exact: true });
      await decision.first().click();
      const confirm = deciding.getByRole("alertdialog").getByRole("button", { name: "Approve" });
      await confirm.waitFor();
      // code that loads ahead sends no requests to the API
      const hear = (request: { url(): string }) => request.url().includes("/api/") && idle.push(request.url());
      watching.on("request", hear);
      // a polling client would send a request within five minutes
      await watching.clock.runFor("05:00");
      watching.off("request", hear);
      const sent = deciding.waitForRequest(/\/approve$/).then(() => performance.now());
      const shown = watching.evaluate(untilShown, "Published").then(() => performance.now());
      await confirm.click();
      times.push((await shown) - (await sent));
    }
    recordTimes("live.approve.visible", times, "p95 <= 1000");
    recordFigure({ name: "live.polling", value: idle.length, unit: "requests", goal: "= 0" });
    expect(idle).toEqual([]);
    expect(complaints).toEqual([]);
  }, 600_000);
});
