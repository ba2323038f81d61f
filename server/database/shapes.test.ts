/** Each field of each collection, lost or of another kind: the document costs itself, and the check of stored data names it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { editAnswer } from "../../test/ai-answers.ts";
import { startFakeProvider, type FakeProvider } from "../../test/fake-provider.ts";
import { makeCompany } from "../../test/field/damaged-company.ts";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { startServer, type TestServer } from "../../test/server.ts";
import { declarations, type Collections } from "./documents.ts";
import {
  DamagedDocumentError,
  damagedDocumentText,
  type BaseDocument,
  type Collection,
  type Database,
} from "./port.ts";
import type { AnyShape } from "./shape.ts";

type Row = BaseDocument & Record<string, unknown>;
type Rows = Record<string, Row>;

const names = (Object.keys(declarations) as (keyof Collections)[]).filter((name) => declarations[name].shape);
const shapeOf = (name: keyof Collections): AnyShape => declarations[name].shape ?? {};
// the rest of a declaration would keep two documents with one number apart
const plain = Object.fromEntries(names.map((name) => [name, { tenant: false, indexes: [], shape: shapeOf(name) }]));

const eventItem = { sopId: "s", version: 1, number: 1, title: "T", contentHash: "c", before: null };
const place = { path: null, version: 1, mainPath: null, mainVersion: null };
/** Damage inside a field. */
const inside: Partial<Record<(typeof names)[number], Record<string, unknown>[]>> = {
  sops: [{ published: {} }, { grants: [{}] }, { tags: [null] }, { updatedAt: "yesterday" }],
  users: [{ permissions: [{}] }, { teamIds: [1] }],
  approval_requests: [{ approvers: [{}] }],
  comments: [{ mentions: [{ id: "u" }] }],
  repo_events: [
    { items: [eventItem] },
    { items: [{ ...eventItem, after: { ...place, version: "1" } }] },
    { items: [null] },
    { oids: {} },
    { at: "2026-99-01T00:00:00.000Z" },
  ],
};

/** A value of no field's kind. */
const odd = [[]];

describeEachEngine<Rows>("the shape of documents", plain, (open) => {
  let server: TestServer;
  let provider: FakeProvider;
  let db: Database<Rows>;
  const samples = new Map<string, Row>();
  beforeAll(async () => {
    const key = "sk-a-key-of-the-server";
    provider = await startFakeProvider(key);
    provider.answerChat = () => editAnswer("b1", "Close the valve now.");
    const env = { OPENAI_API_KEY: key, OPENAI_MODEL: "small", OPENAI_BASE_URL: provider.url };
    server = await startServer("sqlite", { env, start: "2026-06-01T08:00:00.000Z" });
    await makeCompany(server);
    for (const name of names) {
      const found = (await (server.db.collection(name) as unknown as Collection<Row>).find({})).at(-1);
      if (found) samples.set(name, found);
    }
    db = await open();
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    await provider.stop();
  });

  test("is that of what the server stores", async () => {
    expect([...samples.keys()]).toEqual(names);
    expect(await server.db.damage()).toEqual([]);
  });

  test.each(names)("%s: only the damaged one is lost", async (name) => {
    const { _id, ...rest } = samples.get(name) ?? ({ _id: "" } as Row);
    const stored = db.collection(name) as unknown as Collection<Row>;
    const isOptional = (field: string) => typeof shapeOf(name)[field] !== "function";
    const damaged = Object.keys(rest)
      .flatMap((field) => {
        const { [field]: value, ...others } = rest;
        const flipped = { _id: `${field} flipped`, ...others, [`${field}~`]: value };
        const ofOtherKind = { _id: `${field} of another kind`, ...rest, [field]: odd };
        return isOptional(field) ? [ofOtherKind] : [flipped, ofOtherKind];
      })
      .filter(({ _id: id }) => id !== "bytes of another kind");
    for (const [at, fields] of (inside[name] ?? []).entries())
      damaged.push({ _id: `inside ${at}`, ...rest, ...fields });
    expect(damaged.length).toBeGreaterThan(3);
    await stored.insertMany([{ _id: "a", ...rest }, ...damaged, { _id: "~", ...rest }]);
    expect((await stored.find({}, { sort: { _id: 1 } })).map((one) => one._id)).toEqual(["a", "~"]);
    expect((await stored.find({ _id: { $gt: "a" } }, { sort: { _id: 1 }, limit: 1 })).map((one) => one._id)).toEqual([
      "~",
    ]);
    for (const { _id: id } of damaged) await expect(stored.findOne({ _id: id })).rejects.toThrow(DamagedDocumentError);
    const named = (await db.damage()).filter((line) => line.endsWith(` of ${name}: it can't be read`));
    expect(named.sort()).toEqual(damaged.map((one) => damagedDocumentText(name, one._id)).sort());
  });
});
