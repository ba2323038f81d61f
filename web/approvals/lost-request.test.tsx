import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Approval } from "#core/approvals/schema.ts";
import { aChoice, anApproval } from "../testing/approval-records.ts";
import { fakeServer, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aControl, aSop, aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const id = "01980000-0000-7000-8000-00000000eeee";
const asks = `POST /api/sops/${id}/request-approval` as const;
const cy = { id: "cy", name: "Cy Cole", username: "cy", initials: "CC", role: "viewer", eligible: true } as const;

function open(requests: Approval[]) {
  const sop = { ...aSop({ id, title: "Open the kitchen", status: "under_review", version: 3 }), approvers: ["cy"] };
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role: "manager" }) },
    [`GET /api/sops/${id}`]: { ...sop, content: "<p>One</p>", markdown: "One\n", control: aControl() },
    [`GET /api/sops/${id}/versions`]: [],
    [`GET /api/sops/${id}/approvers`]: aChoice([cy]),
    "GET /api/approvals": requests,
    [asks]: anApproval({ sopId: id }),
  } as Replies);
  return { server, ...showApp(server, `/sop/${id}`) };
}

const panel = () => screen.findByRole("region", { name: "Approval" });

describe("an SOP under review without its request", () => {
  it("says so, and lets an editor submit the version again", async () => {
    const { server, user } = open([]);
    const region = within(await panel());
    expect(
      await region.findByText("The approval request is lost. Submit this version again, or edit it."),
    ).toBeTruthy();
    await user.click(region.getByRole("button", { name: "Submit for Approval" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Submit for Approval" }));
    await dialog.findByText("1 selected");
    await user.click(dialog.getByRole("button", { name: "Submit for Approval" }));
    await waitFor(() => expect(server.requestsFor(asks)).toHaveLength(1));
  });

  it("is not one whose request has just ended", async () => {
    const ended = anApproval({
      sopId: id,
      status: "approved",
      outcome: "approved",
      resolvedAt: "2030-06-01T08:00:00.000Z",
    });
    open([ended]);
    await within(await panel()).findByText(/Approved/);
    expect(screen.queryByText(/request is lost/)).toBeNull();
  });
});
