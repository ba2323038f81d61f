import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer, noMailServer, FakeRefusal, signedInReplies, signedOutReplies } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const person = { "Full name": "Ann Archer", Username: "ann", Password: "secret-7", "Confirm password": "secret-7" };

async function fillIn(user: ReturnType<typeof showApp>["user"], values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) {
    const control = await screen.findByLabelText(label);
    await user.clear(control);
    if (value) await user.type(control, value);
  }
}

describe("register", () => {
  it("says what is wrong under each field, and sends nothing", async () => {
    const server = fakeServer(signedOutReplies());
    const { user } = showApp(server, "/register");
    await fillIn(user, { ...person, Username: "an", Password: "12345", "Confirm password": "54321" });
    await user.type(screen.getByLabelText("Email(optional)"), "nobody");
    await user.click(screen.getByRole("button", { name: "Create account" }));
    await screen.findByText("Username must be at least 3 characters");
    expect(screen.getByText("Password must be at least 6 characters long")).toBeTruthy();
    expect(screen.getByText("Invalid email address")).toBeTruthy();
    expect(screen.getByLabelText("Username").getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(screen.getByLabelText("Username"));
    expect(server.requestsFor("POST /api/auth/register")).toEqual([]);
  });

  it("masks both passwords, and lets a password manager fill and the clipboard paste them", async () => {
    const { user } = showApp(fakeServer(signedOutReplies()), "/register");
    for (const label of ["Password", "Confirm password"]) {
      const control = await screen.findByLabelText<HTMLInputElement>(label);
      expect([control.type, control.autocomplete]).toEqual(["password", "new-password"]);
      await user.click(control);
      await user.paste("a long secret of a manager");
      expect(control.value).toBe("a long secret of a manager");
    }
  });

  it("goes with Tab from one password to the other, and shows both by one box after them", async () => {
    const { user } = showApp(fakeServer(signedOutReplies()), "/register");
    await user.click(await screen.findByLabelText("Password"));
    await user.keyboard("secret-7{Tab}secret-7{Tab} ");
    for (const label of ["Password", "Confirm password"]) {
      expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe("secret-7");
      expect(screen.getByLabelText<HTMLInputElement>(label).type).toBe("text");
    }
  });

  it("says what the email is for only where the server sends emails", async () => {
    showApp(fakeServer(signedOutReplies()), "/register");
    await screen.findByText("Needed for password reset.");
    cleanup();
    const check = { ...noMailServer["GET /api/auth/check"], authenticated: false, userId: null };
    showApp(fakeServer({ "GET /api/auth/check": check }), "/register");
    await screen.findByLabelText("Email(optional)");
    expect(screen.queryByText("Needed for password reset.")).toBeNull();
  });

  it("wants the same password twice", async () => {
    const { user } = showApp(fakeServer(signedOutReplies()), "/register");
    await fillIn(user, { ...person, "Confirm password": "secret-8" });
    await user.click(screen.getByRole("button", { name: "Create account" }));
    await screen.findByText("Passwords do not match");
  });

  it("registers without the confirmation and an empty email, and asks about the new company first", async () => {
    const server = fakeServer({
      ...signedInReplies(),
      ...signedOutReplies(),
      "GET /api/company": { name: "Ann Archer's company", industry: null },
      "POST /api/auth/register": { user: aUser({ role: "company_admin" }) },
    });
    const { user, address } = showApp(server, "/register");
    await fillIn(user, person);
    await user.click(screen.getByRole("button", { name: "Create account" }));
    await screen.findByRole("heading", { level: 1, name: "What is your company called?" });
    expect(address()).toBe("/start");
    expect(server.requestsFor("POST /api/auth/register")[0]?.body).toEqual({
      username: "ann",
      password: "secret-7",
      name: "Ann Archer",
    });
  });

  it("shows the server's findings: under the field it names, else above the form, else its own words", async () => {
    const server = fakeServer(signedOutReplies());
    const { user } = showApp(server, "/register");
    await fillIn(user, person);
    const send = () => user.click(screen.getByRole("button", { name: "Create account" }));
    server.reply({
      "POST /api/auth/register": new FakeRefusal("invalid_input", undefined, {
        password: "This password is too common",
      }),
    });
    await send();
    await screen.findByText("This password is too common");
    server.reply({ "POST /api/auth/register": new FakeRefusal("conflict", "This username is taken") });
    await send();
    await screen.findByText("This username is taken");
    server.reply({ "POST /api/auth/register": () => Promise.reject(new TypeError("Failed to fetch")) });
    await send();
    await waitFor(() => expect(screen.getByText("Registration failed. Please try again.")).toBeTruthy());
  });

  it("is a notice where registration is closed", async () => {
    showApp(fakeServer(signedOutReplies("invite")), "/register");
    await screen.findByRole("heading", { level: 1, name: "Registration is by invitation" });
    resetBrowser();
    showApp(fakeServer(signedOutReplies("closed")), "/register");
    await screen.findByRole("heading", { level: 1, name: "Registration is closed" });
    expect(screen.queryByLabelText("Username")).toBeNull();
    expect(screen.getByRole("link", { name: "Sign in" }).getAttribute("href")).toBe("/login");
  });
});

describe("an invitation", () => {
  const invitation = {
    valid: true,
    message: "You are invited to join Acme",
    company: "Acme",
    role: "editor",
    email: "ann@acme.test",
    invitedBy: "Ann Archer (ann-2)",
  };

  it("names the company and the role in every registration mode, and sends the invitation", async () => {
    const server = fakeServer({
      ...signedInReplies(),
      ...signedOutReplies("invite"),
      "GET /api/auth/invitation": invitation,
      "POST /api/auth/register": { user: aUser() },
    });
    const { user, address } = showApp(server, "/register?invite=sesame");
    await screen.findByRole("heading", { level: 1, name: "Join Acme" });
    expect(screen.getByText("You're invited to Acme as Editor, by Ann Archer (ann-2).")).toBeTruthy();
    expect(screen.getByLabelText("Email(optional)")).toHaveProperty("value", "ann@acme.test");
    await fillIn(user, person);
    await user.click(screen.getByRole("button", { name: "Create account" }));
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    expect(address()).toBe("/");
    expect(server.requestsFor("GET /api/auth/invitation")[0]?.query).toEqual({ token: "sesame" });
    expect(server.requestsFor("POST /api/auth/register")[0]?.body).toEqual({
      username: "ann",
      password: "secret-7",
      name: "Ann Archer",
      email: "ann@acme.test",
      invite: "sesame",
    });
  });

  const accept = async () => {
    const server = fakeServer({
      ...signedInReplies(),
      ...signedOutReplies("invite"),
      "GET /api/auth/invitation": invitation,
      "POST /api/auth/register": { user: aUser() },
      "GET /api/sops/SOP-0007": new FakeRefusal("not_found"),
    });
    const { user, address } = showApp(server, "/register?invite=sesame");
    await fillIn(user, person);
    await user.click(screen.getByRole("button", { name: "Create account" }));
    return address;
  };

  it("leads to the SOP whose link was opened before, once", async () => {
    showApp(fakeServer(signedOutReplies()), "/sop/SOP-0007?step=2");
    await screen.findByText(/^You need an account of the company to read this SOP/);
    cleanup();
    const address = await accept();
    await waitFor(() => expect(address()).toBe("/sop/SOP-0007?step=2"));
    cleanup();
    const second = await accept();
    await waitFor(() => expect(second()).toBe("/"));
  });

  it.each([
    ["another site", JSON.stringify({ path: "//evil.test/sop/1", at: Date.now() })],
    ["a script", JSON.stringify({ path: "javascript:alert(1)", at: Date.now() })],
    ["another page", JSON.stringify({ path: "/admin/users", at: Date.now() })],
    ["an SOP of long ago", JSON.stringify({ path: "/sop/SOP-0007", at: Date.now() - 31 * 24 * 60 * 60_000 })],
    ["nothing readable", "{"],
  ])("leads home where the browser remembers %s", async (_, stored) => {
    localStorage.setItem("opened-link", stored);
    const address = await accept();
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    expect(address()).toBe("/");
  });

  it("says that it is no longer valid, or couldn't be checked", async () => {
    const server = fakeServer({
      ...signedOutReplies(),
      "GET /api/auth/invitation": { valid: false, message: "This invitation is no longer valid" },
    });
    showApp(server, "/register?invite=old");
    await screen.findByRole("heading", { level: 1, name: "Invalid invitation" });
    expect(screen.getByText("It was used, revoked or has expired. Ask for a new one.")).toBeTruthy();
    expect(screen.queryByLabelText("Username")).toBeNull();
    resetBrowser();
    server.reply({ "GET /api/auth/invitation": new FakeRefusal("busy") });
    const { user } = showApp(server, "/register?invite=sesame");
    await screen.findByRole("heading", { level: 1, name: "Failed to check the invitation" });
    server.reply({ "GET /api/auth/invitation": invitation });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByRole("heading", { level: 1, name: "Join Acme" });
  });

  it("asks who is signed in already to sign out first", async () => {
    const server = fakeServer({
      ...signedInReplies(),
      "GET /api/auth/invitation": invitation,
    });
    const { user, address } = showApp(server, "/register?invite=sesame");
    await screen.findByRole("heading", { level: 1, name: "You're already signed in" });
    expect(server.requestsFor("GET /api/auth/invitation")).toEqual([]);
    server.reply(signedOutReplies());
    await user.click(screen.getByRole("button", { name: "Sign out and continue" }));
    await screen.findByRole("heading", { level: 1, name: "Join Acme" });
    expect(address()).toBe("/register?invite=sesame");
  });
});

describe("set-up", () => {
  it("sends the link's token with the person, and goes to the dashboard", async () => {
    const server = fakeServer({
      ...signedInReplies(),
      ...signedOutReplies("closed"),
      "POST /api/setup": { user: aUser({ role: "system_admin" }) },
    });
    const { user, address } = showApp(server, "/setup?token=once-only");
    await fillIn(user, person);
    await user.click(screen.getByRole("button", { name: "Create administrator" }));
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    expect(address()).toBe("/");
    expect(server.requestsFor("POST /api/setup")[0]?.body).toEqual({
      token: "once-only",
      username: "ann",
      password: "secret-7",
      name: "Ann Archer",
    });
  });

  it("checks the form and shows why the link was refused", async () => {
    const server = fakeServer({
      ...signedOutReplies(),
      "POST /api/setup": new FakeRefusal("not_found", "This link was used already"),
    });
    const { user } = showApp(server, "/setup?token=used");
    await fillIn(user, { ...person, "Confirm password": "other-77", "Company name(optional)": "X" });
    await user.click(screen.getByRole("button", { name: "Create administrator" }));
    await screen.findByText("Company name must be at least 2 characters");
    await fillIn(user, { "Company name(optional)": "" });
    await user.click(screen.getByRole("button", { name: "Create administrator" }));
    await screen.findByText("Passwords do not match");
    await fillIn(user, { "Confirm password": person.Password });
    await user.click(screen.getByRole("button", { name: "Create administrator" }));
    await screen.findByText("This link was used already");
  });

  it("says so when the token is missing", async () => {
    showApp(fakeServer(signedOutReplies()), "/setup");
    await screen.findByRole("heading", { level: 1, name: "Invalid setup link" });
  });
});
