import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer, FakeRefusal, signedInReplies, signedOutReplies } from "../testing/fake-server.ts";
import { aSop, aUser } from "../testing/records.ts";
import { FakeStream, resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

describe("guard", () => {
  it("shows a spinner until it is clear who asks, then the content", async () => {
    const { promise: requested, resolve: answer } = Promise.withResolvers<unknown>();
    showApp(fakeServer({ ...signedInReplies(), "GET /api/auth/check": () => requested }));
    expect(screen.getByRole("status").textContent).toBe("Loading…");
    answer({ authenticated: true, userId: aUser().id, registration: "open" });
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
  });

  it("leads to /login when no one is signed in, without a request for the user", async () => {
    const server = fakeServer(signedOutReplies());
    const { address } = showApp(server, "/sops");
    await screen.findByRole("heading", { level: 1, name: "Sign in" });
    expect(address()).toBe("/login");
    expect(server.requestsFor("GET /api/auth/me")).toEqual([]);
  });

  it("treats a refused user as signed out", async () => {
    const { address } = showApp(
      fakeServer({ ...signedInReplies(), "GET /api/auth/me": new FakeRefusal("unauthenticated") }),
    );
    await screen.findByRole("heading", { level: 1, name: "Sign in" });
    expect(address()).toBe("/login");
  });

  it("follows what happens from before anything else was read", async () => {
    const check = {
      authenticated: true,
      userId: aUser().id,
      registration: "open",
      passwordMinimum: 6,
      eventSeq: "v1.first",
    };
    const user = aUser({ eventSeq: "v1.later" });
    showApp(fakeServer({ ...signedInReplies(), "GET /api/auth/check": check, "GET /api/auth/me": { user } }));
    await waitFor(() => expect(FakeStream.opened.map(({ url }) => url)).toEqual(["/api/events?since=v1.first"]));
  });

  it("asks for everything again where another user answers than was checked", async () => {
    const bob = aUser({ id: "bob", name: "Bob Baker" });
    const check = {
      authenticated: true,
      userId: aUser().id,
      registration: "open",
      passwordMinimum: 6,
      eventSeq: "v1.start",
    };
    const server = fakeServer({
      ...signedInReplies(),
      "GET /api/auth/check": check,
      "GET /api/auth/me": { user: bob },
    });
    const { promise: requested, resolve: answer } = Promise.withResolvers<unknown>();
    showApp(server);
    server.reply({ "GET /api/auth/check": () => requested });
    await waitFor(() => expect(server.requestsFor("GET /api/auth/check")).toHaveLength(2));
    expect(screen.queryByText("Bob Baker")).toBeNull();
    answer({ authenticated: true, userId: "bob", registration: "open", passwordMinimum: 6, eventSeq: "v1.start" });
    await screen.findByText("Bob Baker");
    expect(server.requestsFor("GET /api/auth/me")).toHaveLength(2);
  });

  it("says when the check failed, and tries again", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/auth/check": new FakeRefusal("busy") });
    const { user } = showApp(server);
    await screen.findByText("Failed to check auth");
    server.reply(signedInReplies());
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
  });

  it("signs out to /login, and the next user sees nothing of the last one", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/sops": { data: [aSop({ title: "Secret of Acme" })] } });
    const { user, address } = showApp(server, "/sops");
    await screen.findByText("Secret of Acme");
    server.reply(signedOutReplies());
    await user.click(screen.getByRole("button", { name: "Sign out" }));
    await screen.findByRole("heading", { level: 1, name: "Sign in" });
    expect(address()).toBe("/login");
    expect(server.requestsFor("POST /api/auth/logout")).toHaveLength(1);

    const bob = aUser({ id: "bob", name: "Bob Baker", companyId: "other", role: "viewer" });
    const never = new Promise(() => {});
    server.reply({ ...signedInReplies(), "POST /api/auth/login": { user: bob }, "GET /api/sops": () => never });
    await user.type(screen.getByLabelText("Username"), "bob");
    await user.type(screen.getByLabelText("Password"), "hunter22{Enter}");
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    expect(address()).toBe("/");
    expect(screen.getByText("Bob Baker")).toBeTruthy();
    expect(screen.queryByText("Secret of Acme")).toBeNull();
    expect(screen.getAllByTestId("sop-skeleton")).toHaveLength(6);
  });

  it.each(["before", "after"])(
    "doesn't treat a user who signs out as one who was signed out, with an event %s the answer",
    async (when) => {
      const server = fakeServer(signedInReplies());
      const { user, address } = showApp(server, "/sops");
      await screen.findByRole("heading", { level: 1, name: "Standard Operating Procedures" });
      act(() => FakeStream.opened[0]?.connect());
      const { promise: answered, resolve: answer } = Promise.withResolvers<unknown>();
      server.reply({ ...signedOutReplies(), "POST /api/auth/logout": () => answered });
      await user.click(screen.getByRole("button", { name: "Sign out" }));
      // the server ends a session's streams when the session ends
      if (when === "before") {
        act(() => FakeStream.opened[0]?.lose(false));
        await waitFor(() => expect(server.requestsFor("GET /api/auth/check")).toHaveLength(2));
        await act(async () => {});
      } else act(() => FakeStream.opened[0]?.lose(false));
      answer({ success: true });
      await waitFor(() => expect(address()).toBe("/login"));
      await screen.findByRole("heading", { level: 1, name: "Sign in" });
      await waitFor(() => expect(screen.queryByText("You've been signed out")).toBeNull());
      server.reply({ ...signedInReplies(), "POST /api/auth/login": { user: aUser({ id: "bob", name: "Bob Baker" }) } });
      await user.type(screen.getByLabelText("Username"), "bob");
      await user.type(screen.getByLabelText("Password"), "hunter22{Enter}");
      await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
      expect(address()).toBe("/");
    },
  );

  it("says when signing out failed, and stays", async () => {
    const server = fakeServer({ ...signedInReplies(), "POST /api/auth/logout": new FakeRefusal("internal") });
    const { user, address } = showApp(server, "/sops");
    await user.click(await screen.findByRole("button", { name: "Sign out" }));
    const toasts = await screen.findByRole("region", { name: /notifications/i });
    await within(toasts).findByText("Logout failed");
    expect(address()).toBe("/sops");
  });

  it("follows another tab that signs out or in", async () => {
    const server = fakeServer(signedInReplies());
    const { address } = showApp(server, "/sops");
    await screen.findByRole("heading", { level: 1 });
    server.reply(signedOutReplies());
    const otherTab = new BroadcastChannel("sopwright-session");
    otherTab.postMessage("changed");
    await screen.findByRole("heading", { level: 1, name: "Sign in" });
    expect(address()).toBe("/login");
    otherTab.close();
  });

  it("tells the other tabs", async () => {
    const heard: unknown[] = [];
    const otherTab = new BroadcastChannel("sopwright-session");
    otherTab.addEventListener("message", (message) => heard.push((message as MessageEvent).data));
    const server = fakeServer(signedInReplies());
    const { user } = showApp(server);
    const button = await screen.findByRole("button", { name: "Sign out" });
    server.reply(signedOutReplies());
    await user.click(button);
    await waitFor(() => expect(heard).toEqual(["changed"]));
    otherTab.close();
  });

  it("notices a session that ended by the first refused call", async () => {
    const server = fakeServer(signedInReplies());
    const { user, address } = showApp(server);
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    server.reply({ ...signedOutReplies(), "GET /api/sops": new FakeRefusal("unauthenticated") });
    await user.click(screen.getByRole("link", { name: /^All SOPs/ }));
    await screen.findByRole("heading", { level: 1, name: "Sign in" });
    expect(address()).toBe("/login");
  });

  it("says why it asks for a sign-in again, here and in the other tabs, and goes back to where it was", async () => {
    const heard: unknown[] = [];
    const otherTab = new BroadcastChannel("sopwright-session");
    otherTab.addEventListener("message", (message) => heard.push((message as MessageEvent).data));
    const server = fakeServer({ ...signedInReplies(), "POST /api/auth/login": { user: aUser() } });
    const { user, address } = showApp(server, "/sops");
    await screen.findByRole("heading", { level: 1, name: "Standard Operating Procedures" });
    act(() => FakeStream.opened[0]?.connect());
    server.reply(signedOutReplies());
    // the server ends the streams of a session that it ended
    act(() => FakeStream.opened[0]?.lose(false));
    await screen.findByText("You've been signed out");
    expect(address()).toBe("/login");
    await waitFor(() => expect(heard).toEqual(["ended"]));
    server.reply(signedInReplies());
    await user.type(screen.getByLabelText("Username"), "ann");
    await user.type(screen.getByLabelText("Password"), "secret-7{Enter}");
    await screen.findByRole("heading", { level: 1, name: "Standard Operating Procedures" });
    server.reply(signedOutReplies());
    await user.click(screen.getByRole("button", { name: "Sign out" }));
    await screen.findByRole("heading", { level: 1, name: "Sign in" });
    expect(screen.queryByText("You've been signed out")).toBeNull();
    otherTab.close();
  });

  it("learns from another tab why the session ended", async () => {
    const server = fakeServer(signedInReplies());
    showApp(server, "/sops");
    await screen.findByRole("heading", { level: 1 });
    server.reply(signedOutReplies());
    const otherTab = new BroadcastChannel("sopwright-session");
    otherTab.postMessage("ended");
    await screen.findByText("You've been signed out");
    otherTab.close();
  });

  it("stays when only the connection is lost", async () => {
    const server = fakeServer(signedInReplies());
    const { address } = showApp(server, "/sops");
    await screen.findByRole("heading", { level: 1 });
    act(() => FakeStream.opened[0]?.connect());
    server.reply({ "GET /api/auth/check": () => Promise.reject(new TypeError("Failed to fetch")) });
    act(() => FakeStream.opened[0]?.lose(false));
    await screen.findByText(/^Connection lost/);
    await waitFor(() => expect(server.requestsFor("GET /api/auth/check")).toHaveLength(2));
    expect(address()).toBe("/sops");
    expect(screen.getByRole("heading", { level: 1, name: "Standard Operating Procedures" })).toBeTruthy();
  });

  it("holds the event stream only while a user is signed in", async () => {
    const server = fakeServer(signedInReplies());
    const { user } = showApp(server);
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    expect(FakeStream.opened.filter((stream) => stream.readyState !== 2)).toHaveLength(1);
    server.reply(signedOutReplies());
    await user.click(screen.getByRole("button", { name: "Sign out" }));
    await screen.findByRole("heading", { level: 1, name: "Sign in" });
    expect(FakeStream.opened.filter((stream) => stream.readyState !== 2)).toEqual([]);
  });
});

describe("an address that is none", () => {
  it("is 'Page Not Found', signed in or not", async () => {
    showApp(fakeServer(signedOutReplies()), "/no/such/page");
    await screen.findByRole("heading", { level: 1, name: "Page Not Found" });
    expect(document.title).toBe("Page Not Found · Sopwright");
    expect(screen.getByRole("link", { name: "Back to Dashboard" }).getAttribute("href")).toBe("/");
  });
});
