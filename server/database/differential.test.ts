/**
 * Random documents, filters, sorts, projections and updates go to both engines, which must answer alike. SQLite starts
 * empty for every case, since the values it has seen in a field decide how much it leaves to SQL.
 */
import fc from "fast-check";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
// oxlint-disable-next-line no-restricted-imports -- drops the database of the test
import { MongoClient } from "mongodb";
import { openMongo } from "./mongodb/open.ts";
import type { BaseDocument, Collection, Database, Declarations, Filter, FindOptions, Untyped, Update } from "./port.ts";
import { openSqlite } from "./sqlite/open.ts";
import { mongoUri } from "../../test/database/mongo-uri.ts";

interface Thing extends BaseDocument {
  a?: unknown;
  b?: unknown;
  s?: unknown;
  t?: unknown;
  w?: unknown;
  l?: unknown;
  n?: { x?: unknown };
}

const declarations: Declarations<{ things: Thing }> = {
  things: {
    tenant: false,
    indexes: [
      { name: "text", keys: { s: 1, _id: -1 } },
      { name: "number", keys: { b: -1, _id: -1 } },
      { name: "any", keys: { a: 1 } },
      { name: "nested", keys: { "n.x": 1, b: 1 } },
      { name: "one", keys: { b: 1, _id: 1 }, unique: true },
      { name: "flag", keys: { t: 1, s: 1 } },
      { name: "part", keys: { b: 1 }, partial: { s: "a" } },
      { name: "words", keys: { s: 1, w: 1 }, array: "w" },
      { name: "list", keys: { l: 1 }, array: "l" },
    ],
  },
};

/** Raised by `npm run bench -- proof`. */
const runs = Number(process.env["PROOF_RUNS"] ?? 40);

const text = fc.constantFrom(
  "",
  "a",
  "ab",
  "b",
  "B",
  "é",
  "z",
  "🧪",
  "\uFB01",
  "{",
  '{"x":1}',
  "[1]",
  "1",
  "null",
  "it's",
);
const number = fc.constantFrom(-1, 0, 1, 1.5, 2, 10);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const inner = fc.record(
  { x: scalar, y: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })) },
  { requiredKeys: [], noNullPrototype: true },
);

/** Fields of one type, of several types, arrays, objects, arrays of objects; all of them may be missing or null. */
const fields = {
  a: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), inner),
  b: fc.oneof({ weight: 5, arbitrary: number }, { weight: 1, arbitrary: fc.constant(null) }),
  s: fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: fc.constant(null) }),
  t: fc.boolean(),
  w: fc.array(text, { maxLength: 4 }),
  l: fc.oneof({ weight: 4, arbitrary: fc.array(scalar, { maxLength: 4 }) }, { weight: 1, arbitrary: scalar }),
  n: fc.oneof({ weight: 5, arbitrary: inner }, { weight: 1, arbitrary: scalar }),
  o: fc.array(fc.oneof({ weight: 4, arbitrary: inner }, { weight: 1, arbitrary: scalar }), { maxLength: 3 }),
};
const someFields = fc.subarray(Object.keys(fields) as (keyof typeof fields)[], { minLength: 3 });
const documents = someFields.chain((names) => {
  const model = Object.fromEntries(names.map((name) => [name, fields[name]]));
  const document = fc.record(model as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [],
    noNullPrototype: true,
  });
  return fc.array(document, { minLength: 1, maxLength: 12 });
});

const path = fc.constantFrom("a", "b", "s", "t", "w", "l", "n.x", "n.y", "o.x", "o.y", "n", "missing", "b.x");
const comparison = fc.oneof(
  fc.tuple(fc.constantFrom("$eq", "$ne", "$gt", "$gte", "$lt", "$lte"), scalar),
  fc.tuple(fc.constantFrom("$in", "$nin"), fc.array(scalar, { maxLength: 4 })),
);
const existence = fc.tuple(fc.constant("$exists"), fc.boolean());
const upToTwo = (one: fc.Arbitrary<[string, unknown]>) =>
  fc.array(one, { minLength: 1, maxLength: 2 }).map((pairs) => Object.fromEntries(pairs));
const comparisons = upToTwo(comparison);
const operators = upToTwo(fc.oneof({ weight: 2, arbitrary: comparison }, { weight: 1, arbitrary: existence }));
const condition = fc.oneof(
  { weight: 3, arbitrary: scalar as fc.Arbitrary<unknown> },
  { weight: 5, arbitrary: operators },
  { weight: 2, arbitrary: comparisons.map((inside) => ({ $elemMatch: inside })) },
);
const flat: fc.Arbitrary<Untyped> = fc.dictionary(path, condition, { maxKeys: 3, noNullPrototype: true });
/** Alternatives that name one document each by the keys of a unique index; some of them twice, some of them none. */
const documentsByKey: fc.Arbitrary<Untyped> = fc
  .tuple(
    flat,
    fc.array(fc.record({ b: number, _id: fc.integer({ min: 10, max: 20 }) }), { minLength: 1, maxLength: 9 }),
  )
  .map(([beside, keys]) => ({ ...beside, $or: keys.map(({ b, _id }) => ({ b, _id: `d${_id}` })) }));
/** Operands of any type, on fields that hold any. */
const filter = fc.oneof(
  { weight: 3, arbitrary: flat },
  {
    weight: 2,
    arbitrary: fc
      .tuple(flat, fc.constantFrom("$and", "$or", "$nor"), fc.array(flat, { minLength: 1, maxLength: 3 }))
      .map(([beside, key, parts]) => ({ ...beside, [key]: parts })),
  },
  { weight: 1, arbitrary: documentsByKey },
) as fc.Arbitrary<Filter<Thing>>;
const direction = fc.constantFrom<1 | -1>(1, -1);
const options: fc.Arbitrary<FindOptions<Thing>> = fc
  .record({
    by: fc.option(fc.tuple(fc.constantFrom("a", "b", "s", "t", "n.x", "l"), direction), { nil: undefined }),
    last: direction,
    limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    skip: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    projection: fc.constantFrom(
      undefined,
      { s: 1, n: 1 } as const,
      { _id: 0, a: 1 } as const,
      { l: 0, o: 0 } as const,
      { "n.x": 0, "o.y": 0, t: 0 } as const,
      { "n.y": 1, "o.x": 1, b: 1 } as const,
    ),
  })
  .map(({ by, last, limit, skip, projection }) => ({
    sort: { ...(by ? { [by[0]]: by[1] } : {}), _id: last },
    ...(limit === undefined ? {} : { limit }),
    ...(skip === undefined ? {} : { skip }),
    ...(projection ? { projection } : {}),
  }));

const target = fc.constantFrom("a", "b", "s", "t", "w", "l", "n.x", "n.y", "n.z.deep", "fresh", "fresh.inside");
const change = fc.oneof(
  fc.tuple(fc.constant("$set"), target, fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), inner)),
  fc.tuple(fc.constant("$unset"), target, fc.constant("")),
  fc.tuple(fc.constant("$inc"), target, fc.integer({ min: -3, max: 3 })),
  fc.tuple(fc.constant("$addToSet"), target, fc.oneof(scalar, inner)),
  fc.tuple(
    fc.constant("$addToSet"),
    target,
    fc.array(scalar, { maxLength: 3 }).map(($each) => ({ $each })),
  ),
  fc.tuple(
    fc.constant("$pull"),
    target,
    fc.oneof(
      scalar,
      operators.map((x) => ({ x })),
    ),
  ),
  fc.tuple(fc.constant("$max"), target, fc.oneof(text, number)),
  fc.tuple(fc.constant("$setOnInsert"), target, scalar),
) as fc.Arbitrary<[string, string, unknown]>;
const update = fc
  .uniqueArray(change, { minLength: 1, maxLength: 3, selector: ([, at]) => at.split(".")[0] })
  .map((changes) => {
    const grouped: Record<string, Untyped> = {};
    for (const [operator, at, operand] of changes) grouped[operator] = { ...grouped[operator], [at]: operand };
    return grouped;
  }) as fc.Arbitrary<Update<Thing>>;

describe.skipIf(mongoUri() === null)("SQLite answers as MongoDB does (SKIPPED without a MongoDB server)", () => {
  const uri = mongoUri() ?? "";
  const dbName = `differential_${process.pid}_${Date.now().toString(36)}`;
  const folder = mkdtempSync(join(tmpdir(), "sopwright-differential-"));
  let mongo: Promise<Database<{ things: Thing }>> | undefined;
  let cases = 0;

  afterAll(async () => {
    await (await mongo)?.close();
    const client = new MongoClient(uri);
    await client.db(dbName).dropDatabase();
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });

  type Pair = { sqlite: Database<{ things: Thing }>; mongodb: Database<{ things: Thing }> };
  const onBoth = async (given: readonly Record<string, unknown>[], compare: (pair: Pair) => Promise<void>) => {
    mongo ??= openMongo(uri, declarations, { dbName }).then(async (opened) => {
      await opened.prepare();
      return opened;
    });
    const mongodb = await mongo;
    const sqlite = openSqlite(join(folder, `case-${(cases += 1)}`), declarations);
    try {
      await sqlite.prepare();
      const things = given.map((document, index) => ({ _id: `d${index + 10}`, ...document }));
      await mongodb.collection("things").deleteMany({});
      await mongodb.collection("things").insertMany(things);
      await sqlite.collection("things").insertMany(things);
      await compare({ sqlite, mongodb });
    } finally {
      await sqlite.close();
    }
  };
  const everything = (database: Database<{ things: Thing }>) =>
    database.collection("things").find({}, { sort: { _id: 1 } });

  test("to queries", async () => {
    const queries = fc.array(fc.tuple(filter, options), { minLength: 6, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(documents, queries, async (given, asked) => {
        await onBoth(given, async ({ sqlite, mongodb }) => {
          for (const [what, how] of asked) {
            const [ours, theirs] = [sqlite.collection("things"), mongodb.collection("things")];
            const context = `find ${JSON.stringify(what)} ${JSON.stringify(how)}`;
            expect(await ours.find(what, how), context).toEqual(await theirs.find(what, how));
            expect(await ours.countDocuments(what), `count ${context}`).toBe(await theirs.countDocuments(what));
          }
        });
      }),
      { numRuns: runs },
    );
  });

  test("to updates", async () => {
    const write = fc.record({ filter, update, many: fc.boolean(), upsert: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(documents, fc.array(write, { minLength: 3, maxLength: 6 }), async (given, writes) => {
        await onBoth(given, async ({ sqlite, mongodb }) => {
          for (const one of writes) {
            const context = JSON.stringify(one);
            expect(await outcome(sqlite, one), context).toEqual(await outcome(mongodb, one));
            expect(await everything(sqlite), context).toEqual(await everything(mongodb));
          }
        });
      }),
      { numRuns: runs },
    );
  });
});

interface Write {
  filter: Filter<Thing>;
  update: Update<Thing>;
  many: boolean;
  upsert: boolean;
}

/** What a write answers, or the kind of its refusal. Which one of several is updated is left open by MongoDB: the first by id. */
async function outcome(database: Database<{ things: Thing }>, { filter: what, update: how, many, upsert }: Write) {
  try {
    return await database.transaction(async (transaction) => {
      const things: Collection<Thing> = transaction.collection("things");
      if (many) return things.updateMany(what, how);
      if (!upsert) return things.findOneAndUpdate(what, how, { sort: { _id: 1 }, returnDocument: "after" });
      const _id = (await things.findOne(what, { sort: { _id: 1 } }))?._id ?? "upserted";
      return things.updateOne({ _id, ...(_id === "upserted" ? { b: 1, s: "a" } : {}) }, how, { upsert });
    });
  } catch (error) {
    return (error as Error).name;
  }
}
