import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer, noNeeds, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aUser, aMirror } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

function openMirror(mirror: ReturnType<typeof aMirror>, more: Replies = {}, address = "/admin/company/mirror") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role: "company_admin" }) },
    "GET /api/company/mirror": mirror,
    ...more,
  });
  return { server, ...showApp(server, address) };
}
const page = async () => within(await screen.findByRole("region", { name: "Mirror" }));

describe("the mirror's page", () => {
  it("sets a mirror up, and shows what the server refuses at its field", async () => {
    const off = aMirror({ state: "off", settings: null });
    const { user, server } = openMirror(off, {
      "PUT /api/company/mirror": new FakeRefusal("invalid_input", "No", { url: "The operator allows github.com" }),
    });
    const mirror = await page();
    await user.type(mirror.getByLabelText("Repository address"), "https://example.org/sops.git");
    await user.type(mirror.getByLabelText("Username"), "acme");
    await user.type(mirror.getByLabelText("Token"), "ghp_secret");
    await user.click(mirror.getByRole("button", { name: "Save" }));
    await mirror.findByText("The operator allows github.com");
    server.reply({ "PUT /api/company/mirror": aMirror({ state: "waiting", pushedAt: null }) });
    server.reply({ "GET /api/company/mirror": aMirror({ state: "waiting", pushedAt: null }) });
    await user.click(mirror.getByRole("button", { name: "Save" }));
    await screen.findByText("Mirror saved");
    await mirror.findByText("The remote is being checked.");
    expect(server.requestsFor("PUT /api/company/mirror")[1]?.body).toEqual({
      url: "https://example.org/sops.git",
      username: "acme",
      token: "ghp_secret",
      provider: "github",
      history: false,
      restricted: false,
      witness: false,
      incoming: "",
    });
    // the token isn't kept on the screen
    expect(mirror.getByLabelText("Token")).toHaveProperty("value", "");
  });

  it("shows the last push, and what is still to push", async () => {
    const pushedAt = new Date(Date.now() - 3 * 60_000).toISOString();
    openMirror(aMirror({ state: "current", pushedAt, lag: 2 }));
    await (await page()).findByText("2 changes to push. Last push 3 min ago.");
  });

  it("names why a push failed", async () => {
    openMirror(aMirror({ state: "failing", problem: "The remote refuses the username or token" }));
    const mirror = await page();
    await mirror.findByText("The remote refuses the username or token.");
  });

  it("is paused after a restore, and turned on again by a person", async () => {
    const { user, server } = openMirror(aMirror({ state: "paused" }));
    const mirror = await page();
    await mirror.findByText("If another server still pushes to this remote, leave it off: both would stop.");
    server.reply({ "POST /api/company/mirror/check": aMirror({ state: "waiting" }) });
    server.reply({ "GET /api/company/mirror": aMirror({ state: "waiting" }) });
    await user.click(mirror.getByRole("button", { name: "Turn on again" }));
    await mirror.findByText("The remote is being checked.");
  });

  it("shows the command that resets a branch, and checks again", async () => {
    const command = "git push --force-with-lease=refs/heads/main:a https://github.com/acme/sops.git b:refs/heads/main";
    const diverged = [{ ref: "refs/heads/main", theirs: "a", ours: "b", command }];
    const { user, server } = openMirror(aMirror({ state: "stopped", diverged }));
    const mirror = await page();
    expect(mirror.getByLabelText("Sets main back to your company's commit")).toHaveProperty("value", command);
    server.reply({ "POST /api/company/mirror/check": aMirror({ state: "waiting" }) });
    server.reply({ "GET /api/company/mirror": aMirror({ state: "waiting" }) });
    await user.click(mirror.getByRole("button", { name: "Check again" }));
    await mirror.findByText("The remote is being checked.");
  });

  it("shows what came in, and a new webhook secret once", async () => {
    const taken = { ref: "refs/heads/proposals", commit: "c", proposed: 2, refused: 1, lines: ["a.md: refused. Why"] };
    const mirror = aMirror({
      incoming: { taken: { ...taken, at: new Date().toISOString() }, open: 2, problem: "The token can't write" },
      webhook: { url: "https://sop.example.org/git/acme.git/webhook", hasSecret: false },
    });
    const { user } = openMirror(mirror, { "POST /api/company/mirror/secret": { secret: "s3cret", url: "u" } });
    const shown = await page();
    await shown.findByText("Changes taken just now: 2 proposals, 1 refused.");
    expect(shown.getByText("a.md: refused. Why")).toBeTruthy();
    expect(shown.getByRole("link", { name: "2 proposals to decide" }).getAttribute("href")).toBe("/proposals");
    expect(shown.getByText("The token can't write.")).toBeTruthy();
    await user.click(shown.getByRole("button", { name: "Create webhook secret" }));
    expect(await shown.findByLabelText("Webhook secret")).toHaveProperty("value", "s3cret");
  });

  it("takes the commits that stopped it as proposals", async () => {
    const diverged = [{ ref: "refs/heads/main", theirs: "a", ours: "b", command: "git push" }];
    const { user, server } = openMirror(aMirror({ state: "stopped", diverged }));
    const mirror = await page();
    const taking = aMirror({ state: "stopped", diverged, taking: true });
    server.reply({ "POST /api/company/mirror/take": taking, "GET /api/company/mirror": taking });
    await user.click(mirror.getByRole("button", { name: "Take as proposals" }));
    await mirror.findByText("The commits are being taken as proposals.");
    expect(mirror.queryByRole("button", { name: "Take as proposals" })).toBeNull();
  });

  it("asks before it removes the mirror", async () => {
    const { user, server } = openMirror(aMirror(), { "DELETE /api/company/mirror": { ok: true } });
    await user.click((await page()).getByRole("button", { name: "Remove mirror" }));
    const question = within(await screen.findByRole("alertdialog", { name: "Remove this mirror?" }));
    server.reply({ "GET /api/company/mirror": aMirror({ state: "off", settings: null }) });
    await user.click(question.getByRole("button", { name: "Remove mirror" }));
    await screen.findByText("Mirror removed");
  });

  it("says that the operator allows none", async () => {
    openMirror(aMirror({ state: "off", settings: null, hosts: [] }));
    await (await page()).findByText(/This server allows no mirrors/);
  });
});

describe("a mirror that stopped", () => {
  it("shows on the home page of administrators", async () => {
    openMirror(aMirror(), { "GET /api/stats/needs": { ...noNeeds, mirrorStopped: true } }, "/");
    await screen.findByText("The repository's mirror stopped");
    const link = screen.getByRole("link", { name: "See what the remote has, and decide" });
    expect(link.getAttribute("href")).toBe("/admin/company/mirror");
  });
});
