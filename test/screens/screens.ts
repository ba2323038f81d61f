/** Every screen, and its states that look different: the address, the user, and the content that must be there. */
import type { Page } from "playwright-core";
import { proposed } from "./deeds.ts";
import type { Demo } from "./demo.ts";

export interface Screen {
  name: string;
  address: string | ((demo: Demo) => string | Promise<string>);
  /** The username; null: signed out. */
  as: string | null;
  /** Prepares the browser's storage or blocks it, before any request to the server. */
  before?: (page: Page) => Promise<unknown>;
  /** Opens the screen, and waits for the content that it must show in addition to its heading. */
  ready: (page: Page, demo: Demo) => Promise<unknown>;
  /** The browser's own line for a status that this screen causes. */
  provokes?: RegExp;
}

export const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole("heading", { level: 1, name }).first().waitFor();

export const cards = (page: Page) => page.getByRole("main").getByRole("link", { name: /./ }).nth(3).waitFor();

/** Runs these steps on a loaded screen, one after the other. */
export function inTurn(...steps: Screen["ready"][]): Screen["ready"] {
  return async (page, demo) => {
    for (const step of steps) await step(page, demo);
  };
}

export const dialog = (page: Page) => page.getByRole("dialog").waitFor();
export const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

export const manager = "ines.carvalho";
export const admin = "helen.marsh";
const reviewer = "marek.novak";
const viewer = "ewan.pryce";
export const system = "system.admin";

export const screens: readonly Screen[] = [
  { name: "login", address: "/login", as: null, ready: (page) => page.getByLabel("Username").waitFor() },
  { name: "register", address: "/register", as: null, ready: (page) => page.getByLabel("Username").waitFor() },
  {
    // the example company has no mail server
    name: "forgot-password",
    address: "/forgot-password",
    as: null,
    ready: (page) => page.getByText("This server sends no email").waitFor(),
  },
  {
    name: "reset-password-invalid",
    address: "/reset-password?token=gone",
    as: null,
    ready: (page) =>
      page
        .getByText(/invalid/i)
        .first()
        .waitFor(),
  },
  {
    name: "confirm-email",
    address: "/confirm-email?token=gone",
    as: null,
    ready: (page) => page.getByRole("button", { name: "Confirm email address" }).waitFor(),
  },
  {
    name: "setup-invalid",
    address: "/setup?token=gone",
    as: null,
    ready: (page) => page.getByRole("heading").first().waitFor(),
  },
  { name: "not-found", address: "/no/such/page", as: viewer, ready: heading("Page Not Found") },
  { name: "dashboard", address: "/", as: manager, ready: heading("Dashboard") },
  { name: "dashboard-viewer", address: "/", as: viewer, ready: heading("Dashboard") },
  { name: "start", address: "/start", as: admin, ready: heading("What is your company called?") },
  {
    name: "start-templates",
    address: "/start?step=templates",
    as: admin,
    ready: inTurn(heading("Choose what you need first"), (page) => page.getByRole("checkbox").nth(5).waitFor()),
  },
  { name: "start-people", address: "/start?step=people", as: admin, ready: heading("Who works with you?") },
  {
    name: "sops",
    address: "/sops",
    as: manager,
    ready: inTurn(heading(/Standard Operating Procedures|All SOPs/), cards),
  },
  {
    name: "sops-none-found",
    address: "/sops?search=zzzzqqqq",
    as: manager,
    ready: (page) => page.getByText("Try fewer or different words.").waitFor(),
  },
  { name: "favorites", address: "/favorites", as: "tomasz.wilk", ready: heading("Favorites") },
  {
    name: "favorites-empty",
    address: "/favorites",
    as: system,
    ready: (page) => page.getByText("No favorites yet").waitFor(),
  },
  { name: "recent", address: "/recent?range=all", as: manager, ready: heading("Recent") },
  { name: "pending", address: "/pending", as: reviewer, ready: heading("Pending Approval") },
  {
    name: "proposals",
    address: async (demo) => `/proposals?state=${(await proposed(demo)) > 0 ? "all" : ""}`,
    as: admin,
    ready: inTurn(heading("Proposals"), (page) =>
      page
        .getByRole("link", { name: /Induct/ })
        .first()
        .waitFor(),
    ),
  },
  {
    name: "proposal",
    address: async (demo) => `/proposals/${await proposed(demo)}`,
    as: "jack.morrow",
    ready: inTurn(heading(/Induct/), (page) => page.locator("ins, del").first().waitFor()),
  },
  {
    name: "category",
    address: (demo) => `/category/${demo.categoryId("Safety Protocols")}`,
    as: manager,
    ready: inTurn(heading("Safety Protocols"), cards),
  },
  { name: "sop", address: (demo) => `/sop/${demo.sopId("Induct")}`, as: viewer, ready: heading(/Induct/) },
  { name: "sop-manager", address: (demo) => `/sop/${demo.sopId("sickness")}`, as: manager, ready: heading(/sickness/) },
  {
    name: "sop-steps",
    address: (demo) => `/sop/${demo.sopId("Induct")}/steps`,
    as: viewer,
    ready: (page) => page.getByRole("heading", { level: 1 }).waitFor(),
  },
  {
    name: "sop-not-found",
    address: "/sop/0198f000-0000-7000-8000-000000000000",
    as: viewer,
    ready: (page) => page.getByText("SOP Not Found").waitFor(),
    provokes: /404/,
  },
  {
    name: "sop-compare",
    address: (demo) => `/sop/${demo.sopId("Induct")}/compare`,
    as: manager,
    ready: (page) => page.getByRole("heading", { level: 1 }).waitFor(),
  },
  {
    name: "sop-new",
    address: "/sop/new",
    as: manager,
    ready: (page) => page.locator(".ProseMirror").waitFor(),
  },
  {
    name: "sop-edit",
    address: (demo) => `/sop/${demo.sopId("Induct")}/edit`,
    as: "ruth.adeyemi",
    ready: (page) => page.locator(".ProseMirror h2").first().waitFor(),
  },
  {
    name: "sop-versions",
    address: (demo) => `/sop/${demo.sopId("Induct")}/edit`,
    as: "ruth.adeyemi",
    ready: inTurn(
      (page) => page.locator(".ProseMirror h2").first().waitFor(),
      press("More actions"),
      (page) => page.getByRole("menuitem", { name: "Version history" }).click(),
      dialog,
    ),
  },
  { name: "settings", address: "/settings", as: manager, ready: heading("Settings") },
  { name: "settings-topic", address: "/settings/tokens", as: manager, ready: heading("Settings") },
  {
    name: "companies",
    address: "/admin/companies",
    as: system,
    ready: inTurn(heading("Companies"), (page) => page.getByText("Brackenfold Foods").first().waitFor()),
  },
  {
    name: "companies-denied",
    address: "/admin/companies",
    as: viewer,
    ready: (page) => page.getByText("Access Denied").waitFor(),
  },
  {
    name: "company-users",
    address: (demo) => `/admin/companies/${demo.companyId}/users`,
    as: system,
    ready: (page) => page.getByText("Helen Marsh").first().waitFor(),
  },
  { name: "server", address: "/admin/server", as: system, ready: heading("Server") },
  { name: "company", address: "/admin/company", as: admin, ready: heading("Company settings") },
  {
    name: "company-topic",
    address: "/admin/company/publishing",
    as: admin,
    ready: (page) => page.getByRole("heading", { level: 1 }).waitFor(),
  },
  {
    name: "company-mirror",
    address: "/admin/company/mirror",
    as: admin,
    ready: (page) => page.getByLabel("Repository address").waitFor(),
  },
  {
    name: "teams",
    address: "/admin/teams",
    as: admin,
    ready: (page) => page.getByRole("heading", { level: 1, name: "Teams" }).waitFor(),
  },
  {
    name: "confirmations",
    address: "/confirmations",
    as: admin,
    ready: (page) => page.getByRole("group", { name: "Show" }).waitFor(),
  },
  {
    name: "audit",
    address: "/admin/audit",
    as: admin,
    ready: (page) => page.getByRole("heading", { level: 1, name: /Audit/ }).waitFor(),
  },
  {
    name: "users",
    address: "/admin/users",
    as: admin,
    ready: (page) => page.getByText("Inês Carvalho").first().waitFor(),
  },
  {
    name: "user-dialog",
    address: "/admin/users",
    as: admin,
    ready: inTurn((page) => page.getByText("Inês Carvalho").first().waitFor(), press("New User"), dialog),
  },
  {
    name: "notifications",
    address: "/",
    as: reviewer,
    ready: inTurn(heading("Dashboard"), press(/notification/i), dialog),
  },
  {
    name: "assistant",
    address: "/",
    as: manager,
    ready: inTurn(heading("Dashboard"), pressInSidebar("AI Assistant"), (page) =>
      page.getByPlaceholder(/^Ask (AI )?about/).waitFor(),
    ),
  },
];

/** Presses a button of the sidebar. On a small screen, it is behind the navigation button. */
export function pressInSidebar(name: string) {
  return async (page: Page): Promise<void> => {
    const button = page.getByRole("button", { name }).first();
    if (!(await button.isVisible()))
      await page
        .getByRole("button", { name: /navigation/i })
        .first()
        .click();
    await button.click();
  };
}
