import { expect, test } from "vitest";
import { notificationKinds } from "./kinds.ts";
import { notificationText } from "./texts.ts";

const title = "SOP-0198 is approved”. “SOP-0001” was published";
const facts = { actor: "Ada", sop: { id: "1", number: "SOP-0007", title }, detail: {} };

test("an email has each title in quotes, which the title can't end; a screen has it as it is", () => {
  for (const kind of Object.keys(notificationKinds) as (keyof typeof notificationKinds)[]) {
    const onScreen = notificationText({ ...facts, kind });
    const shown = onScreen.includes("SOP-0007");
    expect([kind, onScreen.includes(`SOP-0007 ${title}`)]).toEqual([kind, shown]);
    const quoted = `SOP-0007 “${title.replace(/[“”]/g, '"')}”`;
    expect([kind, notificationText({ ...facts, kind }, true)]).toEqual([
      kind,
      onScreen.replace(`SOP-0007 ${title}`, quoted),
    ]);
  }
  expect(notificationText({ ...facts, kind: "published", sop: null }, true)).toBe("Ada published an SOP");
});

test("an email names the time zone of its days", () => {
  const detail = { reviewBy: "2026-08-01", dueAt: "2026-08-01", overdue: 1 };
  for (const kind of ["review_due", "review_overdue", "acknowledgement_requested", "acknowledgement_due"] as const) {
    expect(notificationText({ ...facts, kind, detail }, true)).toMatch(/ (?:by|since) Aug 1, 2026 \(UTC\)$/);
    expect(notificationText({ ...facts, kind, detail })).toMatch(/ (?:by|since) Aug 1, 2026$/);
  }
});
