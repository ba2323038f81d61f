/**
 * Random bodies made of every field that a record has. A caller changes only allowed fields, grants no role above their
 * own, and affects no other company.
 */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { assignableRoles, roles, type Role } from "#core/permissions/roles.ts";
import { listedFields } from "#core/sop-fields.ts";
import { fieldsOf, pathOf, rowNamed } from "./contract-rows.ts";
import { count, recordFigure } from "./proof.ts";
import { describeServer, json, type Company, type TestUser } from "./server.ts";

type Stored = Record<string, unknown>;

interface Target {
  row: string;
  asker: Role;
  /** Fields that the caller may change in the row's record. */
  allowed: readonly string[];
  of: "own user" | "a viewer" | "an admin" | "the company" | "an SOP";
}

/** A person's fields, with those for search and sorting, which are made from the name. */
const profile = [
  "name",
  "nameKey",
  "looks",
  "words",
  "initials",
  "email",
  "emailVerified",
  "department",
  "title",
  "phone",
  "avatar",
];
const managed = [...profile, "role", "status", "sessionVersion", "password", "passwordChangedAt"];
const companyFields = [
  "name",
  "description",
  "logo",
  "website",
  "industry",
  "size",
  "settings",
  "nameKey",
  "looks",
  "words",
];
const sopText = [...listedFields.map(({ name }) => name), "words", "contentHash"];
const sopHead = [...sopText, "categoryId", "version", "revision", "status", "assets"];
const sopForce = [...sopHead, "published", "lastPublished", "live", "hasPublished", "matchesPublished"];

const targets: readonly Target[] = [
  ...roles.map((asker): Target => ({ row: "account.update", asker, allowed: profile, of: "own user" })),
  ...roles.map((asker): Target => ({
    row: "settings.update",
    asker,
    allowed: ["openaiApiKey", "aiFeaturesEnabled", "mailChoices"],
    of: "own user",
  })),
  { row: "companyUsers.update", asker: "company_admin", allowed: managed, of: "a viewer" },
  { row: "companyUsers.update", asker: "company_admin", allowed: managed, of: "an admin" },
  { row: "companyUsers.update", asker: "company_admin", allowed: profile, of: "own user" },
  { row: "companyUsers.update", asker: "admin", allowed: managed, of: "a viewer" },
  { row: "companyUsers.update", asker: "admin", allowed: [], of: "an admin" },
  { row: "companyUsers.update", asker: "manager", allowed: [], of: "a viewer" },
  { row: "companyUsers.update", asker: "viewer", allowed: [], of: "own user" },
  { row: "company.update", asker: "company_admin", allowed: companyFields, of: "the company" },
  { row: "company.update", asker: "admin", allowed: [], of: "the company" },
  { row: "company.update", asker: "editor", allowed: [], of: "the company" },
  { row: "sops.update", asker: "manager", allowed: sopForce, of: "an SOP" },
  { row: "sops.update", asker: "editor", allowed: sopHead, of: "an SOP" },
  { row: "sops.update", asker: "reviewer", allowed: [], of: "an SOP" },
  { row: "sops.update", asker: "viewer", allowed: [], of: "an SOP" },
];

const always = new Set(["updatedAt", "userCount", "sopCount", "views", "teamIds"]);
const runs = count({ usual: 12, proof: Math.ceil(2000 / targets.length) });
let cases = 0;
let trespasses = 0;

describeServer("what a body can change", (server, engine) => {
  let company: Company;
  let other: TestUser;
  beforeAll(async () => {
    company = await server().company();
    other = await (await server().company()).user("company_admin");
  });

  /** Plain values, and values that do harm in the wrong field. */
  const values = (mine: TestUser) =>
    fc.oneof(
      fc.constantFrom(
        ...roles,
        "active",
        "suspended",
        "deleted",
        "published",
        "archived",
        "draft",
        "strict",
        "enterprise",
      ),
      fc.constantFrom(other.id, other.companyId, mine.id, mine.companyId),
      fc.constantFrom("", "somebody@example.org", "https://example.org/", "a plain text", "2030-01-01T00:00:00.000Z"),
      fc.constantFrom<unknown>(0, 1, 7, 10_000, true, false, null, [], ["x"], {}),
      fc.constantFrom<unknown>(
        { documentControl: "strict" },
        { allowSelfApproval: true },
        { maxUsers: 9 },
        { viewer: {} },
      ),
    );

  async function load(
    { of }: Target,
    asker: TestUser,
    others: Record<string, TestUser>,
    sopId: string,
  ): Promise<Stored> {
    const user = of === "own user" ? asker : of === "a viewer" ? others["viewer"] : others["admin"];
    const found =
      of === "the company"
        ? await server().db.collection("companies").findOne({ _id: company.id })
        : of === "an SOP"
          ? await server().db.collection("sops").findOne({ _id: sopId })
          : await server()
              .db.collection("users")
              .findOne({ _id: user?.id ?? "" });
    return found as unknown as Stored;
  }

  test.each(targets.map((target) => [target.row, target.asker, target.of, target] as const))(
    "%s as %s on %s",
    async (_, role, of, target) => {
      const row = rowNamed(target.row);
      const asker = await company.user(role);
      const admin = await company.user("company_admin");
      const others = { viewer: await company.user("viewer"), admin: await company.user("admin") };
      const sop = await admin.client.sops.create({
        body: { title: "T", description: "D", markdown: "M\n", status: "published" },
      });
      const id =
        of === "an SOP"
          ? sop.id
          : of === "own user"
            ? asker.id
            : of === "a viewer"
              ? others.viewer.id
              : others.admin.id;
      const keys = [
        ...new Set([...Object.keys(fieldsOf(row.schema.body)), "companyId", "role", "grants", "permissions"]),
      ];
      // mostly fields that the row knows: the parser refuses others
      const body = fc
        .array(fc.tuple(fc.constantFrom(...keys), values(asker)), { minLength: 1, maxLength: 4 })
        .map((entries) => Object.fromEntries(entries));
      await fc.assert(
        fc.asyncProperty(body, async (sent) => {
          cases++;
          const before = await load(target, asker, others, sop.id);
          await asker.send({ method: "PUT", path: pathOf(row, { id }), headers: json, body: JSON.stringify(sent) });
          const after = await load(target, asker, others, sop.id);
          const changed = Object.keys(after).filter(
            (key) => !always.has(key) && JSON.stringify(after[key]) !== JSON.stringify(before[key]),
          );
          const wrong = changed.filter((key) => !target.allowed.includes(key));
          if (wrong.length > 0) trespasses++;
          expect({ sent, wrong }).toEqual({ sent, wrong: [] });
          if (changed.includes("role")) expect(assignableRoles(role)).toContain(after["role"]);
          expect(after["companyId"]).toBe(before["companyId"]);
          // after a demotion or suspension, the target is restored so that the run can continue
          if (changed.includes("role") || changed.includes("status")) await restore(target, before);
        }),
        { numRuns: runs, seed: 5 },
      );
    },
    600_000,
  );

  async function restore({ of }: Target, before: Stored): Promise<void> {
    if (of === "an SOP" || of === "the company") return;
    const { role, status } = before as { role: Role; status: "active" };
    await server()
      .db.collection("users")
      .updateOne({ _id: String(before["_id"]) }, { $set: { role, status } });
  }

  test("and that was enough of them", () => {
    recordFigure({ name: `escalation.cases.${engine}`, value: cases, unit: "random bodies", goal: ">= 2000" });
    recordFigure({ name: `escalation.trespasses.${engine}`, value: trespasses, unit: "fields changed", goal: "= 0" });
    expect(cases).toBeGreaterThanOrEqual(targets.length * runs);
    cases = 0;
    trespasses = 0;
  });
});
