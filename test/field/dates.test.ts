/**
 * Each field for a date, in many time zones and shapes of input: accepted without effect 0, another day than meant 0,
 * another day in a view or file 0. A usual run has a few zones, `bench field:dates` has 40.
 */
import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { newId } from "#core/ids.ts";
import { exportDocumentOfSop, type ExportedSop } from "#core/export/of-sop.ts";
import { controlBlockRows } from "#core/export/document.ts";
import { notificationSentence } from "#core/notifications/texts.ts";
import { count, recordFigure } from "../proof.ts";
import { json, startServer, type TestServer, type TestUser } from "../server.ts";
import { day, shapes } from "./date-shapes.ts";
import { zones } from "./zones.ts";

const before = process.env["TZ"];
afterEach(() => {
  if (before === undefined) delete process.env["TZ"];
  else process.env["TZ"] = before;
});

const tried = { inputs: 0, ignored: 0, wrongDay: 0, shown: 0, wrongShown: 0 };
afterAll(() => {
  recordFigure({
    name: "dates accepted without effect",
    value: tried.ignored,
    unit: `of ${tried.inputs}`,
    goal: "= 0",
  });
  recordFigure({
    name: "dates with another day than meant",
    value: tried.wrongDay,
    unit: `of ${tried.inputs}`,
    goal: "= 0",
  });
  recordFigure({
    name: "other days in views and files",
    value: tried.wrongShown,
    unit: `of ${tried.shown}`,
    goal: "= 0",
  });
});

const text = { title: "Valve", description: "How", markdown: "## Steps\n\n1. Close it\n" };
type Answer = Record<string, unknown>;
/** Sends an input and tells the day that it set; null: none. Throws where it is refused. */
type Field = (boss: TestUser, id: string, input: unknown) => Promise<unknown>;

async function send(user: TestUser, method: string, path: string, body: unknown): Promise<Answer> {
  const answer = await user.send({ method, path, headers: json, body: JSON.stringify(body) });
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.body}`);
  return answer.json() as Answer;
}
const at = (value: unknown) => (typeof value === "string" ? value.slice(0, 10) : null);
const effective = (sop: Answer) => (sop["control"] as Answer)["effective"];
const scheduled = (sop: Answer) => at((sop["scheduled"] as Answer | null)?.["effectiveAt"]);

const fields: Record<string, Field> = {
  "create.effectiveAt": async (boss, _, effectiveAt) =>
    scheduled(await send(boss, "POST", "/api/sops", { ...text, status: "published", effectiveAt })),
  "create.reviewBy": async (boss, _, reviewBy) =>
    (await send(boss, "POST", "/api/sops", { ...text, reviewBy }))["reviewBy"],
  "update.effectiveAt": async (boss, id, effectiveAt) =>
    effective(await send(boss, "PUT", `/api/sops/${id}`, { effectiveAt })),
  "update.reviewBy": async (boss, id, reviewBy) =>
    (await send(boss, "PUT", `/api/sops/${id}`, { reviewBy }))["reviewBy"],
  "publish.effectiveAt": async (boss, id, effectiveAt) =>
    scheduled(await send(boss, "POST", `/api/sops/${id}/publish`, { effectiveAt })),
  "requestApproval.effectiveAt": async (boss, id, effectiveAt) => {
    const approverIds = [other.id];
    const request = await send(boss, "POST", `/api/sops/${id}/request-approval`, { approverIds, effectiveAt });
    await send(other, "POST", `/api/approvals/${String(request["id"])}/approve`, {});
    return scheduled(await send(boss, "GET", `/api/sops/${id}`, undefined));
  },
  "review.reviewBy": async (boss, id, reviewBy) => {
    await boss.client.sops.publish({ params: { id } });
    return (await send(boss, "POST", `/api/sops/${id}/review`, { verdict: "keep", reviewBy }))["reviewBy"];
  },
  "check.effectiveAt": async (boss, _, effectiveAt) => {
    // a review on the day itself is a fault, so the day was read
    const { findings } = await send(boss, "POST", "/api/sops/check", { ...text, effectiveAt, reviewBy: day });
    return (findings as { rule: string }[]).some(({ rule }) => rule === "meta/dates") ? day : null;
  },
  "check.reviewBy": async (boss, _, reviewBy) => {
    const { findings } = await send(boss, "POST", "/api/sops/check", { ...text, effectiveAt: day, reviewBy });
    return (findings as { rule: string }[]).some(({ rule }) => rule === "meta/dates") ? day : null;
  },
  // an import keeps what is no date under another key, and says so
  "import.effective": imported("effective", effective),
  "import.review_by": imported("review_by", (sop) => sop["reviewBy"]),
};

function imported(key: string, of: (sop: Answer) => unknown): Field {
  return async (boss, _, input) => {
    const file = `---\ntitle: Valve ${newId()}\ndescription: D\n${key}: ${JSON.stringify(input)}\n---\n\nOne\n`;
    const sha256 = createHash("sha256").update(file).digest("hex");
    const documents = [{ path: `${newId()}.md`, text: file, sha256 }];
    const { results } = await boss.client.sops.import({ body: { importId: newId(), documents } });
    if (results[0]?.notes.some(({ message }) => message.includes(key)) === true) throw new Error("named in a note");
    return of(await send(boss, "GET", `/api/sops/${results[0]?.id ?? ""}`, undefined));
  };
}

let other: TestUser;

describe("dates", () => {
  let running: TestServer;
  beforeAll(async () => {
    running = await startServer("sqlite");
  });
  afterAll(() => running.stop());
  const server = () => running;

  for (const zone of zones.slice(0, count({ usual: 3, nightly: 12, proof: zones.length }))) {
    test(`mean one day in each field, or are refused: ${zone}`, async () => {
      process.env["TZ"] = zone;
      const company = await server().company();
      const boss = await company.user("company_admin");
      await company.set({ maxSOPs: 10_000 });
      other = await company.user("manager");
      const faults: unknown[] = [];
      for (const [name, set] of Object.entries(fields)) {
        for (const [input, means] of shapes) {
          const { id } = await boss.client.sops.create({ body: text });
          const got = await set(boss, id, input).catch((error: unknown) => {
            if (/^400 |named in a note/.test((error as Error).message)) return "refused";
            throw error;
          });
          tried.inputs += 1;
          if (got === "refused" || got === means) continue;
          if (got === null || got === undefined || means === null) tried.ignored += 1;
          else tried.wrongDay += 1;
          faults.push([name, input, got]);
        }
        const { id } = await boss.client.sops.create({ body: text });
        expect([name, await set(boss, id, day)]).toEqual([name, day]);
      }
      expect(faults).toEqual([]);
    });

    test(`show the same day in views and files: ${zone}`, async () => {
      process.env["TZ"] = zone;
      vi.resetModules();
      const screen = await import("../../web/ui/time.ts");
      const versions = await import("../../web/sops/history/version-texts.ts");
      const boss = await (await server().company()).user("company_admin");
      const { clock } = server();
      const body = { ...text, status: "published" as const, effectiveAt: "2020-03-01", reviewBy: day };
      const { id } = await boss.client.sops.create({ body });
      const sop = await boss.client.sops.get({ params: { id } });
      const exported = await boss.send({ path: `/api/sops/${id}/export?format=json`, headers: json });
      const facts = new Map(controlBlockRows(exportDocumentOfSop(exported.json() as ExportedSop)));
      const html = (await boss.send({ path: `/api/sops/${id}/export?format=html`, headers: json })).body;
      const today = clock.now().slice(0, 10);
      for (const time of ["T00:00:00.000Z", "T00:00:01.000Z", "T12:00:00.000Z", "T23:59:59.999Z"]) {
        same(`2026-09-27${time}`, screen.dateText(`2026-09-27${time}`), "Sep 27, 2026");
      }
      const utc = (at: string) => (new Date(at).getTimezoneOffset() === 0 ? "" : " (UTC)");
      same("published", versions.publishedOn(sop), screen.dateText(today) + utc(today));
      same("effective", versions.effectiveDay(sop), `Mar 1, 2020${utc("2020-03-01")}, before its publication`);
      const period = { from: "2026-09-27T00:00:00.000Z", until: "2026-10-04T00:00:00.000Z" };
      same("period", versions.periodText(period), `Published Sep 27, 2026 – Oct 4, 2026${utc("2026-10-04")}`);
      same("review", screen.dateText(sop.reviewBy ?? ""), "Oct 1, 2031");
      same("near", screen.boundaryText("2026-09-27", "month").startsWith("Sep 27"), true);
      same("file: published", facts.get("Published"), paper(today));
      same("file: effective", facts.get("Effective date"), "1 Mar 2020, before its publication");
      same("file: time zone", facts.get("Time zone"), "UTC");
      same("file: review", facts.get("Next review"), "1 Oct 2031");
      same("file: written by", facts.get("Written by")?.split(", ").at(-1), paper(today));
      same("HTML", html.includes("1 Oct 2031") && html.includes(paper(today)), true);
      for (const dueAt of ["2026-09-27", "2026-09-27T00:00:00.000Z"]) {
        const about = { id, number: "SOP-0001", title: "Valve" };
        const notice = { kind: "acknowledgement_due", actor: null, sop: about, detail: { dueAt } } as const;
        same("email", notificationSentence(notice).text.includes("Sep 27, 2026"), true);
      }
      same("moment", / (?:[A-Z]{3,4})(?:[+-][\d:]+)?$/.test(screen.dateTimeText("2026-09-27T00:30:00.000Z")), true);
      same("boundary", screen.boundaryText("2026-09-27"), `Sep 27, 2026${utc("2026-09-27")}`);
    });
  }
});

function same(what: string, shown: unknown, expected: unknown): void {
  tried.shown += 1;
  if (shown !== expected) tried.wrongShown += 1;
  expect([what, shown]).toEqual([what, expected]);
}

function paper(iso: string): string {
  const [year, month, date] = iso.split("-").map(Number);
  const names = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
  return `${date} ${names[(month ?? 1) - 1]} ${year}`;
}
