import { expect, test } from "vitest";
import { isAboutLatest, notificationKinds, type NotificationKind } from "./kinds.ts";
import { notificationLink, notificationText } from "./texts.ts";

const sop = { id: "s1", number: "SOP-0042", title: "lock out the press" };
const kinds = Object.keys(notificationKinds) as NotificationKind[];
const text = (kind: NotificationKind, detail = {}, actor: string | null = "Ada") =>
  notificationText({ kind, actor, sop, detail });

test.each(kinds.filter((kind) => kind !== "user_renamed"))(
  "%s is one sentence that names the SOP, or none when it is out of sight",
  (kind) => {
    for (const actor of ["Ada", null]) {
      const seen = notificationText({ kind, actor, sop, detail: { version: 3 } });
      expect(seen).toMatch(/^[A-Z].*lock out the press/);
      expect(seen).toContain("SOP-0042");
      expect(seen).not.toMatch(/[.\n]$|undefined|null|\b3\b/);
      const unseen = notificationText({ kind, actor, sop: null, detail: { version: 3 } });
      expect(unseen.toLowerCase()).toContain("an sop");
      expect(unseen).not.toContain("42");
    }
  },
);

test("a rename names both names and the username, and leads to the users", () => {
  const detail = { from: "Ada", username: "ada", name: "Eve" };
  expect(text("user_renamed", detail)).toBe("Ada (ada) is named Eve now");
  expect(notificationLink({ kind: "user_renamed", sop: null, detail })).toBe("/admin/users");
});

test("days, names and what is late stand in it when they are known", () => {
  const at = { reviewBy: "2026-08-01", dueAt: "2026-08-02T10:00:00.000Z", name: "Bob" };
  expect([
    text("review_due", at, null),
    text("review_overdue", at, null),
    text("acknowledgement_requested", at),
    text("acknowledgement_due", at, null),
    text("acknowledgement_due", { ...at, overdue: 1 }, null),
    text("approver_unavailable", at, null),
    text("published", {}, null),
    text("published"),
  ]).toEqual([
    "SOP-0042 lock out the press is due for review by Aug 1, 2026",
    "The review of SOP-0042 lock out the press is overdue since Aug 1, 2026",
    "Ada asks you to confirm that you have read SOP-0042 lock out the press, by Aug 2, 2026",
    "Confirm that you have read SOP-0042 lock out the press, by Aug 2, 2026",
    "Your confirmation that you have read SOP-0042 lock out the press is overdue since Aug 2, 2026",
    "Bob can no longer approve SOP-0042 lock out the press. Choose someone else",
    "SOP-0042 lock out the press is published now",
    "Ada published SOP-0042 lock out the press",
  ]);
});

test("a link leads to the SOP, or to the comment; what is out of sight has none", () => {
  expect(notificationLink({ sop, detail: {} })).toBe("/sop/s1");
  expect(notificationLink({ sop, detail: { commentId: "c7" } })).toBe("/sop/s1#comment-c7");
  expect(notificationLink({ sop: null, detail: { commentId: "c7" } })).toBeNull();
});

test("tells readers of the published version about that version", () => {
  const published = { published: { version: 2 } };
  const about = (kind: NotificationKind, detail: Record<string, string | number>) =>
    isAboutLatest(kind, detail, published);
  expect([about("published", { version: 2 }), about("published", { version: 3 })]).toEqual([false, true]);
  expect([
    about("comment", { version: 2, audience: "readers" }),
    about("comment", { version: 2, audience: "head" }),
  ]).toEqual([false, true]);
  // a request about the published version is not about the latest one: its approvers can read that version
  expect([about("approval_requested", { version: 2 }), about("approval_requested", { version: 3 })]).toEqual([
    false,
    true,
  ]);
  expect([about("approval_requested", {}), about("published", {})]).toEqual([true, false]);
  expect(isAboutLatest("published", { version: 1 }, { published: null })).toBe(true);
});
