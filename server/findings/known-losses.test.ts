import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFoundingEvent } from "#core/repository/event.ts";
import { systemClock } from "#core/clock.ts";
import { declarations, type Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { openSqlite } from "../database/sqlite/open.ts";
import { readKeyring } from "../keys/keyring.ts";
import { removeRecoveredLosses } from "../integrity/end-losses.ts";
import { toLossesWithCompanyIds, loadKnownLossLookup, findLossesFault, lossesId, writeLosses } from "./known-losses.ts";

const keysOf = (...names: string[]) =>
  readKeyring({
    appKeys: names.map((name) => `${name}:${Buffer.alloc(32, name).toString("base64url")}`).join(","),
    dataDir: folder,
  });
const folder = mkdtempSync(path.join(tmpdir(), "sopwright-losses-"));
const keys = keysOf("first");
const at = "2026-11-01T00:00:00.000Z";
const event = "company acme: event 0 is missing";
const loss = { at, restoredAt: at, by: "root", missing: ["document x of repo_events: it can't be read"] };
const blobs = { get: async (all: readonly unknown[]) => all.map(() => null) };
let db: Database<Collections>;

beforeAll(async () => {
  db = openSqlite<Collections>(folder, declarations);
  await db.prepare();
});
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("known losses", () => {
  test("are gaps alone, never what differs", async () => {
    const altered = [
      "version 1 of SOP x: its text doesn't match its hash",
      `file ${"0".repeat(64)} of company acme: its bytes don't match its hash`,
      "acme: row 3 is not what its hash says",
      "version 1 of SOP x: it differs from the SOP",
      "document x of sops: it can't be read",
    ];
    expect(await toLossesWithCompanyIds(db, [event, ...altered])).toEqual([event]);
  });

  test("are known by the signature of an own key alone", async () => {
    await writeLosses(db, [{ ...loss, findings: [event] }], { keys, at });
    const isKnown = async (ring = keys) => (await loadKnownLossLookup(db, ring))(event) !== null;
    expect([await isKnown(), await findLossesFault(db, keys)]).toEqual([true, []]);
    const other = keysOf("other");
    expect([await isKnown(other), (await findLossesFault(db, other)).length]).toEqual([false, 1]);
    const { value = "" } = (await db.collection("system").findOne({ _id: lossesId })) ?? {};
    const forgeries = [
      value.replace("event 0", "event 1"),
      value.replace('"by":"root"', '"by":"ada"'),
      value.replace('"losses":', '"more":1,"losses":'),
      JSON.stringify([{ ...loss, findings: [event] }]),
      "no record",
    ];
    for (const forged of forgeries) {
      await db.collection("system").updateOne({ _id: lossesId }, { $set: { value: forged } });
      expect([forged, await isKnown(), (await findLossesFault(db, keys)).length]).toEqual([forged, false, 1]);
      // nor does the server sign it
      await removeRecoveredLosses({ db, blobs, clock: systemClock, keys });
      expect((await findLossesFault(db, keys)).length).toBe(1);
    }
  });

  test("end when the thing is there again, and the rest follows a rotation", async () => {
    const row = "acme: rows 3 to 4 are missing";
    await writeLosses(db, [{ ...loss, findings: [event, row] }], { keys, at });
    const rotated = keysOf("second", "first");
    await removeRecoveredLosses({ db, blobs, clock: systemClock, keys: rotated });
    const later = keysOf("second");
    const lines = async () => {
      const isKnown = await loadKnownLossLookup(db, later);
      return [event, row].filter((line) => isKnown(line) !== null);
    };
    expect(await lines()).toEqual([event, row]);
    const back = createFoundingEvent({ id: "acme", name: "Acme" }, [], at);
    await db.collection("repo_events").insertOne(back);
    await removeRecoveredLosses({ db, blobs, clock: systemClock, keys: later });
    await db.collection("repo_events").deleteOne({ _id: back._id });
    expect(await lines()).toEqual([row]);
  });
});
