import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Company } from "#core/companies/schema.ts";
import { aCompany, aListedUser } from "../testing/admin-records.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const globex = aCompany({
  id: "globex",
  name: "Globex",
  slug: "globex",
  industry: "Energy",
  size: "large",
  subscription: "professional",
  maxUsers: 20,
  userCount: 20,
  status: "suspended",
});

function openCompanies(companies: readonly Company[], more: Replies = {}, path = "/admin/companies") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role: "system_admin" }) },
    "GET /api/admin/companies": { data: companies, total: companies.length },
    ...more,
  });
  return { server, ...showApp(server, path) };
}

type Shown = ReturnType<typeof openCompanies>;

async function choose({ user }: Shown, name: string, action: string) {
  await user.click(await screen.findByRole("button", { name: `Actions for ${name}` }));
  await user.click(await screen.findByRole("menuitem", { name: new RegExp(`^${action}`) }));
}

describe("companies", () => {
  it.each(["company_admin", "admin", "viewer"] as const)("are not for %s", async (role) => {
    const { server } = openCompanies([], { "GET /api/auth/me": { user: aUser({ role }) } });
    await screen.findByRole("heading", { level: 1, name: "Access Denied" });
    expect(screen.getByText("You don't have permission to access this page.")).toBeTruthy();
    expect(server.requestsFor("GET /api/admin/companies")).toEqual([]);
  });

  it("show what is known of each, and lead to its users", async () => {
    openCompanies([aCompany(), globex]);
    const link = await screen.findByRole("link", { name: "Globex" });
    expect(link.getAttribute("href")).toBe("/admin/companies/globex/users");
    const row = link.closest("tr") as HTMLElement;
    for (const text of ["globex", "Energy", "Large (201-1000)", "Professional", "Suspended", "Jan 5, 2026", "full"]) {
      expect(within(row).getByText(text)).toBeTruthy();
    }
    expect(row.textContent).toContain("20 of 20 users");
    expect(row.textContent).toContain("12 of 100 SOPs");
    expect(screen.getByText("2 companies")).toBeTruthy();
  });

  it("are searched and filtered by the address", async () => {
    const { server, user, address } = openCompanies([aCompany()]);
    await screen.findByRole("link", { name: "Acme" });
    const requested = () => server.requestsFor("GET /api/admin/companies").at(-1)?.query;
    expect(requested()).toEqual({ status: "all", total: "true", limit: "50" });
    await user.type(screen.getByPlaceholderText("Search companies by name, slug, or industry…"), "glo");
    await waitFor(() => expect(requested()).toMatchObject({ search: "glo" }));
    await user.selectOptions(screen.getByLabelText("Status"), "Deleted");
    await waitFor(() => expect(requested()).toMatchObject({ search: "glo", status: "deleted" }));
    expect(address()).toBe("/admin/companies?search=glo&status=deleted");
  });

  it("say when there are none, and when they could not be fetched", async () => {
    openCompanies([]);
    await screen.findByText("No companies found");
    resetBrowser();
    openCompanies([], { "GET /api/admin/companies": new FakeRefusal("internal") });
    await screen.findByText("Failed to fetch companies");
  });

  it("are deleted after a question; the own one can't be", async () => {
    const shown = openCompanies([aCompany(), globex], { "DELETE /api/admin/companies/globex": { ok: true } });
    await shown.user.click(await screen.findByRole("button", { name: "Actions for Acme" }));
    expect(await screen.findByRole("menuitem", { name: /Delete Company.*This is your own company/ })).toBeTruthy();
    await shown.user.keyboard("{Escape}");
    await choose(shown, "Globex", "Delete Company");
    const dialog = await screen.findByRole("alertdialog", { name: "Are you sure you want to delete Globex?" });
    await shown.user.click(within(dialog).getByRole("button", { name: "Delete Company" }));
    await screen.findByText("Company deleted");
    expect(shown.server.requestsFor("DELETE /api/admin/companies/globex")).toHaveLength(1);
    expect(shown.server.requestsFor("GET /api/admin/companies")).toHaveLength(2);
  });

  it("that can't be deleted say why", async () => {
    const shown = openCompanies([globex], {
      "DELETE /api/admin/companies/globex": new FakeRefusal("conflict", "Not now"),
    });
    await choose(shown, "Globex", "Delete Company");
    const dialog = within(await screen.findByRole("alertdialog"));
    await shown.user.click(dialog.getByRole("button", { name: "Delete Company" }));
    await dialog.findByText("Failed to delete company");
    expect(dialog.getByText("Not now")).toBeTruthy();
  });
});

describe("the company's dialog", () => {
  async function openNew({ user }: Shown) {
    await user.click(await screen.findByRole("button", { name: "New Company" }));
    return within(await screen.findByRole("dialog", { name: "Create New Company" }));
  }

  it("starts with the defaults, takes the slug from the name, and sends it", async () => {
    const shown = openCompanies([], { "POST /api/admin/companies": globex });
    const dialog = await openNew(shown);
    const name = dialog.getByLabelText("Company Name");
    expect(document.activeElement).toBe(name);
    await shown.user.type(name, "Globex & Sons");
    const optionsOf = (label: string) =>
      [...dialog.getByLabelText<HTMLSelectElement>(label).options].map(({ text }) => text);
    expect(optionsOf("Size").slice(1)).toEqual([
      "Small (1-50)",
      "Medium (51-200)",
      "Large (201-1000)",
      "Enterprise (1000+)",
    ]);
    expect(optionsOf("Subscription")).toEqual(["Free", "Starter", "Professional", "Enterprise"]);
    expect(optionsOf("Status")).toEqual(["Active", "Suspended", "Deleted"]);
    await shown.user.selectOptions(dialog.getByLabelText("Size"), "Medium (51-200)");
    await shown.user.click(dialog.getByRole("button", { name: "Create Company" }));
    await screen.findByText("Company created");
    expect(shown.server.requestsFor("POST /api/admin/companies")[0]?.body).toEqual({
      name: "Globex & Sons",
      slug: "globex-and-sons",
      description: "",
      website: "",
      industry: "",
      size: "medium",
      subscription: "free",
      status: "active",
      maxUsers: 10,
      maxSOPs: 100,
    });
  });

  it("shows the storage in megabytes and sends bytes; the default isn't named", async () => {
    const stored = { ...globex, maxBytes: 512 * 2 ** 20, assetBytes: 3 * 2 ** 20 };
    const shown = openCompanies([stored], { "PUT /api/admin/companies/globex": stored });
    await choose(shown, "Globex", "Edit Company");
    const dialog = within(await screen.findByRole("dialog", { name: "Edit Company" }));
    const storage = dialog.getByLabelText("Max Storage (MB)");
    expect(storage).toHaveProperty("value", "512");
    expect(dialog.getByText("3 MB in use")).toBeTruthy();
    await shown.user.clear(storage);
    await shown.user.type(storage, "0.5");
    await shown.user.click(dialog.getByRole("button", { name: "Update Company" }));
    await dialog.findByText("Storage must be at least 1 MB");
    await shown.user.clear(storage);
    await shown.user.type(storage, "1024");
    await shown.user.click(dialog.getByRole("button", { name: "Update Company" }));
    await screen.findByText("Company updated");
    expect(shown.server.requestsFor("PUT /api/admin/companies/globex")[0]?.body).toMatchObject({ maxBytes: 2 ** 30 });
  });

  it("keeps a slug that the user typed", async () => {
    const shown = openCompanies([]);
    const dialog = await openNew(shown);
    await shown.user.type(dialog.getByLabelText("Slug"), "gx");
    await shown.user.type(dialog.getByLabelText("Company Name"), "Globex");
    expect(dialog.getByLabelText("Slug")).toHaveProperty("value", "gx");
  });

  it("checks by the rules of the specification", async () => {
    const shown = openCompanies([]);
    const dialog = await openNew(shown);
    await shown.user.type(dialog.getByLabelText("Company Name"), "G");
    await shown.user.clear(dialog.getByLabelText("Slug"));
    await shown.user.type(dialog.getByLabelText("Slug"), "Not A Slug");
    await shown.user.type(dialog.getByLabelText(/^Website/), "nowhere");
    await shown.user.clear(dialog.getByLabelText("Max Users"));
    await shown.user.type(dialog.getByLabelText("Max Users"), "0");
    await shown.user.click(dialog.getByRole("button", { name: "Create Company" }));
    await dialog.findByText("Company name must be at least 2 characters");
    for (const text of [
      "Slug must be lowercase with hyphens only",
      "Website must be a valid URL",
      "Max users must be at least 1",
    ]) {
      expect(dialog.getByText(text)).toBeTruthy();
    }
    expect(shown.server.requestsFor("POST /api/admin/companies")).toEqual([]);
  });

  it("shows what the server found", async () => {
    const taken = "This slug is taken";
    const shown = openCompanies([], {
      "POST /api/admin/companies": new FakeRefusal("conflict", taken, { slug: taken }),
    });
    const dialog = await openNew(shown);
    await shown.user.type(dialog.getByLabelText("Company Name"), "Globex");
    await shown.user.click(dialog.getByRole("button", { name: "Create Company" }));
    await dialog.findByText(taken);
    expect(dialog.getByLabelText("Slug").getAttribute("aria-invalid")).toBe("true");
    shown.server.reply({ "POST /api/admin/companies": () => Promise.reject(new TypeError("Failed to fetch")) });
    await shown.user.click(dialog.getByRole("button", { name: "Create Company" }));
    await dialog.findByText("Failed to create company. Please try again.");
  });

  it("edits with the known values filled in, and shows failures", async () => {
    const shown = openCompanies([globex], { "PUT /api/admin/companies/globex": globex });
    await choose(shown, "Globex", "Edit Company");
    const dialog = within(await screen.findByRole("dialog", { name: "Edit Company" }));
    expect(dialog.getByText("20 in use")).toBeTruthy();
    await shown.user.selectOptions(dialog.getByLabelText("Status"), "Active");
    await shown.user.click(dialog.getByRole("button", { name: "Update Company" }));
    await screen.findByText("Company updated");
    expect(shown.server.requestsFor("PUT /api/admin/companies/globex")[0]?.body).toMatchObject({
      name: "Globex",
      slug: "globex",
      industry: "Energy",
      size: "large",
      subscription: "professional",
      status: "active",
      maxUsers: 20,
    });
    shown.server.reply({ "PUT /api/admin/companies/globex": () => Promise.reject(new TypeError("no")) });
    await choose(shown, "Globex", "Edit Company");
    await shown.user.click(await screen.findByRole("button", { name: "Update Company" }));
    await screen.findByText("Failed to update company");
  });

  it.each([
    ["Suspended", "Suspend Globex?", "Suspend Company"],
    ["Deleted", "Are you sure you want to delete Globex?", "Delete Company"],
  ])("asks before the status becomes %s; Cancel sends nothing", async (status, title, verb) => {
    const path = "PUT /api/admin/companies/globex";
    const shown = openCompanies([{ ...globex, status: "active" }], { [path]: globex });
    await choose(shown, "Globex", "Edit Company");
    const dialog = within(await screen.findByRole("dialog", { name: "Edit Company" }));
    await shown.user.selectOptions(dialog.getByLabelText("Status"), status);
    await shown.user.click(dialog.getByRole("button", { name: "Update Company" }));
    const question = () => screen.findByRole("alertdialog", { name: title });
    await shown.user.click(within(await question()).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(shown.server.requestsFor(path)).toEqual([]);
    await shown.user.click(dialog.getByRole("button", { name: "Update Company" }));
    await shown.user.click(within(await question()).getByRole("button", { name: verb }));
    await screen.findByText("Company updated");
    expect(shown.server.requestsFor(path)[0]?.body).toMatchObject({ status: status.toLowerCase() });
  });

  it("leaves the own company's status alone", async () => {
    const shown = openCompanies([aCompany()], { [`PUT /api/admin/companies/${aCompany().id}`]: aCompany() });
    await choose(shown, "Acme", "Edit Company");
    const dialog = within(await screen.findByRole("dialog", { name: "Edit Company" }));
    expect(dialog.getByLabelText("Status")).toHaveProperty("disabled", true);
    await shown.user.click(dialog.getByRole("button", { name: "Update Company" }));
    await screen.findByText("Company updated");
  });
});

describe("a company's users", () => {
  const path = "/admin/companies/globex/users";
  const dee = aListedUser({ name: "Dee Dow", companyId: "globex" });

  it("are those of the company, and new ones join it", async () => {
    const shown = openCompanies(
      [],
      {
        "GET /api/admin/companies/globex": globex,
        "GET /api/admin/users": { data: [dee] },
        "POST /api/admin/users": dee,
      },
      path,
    );
    await screen.findByText("Dee Dow");
    expect(screen.getByText("Manage users of Globex")).toBeTruthy();
    expect(screen.getByText("This company is suspended. Its users can't sign in.")).toBeTruthy();
    const trail = within(screen.getByRole("navigation", { name: "Breadcrumb" }));
    expect(trail.getByRole("link", { name: "Companies" }).getAttribute("href")).toBe("/admin/companies");
    expect(shown.server.requestsFor("GET /api/admin/users")[0]?.query).toMatchObject({ companyId: "globex" });
    await shown.user.click(screen.getByRole("button", { name: "New User" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Create New User" }));
    expect(dialog.queryByLabelText("Company")).toBeNull();
    await shown.user.type(dialog.getByLabelText("Username"), "dee");
    await shown.user.type(dialog.getByLabelText("Full Name"), "Dee Dow");
    await shown.user.click(dialog.getByRole("button", { name: "Create User" }));
    await screen.findByText("User created");
    const [sent] = shown.server.requestsFor("POST /api/admin/users");
    expect(sent?.body).toMatchObject({ companyId: "globex", username: "dee" });
  });

  it("are not for others, and not of a company that is not there", async () => {
    openCompanies([], { "GET /api/auth/me": { user: aUser({ role: "company_admin" }) } }, path);
    await screen.findByRole("heading", { level: 1, name: "Access Denied" });
    resetBrowser();
    openCompanies([], {}, path);
    await screen.findByRole("heading", { level: 1, name: "Company Not Found" });
  });
});
