/** States of screens that no address leads to: open dialogs, running actions, errors. */
import type { Page } from "playwright-core";
import {
  addImage,
  invitation,
  longNames,
  longToken,
  pasteForm,
  planImport,
  resetLink,
  saveConcurrently,
  submitted,
} from "./deeds.ts";
import { openProperties } from "../journeys/edit-screen.ts";
import type { Demo } from "./demo.ts";
import { repositoryStates } from "./repository-states.ts";
import {
  admin,
  cards,
  dialog,
  heading,
  manager,
  press,
  pressInSidebar,
  inTurn,
  system,
  type Screen,
} from "./screens.ts";

const list = heading(/Standard Operating Procedures|All SOPs/);
const text = (page: Page) => page.locator(".ProseMirror");
const editor = (page: Page) => text(page).locator("h2").first().waitFor();
const sop = (word: string) => (demo: Demo) => `/sop/${demo.sopId(word)}`;
const edit = (word: string) => (demo: Demo) => `/sop/${demo.sopId(word)}/edit`;
const dialogNamed = (name: string) => (page: Page) => page.getByRole("dialog", { name }).waitFor();
const choose = (name: string) => (page: Page) => page.getByRole("menuitem", { name }).click();
const keys = (pressed: string) => (page: Page) => page.keyboard.press(pressed);
const type = (words: string) => (page: Page) => page.keyboard.type(words);

/** The list's own request, without the requests for its counts. */
const listRequest = /\/api\/sops\?/;

/** Closes a panel on a phone, where it covers the text. */
const closeSheet = (name: string) => async (page: Page) => {
  const close = page.getByRole("dialog", { name }).getByRole("button", { name: "Close" });
  if (await close.isVisible()) await close.click();
};

/** Puts the cursor after the last words of a block, on any line. */
const after = (block: string) => async (page: Page) => {
  const element = text(page).locator(block).first();
  await element.click();
  await element.evaluate((node: Node) => {
    let last = node;
    while (last.lastChild) last = last.lastChild;
    getSelection()?.collapse(last, last.textContent?.length ?? 0);
  });
};

export const states: readonly Screen[] = [
  {
    name: "sops-cards",
    address: "/sops",
    as: manager,
    before: (page) => page.addInitScript(() => localStorage.setItem("list-view", "grid")),
    ready: inTurn(list, cards),
  },
  {
    name: "favorites-none-found",
    address: "/favorites?search=zzzzqqqq",
    as: "tomasz.wilk",
    ready: (page) => page.getByText("No matches. Try other filters.").waitFor(),
  },
  {
    name: "sops-loading",
    address: "/sops",
    as: manager,
    before: (page) => page.route(listRequest, () => undefined),
    ready: inTurn(list, (page) => page.locator("[aria-busy=true]").first().waitFor()),
  },
  {
    name: "sops-error",
    address: "/sops",
    as: manager,
    before: (page) => page.route(listRequest, (route) => route.abort()),
    ready: inTurn(list, (page) => page.getByText("Failed to load SOPs").waitFor()),
    provokes: /ERR_FAILED/,
  },
  {
    name: "offline",
    address: "/sops",
    as: manager,
    before: (page) => page.route("**/api/events**", (route) => route.abort()),
    ready: inTurn(list, cards, (page) => page.getByRole("alert").filter({ hasText: "Connection lost" }).waitFor()),
    provokes: /ERR_FAILED/,
  },
  {
    name: "pending-selected",
    address: async (demo) => `/pending?sop=${await submitted(demo)}`,
    as: "marek.novak",
    ready: inTurn(heading("Pending Approval"), (page) => page.locator("ins, del").first().waitFor()),
  },
  {
    name: "sop-approve",
    address: sop("phishing"),
    as: manager,
    ready: inTurn(heading(/phishing/), press(/^Approve$/), (page) => page.getByRole("alertdialog").waitFor()),
  },
  {
    name: "search-hits",
    address: "/settings",
    as: manager,
    ready: inTurn(
      heading("Settings"),
      (page) => page.getByRole("combobox").first().fill("kettles"),
      (page) =>
        page
          .getByRole("option", { name: /kettles/ })
          .first()
          .waitFor(),
    ),
  },
  {
    name: "palette",
    address: "/",
    as: manager,
    ready: inTurn(heading("Dashboard"), keys("Control+k"), dialog, type("clean"), (page) =>
      page
        .getByRole("dialog")
        .getByRole("option", { name: /kettles/ })
        .first()
        .waitFor(),
    ),
  },
  {
    name: "shortcuts",
    address: "/",
    as: manager,
    ready: inTurn(heading("Dashboard"), keys("?"), dialogNamed("Keyboard shortcuts")),
  },
  {
    name: "editor-blocks",
    address: "/sop/new",
    as: manager,
    ready: inTurn(
      (page) => text(page).click(),
      type("/"),
      (page) => page.getByRole("listbox", { name: "Blocks" }).getByRole("option", { name: "Warning" }).waitFor(),
    ),
  },
  {
    name: "editor-finding",
    address: edit("Set up a tablet"),
    as: "ben.whitlock",
    ready: inTurn(
      editor,
      after("p"),
      type(" TODO"),
      openProperties,
      // the marks load together with the list
      (page) => page.getByText("Checks", { exact: true }).click(),
      closeSheet("Properties"),
      (page) => text(page).locator(".finding", { hasText: "TODO" }).click(),
      dialogNamed("Issues here"),
    ),
  },
  {
    name: "editor-paste-notes",
    address: edit("Set up a tablet"),
    as: "ben.whitlock",
    ready: inTurn(editor, after("p"), pasteForm, press("Show all"), (page) =>
      page
        .getByRole("alert")
        .filter({ hasText: "Part of the pasted text changed" })
        .getByRole("listitem")
        .nth(3)
        .waitFor(),
    ),
  },
  {
    name: "editor-picture",
    address: edit("Set up a tablet"),
    as: "ben.whitlock",
    ready: inTurn(editor, after("p"), addImage, press("Describe the image"), dialogNamed("Image")),
  },
  {
    name: "editor-link",
    address: edit("Set up a tablet"),
    as: "ben.whitlock",
    ready: inTurn(
      editor,
      after("p"),
      keys("Shift+Control+ArrowLeft"),
      keys("Shift+Control+ArrowLeft"),
      keys("Control+k"),
      dialogNamed("Link"),
    ),
  },
  {
    name: "sop-publish",
    address: edit("Patch the Linux"),
    as: "omar.haddad",
    ready: inTurn(
      editor,
      press(/^Publish( or submit)?…/),
      dialogNamed("Publish version 4"),
      press("Effective date: Now"),
    ),
  },
  {
    name: "sop-conflict",
    address: edit("consumer complaint"),
    as: "clara.dubois",
    ready: inTurn(
      editor,
      after("ol li"),
      type(" Then repeat what you heard."),
      (_, demo) => saveConcurrently(demo),
      (page) => page.getByText("A newer version was saved").waitFor(),
      // on a phone, the button is in the menu
      keys("Control+s"),
      dialogNamed("Someone else saved changes"),
      (page) => page.getByRole("group", { name: /Changed by both/ }).waitFor(),
    ),
    provokes: /412/,
  },
  {
    name: "sop-enhance",
    address: edit("Set up a tablet"),
    as: "ben.whitlock",
    // proposals by rules need no key, and AI proposals look the same
    ready: inTurn(
      editor,
      after("ol li"),
      type(" Use 30ml of oil."),
      press("More actions"),
      (page) => page.getByRole("menuitem", { name: /^Formatting/, disabled: false }).click(),
      dialogNamed("By rules, without AI"),
    ),
  },
  {
    name: "sop-preview",
    address: edit("Induct"),
    as: "ruth.adeyemi",
    ready: inTurn(
      editor,
      press("More actions"),
      (page) => page.getByRole("menuitem", { name: "Preview" }).click(),
      dialogNamed("Preview"),
      (page) => page.getByRole("dialog").getByRole("table").first().waitFor(),
    ),
  },
  {
    name: "sop-submit",
    address: sop("Set up a tablet"),
    as: "ben.whitlock",
    ready: inTurn(heading(/tablet/), press("Submit for Approval"), dialogNamed("Submit for Approval"), (page) =>
      page.getByRole("dialog").getByRole("checkbox").first().check(),
    ),
  },
  {
    name: "sop-share",
    address: sop("sickness"),
    as: "ruth.adeyemi",
    ready: inTurn(heading(/sickness/), press("More actions"), choose("Share"), dialogNamed("Share"), (page) =>
      page.getByRole("dialog").getByText("People with access").waitFor(),
    ),
  },
  {
    name: "sop-comments",
    address: sop("Lock out the filler"),
    as: "sofia.lund",
    before: (page) => page.addInitScript(() => localStorage.setItem("sop-comments", "open")),
    ready: inTurn(heading(/Lock out/), (page) =>
      page.getByRole("region", { name: "Comments" }).getByRole("listitem").first().waitFor(),
    ),
  },
  {
    name: "sop-under-review",
    address: sop("phishing"),
    as: manager,
    ready: inTurn(heading(/phishing/), (page) =>
      page.getByRole("button", { name: "Approve", exact: true }).first().waitFor(),
    ),
  },
  {
    name: "sop-archived",
    address: sop("petty cash"),
    as: "karl.brandt",
    ready: inTurn(heading(/petty cash/), (page) =>
      page.getByText("Archived").filter({ visible: true }).first().waitFor(),
    ),
  },
  {
    name: "category-dialog",
    address: "/",
    as: admin,
    ready: inTurn(heading("Dashboard"), pressInSidebar("New Category"), dialogNamed("New Category")),
  },
  ...repositoryStates,
  {
    name: "company-dialog",
    address: "/admin/companies",
    as: system,
    ready: inTurn((page) => page.getByRole("row").nth(1).waitFor(), press("New Company"), dialog),
  },
  {
    name: "user-dialog-of-all-companies",
    address: "/admin/users",
    as: system,
    ready: inTurn((page) => page.getByRole("row").nth(1).waitFor(), press("New User"), dialog),
  },
  {
    name: "password-again",
    address: "/settings/tokens",
    as: manager,
    provokes: /403/,
    before: async (page) => {
      const needed = { status: 403, json: { code: "proof_needed", message: "Enter your password again" } };
      await page.route("**/api/tokens", (route) =>
        route.request().method() === "POST" ? route.fulfill(needed) : route.continue(),
      );
    },
    ready: inTurn(
      press("New Token"),
      dialogNamed("New access token"),
      type("Import pipeline"),
      keys("Enter"),
      dialogNamed("Enter your password"),
    ),
  },
  {
    name: "settings-long-token",
    address: async (demo) => {
      await longToken(demo);
      return "/settings/tokens";
    },
    as: manager,
    ready: (page) => page.getByText(/^A token with quite a long name/).waitFor(),
  },
  {
    name: "invitation-invalid",
    address: "/register?invite=gone",
    as: null,
    ready: (page) => page.getByRole("heading", { level: 1 }).waitFor(),
    provokes: /40[04]/,
  },
  {
    // a phone's list of SOPs has no Import button
    name: "import-plan",
    address: "/start?step=templates",
    as: admin,
    ready: inTurn(heading("Choose what you need first"), press("Choose"), planImport),
    provokes: /400/,
  },
  {
    name: "invitation",
    address: invitation,
    as: null,
    ready: heading(/^Join /),
  },
  {
    name: "reset-password",
    address: resetLink,
    as: null,
    ready: (page) => page.getByLabel("New password").waitFor(),
  },
  // these two are last, because their category stays in the sidebar
  {
    name: "long-names",
    address: async (demo) => `/category/${(await longNames(demo)).categoryId}`,
    as: manager,
    ready: inTurn(heading(/^Donau/), (page) => page.getByRole("main").getByRole("article").first().waitFor()),
  },
  {
    name: "sop-long-names",
    address: async (demo) => `/sop/${(await longNames(demo)).sopId}`,
    as: manager,
    ready: inTurn(heading(/^Donau/), (page) => page.getByRole("heading", { name: "Scope" }).waitFor()),
  },
];
