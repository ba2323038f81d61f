import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Role } from "#core/permissions/roles.ts";
import type { AuditRow } from "#core/audit/schema.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../testing/fake-server.ts";
import { aUser, companyId } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const row = (change: Partial<AuditRow> = {}): AuditRow => ({
  id: "r1",
  seq: 7,
  hash: "ab".repeat(32),
  action: "sop.grant",
  entityType: "sop",
  entityId: "s1",
  entityName: "Pay the staff",
  userId: "u1",
  userName: "Cora Chief",
  changes: { "user:u2": { from: null, to: "read" } },
  ipAddress: "10.0.0.1",
  userAgent: null,
  requestId: null,
  createdAt: "2026-06-01T08:00:00.000Z",
  ...change,
});
const state = {
  seq: 300,
  waiting: 2,
  checkpoint: { seq: 256, head: "h", at: "2026-06-01T07:00:00.000Z", kid: "k1" },
  key: { kid: "k1", publicKeyPem: "-----BEGIN PUBLIC KEY-----" },
  verification: { at: "2026-06-01T03:00:00.000Z", ok: true, rows: 290, anchoredTo: 256, findings: [] },
};

function openLog(more: Replies = {}, role: Role = "company_admin", path = "/admin/audit") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role }) },
    "GET /api/users": [
      { id: "u1", name: "Cora Chief" },
      { id: "u2", name: "Eve Evans" },
    ],
    "GET /api/teams": [],
    "GET /api/company/audit": { data: [row()] },
    "GET /api/company/audit/state": state,
    ...more,
  });
  return { server, ...showApp(server, path) };
}
const table = () => screen.findByRole("table", { name: "Audit log" });

describe("audit log", () => {
  it("is not for editors", async () => {
    const { server } = openLog({}, "editor");
    await screen.findByRole("heading", { level: 1, name: "Access Denied" });
    expect(server.requestsFor("GET /api/company/audit")).toEqual([]);
  });

  it("shows managers what concerns their teams, without export and state", async () => {
    const { server } = openLog({}, "manager");
    await within(await table()).findByText("SOP shared");
    expect(screen.getByText(/your teams' SOPs/)).toBeTruthy();
    expect(screen.queryByRole("link", { name: /Export/ })).toBeNull();
    expect(server.requestsFor("GET /api/company/audit/state")).toEqual([]);
  });

  it("lets admins read, not export", async () => {
    openLog({}, "admin");
    await within(await table()).findByText("SOP shared");
    expect(screen.queryByRole("link", { name: /Export/ })).toBeNull();
  });

  it("says who did what to which SOP, and opens before and after", async () => {
    const { user } = openLog();
    const list = await table();
    await within(list).findByText("Cora Chief");
    expect(within(list).getByText(/Pay the staff/)).toBeTruthy();
    expect(within(list).getByRole("link", { name: "Pay the staff" }).getAttribute("href")).toBe("/sop/s1");
    const details = within(list).getByRole("button", { name: /^Show details: SOP shared/ });
    await user.click(details);
    const dialog = await screen.findByRole("dialog", { name: "SOP shared" });
    expect(within(dialog).getByText("Eve Evans")).toBeTruthy();
    expect(within(dialog).getByText("Before").nextElementSibling?.textContent).toBe("empty");
    expect(within(dialog).getByText("After").nextElementSibling?.textContent).toBe("read");
    expect(within(dialog).getByText("10.0.0.1")).toBeTruthy();
    expect(within(dialog).getByRole("link", { name: "Pay the staff" }).getAttribute("href")).toBe("/sop/s1");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(details));
  });

  it("links what an entry is about, except what is deleted or not for the reader", async () => {
    const about = (action: string, entityType: string, entityName: string) =>
      row({ id: action, action, entityType, entityId: "e1", entityName, changes: null });
    const data = [
      about("user.suspend", "user", "Eve Evans"),
      about("sop.delete", "sop", "Gone"),
      about("company.update", "company", "Acme"),
    ];
    openLog({ "GET /api/company/audit": { data } }, "admin");
    const list = within(await table());
    const link = await list.findByRole("link", { name: "Eve Evans" });
    expect(link.getAttribute("href")).toBe("/admin/users?search=Eve+Evans&status=all");
    expect(list.getAllByRole("link")).toHaveLength(1);
  });

  it("keeps filters in the address, asks by them, and exports the same", async () => {
    const { user, server, address } = openLog();
    await within(await table()).findByText("SOP shared");
    await user.selectOptions(screen.getByLabelText("Who"), "Eve Evans");
    await user.selectOptions(screen.getByLabelText("What happened"), "SOP restricted");
    await waitFor(() => expect(address()).toBe("/admin/audit?userId=u2&action=sop.restrict"));
    await waitFor(() =>
      expect(server.requestsFor("GET /api/company/audit").at(-1)?.query).toEqual({
        userId: "u2",
        action: "sop.restrict",
        limit: "50",
      }),
    );
    expect(screen.getByRole("link", { name: "Export CSV" }).getAttribute("href")).toBe(
      "/api/company/audit/export?format=csv&userId=u2&action=sop.restrict",
    );
    await user.click(screen.getByRole("button", { name: "Clear all" }));
    await waitFor(() => expect(address()).toBe("/admin/audit"));
  });

  it("goes from an entry to all about the same record", async () => {
    const { user, address } = openLog();
    await user.click(await screen.findByRole("button", { name: /^Show details/ }));
    await user.click(await screen.findByRole("button", { name: "All entries for this record" }));
    await waitFor(() => expect(address()).toBe("/admin/audit?entityType=sop&entityId=s1"));
    expect(screen.getByText("Entries for one record only")).toBeTruthy();
  });

  it("loads older pages, and says when the search has not come to the end", async () => {
    const pages = ({ query }: RecordedRequest) =>
      query["cursor"] === "c2"
        ? { data: [row({ id: "r2", action: "team.create", entityName: null })] }
        : { data: [], nextCursor: "c2" };
    const { user } = openLog({ "GET /api/company/audit": pages }, "company_admin", "/admin/audit?search=x");
    await screen.findByText("No entries found so far");
    await user.click(screen.getByRole("button", { name: "Load more" }));
    await within(await table()).findByText("Team created");
  });

  it("tells whether the log is sound, and what was found when it is not", async () => {
    openLog();
    await screen.findByText("Verified. Nothing is missing or changed.");
    expect(screen.getByText(/Signed up to entry 256 of 302/)).toBeTruthy();
    resetBrowser();
    const findings = [{ verdict: "GAP", seq: 12, message: "row 12 is missing" }];
    const verification = { ...state.verification, ok: false, findings };
    openLog({ "GET /api/company/audit/state": { ...state, checkpoint: null, verification } });
    await screen.findByText("The last check found missing or changed entries.");
    expect(screen.getByText("row 12 is missing")).toBeTruthy();
    expect(screen.getByText(/not signed yet/)).toBeTruthy();
  });

  it("says when it could not be loaded, and asks again on the next visit", async () => {
    const { user, server } = openLog({ "GET /api/company/audit": new FakeRefusal("busy") });
    await screen.findByText("Failed to fetch the audit log");
    server.reply({
      "GET /api/company/audit": {
        data: [row({ entityType: "company", entityId: companyId, entityName: null, action: "company.update" })],
      },
    });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await within(await table()).findByText("Company updated");
    const before = server.requestsFor("GET /api/company/audit").length;
    await user.click(screen.getByRole("link", { name: "Dashboard" }));
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    await user.click(screen.getByRole("link", { name: "Audit Log" }));
    await within(await table()).findByText("Company updated");
    expect(server.requestsFor("GET /api/company/audit").length).toBe(before + 1);
  });
});
