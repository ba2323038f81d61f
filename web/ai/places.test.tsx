/** Parts of AI outside the panel: the indicator, the dashboard's card, the shortcut. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { aSuggestion, someSettings, withoutKey } from "../testing/ai-records.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const show = (path: string, more: Replies = {}) => {
  const suggestions = [aSuggestion({ title: "Spills" })];
  const known = { "GET /api/user/settings": someSettings(), "GET /api/ai-suggestions": suggestions };
  return showApp(fakeServer({ ...signedInReplies(), ...known, ...more }), path);
};

describe("the indicator of All SOPs", () => {
  it("is there when AI may be used", async () => {
    show("/sops");
    await screen.findByText("AI Assistant Active");
  });

  it("is there with a global key alone", async () => {
    show("/sops", { "GET /api/user/settings": { ...withoutKey, hasGlobalApiKey: true } });
    await screen.findByText("AI Assistant Active");
  });

  const off: [string, unknown][] = [
    ["without a key", withoutKey],
    ["with a key that can't be used", someSettings({ apiKeyProblem: "It can't be opened." })],
    ["when the user switched AI off", someSettings({ aiFeaturesEnabled: false })],
    ["when the company switched AI off", someSettings({ companyAiEnabled: false, hasGlobalApiKey: true })],
    ["when the server fails", new FakeRefusal("internal")],
  ];
  it.each(off)("is not there %s", async (_, settings) => {
    let isAsked = false;
    const answer = () => {
      isAsked = true;
      return settings;
    };
    show("/sops", { "GET /api/user/settings": answer });
    await screen.findByText("No SOPs found");
    await waitFor(() => expect(isAsked).toBe(true));
    // the answer has arrived when the panel shows its source
    fireEvent.click(screen.getByRole("button", { name: "AI Assistant" }));
    const panel = within(await screen.findByRole("dialog", { name: "AI Assistant" }));
    await panel.findByText("By rules, without AI");
    expect(screen.queryByText("AI Assistant Active")).toBeNull();
  });
});

describe("the dashboard's card", () => {
  it("opens the suggestions it counts", async () => {
    const { user } = show("/");
    await user.click(await screen.findByRole("button", { name: "AI Suggestions" }));
    const panel = within(await screen.findByRole("dialog", { name: "AI Assistant" }));
    await panel.findByRole("listitem", { name: "Spills" });
  });

  it("only counts for users without a panel", async () => {
    show("/", { "GET /api/auth/me": { user: aUser({ role: "viewer" }) } });
    await screen.findByText("AI Suggestions");
    expect(screen.queryByRole("button", { name: "AI Suggestions" })).toBeNull();
  });
});

it("Ctrl+J opens the panel and closes it", async () => {
  const { user } = show("/");
  await screen.findByRole("button", { name: "Open AI Assistant" });
  await user.keyboard("{Control>}j{/Control}");
  await screen.findByRole("dialog", { name: "AI Assistant" });
  (document.activeElement as HTMLElement).blur();
  await user.keyboard("{Control>}j{/Control}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "AI Assistant" })).toBeNull());
});
