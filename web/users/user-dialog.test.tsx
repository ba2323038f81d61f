import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { User } from "#core/users/schema.ts";
import { aCompany, aListedUser } from "../testing/admin-records.ts";
import { fakeServer, noMailServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

function openUsers(users: readonly User[], more: Replies = {}, role: User["role"] = "company_admin") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role }) },
    "GET /api/company/users": { data: users },
    "GET /api/admin/users": { data: users },
    ...more,
  });
  return { server, ...showApp(server, "/admin/users") };
}

type Shown = ReturnType<typeof openUsers>;

async function openNew({ user }: Shown) {
  await user.click(await screen.findByRole("button", { name: "New User" }));
  return within(await screen.findByRole("dialog", { name: "Create New User" }));
}

async function openEdit({ user }: Shown, name: string) {
  await user.click(await screen.findByRole("button", { name: new RegExp(`^Actions for ${name} \\(`) }));
  await user.click(await screen.findByRole("menuitem", { name: /^Edit User/ }));
  return within(await screen.findByRole("dialog", { name: "Edit User" }));
}

const valueOf = (control: HTMLElement) => (control as HTMLInputElement).value;

describe("a new user", () => {
  it("has the fields and defaults of the specification, the first of them focused", async () => {
    const dialog = await openNew(openUsers([]));
    expect(dialog.getByText("Add a new user to the system")).toBeTruthy();
    expect(dialog.getByText("Minimum 6 characters")).toBeTruthy();
    const labels = ["Username", "Email", "Full Name", "Password", "Department", "Job Title", "Phone", "Role", "Status"];
    for (const label of labels) expect(dialog.getByLabelText(new RegExp(`^${label}`))).toBeTruthy();
    expect(valueOf(dialog.getByLabelText("Role"))).toBe("viewer");
    expect(valueOf(dialog.getByLabelText("Status"))).toBe("active");
    expect(document.activeElement).toBe(dialog.getByLabelText("Username"));
    expect(dialog.queryByLabelText("Company")).toBeNull();
  });

  it("is checked before it is sent", async () => {
    const shown = openUsers([]);
    const dialog = await openNew(shown);
    await shown.user.type(dialog.getByLabelText("Username"), "ab");
    await shown.user.type(dialog.getByLabelText("Email"), "nobody");
    await shown.user.type(dialog.getByLabelText("Full Name"), "A");
    await shown.user.type(dialog.getByLabelText("Password"), "12345");
    await shown.user.click(dialog.getByRole("button", { name: "Create User" }));
    await dialog.findByText("Username must be at least 3 characters");
    for (const text of [
      "Invalid email address",
      "Name must be at least 2 characters",
      "Password must be at least 6 characters",
    ]) {
      expect(dialog.getByText(text)).toBeTruthy();
    }
    expect(shown.server.requestsFor("POST /api/company/users")).toEqual([]);
  });

  it("is sent, announced and listed; the focus goes back to the button", async () => {
    const shown = openUsers([], { "POST /api/company/users": aListedUser({ name: "Dee Dow", username: "dee" }) });
    const dialog = await openNew(shown);
    await shown.user.type(dialog.getByLabelText("Username"), "Dee");
    await shown.user.type(dialog.getByLabelText("Full Name"), "Dee Dow");
    await shown.user.type(dialog.getByLabelText("Password"), "walnut-bread");
    await shown.user.selectOptions(dialog.getByLabelText("Role"), "Manager");
    await shown.user.click(dialog.getByRole("button", { name: "Create User" }));
    await screen.findByText("User created");
    expect(screen.queryByRole("dialog")).toBeNull();
    const [sent] = shown.server.requestsFor("POST /api/company/users");
    expect(sent?.body).toMatchObject({
      username: "dee",
      name: "Dee Dow",
      password: "walnut-bread",
      role: "manager",
      status: "active",
    });
    expect(shown.server.requestsFor("GET /api/company/users")).toHaveLength(2);
    const button = screen.getByRole("button", { name: "New User" });
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it("without a password and an email gets a link to hand over", async () => {
    const made = { ...aListedUser({ name: "Dee Dow" }), link: "/reset-password?token=once" };
    const shown = openUsers([], { "POST /api/company/users": made });
    const dialog = await openNew(shown);
    await shown.user.type(dialog.getByLabelText("Username"), "dee");
    await shown.user.type(dialog.getByLabelText("Full Name"), "Dee Dow");
    await shown.user.click(dialog.getByRole("button", { name: "Create User" }));
    await screen.findByRole("dialog", { name: "Share this link" });
    expect(shown.server.requestsFor("POST /api/company/users")[0]?.body).not.toHaveProperty("password");
  });

  it("says what the email is for only where the server sends emails", async () => {
    const dialog = await openNew(openUsers([], { ...noMailServer }));
    dialog.getByLabelText("Email");
    expect(dialog.queryByText("Needed for password reset.")).toBeNull();
  });

  it("gets a link to hand over when no email was sent", async () => {
    const listed = aListedUser({ name: "Dee Dow", email: "dee@acme.test" });
    const made = { ...listed, link: "/reset-password?token=once", unsent: "unconfirmed" };
    const shown = openUsers([], { "POST /api/company/users": made });
    const dialog = await openNew(shown);
    await shown.user.type(dialog.getByLabelText("Username"), "dee");
    await shown.user.type(dialog.getByLabelText("Full Name"), "Dee Dow");
    await shown.user.click(dialog.getByRole("button", { name: "Create User" }));
    await screen.findByRole("dialog", { name: "Share this link" });
    await screen.findByText(/^No email was sent: confirm your own email address in Settings first\./);
  });

  it("shows what the server found: under its field, or as the failure it is", async () => {
    const taken = "This username is taken";
    const shown = openUsers([], { "POST /api/company/users": new FakeRefusal("conflict", taken, { username: taken }) });
    const dialog = await openNew(shown);
    await shown.user.type(dialog.getByLabelText("Username"), "bob");
    await shown.user.type(dialog.getByLabelText("Full Name"), "Bob");
    const send = () => shown.user.click(dialog.getByRole("button", { name: "Create User" }));
    await send();
    await dialog.findByText(taken);
    expect(dialog.getByLabelText("Username").getAttribute("aria-invalid")).toBe("true");
    shown.server.reply({
      "POST /api/company/users": new FakeRefusal("limit_reached", "The company's 10 places are taken"),
    });
    await send();
    await dialog.findByText("The company's 10 places are taken");
    shown.server.reply({ "POST /api/company/users": () => Promise.reject(new TypeError("Failed to fetch")) });
    await send();
    await dialog.findByText("Failed to create user. Please try again.");
    expect(screen.getByText("Error")).toBeTruthy();
  });

  it("of a system admin may be of any company", async () => {
    const other = aCompany({ id: "other", name: "Globex" });
    const shown = openUsers(
      [],
      { "GET /api/admin/companies": { data: [aCompany(), other] }, "POST /api/admin/users": aListedUser() },
      "system_admin",
    );
    const dialog = await openNew(shown);
    await shown.user.type(dialog.getByLabelText("Username"), "dee");
    await shown.user.type(dialog.getByLabelText("Full Name"), "Dee Dow");
    await dialog.findByRole("option", { name: "Globex" });
    await shown.user.selectOptions(dialog.getByLabelText("Company"), "Globex");
    await shown.user.selectOptions(dialog.getByLabelText("Role"), "System Admin");
    await shown.user.click(dialog.getByRole("button", { name: "Create User" }));
    await screen.findByText("User created");
    const [sent] = shown.server.requestsFor("POST /api/admin/users");
    expect(sent?.body).toMatchObject({ companyId: "other", role: "system_admin" });
  });
});

describe("editing a user", () => {
  const bob = aListedUser({ name: "Bob Baker", username: "bob", email: "bob@acme.test", role: "editor" });

  it("starts with what is known, keeps the username, asks for no password", async () => {
    const shown = openUsers([bob], { [`PUT /api/company/users/${bob.id}`]: bob });
    const dialog = await openEdit(shown, "Bob Baker");
    expect(dialog.getByText("Update the user information below")).toBeTruthy();
    expect(dialog.getByLabelText("Username")).toHaveProperty("disabled", true);
    expect(valueOf(dialog.getByLabelText("Username"))).toBe("bob");
    expect(dialog.queryByLabelText("Password")).toBeNull();
    await shown.user.type(dialog.getByLabelText(/^Job Title/), "Chef");
    await shown.user.selectOptions(dialog.getByLabelText("Status"), "Suspended");
    await shown.user.click(dialog.getByRole("button", { name: "Update User" }));
    const question = await screen.findByRole("alertdialog", { name: "Suspend Bob Baker (bob)?" });
    await shown.user.click(within(question).getByRole("button", { name: "Suspend User" }));
    await screen.findByText("User updated");
    expect(shown.server.requestsFor(`PUT /api/company/users/${bob.id}`)[0]?.body).toEqual({
      email: "bob@acme.test",
      name: "Bob Baker",
      department: "",
      title: "Chef",
      phone: "",
      role: "editor",
      status: "suspended",
    });
  });

  it.each([
    ["Suspended", "Suspend Bob Baker (bob)?", "Suspend User"],
    ["Deleted", "Are you sure you want to delete Bob Baker?", "Delete User"],
  ])("asks before the status becomes %s; Cancel keeps the dialog and what is typed", async (status, title, verb) => {
    const path = `PUT /api/company/users/${bob.id}` as const;
    const shown = openUsers([bob], { [path]: new FakeRefusal("conflict", "Not now") });
    const dialog = await openEdit(shown, "Bob Baker");
    await shown.user.selectOptions(dialog.getByLabelText("Status"), status);
    await shown.user.click(dialog.getByRole("button", { name: "Update User" }));
    const question = () => screen.findByRole("alertdialog", { name: title });
    await shown.user.click(within(await question()).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(shown.server.requestsFor(path)).toEqual([]);
    expect(valueOf(dialog.getByLabelText("Status"))).toBe(status.toLowerCase());
    await shown.user.click(dialog.getByRole("button", { name: "Update User" }));
    await shown.user.click(within(await question()).getByRole("button", { name: verb }));
    await dialog.findByText("Not now");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    shown.server.reply({ [path]: bob });
    await shown.user.selectOptions(dialog.getByLabelText("Status"), "Active");
    await shown.user.click(dialog.getByRole("button", { name: "Update User" }));
    await screen.findByText("User updated");
  });

  it("shows why it was refused", async () => {
    const why = "This is the company's last active administrator";
    const shown = openUsers([bob], { [`PUT /api/company/users/${bob.id}`]: new FakeRefusal("conflict", why) });
    const dialog = await openEdit(shown, "Bob Baker");
    await shown.user.click(dialog.getByRole("button", { name: "Update User" }));
    await dialog.findByText(why);
    shown.server.reply({ [`PUT /api/company/users/${bob.id}`]: () => Promise.reject(new TypeError("no")) });
    await shown.user.click(dialog.getByRole("button", { name: "Update User" }));
    await dialog.findByText("Failed to update user");
  });

  it("lets no user change their own role, status and email", async () => {
    const me = aListedUser({ id: aUser().id, name: "Ann Archer", role: "company_admin", email: "ann@acme.test" });
    const shown = openUsers([me], { [`PUT /api/company/users/${me.id}`]: me });
    const dialog = await openEdit(shown, "Ann Archer");
    for (const label of ["Role", "Status", "Email"]) {
      expect(dialog.getByLabelText(label)).toHaveProperty("disabled", true);
    }
    expect(valueOf(dialog.getByLabelText("Role"))).toBe("company_admin");
    await shown.user.type(dialog.getByLabelText(/^Department/), "Office");
    await shown.user.click(dialog.getByRole("button", { name: "Update User" }));
    await screen.findByText("User updated");
    const sent = shown.server.requestsFor(`PUT /api/company/users/${me.id}`)[0]?.body;
    expect(sent).toMatchObject({
      department: "Office",
      role: "company_admin",
      status: "active",
      email: "ann@acme.test",
    });
  });
});
