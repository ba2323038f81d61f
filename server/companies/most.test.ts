import { beforeAll, expect, test } from "vitest";
import { newId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";
import type { Collections } from "../database/documents.ts";

describeServer("a company has a bounded number of", (server) => {
  let company: Company;
  let admin: TestUser;

  beforeAll(async () => {
    company = await server().company();
    admin = await company.user("company_admin");
  });

  const range = (count: number) => Array.from({ length: count }, (_, index) => index);
  const full = (most: number, what: string) => ({
    code: "limit_reached",
    serverMessage: `A company has at most ${most.toLocaleString("en")} ${what}`,
  });

  test("teams", async () => {
    const teams = server().db.forCompany(company.id).collection("teams");
    const missing = limits.teams - 1 - (await teams.countDocuments({}));
    const dated = { createdAt: server().clock.now(), updatedAt: server().clock.now() };
    await teams.insertMany(
      range(missing).map((n) => ({
        _id: newId(),
        companyId: company.id,
        name: `T${n}`,
        slug: `t${n}`,
        description: null,
        ownerId: admin.id,
        ...dated,
      })),
    );
    await admin.client.teams.create({ body: { name: "The last" } });
    await expect(admin.client.teams.create({ body: { name: "One more" } })).rejects.toMatchObject(
      full(limits.teams, "teams"),
    );
  });

  test("categories", async () => {
    const categories = server().db.forCompany(company.id).collection("categories");
    const missing = limits.categories - 1 - (await categories.countDocuments({}));
    const dated = { createdAt: server().clock.now(), updatedAt: server().clock.now() };
    const plain = { color: "gray", parentId: null, teamId: null, requiresApproval: false, approvalRule: null };
    await categories.insertMany(
      range(missing).map((n) => ({
        _id: newId(),
        companyId: company.id,
        name: `C${n}`,
        slug: `c${n}`,
        order: n,
        reviewMonths: null,
        ...plain,
        ...dated,
      })),
    );
    await admin.client.categories.create({ body: { name: "The last" } });
    await expect(admin.client.categories.create({ body: { name: "One more" } })).rejects.toMatchObject(
      full(limits.categories, "categories"),
    );
  });

  test("open invitations; expired, used and revoked ones don't count", async () => {
    const { clock, db } = server();
    const at = clock.now();
    const later = new Date(clock.millis() + 60_000).toISOString();
    const row = (change: object) => ({
      _id: newId(),
      companyId: company.id,
      key: newId(),
      role: "viewer",
      createdAt: at,
      expiresAt: later,
      usedAt: null,
      revokedAt: null,
      ...change,
    });
    const ended = [row({ expiresAt: at }), row({ usedAt: at }), row({ revokedAt: at })];
    const rows = [...range(limits.openInvitations - 1).map(() => row({})), ...ended];
    await db
      .forCompany(company.id)
      .collection("invitations")
      .insertMany(rows as unknown as Collections["invitations"][]);
    await admin.client.invitations.create({ body: { role: "viewer" } });
    await expect(admin.client.invitations.create({ body: { role: "viewer" } })).rejects.toMatchObject(
      full(limits.openInvitations, "open invitations"),
    );
  });
});
