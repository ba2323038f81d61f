/** The tamper proof (issue figure): every change of signed data is found. `SOP_PROOF=1` tries 1,000 alterations. */
import { describe, expect, test } from "vitest";
import { count } from "./proof.ts";
import {
  alterLog,
  editField,
  exportLog,
  makeKeys,
  makeLog,
  rehash,
  seeded,
  tamper,
  verifyExport,
  verifyLog,
} from "./audit-tamper.ts";

const times = count({ usual: 150, proof: 1_000 });

test(`${times} random alterations at or before the last checkpoint: all found and named`, () => {
  const { tried, found, named, missed } = tamper(times, 20_261_121);
  expect(missed).toEqual([]);
  expect([tried, found, named]).toEqual([times, times, times]);
});

describe("an untouched log", () => {
  const keys = makeKeys();
  const log = makeLog(100, 32, keys);

  test("finds a sound log sound, and says what no signature covers", () => {
    const report = verifyLog(log, keys);
    expect(report).toMatchObject({ ok: true, rows: 100, seq: 100, anchoredTo: 96, findings: [] });
    expect(report.notes).toEqual([
      { verdict: "NOT_ANCHORED", seq: 97, message: expect.stringContaining("rows 97 to 100 are not anchored yet") },
    ]);
  });

  test("is anchored whole once exported, with or without the key at hand", () => {
    const lines = exportLog(log, keys);
    for (const trusted of [[keys.publicKeyPem], []]) {
      expect(verifyExport(lines, trusted)).toMatchObject({ ok: true, anchoredTo: 100, notes: [], findings: [] });
    }
    expect(() => verifyExport(lines.slice(1), [])).toThrow("isn't an exported audit log");
    expect(() => verifyExport([], [])).toThrow("isn't an exported audit log");
  });

  test("does not trust a signature of another key", () => {
    const [other] = [makeKeys()];
    const report = verifyExport(exportLog(log, keys), [other.publicKeyPem]);
    expect(report.ok).toBe(false);
    expect(new Set(report.findings.map(({ verdict }) => verdict))).toEqual(new Set(["BAD_SIGNATURE"]));
  });
});

describe("what lies after the last checkpoint", () => {
  const keys = makeKeys();

  test("can be rewritten by a forger, and is said to be not anchored", () => {
    const random = seeded(7);
    for (let round = 0; round < 30; round++) {
      const log = makeLog(80, 32, keys);
      const index = 64 + random(16);
      editField(log.rows[index]?.payload as unknown as Record<string, unknown>, random);
      rehash(log, index);
      const report = verifyLog(log, keys);
      expect(report).toMatchObject({ ok: true, anchoredTo: 64 });
      expect(report.notes).toEqual([
        {
          verdict: "NOT_ANCHORED",
          seq: 65,
          message: "rows 65 to 80 are not anchored yet: no signature vouches for them",
        },
      ]);
    }
  });

  test("is found by a checkpoint that was kept elsewhere", () => {
    const log = makeLog(96, 32, keys);
    const kept = log.checkpoints.pop();
    expect(alterLog(log, 64, () => 3)).toMatchObject({ what: "truncate to 3 rows" });
    expect(verifyLog({ ...log, checkpoints: [] }, keys).ok).toBe(true);
    expect(
      verifyLog({ ...log, checkpoints: kept ? [{ ...kept, prevCheckpointHash: null }] : [] }, keys).findings,
    ).toEqual(expect.arrayContaining([expect.objectContaining({ verdict: "BAD_SIGNATURE", seq: 96 })]));
  });
});

test("a payload can be erased when a row tells of it, and not otherwise", () => {
  const keys = makeKeys();
  const log = makeLog(64, 32, keys);
  const [victim] = log.rows;
  if (!victim) throw new Error("the log is empty");
  Object.assign(victim, { salt: null, payload: null });
  expect(verifyLog(log, keys).findings).toMatchObject([{ verdict: "PAYLOAD_MISMATCH", seq: 1 }]);
  const last = structuredClone(log.rows.at(-1)!);
  Object.assign(last.row, { action: "audit.redacted", entityId: victim.row.id });
  log.rows.push(last);
  rehash(log, 64);
  const report = verifyLog(log, keys);
  expect(report).toMatchObject({ ok: true, findings: [] });
  expect(report.notes.map(({ verdict }) => verdict)).toEqual(["REDACTED", "NOT_ANCHORED"]);
});
