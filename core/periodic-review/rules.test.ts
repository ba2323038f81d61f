import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Actor, SopFacts } from "../permissions/actor.ts";
import { roles, type Role } from "../permissions/roles.ts";
import { dayAfterDays, daysUntil, mayRecordReview, dueReminderOf } from "./rules.ts";

describe("review dates", () => {
  test.each([
    ["2026-06-30", "2026-06-01T23:59:59.999Z", 29],
    ["2026-06-01", "2026-06-01T00:00:00.000Z", 0],
    ["2026-05-31", "2026-06-01T12:00:00.000Z", -1],
    ["2028-03-01", "2028-02-28", 2],
  ])("%s is, from %s, in %i days", (day, now, days) => {
    expect(daysUntil(day, now)).toBe(days);
  });

  test("a day so many days ahead is so many days away", () => {
    const from = fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(from, fc.integer({ min: -800, max: 800 }), (date, days) => {
        const now = date.toISOString();
        expect(daysUntil(dayAfterDays(now, days), now)).toBe(days);
      }),
    );
  });

  test("one reminder at a time, the latest that was reached", () => {
    const steps = [31, 30, 8, 7, 1, 0, -1, -400].map((days) =>
      dueReminderOf(dayAfterDays("2026-06-01", days), "2026-06-01T09:00:00.000Z"),
    );
    expect(steps).toEqual([null, "30", "30", "7", "7", "7", "overdue", "overdue"]);
  });
});

describe("who may give the verdict", () => {
  const actor = (role: Role, change: Partial<Actor> = {}): Actor => ({
    userId: "me",
    companyId: "c",
    role,
    teamIds: [],
    allow: [],
    deny: [],
    ...change,
  });
  const sop = (change: Partial<SopFacts> = {}): SopFacts => ({
    companyId: "c",
    authorId: "somebody",
    ownerId: "somebody",
    teamId: null,
    status: "published",
    restricted: false,
    deletedAt: null,
    published: { version: 2 },
    version: 2,
    grants: [],
    approvers: [],
    ...change,
  });
  const allowed = (facts: SopFacts) => roles.filter((role) => mayRecordReview(actor(role), facts));

  test("users who can publish, and the owner who can edit", () => {
    const publishers = ["system_admin", "company_admin", "admin", "manager"];
    expect(allowed(sop())).toEqual(publishers);
    expect(allowed(sop({ ownerId: "me" }))).toEqual([...publishers, "editor", "contributor"]);
    // an author is not an owner
    expect(allowed(sop({ authorId: "me" }))).toEqual(publishers);
    expect(allowed(sop({ companyId: "other", ownerId: "me" }))).toEqual([]);
  });

  test("a denial takes it away, a right given adds it", () => {
    expect(mayRecordReview(actor("manager", { deny: ["sop.publish"] }), sop())).toBe(false);
    expect(mayRecordReview(actor("editor", { deny: ["sop.edit"] }), sop({ ownerId: "me" }))).toBe(false);
    expect(mayRecordReview(actor("viewer", { allow: ["sop.publish"] }), sop())).toBe(true);
  });
});
