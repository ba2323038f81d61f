import { screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer, FakeRefusal, signedInReplies, signedOutReplies, type FakeServer } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

/** Signs in every user. */
function openServer(): FakeServer {
  return fakeServer({ ...signedInReplies(), ...signedOutReplies(), "POST /api/auth/login": { user: aUser() } });
}

async function fillIn(user: ReturnType<typeof showApp>["user"]) {
  await user.type(await screen.findByLabelText("Username"), "ann");
  await user.type(screen.getByLabelText("Password"), "correct horse");
}

describe("sign in", () => {
  it("enables the button when both fields are filled, sends them, and goes to the dashboard", async () => {
    const server = openServer();
    const { user, address } = showApp(server, "/login");
    const button = await screen.findByRole("button", { name: "Sign in" });
    expect(button).toHaveProperty("disabled", true);
    await user.type(screen.getByLabelText("Username"), "ann");
    expect(button).toHaveProperty("disabled", true);
    await user.type(screen.getByLabelText("Password"), "correct horse");
    expect(button).toHaveProperty("disabled", false);
    await user.click(button);
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    expect(address()).toBe("/");
    expect(server.requestsFor("POST /api/auth/login")[0]?.body).toEqual({ username: "ann", password: "correct horse" });
    // the answer named the user
    expect(server.requestsFor("GET /api/auth/me")).toEqual([]);
    await waitFor(() => expect(document.title).toBe("Dashboard · Sopwright"));
  });

  it("starts in the username, whether the page is opened or an address led to it", async () => {
    for (const path of ["/login", "/sops"]) {
      const { user } = showApp(openServer(), path);
      await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Username")));
      await user.keyboard("ann{Tab}");
      expect(screen.getByLabelText<HTMLInputElement>("Username").value).toBe("ann");
      expect(document.activeElement).toBe(screen.getByLabelText("Password"));
      resetBrowser();
    }
  });

  it("masks the password, and takes it from a password manager or the clipboard", async () => {
    const server = openServer();
    const { user } = showApp(server, "/login");
    const password = await screen.findByLabelText("Password");
    expect([password.getAttribute("type"), password.getAttribute("autocomplete")]).toEqual([
      "password",
      "current-password",
    ]);
    expect(screen.getByLabelText("Username").getAttribute("autocomplete")).toBe("username");
    await user.type(screen.getByLabelText("Username"), "ann");
    await user.click(password);
    await user.paste("  correct horse ");
    await user.keyboard("{Enter}");
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    // byte for byte, blanks included
    expect(server.requestsFor("POST /api/auth/login")[0]?.body).toMatchObject({ password: "  correct horse " });
  });

  it("returns to the address that asked for the sign-in", async () => {
    const { user, address } = showApp(openServer(), "/sops?status=draft");
    await fillIn(user);
    expect(address()).toBe("/login");
    await user.keyboard("{Enter}");
    await screen.findByRole("heading", { level: 1, name: "Standard Operating Procedures" });
    expect(address()).toBe("/sops?status=draft");
  });

  it("shows the server's words, or its own when there are none", async () => {
    const server = openServer();
    server.reply({ "POST /api/auth/login": new FakeRefusal("unauthenticated", "Wrong username or password") });
    const { user } = showApp(server, "/login");
    await fillIn(user);
    await user.keyboard("{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("Wrong username or password");
    server.reply({
      "POST /api/auth/login": () => {
        throw new TypeError("Failed to fetch");
      },
    });
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("Login failed. Please try again."));
  });

  it("starts in the username, and shows the password when asked to", async () => {
    const { user } = showApp(fakeServer(signedOutReplies()), "/login");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Username")));
    await user.keyboard("ann{Tab}secret");
    expect((screen.getByLabelText("Username") as HTMLInputElement).value).toBe("ann");
    const password = screen.getByLabelText("Password") as HTMLInputElement;
    expect([password.value, password.type]).toEqual(["secret", "password"]);
    await user.click(screen.getByRole("button", { name: /^Show\s*password$/ }));
    expect([password.value, password.type]).toEqual(["secret", "text"]);
    await user.click(screen.getByRole("button", { name: /^Show\s*password$/, pressed: true }));
    expect(password.type).toBe("password");
  });

  it("offers an account only where registration is open", async () => {
    showApp(fakeServer(signedOutReplies("open")), "/login");
    expect((await screen.findByRole("link", { name: "Create an account" })).getAttribute("href")).toBe("/register");
    resetBrowser();
    showApp(fakeServer(signedOutReplies("closed")), "/login");
    await screen.findByLabelText("Username");
    expect(screen.queryByRole("link", { name: "Create an account" })).toBeNull();
    expect(screen.getByRole("link", { name: "Forgot password" }).getAttribute("href")).toBe("/forgot-password");
  });

  it("says who can read an SOP whose link was opened, the same for every address", async () => {
    for (const path of ["/sop/SOP-0001", "/sop/01980000-0000-7000-8000-00000000dcba/steps?step=2"]) {
      showApp(fakeServer(signedOutReplies("open")), path);
      await screen.findByText(
        "You need an account of the company to read this SOP. The person who sent the link can invite you.",
      );
      expect(screen.getByRole("link", { name: "Create your own company" }).getAttribute("href")).toBe("/register");
      expect(screen.queryByText("New here?")).toBeNull();
      resetBrowser();
    }
    showApp(fakeServer(signedOutReplies("open")), "/sops");
    await screen.findByText("New here?");
    expect(screen.queryByText(/The person who sent the link/)).toBeNull();
  });

  it("says how long to wait after too many attempts", async () => {
    const server = openServer();
    const { user } = showApp(server, "/login");
    await fillIn(user);
    for (const [seconds, said] of [
      [40, "in 40 seconds"],
      [841, "in 15 minutes"],
      [7200, "in 2 hours"],
    ] as const) {
      server.reply({
        "POST /api/auth/login": new FakeRefusal("rate_limited", undefined, { retryAfterSeconds: seconds }),
      });
      await user.click(screen.getByRole("button", { name: "Sign in" }));
      await screen.findByText(`Too many attempts. Please try again ${said}.`);
    }
  });

  it("sends who is signed in already to the dashboard", async () => {
    const { address } = showApp(fakeServer(signedInReplies()), "/login");
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    expect(address()).toBe("/");
  });
});
