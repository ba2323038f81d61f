import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { preloadWhenIdle } from "../intent.ts";
import { fakeServer, signedInReplies } from "../testing/fake-server.ts";
import { aControl, aSop, aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

vi.mock("../intent.ts", async (original) => ({
  ...(await original<typeof import("../intent.ts")>()),
  preloadWhenIdle: vi.fn(() => () => undefined),
}));
const { editorLoaded } = vi.hoisted(() => ({ editorLoaded: vi.fn() }));
vi.mock("../editor/MarkdownEditor.tsx", () => {
  editorLoaded();
  return { MarkdownEditor: () => null };
});

afterEach(() => {
  resetBrowser();
  vi.mocked(preloadWhenIdle).mockClear();
});

it("an SOP's page loads the editor ahead for who may edit, and reads nothing for it", async () => {
  const sop = { ...aSop(), content: "<p>Why.</p>", markdown: "Why.", control: aControl() };
  const replies = { ...signedInReplies(), [`GET /api/sops/${sop.id}`]: sop };
  showApp(
    fakeServer({ ...replies, "GET /api/auth/me": { user: aUser({ role: "viewer", id: "another" }) } }),
    `/sop/${sop.id}`,
  );
  await screen.findByRole("heading", { level: 1, name: sop.title });
  expect(preloadWhenIdle).not.toHaveBeenCalled();
  resetBrowser();

  const server = fakeServer(replies);
  showApp(server, `/sop/${sop.id}`);
  await screen.findByRole("link", { name: "Edit" });
  expect(preloadWhenIdle).toHaveBeenCalledTimes(1);
  expect(editorLoaded).not.toHaveBeenCalled();
  await vi.mocked(preloadWhenIdle).mock.calls[0]?.[0]();
  await vi.waitFor(() => expect(editorLoaded).toHaveBeenCalledTimes(1), 20_000);
  // the page itself read it, once
  expect(server.askedFor(`GET /api/sops/${sop.id}`)).toHaveLength(1);
});
