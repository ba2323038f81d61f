import { screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { aSuggestion, someSettings } from "../testing/ai-records.ts";
import { fakeServer, signedInReplies } from "../testing/fake-server.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

it("the panel has a region 'Recent Suggestions' with what waits for a decision", async () => {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/user/settings": someSettings(),
    "GET /api/ai-suggestions": [aSuggestion({ title: "Clean up spills" })],
  });
  const { user } = showApp(server);
  await user.click(await screen.findByRole("button", { name: "Open AI Assistant" }));
  const region = within(await screen.findByRole("region", { name: "Recent Suggestions" }));
  expect(await region.findByRole("listitem", { name: "Clean up spills" })).toBeTruthy();
});
