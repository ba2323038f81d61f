import { screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer, noMailServer, FakeRefusal, signedInReplies, signedOutReplies } from "../testing/fake-server.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const lost = () => Promise.reject(new TypeError("Failed to fetch"));

describe("forgot password", () => {
  it("sends the address and shows the server's answer for any address", async () => {
    const message = "If an account exists, a reset link has been sent. It is valid for 1 hour.";
    const server = fakeServer({ ...signedOutReplies(), "POST /api/auth/forgot-password": { ok: true, message } });
    const { user, address } = showApp(server, "/login");
    await user.click(await screen.findByRole("link", { name: "Forgot password" }));
    await screen.findByRole("heading", { level: 1, name: "Forgot password" });
    const button = screen.getByRole("button", { name: "Send reset link" });
    expect(button).toHaveProperty("disabled", true);
    await user.type(screen.getByLabelText("Email"), " ann@acme.test ");
    await user.click(button);
    await screen.findByRole("heading", { level: 1, name: "Check your email" });
    expect(screen.getByRole("alert").textContent).toBe(message);
    expect(server.requestsFor("POST /api/auth/forgot-password")[0]?.body).toEqual({ email: "ann@acme.test" });
    await user.click(screen.getByRole("button", { name: "Use another address" }));
    expect(await screen.findByLabelText("Email")).toHaveProperty("value", "ann@acme.test");
    await user.click(screen.getByRole("link", { name: "Back to sign in" }));
    await waitFor(() => expect(address()).toBe("/login"));
  });

  it("sends people to an administrator where the server sends no email", async () => {
    const check = { ...noMailServer["GET /api/auth/check"], authenticated: false, userId: null };
    showApp(fakeServer({ "GET /api/auth/check": check }), "/forgot-password");
    await screen.findByText("This server sends no email");
    screen.getByText("Ask an administrator for a link to set a new password.");
    screen.getByRole("link", { name: "Back to sign in" });
    expect(screen.queryByText(/we'll send you a link/)).toBeNull();
    expect(screen.queryByLabelText("Email")).toBeNull();
    expect(screen.queryByRole("button", { name: "Send reset link" })).toBeNull();
  });

  it("shows what was wrong: under the address, how long to wait, or its own words", async () => {
    const row = "POST /api/auth/forgot-password";
    const server = fakeServer({
      ...signedOutReplies(),
      [row]: new FakeRefusal("invalid_input", "no", { email: "Invalid email address" }),
    });
    const { user } = showApp(server, "/forgot-password");
    await user.type(await screen.findByLabelText("Email"), "nobody{Enter}");
    await screen.findByText("Invalid email address");
    expect(screen.getByLabelText("Email").getAttribute("aria-invalid")).toBe("true");
    server.reply({ [row]: new FakeRefusal("rate_limited", undefined, { retryAfterSeconds: 3000 }) });
    await user.click(screen.getByRole("button", { name: "Send reset link" }));
    await screen.findByText("Too many attempts. Please try again in 50 minutes.");
    server.reply({ [row]: lost });
    await user.click(screen.getByRole("button", { name: "Send reset link" }));
    await screen.findByText("Failed to send reset email. Please try again.");
  });
});

it.each([
  ["/forgot-password", "Email"],
  ["/reset-password?token=once", "New password"],
  ["/register", "Full name"],
  ["/setup?token=once", "Full name"],
])("the focus of %s starts in its first field", async (path, label) => {
  const valid = { "GET /api/auth/validate-reset-token": { valid: true, message: "" } } as const;
  showApp(fakeServer({ ...signedOutReplies(), ...valid }), path);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)));
});

describe("reset password", () => {
  const valid = { "GET /api/auth/validate-reset-token": { valid: true, message: "" } } as const;

  it("validates the link, takes its token out of the address, sets the password, and goes to the sign-in", async () => {
    const { promise: requested, resolve: answer } = Promise.withResolvers<unknown>();
    const server = fakeServer({
      ...signedOutReplies(),
      "GET /api/auth/validate-reset-token": () => requested,
      "POST /api/auth/reset-password": { ok: true },
    });
    const { user, address } = showApp(server, "/reset-password?token=once");
    await screen.findByText("Checking your reset link…");
    answer({ valid: true, message: "" });
    await screen.findByRole("heading", { level: 1, name: "Set a new password" });
    await waitFor(() => expect(address()).toBe("/reset-password"));
    expect(server.requestsFor("GET /api/auth/validate-reset-token").map(({ query }) => query)).toEqual([
      { token: "once" },
    ]);
    expect(screen.getByText("Minimum 6 characters")).toBeTruthy();
    await user.type(screen.getByLabelText("New password"), "12345");
    await user.type(screen.getByLabelText("Confirm password"), "12346{Enter}");
    await screen.findByText("Password must be at least 6 characters long");
    await user.type(screen.getByLabelText("New password"), "6");
    await user.click(screen.getByRole("button", { name: "Set new password" }));
    await screen.findByText("Passwords do not match");
    expect(server.requestsFor("POST /api/auth/reset-password")).toEqual([]);
    await user.clear(screen.getByLabelText("Confirm password"));
    await user.type(screen.getByLabelText("Confirm password"), "123456{Enter}");
    await screen.findByRole("heading", { level: 1, name: "Password changed" });
    expect(server.requestsFor("POST /api/auth/reset-password")[0]?.body).toEqual({ token: "once", password: "123456" });
    expect(screen.getByRole("link", { name: "Sign in now" }).getAttribute("href")).toBe("/login");
    await screen.findByRole("heading", { level: 1, name: "Sign in" });
    expect(address()).toBe("/login");
  });

  it("ends at the sign-in even if a user was signed in", async () => {
    const server = fakeServer({ ...signedInReplies(), ...valid, "POST /api/auth/reset-password": { ok: true } });
    const { user, address } = showApp(server, "/reset-password?token=once");
    await user.type(await screen.findByLabelText("New password"), "secret-8");
    await user.type(screen.getByLabelText("Confirm password"), "secret-8{Enter}");
    await user.click(await screen.findByRole("link", { name: "Sign in now" }));
    await screen.findByRole("heading", { level: 1, name: "Sign in" });
    expect(address()).toBe("/login");
  });

  it("says 'Invalid reset link' without a token, and offers a new one", async () => {
    const server = fakeServer(signedOutReplies());
    const { user, address } = showApp(server, "/reset-password");
    await screen.findByRole("heading", { level: 1, name: "Invalid reset link" });
    expect(server.requestsFor("GET /api/auth/validate-reset-token")).toEqual([]);
    await user.click(screen.getByRole("link", { name: "Request a new link" }));
    await waitFor(() => expect(address()).toBe("/forgot-password"));
  });

  it("says that a link is used up, and that it could not be validated", async () => {
    const row = "GET /api/auth/validate-reset-token";
    const server = fakeServer({
      ...signedOutReplies(),
      [row]: { valid: false, message: "Invalid or expired reset link" },
    });
    showApp(server, "/reset-password?token=used");
    await screen.findByRole("heading", { level: 1, name: "Invalid or expired reset link" });
    expect(screen.queryByLabelText("New password")).toBeNull();
    resetBrowser();
    server.reply({ [row]: lost });
    const { user } = showApp(server, "/reset-password?token=once");
    await screen.findByRole("heading", { level: 1, name: "Failed to validate reset link" });
    server.reply(valid);
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByRole("heading", { level: 1, name: "Set a new password" });
  });

  it("shows why a password was refused", async () => {
    const row = "POST /api/auth/reset-password";
    const server = fakeServer({
      ...signedOutReplies(),
      ...valid,
      [row]: new FakeRefusal("invalid_input", "no", { password: "Password is too common" }),
    });
    const { user } = showApp(server, "/reset-password?token=once");
    await user.type(await screen.findByLabelText("New password"), "123456");
    await user.type(screen.getByLabelText("Confirm password"), "123456{Enter}");
    await screen.findByText("Password is too common");
    server.reply({ [row]: lost });
    await user.click(screen.getByRole("button", { name: "Set new password" }));
    await screen.findByText("Failed to reset password. Please try again.");
  });
});
