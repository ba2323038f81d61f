import { afterEach, expect, test } from "vitest";
import { spokenText } from "../language/catalog.ts";
import { english, setSpokenLanguage } from "../language/spoken.ts";
import { notificationKinds } from "./kinds.ts";
import { notificationSentence } from "./texts.ts";

afterEach(() => setSpokenLanguage(english));

const title = "SOP-0198 is approved”. “SOP-0001” was published";
const facts = { actor: "Ada", sop: { id: "1", number: "SOP-0007", title }, detail: {} };

test("an email has each title in quotes, which the title can't end; a screen has it as it is", () => {
  for (const kind of Object.keys(notificationKinds) as (keyof typeof notificationKinds)[]) {
    const onScreen = notificationSentence({ ...facts, kind }).text;
    const shown = onScreen.includes("SOP-0007");
    expect([kind, onScreen.includes(`SOP-0007 ${title}`)]).toEqual([kind, shown]);
    const quoted = `SOP-0007 “${title.replace(/[“”]/g, '"')}”`;
    expect([kind, notificationSentence({ ...facts, kind }, true).text]).toEqual([
      kind,
      onScreen.replace(`SOP-0007 ${title}`, quoted),
    ]);
  }
  expect(notificationSentence({ ...facts, kind: "published", sop: null }, true).text).toBe("Ada published an SOP");
});

test("each notification names the time zone of its days", () => {
  const detail = { reviewBy: "2026-08-01", dueAt: "2026-08-01", overdue: 1 };
  for (const kind of ["review_due", "review_overdue", "acknowledgement_requested", "acknowledgement_due"] as const) {
    for (const inEmail of [true, false])
      expect(notificationSentence({ ...facts, kind, detail }, inEmail).text).toMatch(
        / (?:by|since) Aug 1, 2026 \(UTC\)$/,
      );
  }
});

test("a client says a notification in its language, with its days and the SOP that the reader can't see", () => {
  const detail = { reviewBy: "2026-08-01" };
  const sentence = notificationSentence({ kind: "review_overdue", actor: null, sop: null, detail });
  const texts = {
    review_overdue_day: "Seit {day} ist die Prüfung überfällig: {what}",
    some_sop: "eine SOP",
    day: "{day} (UTC)",
  };
  setSpokenLanguage({ code: "de", texts: { "core.notifications": texts } });
  expect(spokenText(JSON.parse(JSON.stringify(sentence)) as typeof sentence)).toBe(
    "Seit 1. Aug. 2026 (UTC) ist die Prüfung überfällig: eine SOP",
  );
});
