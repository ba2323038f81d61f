import { expect, test } from "vitest";
import { newId } from "#core/ids.ts";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { createDatabaseBlobs } from "../blobs/in-database.ts";
import { declarations, type Collections, type SopVersionDocument } from "../database/documents.ts";
import { createDatabaseLedger } from "./database-ledger.ts";

const version = (sopId: string, number: number): SopVersionDocument => ({
  _id: newId(),
  companyId: "c",
  sopId,
  version: number,
  title: "T",
  description: "D",
  markdown: `Text ${number}\n`,
  frontMatter: { title: "T", version: number },
  assets: [],
  assetPlaces: [],
  contentHash: "",
  textMarks: [],
  changedBy: "u",
  changedByName: "U",
  changeNote: null,
  changeClass: "major",
  restores: null,
  repoSeq: 1,
  createdAt: "2026-06-01T08:00:00.000Z",
});

describeEachEngine<Collections>("the ledger in the database", declarations, (open) => {
  test("returns any number of files in the requested order, and null for missing ones", async () => {
    const db = await open();
    // more than SQLite takes in one expression
    const numbers = Array.from({ length: 1_200 }, (_, index) => index + 1);
    await db.collection("sop_versions").insertMany(numbers.map((number) => version("s", number)));
    const wanted = [...numbers.toReversed(), 9_999].map((number) => ({ sopId: "s", version: number }));
    const files = await createDatabaseLedger(db, createDatabaseBlobs(db)).files("c", wanted);
    expect(files.length).toBe(wanted.length);
    expect(files.at(-1)).toBeNull();
    const text = (index: number) => new TextDecoder().decode(files[index] ?? new Uint8Array());
    expect([text(0), text(1_199)].map((file) => file.split("---\n").at(-1)?.trim())).toEqual(["Text 1200", "Text 1"]);
    expect(
      await createDatabaseLedger(db, createDatabaseBlobs(db)).files("other", [{ sopId: "s", version: 1 }]),
    ).toEqual([null]);
  });
});
