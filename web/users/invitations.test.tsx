import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Invitation } from "#core/invitations/schema.ts";
import {
  fakeServer,
  noMailServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const invitation = (change: Partial<Invitation> = {}): Invitation => ({
  id: "i1",
  role: "editor",
  email: "nora@acme.test",
  state: "pending",
  invitedBy: "u1",
  invitedByName: "Cora Chief",
  usedByName: null,
  usedAt: null,
  revokedAt: null,
  expiresAt: "2026-06-08T12:00:00.000Z",
  createdAt: "2026-06-01T12:00:00.000Z",
  ...change,
});

function openUsers(more: Replies = {}) {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role: "company_admin" }) },
    "GET /api/company/users": { data: [], total: 0 },
    "GET /api/company/invitations": { data: [invitation()] },
    ...more,
  });
  return { server, ...showApp(server, "/admin/users") };
}

describe("invitations", () => {
  it("show their state; only open ones that one may give can be revoked", async () => {
    const list = [
      invitation(),
      invitation({ id: "i2", email: null, state: "used", usedByName: "Nora New" }),
      invitation({ id: "i3", email: "chief@acme.test", role: "company_admin" }),
    ];
    const { user, server } = openUsers({
      "GET /api/company/invitations": { data: list },
      "DELETE /api/company/invitations/i1": { ok: true },
    });
    const table = await screen.findByRole("table", { name: "All invitations" });
    await within(table).findByText("by Nora New");
    expect(within(table).getAllByRole("button")).toHaveLength(1);
    await user.click(within(table).getByRole("button", { name: "Revoke the invitation for nora@acme.test" }));
    server.reply({ "GET /api/company/invitations": { data: [invitation({ state: "revoked" })] } });
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Revoke" }));
    await within(table).findByText("Revoked");
    expect(server.requestsFor("DELETE /api/company/invitations/i1")).toHaveLength(1);
  });

  it("are made with a role and an end, and their link is shown once", async () => {
    const { user, server } = openUsers({
      "POST /api/company/invitations": { ...invitation(), link: "https://sop.test/register?invite=secret" },
    });
    await user.click(await screen.findByRole("button", { name: "Invite" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Invite people" }));
    const offered = within(dialog.getByLabelText("Role")).getAllByRole("option");
    expect(offered.map(({ textContent }) => textContent)).not.toContain("Company Admin");
    await user.selectOptions(dialog.getByLabelText("Role"), "Editor");
    await user.type(dialog.getByLabelText("Email addresses"), "nora");
    await user.selectOptions(dialog.getByLabelText("Link works for"), "14 days");
    await user.click(dialog.getByRole("button", { name: "Invite" }));
    await dialog.findByText("Not an email address: nora");
    await user.type(dialog.getByLabelText("Email addresses"), "@acme.test");
    await user.click(dialog.getByRole("button", { name: "Invite" }));
    expect(await screen.findByLabelText("One-time link")).toHaveProperty(
      "value",
      "https://sop.test/register?invite=secret",
    );
    expect(server.requestsFor("POST /api/company/invitations")[0]?.body).toEqual({
      role: "editor",
      email: "nora@acme.test",
      expiresInDays: 14,
    });
    await user.click(screen.getByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.queryByLabelText("One-time link")).toBeNull());
  });

  it("tell a sender whose address is not confirmed to copy the link", async () => {
    const made = { ...invitation(), link: "https://sop.test/register?invite=secret", unsent: "unconfirmed" };
    const { user } = openUsers({ "POST /api/company/invitations": made });
    await user.click(await screen.findByRole("button", { name: "Invite" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Invite people" }));
    dialog.getByText("Confirm your own address in Settings first, or copy the link.");
    await user.click(dialog.getByRole("button", { name: "Create Link" }));
    await screen.findByText(/^No email was sent\. Confirm your email address in Settings first, or copy the link\./);
    expect(screen.getByLabelText("One-time link")).toHaveProperty("value", made.link);
  });

  it("say before and after that a server without email sends none, and what to do", async () => {
    const { user } = openUsers({
      ...noMailServer,
      "POST /api/company/invitations": ({ body }: RecordedRequest) => {
        const { email } = body as { email: string };
        const replaced = email === "bob@acme.test" && { replaced: true };
        const link = `https://sop.test/${email}`;
        return { ...invitation({ email, role: "editor" }), ...replaced, link, unsent: "no_mail_server" };
      },
    });
    await user.click(await screen.findByRole("button", { name: "Invite" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Invite people" }));
    dialog.getByText("This server sends no email. You copy each link and pass it on.");
    await user.click(dialog.getByLabelText("Email addresses"));
    await user.paste("ann@acme.test, bob@acme.test");
    await user.click(dialog.getByRole("button", { name: "Invite" }));
    const links = within(await screen.findByRole("dialog", { name: "Invitation links" }));
    links.getByText("This server sends no email. Copy each link and pass it on.");
    const forBob = links.getByLabelText<HTMLInputElement>("Link for bob@acme.test as Editor");
    expect(forBob.value).toBe("https://sop.test/bob@acme.test");
    expect(links.getAllByText("The earlier link to this address no longer works.")).toHaveLength(1);
    expect(screen.queryByText("2 people invited")).toBeNull();
  });

  it("go to all pasted addresses; those that fail stay in the field", async () => {
    const { user, server } = openUsers({
      "POST /api/company/invitations": ({ body }: RecordedRequest) => {
        const { email } = body as { email: string };
        return email === "full@acme.test"
          ? new FakeRefusal("conflict", "Your company has no place left")
          : { ...invitation({ email }), link: `https://sop.test/${email}` };
      },
    });
    await user.click(await screen.findByRole("button", { name: "Invite" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Invite people" }));
    const addresses = dialog.getByLabelText<HTMLTextAreaElement>("Email addresses");
    await user.click(addresses);
    await user.paste("ann@acme.test, cy@acme");
    await user.click(dialog.getByRole("button", { name: "Invite" }));
    await dialog.findByText("Not an email address: cy@acme");
    await user.clear(addresses);
    // as copied from an email
    await user.paste("Ann Archer <ann@acme.test>, full@acme.test; bob@acme.test ann@acme.test");
    await user.click(dialog.getByRole("button", { name: "Invite" }));
    await dialog.findByText(/^Not invited yet: full@acme\.test\. Your company has no place left/);
    await screen.findByText("2 people invited");
    expect(addresses.value).toBe("full@acme.test");
    expect(
      server.requestsFor("POST /api/company/invitations").map(({ body }) => (body as { email: string }).email),
    ).toEqual(["ann@acme.test", "full@acme.test", "bob@acme.test"]);
  });
});
