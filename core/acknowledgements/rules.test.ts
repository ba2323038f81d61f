import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { roles } from "../permissions/roles.ts";
import {
  audienceKeys,
  isConfirmationValid,
  dueDay,
  isOverdue,
  mayRequestAcknowledgements,
  noticeStage,
  requiredVersion,
  withChangeClasses,
  type PublicationPeriod,
} from "./rules.ts";

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();

/** Possible histories of published versions: numbers grow, and some versions return after a gap. */
const histories = fc
  .array(
    fc.record({
      step: fc.integer({ min: 0, max: 3 }),
      changeClass: fc.constantFrom("minor" as const, "major" as const),
      days: fc.integer({ min: 1, max: 5 }),
      gap: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => {
    let [version, at] = [0, 0];
    const classes = new Map<number, "minor" | "major">();
    return parts.map(({ step, changeClass, days, gap }, index): PublicationPeriod => {
      // a version follows itself only after a gap
      const same = step === 0 && index > 0;
      if (!same) version += Math.max(1, step);
      if (!classes.has(version)) classes.set(version, changeClass);
      const from = at + (same ? Math.max(1, gap) : gap);
      at = from + days;
      const until = index === parts.length - 1 ? null : day(at);
      return { version, changeClass: classes.get(version) ?? "major", from: day(from), until };
    });
  });

describe("which confirmation counts", () => {
  test("counts one when every version published after it was a minor change, and no other", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const run = requiredVersion(history);
        const published = history.at(-1)?.version ?? 0;
        for (const { version } of history) {
          const after = history.filter((stretch) => stretch.version > version && stretch.version <= published);
          const keeps = after.every(({ changeClass }) => changeClass === "minor");
          expect(run !== null && isConfirmationValid(version, run)).toBe(keeps);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("it is owed since the run took effect: never before that version, never across a time without force", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const run = requiredVersion(history);
        const start = history.findIndex(({ from }) => from === run?.from);
        expect(history[start]?.version).toBeGreaterThanOrEqual(run?.version ?? 0);
        for (const [index, { until }] of history.entries()) {
          if (index >= start && index < history.length - 1) expect(until).toBe(history[index + 1]?.from);
        }
        // and no later than necessary
        const before = history[start - 1];
        expect(before === undefined || before.version < (run?.version ?? 0) || before.until !== run?.from).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("examples", () => {
    const stretch = (version: number, changeClass: "minor" | "major", from: number, until: number | null) => ({
      version,
      changeClass,
      from: day(from),
      until: until === null ? null : day(until),
    });
    expect(requiredVersion([])).toBeNull();
    expect(requiredVersion([stretch(1, "major", 0, 4)])).toBeNull();
    expect(requiredVersion([stretch(1, "minor", 0, null)])).toEqual({ version: 1, from: day(0) });
    expect(requiredVersion([stretch(1, "major", 0, 4), stretch(3, "minor", 4, null)])).toEqual({
      version: 1,
      from: day(0),
    });
    expect(requiredVersion([stretch(1, "major", 0, 4), stretch(2, "major", 4, null)])).toEqual({
      version: 2,
      from: day(4),
    });
    const reopened = [stretch(1, "major", 0, 4), stretch(2, "major", 4, 5), stretch(3, "minor", 5, null)];
    expect(requiredVersion(reopened)).toEqual({ version: 2, from: day(4) });
    expect(requiredVersion([stretch(1, "major", 0, 4), stretch(1, "major", 9, null)])).toEqual({
      version: 1,
      from: day(9),
    });
  });
});

describe("what readers get at once", () => {
  const period = (version: number, from: number, until: number | null) => ({
    version,
    from: day(from),
    until: until === null ? null : day(until),
  });
  const classesOf = (versions: readonly number[], majors: readonly number[]) =>
    withChangeClasses(
      versions.map((version, index) => period(version, index, index + 1)),
      majors,
    ).map(({ changeClass }) => changeClass);

  test("is major when a version saved in between was, published or not", () => {
    expect(classesOf([1, 3], [1, 2])).toEqual(["major", "major"]);
    expect(classesOf([1, 3], [1])).toEqual(["major", "minor"]);
    expect(classesOf([3, 5, 6], [2, 6])).toEqual(["major", "minor", "major"]);
    // a returning version keeps the change class of its first time
    expect(classesOf([1, 3, 3, 4], [2])).toEqual(["minor", "major", "major", "minor"]);
    expect(withChangeClasses([period(2, 0, 4)], [])).toEqual([{ ...period(2, 0, 4), changeClass: "minor" }]);
  });

  test("a confirmation counts when nothing major was saved since what was confirmed", () => {
    const growing = fc
      .uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 })
      .map((versions) => versions.sort((a, b) => a - b));
    fc.assert(
      fc.property(growing, fc.uniqueArray(fc.integer({ min: 1, max: 12 })), (versions, majors) => {
        const last = versions.at(-1) ?? 0;
        const periods = versions.map((version, index) => period(version, index, version === last ? null : index + 1));
        const run = requiredVersion(withChangeClasses(periods, majors));
        for (const version of versions) {
          const reopened = majors.some((one) => one > version && one <= last);
          expect(run !== null && isConfirmationValid(version, run)).toBe(!reopened);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("when it is due", () => {
  const now = "2026-06-10T23:59:00.000Z";

  test("a number of days after it was asked, the day itself included", () => {
    expect(dueDay("2026-06-03T12:00:00.000Z", 7)).toBe("2026-06-10");
    expect(dueDay("2026-06-03T12:00:00.000Z", null)).toBeNull();
    expect([isOverdue("2026-06-10", now), isOverdue("2026-06-09", now), isOverdue(null, now)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("tells readers who still have to confirm about the last stage that was reached", () => {
    const stage = (dueBy: string | null, dueDays: number | null) => noticeStage(dueBy, dueDays, now);
    expect(stage(null, null)).toBe("requested");
    expect(stage("2026-06-14", 7)).toBe("requested");
    expect(stage("2026-06-13", 7)).toBe("due");
    expect(stage("2026-06-10", 7)).toBe("due");
    expect(stage("2026-06-09", 7)).toBe("overdue");
    // with only three days, the first notice was sent just now
    expect(stage("2026-06-13", 3)).toBe("requested");
    expect(stage("2026-06-09", 3)).toBe("overdue");
  });
});

test("who may ask: who publishes, and the owner who may edit", () => {
  const sop = {
    companyId: "c",
    authorId: "author",
    ownerId: "me",
    teamId: null,
    status: "published",
    restricted: false,
    deletedAt: null,
    published: { version: 1 },
    version: 1,
    grants: [],
    approvers: [],
  };
  const may = (ownerId: string) =>
    roles.filter((role) =>
      mayRequestAcknowledgements(
        { userId: "me", companyId: "c", role, teamIds: [], allow: [], deny: [] },
        { ...sop, ownerId },
      ),
    );
  expect(may("somebody")).toEqual(["system_admin", "company_admin", "admin", "manager"]);
  expect(may("me")).toEqual(["system_admin", "company_admin", "admin", "manager", "editor", "contributor"]);
});

test("an audience includes users by name, by team, and as part of everyone", () => {
  expect(audienceKeys({ userId: "u", teamIds: ["a", "b"] })).toEqual(["everyone", "user:u", "team:a", "team:b"]);
});
