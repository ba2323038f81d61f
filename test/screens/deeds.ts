/** Actions that some states need first. They don't use records of the example company's story. */
import type { Page } from "playwright-core";
import { demoPassword } from "../../server/admin/demo/seed.ts";
import type { Demo } from "./demo.ts";

/** Makes a published SOP whose change waits for its approvers. @returns the SOP's id */
export function submitted(demo: Demo): Promise<string> {
  return demo.once("a change to approve", async () => {
    const author = await demo.as("ines.carvalho");
    const id = demo.sopId("metal detector");
    const { people: candidates } = await author.approvals.candidates({ params: { id } });
    const approverIds = candidates.filter(({ name }) => /Novák|Marsh/.test(name)).map((person) => person.id);
    const requestNote = "The new customer asks for a test every 30 minutes. Please look at the shift's workload.";
    await author.sops.requestApproval({ params: { id }, body: { approverIds, requestNote } });
    return id;
  });
}

/** Proposes a change to the latest version. @returns the proposal's number */
export function proposed(demo: Demo): Promise<number> {
  return demo.once("a proposal", () =>
    demo.propose("jack.morrow", "Induct", ["Name the trainer.", "Name the trainer and a substitute."]),
  );
}

/**
 * Proposes a change to a version that another user has changed since, in the same place.
 * @returns the proposal's number
 */
export function proposedInConflict(demo: Demo): Promise<number> {
  return demo.once("a proposal in conflict", async () => {
    const [from, to, now] = ["Plan the new employee", "Count the new employee", "Plan two weeks for the new employee"];
    const number = await demo.propose("anna.kovacs", "Induct", [from, to]);
    const ruth = await demo.as("ruth.adeyemi");
    const id = demo.sopId("Induct");
    const { markdown } = await ruth.sops.get({ params: { id } });
    await ruth.sops.update({ params: { id }, body: { markdown: markdown.replace(from, now) } });
    return number;
  });
}

export function invitation(demo: Demo): Promise<string> {
  return demo.once("an invitation", async () => {
    const { link } = await (await demo.as("helen.marsh")).invitations.create({ body: { role: "reviewer" } });
    return pathOf(link);
  });
}

/** A reset link for a user without an email address, whose link the answer has. */
export function resetLink(demo: Demo): Promise<string> {
  return demo.once("a reset link", async () => {
    const helen = await demo.as("helen.marsh");
    const { data } = await helen.companyUsers.list({ query: { search: "lena.fischer" } });
    const { link } = await helen.companyUsers.resetPassword({ params: { id: data[0]?.id ?? "" } });
    return pathOf(link ?? "");
  });
}

/** The path of a link, because the screenshot server's port differs from the one in its links. */
function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** A word without a break, as long as titles or categories can be in some languages. */
const longWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

/** Makes a category and an SOP in it, both with this name. */
export function longNames(demo: Demo): Promise<{ categoryId: string; sopId: string }> {
  return demo.once("long names", async () => {
    const helen = await demo.as("helen.marsh");
    const category = await helen.categories.create({ body: { name: longWord, color: "accent" } });
    const markdown = `## Scope\n\n${longWord}\n\n| ${longWord} | B |\n| --- | --- |\n| 1 | ${longWord} |\n`;
    const sop = await helen.sops.create({
      body: { title: longWord, description: longWord, markdown, categoryId: category.id, readTime: 1, status: "draft" },
    });
    return { categoryId: category.id, sopId: sop.id };
  });
}

/** Makes a token with a long name. */
export function longToken(demo: Demo): Promise<unknown> {
  return demo.once("a token with a long name", async () => {
    const ines = await demo.as("ines.carvalho");
    // a token needs a fresh proof of identity
    await ines.account.prove({ body: { currentPassword: demoPassword } });
    return ines.tokens.create({ body: { name: "A token with quite a long name, as people give them" } });
  });
}

const ways = ["Listen to the end without interrupting.", "Listen to the end, and thank them for calling."] as const;

/** Saves a change to the line that is being edited on the screen as another user, differently each time. */
export async function saveConcurrently(demo: Demo): Promise<void> {
  const helen = await demo.as("helen.marsh");
  const id = demo.sopId("consumer complaint");
  const { markdown, version } = await helen.sops.get({ params: { id } });
  const way = markdown.includes(ways[0]) ? ways[1] : ways[0];
  const body = { markdown: markdown.replace(/^1\. Listen to the end.*$/m, `1. ${way}`) };
  await helen.sops.update({ params: { id }, body, ifMatch: version });
}

/** Uploads an image and selects it. */
export async function addImage(page: Page): Promise<void> {
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 240, height: 120 } });
  await page.locator("input[type=file]").first().setInputFiles({ name: "tablet.png", mimeType: "image/png", buffer });
  await page.getByLabel("What it shows").fill("A tablet");
  await page.keyboard.press("Enter");
  await page.locator(".ProseMirror").getByRole("img", { name: "A tablet" }).click();
}

const form = `<p>Dose <form><select><option>µg<option selected>mg</select><input type="checkbox" checked> Yes
<svg><text>Valve 7</text></svg></form> <a href="javascript:x">go</a> <iframe src="https://example.org"></iframe>
<object data="plan.pdf">The plan</object></p><ol reversed><li>Stop<li>Vent</ol>`;

/** Pastes a form, which the text can't contain unchanged. */
export async function pasteForm(page: Page): Promise<void> {
  await page.locator(".ProseMirror").evaluate((text, html) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", html);
    text.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, form);
}

/** Shows the plan of an import without running it. */
export async function planImport(page: Page): Promise<void> {
  const file = (name: string, words: string) => ({ name, mimeType: "text/markdown", buffer: Buffer.from(words) });
  const dialog = page.getByRole("dialog", { name: "Import documents" });
  await dialog
    .getByLabel("Files")
    .setInputFiles([
      file(
        "calibrate-the-scales.md",
        "# Calibrate the scales\n\n1. Wipe the plate.\n4. Put the [weight](kg.md) on it.\n",
      ),
      file("a-file-with-a-rather-long-name-that-nobody-shortened-2026.md", "# Empty the bins\n\n1. Wear gloves.\n"),
      file("empty.md", ""),
    ]);
  await dialog.getByRole("button", { name: /^Import \d/ }).waitFor();
  await dialog.locator("summary").first().click();
}
