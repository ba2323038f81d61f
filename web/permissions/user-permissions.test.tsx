import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { actions } from "#core/permissions/actions.ts";
import type { Role } from "#core/permissions/roles.ts";
import type { OwnPermission, UserRights } from "#core/permissions/schema.ts";
import { aListedUser } from "../testing/admin-records.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";
import { permissionEndOf } from "./UserPermissionForm.tsx";

afterEach(resetBrowser);

const eve = aListedUser({ id: "eve", name: "Eve Evans" });
const address = "/api/company/users/eve/permissions";
const given: OwnPermission = {
  id: "p1",
  permission: "sop.create",
  granted: true,
  grantedBy: { id: "cora", name: "Cora Chief" },
  expiresAt: null,
  expired: false,
  createdAt: "2026-06-01T08:00:00.000Z",
};
const rights = (permissions: OwnPermission[] = [], settable = true): UserRights => ({
  permissions,
  effective: actions.map((permission) => ({
    permission,
    byRole: "none",
    effective: permissions.some((one) => one.permission === permission && one.granted) ? "all" : "none",
    settable: settable && permission !== "companies.manage",
  })),
});

async function openPermissions(more: Replies = {}, role: Role = "company_admin") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role }) },
    "GET /api/company/users": { data: [eve], total: 1 },
    "GET /api/admin/users": { data: [eve], total: 1 },
    [`GET ${address}`]: rights(),
    ...more,
  });
  const shown = showApp(server, "/admin/users");
  await shown.user.click(await screen.findByRole("button", { name: /^Actions for Eve Evans \(/ }));
  return { server, ...shown };
}
async function dialogOf({ user }: Awaited<ReturnType<typeof openPermissions>>) {
  await user.click(await screen.findByRole("menuitem", { name: "Permissions" }));
  return within(await screen.findByRole("dialog", { name: /^Permissions: Eve Evans \(/ }));
}

describe("a person's permissions", () => {
  it("are not given by admins", async () => {
    await openPermissions({}, "admin");
    await screen.findByRole("menuitem", { name: "Edit User" });
    expect(screen.queryByRole("menuitem", { name: "Permissions" })).toBeNull();
  });

  it("are asked of the system's endpoint by system admins", async () => {
    const shown = await openPermissions({ "GET /api/admin/users/eve/permissions": rights([given]) }, "system_admin");
    const dialog = await dialogOf(shown);
    await dialog.findByText("Allowed");
    expect(shown.server.requestsFor(`GET ${address}`)).toEqual([]);
  });

  it("are given, with an end", async () => {
    const shown = await openPermissions({ [`POST ${address}`]: rights([given]) });
    const { user, server } = shown;
    const dialog = await dialogOf(shown);
    await user.click(await dialog.findByRole("button", { name: "Add a permission" }));
    await dialog.findByText("Choose a permission");
    expect(dialog.queryByRole("option", { name: "Manage all companies" })).toBeNull();
    await user.selectOptions(dialog.getByLabelText("What"), "Deny");
    await user.selectOptions(dialog.getByLabelText("Permission"), "Write new SOPs");
    await user.selectOptions(dialog.getByLabelText("Expires"), "On a date");
    await user.click(dialog.getByRole("button", { name: "Add a permission" }));
    await dialog.findByText("Choose the last day");
    await user.type(dialog.getByLabelText("Last day"), "2030-01-31");
    server.reply({ [`GET ${address}`]: rights([given]) });
    await user.click(dialog.getByRole("button", { name: "Add a permission" }));
    await dialog.findByText(/no end date · by Cora Chief/);
    expect(server.requestsFor(`POST ${address}`)[0]?.body).toEqual({
      permission: "sop.create",
      granted: false,
      expiresAt: "2030-01-31T23:59:59.999Z",
    });
  });

  it("are taken back, and what they came to is shown", async () => {
    const shown = await openPermissions({
      [`GET ${address}`]: rights([
        given,
        { ...given, id: "p2", permission: "sop.comment", granted: false, expired: true },
      ]),
      [`DELETE ${address}/p1`]: rights(),
    });
    const { user, server } = shown;
    const dialog = await dialogOf(shown);
    await dialog.findByText("Denied");
    expect(dialog.getByText("Expired")).toBeTruthy();
    await user.click(dialog.getByText("Result"));
    expect(dialog.getByRole("row", { name: "Write new SOPs No Yes" })).toBeTruthy();
    server.reply({ [`GET ${address}`]: rights() });
    await user.click(dialog.getByRole("button", { name: "Remove: Write new SOPs" }));
    await dialog.findByText("No extra permissions.");
    expect(document.activeElement).toBe(dialog.getByRole("region", { name: "Allowed or denied for this person" }));
  });

  it("can't be changed for users above one's role", async () => {
    const dialog = await dialogOf(await openPermissions({ [`GET ${address}`]: rights([given], false) }));
    await dialog.findByText("You can't change this person's permissions.");
    expect(dialog.queryByRole("button", { name: /^Remove/ })).toBeNull();
  });

  it("say why the server refuses", async () => {
    const shown = await openPermissions({ [`POST ${address}`]: new FakeRefusal("forbidden", "Not this one") });
    const dialog = await dialogOf(shown);
    await shown.user.selectOptions(await dialog.findByLabelText("Permission"), "Archive");
    await shown.user.click(dialog.getByRole("button", { name: "Add a permission" }));
    await screen.findByText("Not this one");
  });
});

it("a permission ends after a time, on a day, or never", () => {
  const now = Date.parse("2026-06-01T08:00:00.000Z");
  expect(permissionEndOf("day", "", now)).toBe("2026-06-02T08:00:00.000Z");
  expect(permissionEndOf("month", "", now)).toBe("2026-07-01T08:00:00.000Z");
  expect(permissionEndOf("never", "", now)).toBeNull();
});
