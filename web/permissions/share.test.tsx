// @vitest-environment-options {"url": "https://sops.example"}
import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { roles, type Role } from "#core/permissions/roles.ts";
import type { SopAccess, SopGrant } from "#core/permissions/schema.ts";
import { createQrSvg } from "#core/export/qr-code.ts";
import { fakeServer, FakeRefusal, signedInCheck, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aControl, anInvitationLink, aSop, aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(() => {
  resetBrowser();
  vi.restoreAllMocks();
});

const sop = {
  ...aSop({ title: "Pay the staff", published: { version: 1, effectiveAt: null } }),
  content: "<p>Pay</p>",
  markdown: "Pay",
  control: aControl(),
};
const permissions = `/api/sops/${sop.id}/permissions` as const;
const access = (change: Partial<SopAccess> = {}): SopAccess => ({
  restricted: false,
  mayRestrict: true,
  givable: ["read", "comment", "edit"],
  permissions: [],
  readers: [...roles],
  ...change,
});
const restrictedOne = { restricted: true, readers: roles.slice(0, 2) };
const eve: SopGrant = {
  id: "g1",
  userId: "eve",
  teamId: null,
  name: "Eve Evans",
  permission: "read",
  grantedBy: { id: "cora", name: "Cora Chief" },
  grantedAt: "2026-06-01T08:00:00.000Z",
};

async function openShare(more: Replies = {}, role: Role = "manager") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role }) },
    [`GET /api/sops/${sop.id}`]: sop,
    [`GET /api/sops/${sop.id}/versions`]: [],
    "GET /api/users": [{ id: "eve", name: "Eve Evans" }],
    "GET /api/teams": [{ id: "t1", name: "Kitchen" }],
    [`GET ${permissions}`]: access(),
    ...more,
  });
  const shown = showApp(server, `/sop/${sop.id}`);
  await shown.user.click(await screen.findByRole("button", { name: "More actions" }));
  await shown.user.click(await screen.findByRole("menuitem", { name: "Share" }));
  return { server, ...shown };
}
/** The browser reached it by another name. */
const knowsItself: Replies = { "GET /api/auth/check": { ...signedInCheck, address: "https://known.example" } };
const dialog = async () => within(await screen.findByRole("dialog", { name: "Share" }));

describe("sharing an SOP", () => {
  it("copies the link at once for users who can't share, at the server's own address", async () => {
    await openShare(knowsItself, "viewer");
    await screen.findByText("Link copied");
    screen.getByText(`https://known.example/sop/${sop.id}`);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("copies the link at the server's own address, and gives the focus back", async () => {
    const { user } = await openShare(knowsItself);
    const copied = vi.spyOn(navigator.clipboard, "writeText");
    await user.click((await dialog()).getByRole("button", { name: "Copy" }));
    await screen.findByText("Link copied");
    expect(copied).toHaveBeenCalledWith(`https://known.example/sop/${sop.id}`);
    await user.click((await dialog()).getByRole("button", { name: "Done" }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "More actions" })));
  });

  it("has a code for the camera of a phone", async () => {
    await openShare();
    const code = (await dialog()).getByRole("img", { name: `QR code: https://sops.example/sop/${sop.number}` });
    expect(decodeURIComponent(code.getAttribute("src") ?? "")).toContain(
      createQrSvg(`https://sops.example/sop/${sop.number}`),
    );
  });

  it("prints a sign with the title and the code, without the page", async () => {
    const { user } = await openShare();
    const printed: string[] = [];
    // jsdom has no style sheets made by code
    vi.stubGlobal(
      "CSSStyleSheet",
      class {
        replaceSync() {}
      },
    );
    Object.assign(document, { adoptedStyleSheets: [] });
    vi.stubGlobal("print", () => printed.push(document.querySelector("body > .print-sign")?.textContent ?? ""));
    await user.click((await dialog()).getByRole("button", { name: "Print sign" }));
    expect(printed).toEqual([`${sop.title}${sop.number} · https://sops.example/sop/${sop.number}`]);
    act(() => void window.dispatchEvent(new Event("afterprint")));
    await waitFor(() => expect(document.querySelector(".print-sign")).toBeNull());
    vi.unstubAllGlobals();
    Reflect.deleteProperty(document, "adoptedStyleSheets");
  });

  it("names the roles that read a draft", async () => {
    await openShare({
      [`GET /api/sops/${sop.id}`]: { ...sop, status: "under_review", published: null },
      [`GET ${permissions}`]: access({ readers: roles.slice(0, 6) }),
    });
    await (await dialog()).findByText("Admins, managers, editors, reviewers, and the owner, until it's published");
  });

  it("offers the levels one may give, and gives one to a person or a team", async () => {
    const team = { ...eve, id: "g2", userId: null, teamId: "t1", name: "Kitchen", permission: "edit" as const };
    const { user, server } = await openShare({ [`POST ${permissions}`]: access({ permissions: [team] }) });
    const share = await dialog();
    expect(
      within(await share.findByLabelText("Access"))
        .getAllByRole("option")
        .map((one) => one.textContent),
    ).toEqual(["Can read", "Can comment", "Can edit"]);
    expect(share.getByRole("button", { name: "Share" })).toHaveProperty("disabled", true);
    await user.selectOptions(
      share.getByLabelText("Person or team"),
      await share.findByRole("option", { name: "Kitchen" }),
    );
    await user.selectOptions(share.getByLabelText("Access"), "Can edit");
    server.reply({ [`GET ${permissions}`]: access({ permissions: [team] }) });
    await user.click(share.getByRole("button", { name: "Share" }));
    await share.findByRole("button", { name: "Remove Kitchen" });
    expect(server.requestsFor(`POST ${permissions}`)[0]?.body).toEqual({ teamId: "t1", permission: "edit" });
  });

  it("lets administrators invite a reader in place, who can then be chosen", async () => {
    const { user, server } = await openShare({ "POST /api/company/invitations": anInvitationLink() }, "company_admin");
    const share = await dialog();
    await user.click(await share.findByRole("button", { name: "Invite people" }));
    const asked = within(await screen.findByRole("dialog", { name: "Invite people" }));
    expect(asked.getByLabelText<HTMLSelectElement>("Role").value).toBe("viewer");
    await user.click(asked.getByRole("button", { name: "Create Link" }));
    const link = within(await screen.findByRole("dialog", { name: "Invitation link" }));
    server.reply({ "GET /api/users": [{ id: "nora", name: "Nora New" }] });
    await user.click(link.getByRole("button", { name: "Done" }));
    await share.findByRole("option", { name: "Nora New" });
    expect(share.getByText("1 person invited. You can choose them once they join.")).toBeTruthy();
    expect(server.requestsFor(`POST ${permissions}`)).toEqual([]);
  });

  it("offers no invitation to who can't invite", async () => {
    await openShare();
    await (await dialog()).findByLabelText("Person or team");
    expect(screen.queryByRole("button", { name: "Invite people" })).toBeNull();
  });

  it("takes access back", async () => {
    const { user, server } = await openShare({
      [`GET ${permissions}`]: access({ permissions: [eve] }),
      [`DELETE ${permissions}/g1`]: access(),
    });
    const share = await dialog();
    await share.findByText("Can read · shared by Cora Chief");
    server.reply({ [`GET ${permissions}`]: access() });
    await user.click(share.getByRole("button", { name: "Remove Eve Evans" }));
    await share.findByText("Everyone at Acme");
    expect(document.activeElement).toBe(share.getByRole("region", { name: "People with access" }));
  });

  it("restricts who may, and tells the others that it is", async () => {
    const restricted = { [`PUT /api/sops/${sop.id}/restricted`]: access(restrictedOne) };
    const { user, server } = await openShare(restricted, "company_admin");
    const share = await dialog();
    server.reply({ [`GET ${permissions}`]: access(restrictedOne) });
    await user.click(await share.findByRole("switch", { name: /^Restricted/ }));
    await share.findByText("Company admins and the owner");
    expect(server.requestsFor(`PUT /api/sops/${sop.id}/restricted`)[0]?.body).toEqual({ restricted: true });
    resetBrowser();
    await openShare({ [`GET ${permissions}`]: access({ restricted: true, mayRestrict: false }) });
    await screen.findByText(/This SOP is restricted/);
    expect(screen.queryByRole("switch")).toBeNull();
  });

  it("shows at once what was asked for, once, and what holds when it is refused", async () => {
    const row = `PUT /api/sops/${sop.id}/restricted` as const;
    const answer = Promise.withResolvers<unknown>();
    const { user, server } = await openShare({ [row]: () => answer.promise }, "company_admin");
    const control = await (await dialog()).findByRole<HTMLInputElement>("switch", { name: /^Restricted/ });
    control.click();
    expect(control.checked).toBe(true);
    await user.click(control);
    expect(control.checked).toBe(true);
    answer.resolve(new FakeRefusal("busy"));
    await waitFor(() => expect(control.checked).toBe(false));
    expect(server.requestsFor(row)).toHaveLength(1);
  });

  it("asks users who would lose their own access, and leaves the page after they did", async () => {
    const row = `PUT /api/sops/${sop.id}/restricted` as const;
    const { user, server, address } = await openShare({ [row]: access({ restricted: true, mayRestrict: false }) });
    const share = await dialog();
    await user.click(await share.findByRole("switch", { name: /^Restricted/ }));
    const question = within(await screen.findByRole("alertdialog", { name: "You'll lose access to this SOP" }));
    expect(server.requestsFor(row)).toEqual([]);
    await user.click(question.getByRole("button", { name: "Cancel" }));
    expect(share.getByRole("switch", { name: /^Restricted/ })).toHaveProperty("checked", false);
    expect(server.requestsFor(row)).toEqual([]);

    await user.click(share.getByRole("switch", { name: /^Restricted/ }));
    await user.click(await screen.findByRole("button", { name: "Restrict anyway" }));
    await screen.findByText("The SOP is now restricted");
    expect(server.requestsFor(row).map(({ body }) => body)).toEqual([{ restricted: true }]);
    await waitFor(() => expect(address()).toBe("/sops"));
  });

  it("asks users who keep only a grant, and lets an owner restrict at once", async () => {
    const row = `PUT /api/sops/${sop.id}/restricted` as const;
    const mine = { ...eve, userId: aUser().id, name: "Ann Archer" };
    const { user, server } = await openShare({ [`GET ${permissions}`]: access({ permissions: [mine] }) });
    await user.click(await (await dialog()).findByRole("switch", { name: /^Restricted/ }));
    await screen.findByRole("alertdialog", { name: "You can't undo this yourself" });
    expect(server.requestsFor(row)).toEqual([]);
    resetBrowser();
    const owned = await openShare({
      [`GET /api/sops/${sop.id}`]: { ...sop, ownerId: aUser().id },
      [row]: access({ restricted: true }),
    });
    await owned.user.click(await (await dialog()).findByRole("switch", { name: /^Restricted/ }));
    await screen.findByText("The SOP is now restricted");
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  it("says why the server refuses, and that the list could not be loaded", async () => {
    const { user, server } = await openShare({
      [`GET ${permissions}`]: new FakeRefusal("busy"),
      [`POST ${permissions}`]: new FakeRefusal("forbidden", "You can't give more access than you have"),
    });
    await screen.findByText("Couldn't load who has access.");
    server.reply({ [`GET ${permissions}`]: access() });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    const share = await dialog();
    await user.selectOptions(
      await share.findByLabelText("Person or team"),
      await share.findByRole("option", { name: "Eve Evans" }),
    );
    await user.click(share.getByRole("button", { name: "Share" }));
    await screen.findByText("You can't give more access than you have");
  });
});
