import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { User } from "#core/users/schema.ts";
import { aListedUser } from "../testing/admin-records.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const bob = aListedUser({
  name: "Bob Baker",
  username: "bob",
  email: "bob@acme.test",
  phone: "555 0100",
  department: "Kitchen",
  title: "Chef",
  role: "editor",
  lastLoginAt: "2026-01-05T12:00:00.000Z",
});

function openUsers(
  users: readonly User[],
  more: Replies = {},
  role: User["role"] = "company_admin",
  path = "/admin/users",
) {
  const page = { data: users, total: users.length };
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role }) },
    "GET /api/company/users": page,
    "GET /api/admin/users": page,
    "GET /api/company/invitations": { data: [] },
    ...more,
  });
  return { server, ...showApp(server, path) };
}

type Shown = ReturnType<typeof openUsers>;

async function choose({ user }: Pick<Shown, "user">, name: string, action: string) {
  await user.click(await screen.findByRole("button", { name: new RegExp(`^Actions for ${name} \\(`) }));
  await user.click(await screen.findByRole("menuitem", { name: new RegExp(`^${action}`) }));
}

const optionsOf = (label: string) =>
  within(screen.getByLabelText(label))
    .getAllByRole("option")
    .map((option) => option.textContent);

describe("who sees it", () => {
  it("is not for managers", async () => {
    const { server } = openUsers([], {}, "manager");
    await screen.findByRole("heading", { level: 1, name: "Access Denied" });
    expect(screen.getByText("You don't have permission to manage users.")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Users" })).toBeNull();
    expect(server.requestsFor("GET /api/company/users")).toEqual([]);
  });

  it("asks the company's endpoint for company admins, the system's for system admins", async () => {
    const { server } = openUsers([bob]);
    await screen.findByRole("heading", { level: 1, name: "Users Management" });
    await screen.findByText("Manage users in your organization");
    await screen.findByText("Bob Baker");
    expect(server.requestsFor("GET /api/admin/users")).toEqual([]);
    expect(screen.getByRole("link", { name: "Users" }).getAttribute("aria-current")).toBe("page");
    expect(screen.queryByRole("link", { name: "Companies" })).toBeNull();
    resetBrowser();
    const system = openUsers([bob], {}, "system_admin");
    await screen.findByText("Manage all users across the system");
    await screen.findByText("Bob Baker");
    expect(system.server.requestsFor("GET /api/company/users")).toEqual([]);
    expect(screen.getByText("Acme", { selector: "th span" })).toBeTruthy();
    const installation = within(screen.getByRole("list", { name: "Installation" }));
    // no other entry is told apart by its ending alone
    expect(screen.getAllByRole("link", { name: /^Compan(y|ies)$/ })).toHaveLength(1);
    expect(screen.getByRole("link", { name: "Company settings" }).getAttribute("href")).toBe("/admin/company");
    expect(installation.getByRole("link", { name: "Companies" }).getAttribute("href")).toBe("/admin/companies");
  });
});

describe("the table", () => {
  it("shows name, contact, department, role, status and last login", async () => {
    openUsers([bob, aListedUser({ name: "Cy Cole", status: "suspended", role: "company_admin" })]);
    const row = within((await screen.findByText("Bob Baker")).closest("tr") as HTMLElement);
    for (const text of ["@bob", "bob@acme.test", "555 0100", "Kitchen", "Chef", "Editor", "Active", "Jan 5, 2026"]) {
      expect(row.getByText(text)).toBeTruthy();
    }
    const other = within(screen.getByText("Cy Cole").closest("tr") as HTMLElement);
    for (const text of ["Company Admin", "Suspended", "Never"]) expect(other.getByText(text)).toBeTruthy();
    const headers = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
    expect(headers).toEqual(["User", "Contact", "Department", "Role", "Status", "Last Login", "Actions"]);
    expect(screen.getByText("2 users")).toBeTruthy();
  });

  it("says that it loads, that the list is empty, and that it failed", async () => {
    openUsers([], { "GET /api/company/users": () => new Promise(() => {}) });
    await screen.findByText("Loading users...");
    expect(screen.getAllByTestId("row-skeleton").length).toBeGreaterThan(3);
    resetBrowser();
    openUsers([]);
    await screen.findByText("No users found");
    resetBrowser();
    const { server, user } = openUsers([], { "GET /api/company/users": new FakeRefusal("internal") });
    await screen.findByText("Failed to fetch users");
    server.reply({ "GET /api/company/users": { data: [bob] } });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByText("Bob Baker");
  });

  it("loads more by cursor, and says when that failed", async () => {
    const { server, user } = openUsers([bob], { "GET /api/company/users": { data: [bob], nextCursor: "next" } });
    await screen.findByText("Bob Baker");
    server.reply({ "GET /api/company/users": new FakeRefusal("internal") });
    await user.click(screen.getByRole("button", { name: "Load more" }));
    await screen.findByText("Couldn't load more. Try again.");
    server.reply({ "GET /api/company/users": { data: [aListedUser({ name: "Dee" })] } });
    await user.click(screen.getByRole("button", { name: "Load more" }));
    await screen.findByText("Dee");
    expect(screen.getByText("Bob Baker")).toBeTruthy();
    expect(server.requestsFor("GET /api/company/users").at(-1)?.query).toMatchObject({
      cursor: "next",
      status: "active",
    });
    expect(screen.queryByRole("button", { name: "Load more" })).toBeNull();
  });
});

describe("filters", () => {
  it("start with Active, offer what the viewer may assign, and live in the address", async () => {
    const { server, user, address } = openUsers([bob]);
    await screen.findByText("Bob Baker");
    const requested = () => server.requestsFor("GET /api/company/users").at(-1)?.query;
    expect(requested()).toEqual({ status: "active", total: "true", limit: "50" });
    expect(optionsOf("Status")).toEqual(["All Status", "Active", "Suspended", "Deleted"]);
    const assignable = ["All Roles", "Admin", "Manager", "Editor", "Reviewer", "Contributor", "Viewer"];
    expect(optionsOf("Role")).toEqual(assignable);
    await user.selectOptions(screen.getByLabelText("Status"), "All Status");
    await waitFor(() => expect(requested()).toEqual({ total: "true", limit: "50" }));
    await user.selectOptions(screen.getByLabelText("Role"), "Editor");
    await waitFor(() => expect(requested()).toEqual({ role: "editor", total: "true", limit: "50" }));
    expect(address()).toBe("/admin/users?status=all&role=editor");
    await user.type(screen.getByPlaceholderText("Search users by name, email, or username..."), "bo");
    await waitFor(() => expect(requested()).toMatchObject({ search: "bo", role: "editor" }));
    // one request for the whole word
    expect(server.requests.filter(({ query }) => query["search"] === "b")).toEqual([]);
  });

  it("are read from the address, and can be cleared when they match no one", async () => {
    const path = "/admin/users?search=zz&status=deleted&role=nonsense";
    const { server, user, address } = openUsers([], {}, "admin", path);
    await screen.findByText("No matches. Try other filters.");
    const first = server.requestsFor("GET /api/company/users")[0];
    expect(first?.query).toEqual({ search: "zz", status: "deleted", total: "true", limit: "50" });
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await waitFor(() => expect(address()).toBe("/admin/users"));
  });
});

describe("a row's menu", () => {
  it("suspends active users after a question, by sending the whole user, and activates the others", async () => {
    const shown = openUsers([bob, aListedUser({ id: "gone", name: "Gus", status: "deleted" })], {
      [`PUT /api/company/users/${bob.id}`]: { ...bob, status: "suspended" },
      "PUT /api/company/users/gone": bob,
    });
    await choose(shown, "Bob Baker", "Suspend User");
    const question = within(await screen.findByRole("alertdialog", { name: "Suspend Bob Baker (bob)?" }));
    expect(shown.server.requestsFor(`PUT /api/company/users/${bob.id}`)).toEqual([]);
    await shown.user.click(question.getByRole("button", { name: "Suspend User" }));
    await screen.findByText("User updated");
    const [sent] = shown.server.requestsFor(`PUT /api/company/users/${bob.id}`);
    expect(sent?.body).toEqual({ ...bob, status: "suspended" });
    await waitFor(() => expect(shown.server.requestsFor("GET /api/company/users")).toHaveLength(2));
    await choose(shown, "Gus", "Activate User");
    await waitFor(() => expect(shown.server.requestsFor("PUT /api/company/users/gone")).toHaveLength(1));
    expect(shown.server.requestsFor("PUT /api/company/users/gone")[0]?.body).toMatchObject({ status: "active" });
    // nothing is lost, because it can be undone
    await shown.user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(shown.server.requestsFor("PUT /api/company/users/gone")).toHaveLength(2));
    expect(shown.server.requestsFor("PUT /api/company/users/gone")[1]?.body).toMatchObject({ status: "deleted" });
  });

  it("shows why a change was refused", async () => {
    const why = "This is the company's last active administrator";
    const shown = openUsers([bob], {
      [`PUT /api/company/users/${bob.id}`]: new FakeRefusal("conflict", why),
      [`DELETE /api/company/users/${bob.id}`]: new FakeRefusal("conflict", why),
    });
    await choose(shown, "Bob Baker", "Suspend User");
    const suspending = within(await screen.findByRole("alertdialog"));
    await shown.user.click(suspending.getByRole("button", { name: "Suspend User" }));
    await suspending.findByText("Failed to update user");
    expect(suspending.getByText(why)).toBeTruthy();
    await shown.user.click(suspending.getByRole("button", { name: "Cancel" }));
    await choose(shown, "Bob Baker", "Delete User");
    const dialog = within(await screen.findByRole("alertdialog"));
    await shown.user.click(dialog.getByRole("button", { name: "Delete User" }));
    await dialog.findByText("Failed to delete user");
    expect(dialog.getByText(why)).toBeTruthy();
  });

  it("asks before it deletes, and gives the focus back", async () => {
    const shown = openUsers([bob], { [`DELETE /api/company/users/${bob.id}`]: { ok: true } });
    await choose(shown, "Bob Baker", "Delete User");
    const question = { name: "Are you sure you want to delete Bob Baker?" };
    await shown.user.click(
      within(await screen.findByRole("alertdialog", question)).getByRole("button", { name: "Cancel" }),
    );
    expect(shown.server.requestsFor(`DELETE /api/company/users/${bob.id}`)).toEqual([]);
    const menu = screen.getByRole("button", { name: /^Actions for Bob Baker \(/ });
    await waitFor(() => expect(document.activeElement).toBe(menu));
    await choose(shown, "Bob Baker", "Delete User");
    shown.server.reply({ "GET /api/company/users": { data: [] } });
    await shown.user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Delete User" }));
    await screen.findByText("User deleted");
    await screen.findByText("No users found");
    // the row is gone, so its list has the focus, not the top of the page
    await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Users"));
  });

  it("sends a reset link, or shows the link where there is no email", async () => {
    const eve = aListedUser({ id: "eve", name: "Eve" });
    const shown = openUsers([bob, eve], {
      [`POST /api/company/users/${bob.id}/reset-password`]: { sent: true },
      "POST /api/company/users/eve/reset-password": { sent: false, link: "/reset-password?token=once" },
    });
    await choose(shown, "Bob Baker", "Reset Password");
    await screen.findByText("Password Reset");
    expect(screen.getByText("A reset link was sent to bob@acme.test.")).toBeTruthy();
    await choose(shown, "Eve", "Reset Password");
    const dialog = within(await screen.findByRole("dialog", { name: "Share this link" }));
    const address = "http://localhost:3000/reset-password?token=once";
    expect(dialog.getByLabelText("One-time link")).toHaveProperty("value", address);
    await shown.user.click(dialog.getByRole("button", { name: "Copy" }));
    await dialog.findByRole("button", { name: "Copied" });
    expect(await navigator.clipboard.readText()).toBe(address);
  });

  it("says why users can't do that to themselves, or to higher roles", async () => {
    const me = aListedUser({ id: aUser().id, name: "Ann Archer", role: "company_admin" });
    const boss = aListedUser({ name: "Big Boss", role: "company_admin" });
    const { server, user } = openUsers([me, boss]);
    await user.click(await screen.findByRole("button", { name: /^Actions for Ann Archer \(/ }));
    const suspend = await screen.findByRole("menuitem", { name: /Suspend User.*You can't change your own status/ });
    expect(suspend.getAttribute("aria-disabled")).toBe("true");
    expect(screen.getByRole("menuitem", { name: /Delete User.*You can't delete yourself/ })).toBeTruthy();
    await user.click(suspend);
    expect(server.requests.filter(({ method }) => method === "PUT")).toEqual([]);
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: /^Actions for Big Boss \(/ }));
    expect(await screen.findAllByText("You can't change a Company Admin.")).toHaveLength(4);
  });
});
