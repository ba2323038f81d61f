import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Presence } from "#core/presence/schemas.ts";
import type { Sop } from "#core/sops/schema.ts";
import { fakeServer, signedInReplies, signedOutReplies, type Replies } from "../testing/fake-server.ts";
import { aControl, aSop, aUser } from "../testing/records.ts";
import { FakeStream, resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const id = "01980000-0000-7000-8000-00000000abcd";
const list = `GET /api/sops/${id}/presence` as const;
const announce = `PUT /api/sops/${id}/presence` as const;
const nobody: Presence = { people: [], ownTabs: [] };
const [ben, cleo, dan] = [
  { id: "b", name: "Ben Baker", initials: "BB" },
  { id: "c", name: "Cleo Cook", initials: "CC" },
  { id: "d", name: "Dan Diver", initials: "DD" },
];

const sop: Sop = {
  ...aSop({ id, title: "Open the kitchen", status: "draft", version: 3, number: "SOP-0042" }),
  content: "<p>One</p>",
  markdown: "One\n",
  control: aControl(),
};

function open(path: string, presence: Presence, replies: Partial<Replies> = {}) {
  const server = fakeServer({
    ...signedInReplies(),
    [`GET /api/sops/${id}`]: sop,
    [`GET /api/sops/${id}/versions`]: [],
    [`GET /api/sops/${id}/comments`]: [],
    [list]: presence,
    [announce]: presence,
    ...replies,
  } as Replies);
  return { server, ...showApp(server, path) };
}

const line = (text: string) => screen.findByText(text);
const tell = (resources: string[]) => act(() => FakeStream.opened.at(-1)?.emit({ id: 7, resources }));

describe("the SOP's page", () => {
  it("shows who is editing as the server says, and loads nothing else again", async () => {
    const { server } = open(`/sop/${id}`, nobody);
    await screen.findByRole("heading", { level: 1, name: "Open the kitchen" });
    await waitFor(() => expect(server.requestsFor(list)).toHaveLength(1));
    server.reply({ [list]: { people: [ben], ownTabs: [] } });
    tell(["presence"]);
    const shown = await line("Ben Baker is editing");
    expect(shown.closest("output")).toBeTruthy();
    for (const [people, text] of [
      [[ben, cleo], "Ben Baker and Cleo Cook are editing"],
      [[ben, cleo, dan], "Ben Baker and 2 others are editing"],
    ] as const) {
      server.reply({ [list]: { people, ownTabs: [] } });
      tell(["presence"]);
      await line(text);
    }
    server.reply({ [list]: nobody });
    tell(["presence"]);
    await waitFor(() => expect(screen.queryByText(/editing/)).toBeNull());
    expect(server.requestsFor(list)).toHaveLength(5);
    expect(server.requestsFor(`GET /api/sops/${id}`)).toHaveLength(1);
    expect(server.requestsFor(announce)).toEqual([]);
  });

  it("says that one edits it in another tab oneself", async () => {
    open(`/sop/${id}`, { people: [], ownTabs: ["elsewhere"] });
    await line("You are editing this in another tab");
  });

  it("is not requested for readers of the published version", async () => {
    const reader = aUser({ role: "viewer", id: "somebody" });
    const published = { ...sop, status: "published", published: { version: 3, effectiveAt: null } };
    const { server } = open(
      `/sop/${id}`,
      { people: [ben], ownTabs: [] },
      { "GET /api/auth/me": { user: reader }, [`GET /api/sops/${id}`]: published },
    );
    await screen.findByText("One");
    await waitFor(() => expect(server.requestsFor(`GET /api/sops/${id}`)).toHaveLength(1));
    expect(server.requestsFor(list)).toEqual([]);
  });
});

describe("the edit screen", () => {
  it("announces its tab, says who else is there, and says goodbye", async () => {
    const { server, user, address } = open(`/sop/${id}/edit`, { people: [ben], ownTabs: [] });
    await line("Ben Baker is editing");
    const [first] = server.requestsFor(announce);
    expect(first?.body).toEqual({ tab: expect.stringMatching(/^[0-9a-f-]{36}$/), state: "here" });
    // the answer named the users, so no other request was sent
    expect(server.requestsFor(list)).toEqual([]);
    await user.click(screen.getByRole("link", { name: "Back to the SOP" }));
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
    await waitFor(() =>
      expect(server.requestsFor(announce).at(-1)?.body).toEqual({ ...(first?.body as object), state: "gone" }),
    );
  });

  it("tells its own tab from another one of the same person", async () => {
    const own: string[] = [];
    const { server } = open(`/sop/${id}/edit`, nobody, {
      [announce]: ({ body }: { body: unknown }) => {
        own.push((body as { tab: string }).tab);
        return { people: [], ownTabs: own };
      },
      [list]: () => ({ people: [], ownTabs: own }),
    });
    await waitFor(() => expect(own).toHaveLength(1));
    tell(["presence"]);
    await waitFor(() => expect(server.requestsFor(list)).toHaveLength(1));
    expect(screen.queryByText("You have this open in another tab")).toBeNull();
    own.push("another");
    tell(["presence"]);
    await line("You have this open in another tab");
  });

  it("says who saved what while this text was being written", async () => {
    const { server } = open(`/sop/${id}/edit`, nobody);
    await screen.findByRole("heading", { level: 1, name: "Edit SOP" });
    const control = aControl({ changedBy: { name: "Ben Baker", at: "2026-01-02T00:00:00.000Z" } });
    server.reply({ [`GET /api/sops/${id}`]: { ...sop, version: 4, control } });
    tell(["sops"]);
    await line("Ben Baker saved version 4 while you were editing version 3. Saving shows you both.");
  });

  it("says nothing to the server when the session is over", async () => {
    const { server, user } = open(`/sop/${id}/edit`, nobody);
    await waitFor(() => expect(server.requestsFor(announce)).toHaveLength(1));
    server.reply(signedOutReplies());
    await user.click(screen.getByRole("button", { name: "Sign out" }));
    await screen.findByRole("heading", { level: 1, name: "Sign in" });
    expect(server.requestsFor(announce)).toHaveLength(1);
  });

  it("reports nothing for a new SOP", async () => {
    const { server } = open("/sop/new", nobody);
    await screen.findByRole("heading", { level: 1, name: "New SOP" });
    expect(server.requests.filter(({ path }) => path.endsWith("/presence"))).toEqual([]);
  });
});
