import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Role } from "#core/permissions/roles.ts";
import type { Team, TeamMember } from "#core/teams/schema.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const me = aUser();
const kitchen: Team = {
  id: "t1",
  name: "Kitchen",
  slug: "kitchen",
  description: "Everybody who bakes.",
  ownerId: me.id,
  ownerName: me.name,
  memberCount: 2,
  mayWrite: true,
  mayDelete: true,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};
const member = (userId: string, name: string, role: TeamMember["role"] = "member"): TeamMember => ({
  userId,
  name,
  initials: "XX",
  role,
  joinedAt: "2026-01-01T12:00:00.000Z",
});
const owner = member(me.id, me.name, "lead");
const bob = member("bob", "Bob Baker");

function openTeams(more: Replies = {}, role: Role = "company_admin") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role }) },
    "GET /api/users": [
      { id: me.id, name: me.name },
      { id: "bob", name: "Bob Baker" },
      { id: "eve", name: "Eve Evans" },
    ],
    "GET /api/teams": [kitchen],
    "GET /api/teams/t1/members": [owner, bob],
    ...more,
  });
  return { server, ...showApp(server, "/admin/teams") };
}
type Shown = ReturnType<typeof openTeams>;

async function choose({ user }: Pick<Shown, "user">, action: string) {
  await user.click(await screen.findByRole("button", { name: "Actions for Kitchen" }));
  await user.click(await screen.findByRole("menuitem", { name: action }));
}

describe("teams", () => {
  it("are listed with owner and members", async () => {
    openTeams();
    const table = await screen.findByRole("table", { name: "Teams" });
    await within(table).findByText("Everybody who bakes.");
    expect(within(table).getByText("Ann Archer")).toBeTruthy();
    expect(within(table).getByRole("button", { name: "Members of Kitchen: 2" })).toBeTruthy();
  });

  it("can be viewed by everyone, and changed with permission", async () => {
    const readOnly = { ...kitchen, mayWrite: false, mayDelete: false };
    const shown = openTeams({ "GET /api/teams": [readOnly] }, "viewer");
    await choose(shown, "Members");
    const dialog = await screen.findByRole("dialog", { name: "Members of Kitchen" });
    await within(dialog).findByText("Bob Baker");
    expect(within(dialog).queryByRole("button", { name: "Remove Bob Baker" })).toBeNull();
    expect(within(dialog).queryByRole("combobox")).toBeNull();
    expect(screen.queryByRole("button", { name: "New Team" })).toBeNull();
    await shown.user.click(within(dialog).getByRole("button", { name: "Done" }));
    await shown.user.click(await screen.findByRole("button", { name: "Actions for Kitchen" }));
    expect((await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent)).toEqual(["Members"]);
  });

  it("are created, and members come next", async () => {
    const office = { ...kitchen, id: "t2", name: "Office" };
    const { user, server } = openTeams({
      "POST /api/teams": () => {
        server.reply({ "GET /api/teams": [kitchen, office] });
        return office;
      },
      "GET /api/teams/t2/members": [owner],
    });
    await user.click(await screen.findByRole("button", { name: "New Team" }));
    const dialog = await screen.findByRole("dialog", { name: "Create New Team" });
    await user.click(within(dialog).getByRole("button", { name: "Create Team" }));
    await within(dialog).findByText("Team name must be at least 2 characters");
    await user.type(within(dialog).getByLabelText("Team name"), "Office{Enter}");
    await screen.findByRole("dialog", { name: "Members of Office" });
    expect(server.requestsFor("POST /api/teams")[0]?.body).toEqual({ name: "Office", description: "", ownerId: me.id });
  });

  it("show the server's findings under the field", async () => {
    const taken = new FakeRefusal("conflict", "Taken", { name: "A team of this name exists" });
    const shown = openTeams({ "PUT /api/teams/t1": taken });
    await choose(shown, "Edit Team");
    const dialog = await screen.findByRole("dialog", { name: "Edit Team" });
    await shown.user.click(within(dialog).getByRole("button", { name: "Update Team" }));
    await within(dialog).findByText("A team of this name exists");
  });

  it("take members in, give them roles, let them go", async () => {
    const eve = member("eve", "Eve Evans", "lead");
    const { user, server } = openTeams({
      "POST /api/teams/t1/members": [owner, bob, eve],
      "DELETE /api/teams/t1/members/bob": [owner, eve],
    });
    await user.click(await screen.findByRole("button", { name: "Members of Kitchen: 2" }));
    const dialog = await screen.findByRole("dialog", { name: "Members of Kitchen" });
    await user.selectOptions(await within(dialog).findByLabelText("Person"), "Eve Evans");
    await user.selectOptions(within(dialog).getByLabelText("Role"), "Lead");
    server.reply({ "GET /api/teams/t1/members": [owner, bob, eve] });
    await user.click(within(dialog).getByRole("button", { name: "Add" }));
    await within(dialog).findByText("Everyone is in this team.");
    expect(server.requestsFor("POST /api/teams/t1/members")[0]?.body).toEqual({ userId: "eve", role: "lead" });
    await user.selectOptions(within(dialog).getByLabelText("Role of Bob Baker"), "Lead");
    expect(server.requestsFor("POST /api/teams/t1/members")[1]?.body).toEqual({ userId: "bob", role: "lead" });
    expect(within(dialog).queryByRole("button", { name: "Remove Ann Archer" })).toBeNull();
    server.reply({ "GET /api/teams/t1/members": [owner, eve] });
    await user.click(within(dialog).getByRole("button", { name: "Remove Bob Baker" }));
    await waitFor(() => expect(within(dialog).queryByText("Bob Baker", { selector: "p" })).toBeNull());
    expect(document.activeElement).toBe(within(dialog).getByRole("list", { name: "Members" }));
  });

  it("are deleted after a question that says what it means", async () => {
    const shown = openTeams({ "DELETE /api/teams/t1": { ok: true, sops: 1, categories: 2 } });
    await choose(shown, "Delete Team");
    const question = await screen.findByRole("alertdialog", { name: "Are you sure you want to delete Kitchen?" });
    expect(within(question).getByText(/SOPs and categories stay/)).toBeTruthy();
    shown.server.reply({ "GET /api/teams": [] });
    await shown.user.click(within(question).getByRole("button", { name: "Delete" }));
    await screen.findByText("Without a team now: 1 SOP, 2 categories.");
    await screen.findByText("No teams yet");
  });
});
