/** Without the code that shows a text there is no text to decide about. */
import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { anApproval, anApprover } from "../testing/approval-records.ts";
import { fakeServer, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

vi.mock("../ui/Tabs.tsx", () => {
  throw new Error("no such chunk");
});
afterEach(resetBrowser);

it("offers no decision beside a comparison whose code could not be loaded", async () => {
  const request = anApproval({
    sopId: "0007",
    publishedVersion: 2,
    mayDecide: true,
    approvers: [anApprover({ userId: aUser().id })],
  });
  const blocks = [{ kind: "added", html: "<p>Light the ovens.</p>" }];
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/approvals": [request],
    "GET /api/sops/0007/diff": { from: 2, to: 3, facts: [], blocks, markdown: [] },
  } as Replies);
  showApp(server, "/pending?sop=0007");
  await screen.findByText("This part could not be loaded");
  screen.getByRole("button", { name: "Reload" });
  expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
});
