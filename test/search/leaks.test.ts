/**
 * Random writes and searches by people of two companies. Each version has its own word, so the test knows what each
 * user may see at that moment. An answer has exactly that.
 */
import { expect, test } from "vitest";
import { mayReadVersion, visibleVersion } from "#core/permissions/can.ts";
import { count, recordFigure } from "../proof.ts";
import { currentActor, changeOne, createOne, newWord, peopleOfTwoCompanies, randomOf, seed } from "../random-writes.ts";
import type { Random, Written } from "../random-writes.ts";
import { describeServer, type TestServer, type TestUser } from "../server.ts";

const operations = count({ usual: 120, proof: 5_000 });
const roles = ["company_admin", "manager", "editor", "reviewer", "contributor", "viewer", "viewer"] as const;
interface World {
  people: TestUser[];
  sops: Written[];
  /** `<sop> <version>` → the word that only it has. */
  words: Map<string, string>;
}

/** Refusals are expected: some people can't write. */
async function write(random: Random, { people, sops, words }: World): Promise<void> {
  const by = random.pick(people);
  const own = sops.filter(({ companyId }) => companyId === by.companyId);
  const word = newWord(random);
  const body = {
    title: `Check the pump ${word}`,
    description: `For ${word}`,
    markdown: `1. Open ${word}.\n`,
    tags: [word],
  };
  if (own.length < 2 || random.below(5) === 0) {
    const made = await createOne(random, by, sops, body);
    if (made) words.set(`${made.id} ${made.version}`, word);
    return;
  }
  const { id } = random.pick(own);
  await changeOne(random, by, id, body, people, (version) => words.set(`${id} ${version}`, word));
}

/** SOP id → the word of the version that this user sees, for every SOP in their lists. */
async function seenBy(server: TestServer, user: TestUser, words: ReadonlyMap<string, string>) {
  const actor = await currentActor(server, user);
  const seen = new Map<string, string>();
  for (const sop of await server.db.forCompany(user.companyId).collection("sops").find({})) {
    const view = visibleVersion(actor, sop);
    if (view === "nothing" || (view === "latest" && !sop.live)) continue;
    const version = view === "published" && sop.published ? sop.published.version : sop.version;
    seen.set(sop._id, words.get(`${sop._id} ${version}`) ?? "");
  }
  return seen;
}

/** An address is made from a title that was published, or that the user can read. */
async function isAddressTold(
  server: TestServer,
  user: TestUser,
  id: string,
  slug: string,
  words: ReadonlyMap<string, string>,
): Promise<boolean> {
  const store = server.db.forCompany(user.companyId);
  const [sop, actor, periods] = await Promise.all([
    store.collection("sops").findOne({ _id: id }),
    currentActor(server, user),
    store.collection("published_periods").find({ sopId: id }),
  ]);
  if (!sop) throw new Error("it was made");
  const once = new Set(periods.map(({ version }) => version));
  return [...words].every(([key, word]) => {
    const [of, version] = key.split(" ");
    if (!slug.includes(word)) return true;
    return of === id && (once.has(Number(version)) || mayReadVersion(actor, sop, Number(version)));
  });
}

async function question(server: TestServer, random: Random, { people, words }: World): Promise<void> {
  const user = random.pick(people);
  const word = words.size === 0 ? "pump" : random.pick([...words.values(), "pump"]);
  const slip = random.below(3) === 0 && word !== "pump" ? `${word.slice(0, 4)}${word.slice(5)}` : word;
  const seen = await seenBy(server, user, words);
  const expected = [...seen].filter(([, own]) => own === word || word === "pump").map(([id]) => id);
  const found = await user.client.search.find({ query: { q: slip, limit: 50, total: "true" } });
  const about = { seed, role: user.role, word, slip };
  expect({ ...about, ids: found.data.map(({ sop }) => sop.id).toSorted() }).toEqual({
    ...about,
    ids: expected.slice(0, 50).toSorted(),
  });
  expect({ ...about, total: found.total }).toEqual({ ...about, total: expected.length });
  expect({ ...about, shown: found.showingFor }).toEqual({
    ...about,
    shown: slip !== word && expected.length > 0 ? word : undefined,
  });
  for (const { sop, title, snippet, step } of found.data) {
    const own = seen.get(sop.id) ?? "";
    const { slug, ...row } = sop;
    const told = `${JSON.stringify(row)} ${title.text} ${snippet.text} ${step?.text}`;
    const foreign = [...words.values()].filter((other) => other !== own && told.includes(other));
    expect({ ...about, foreign }).toEqual({ ...about, foreign: [] });
    expect({ ...about, slug: await isAddressTold(server, user, sop.id, slug, words) }).toEqual({
      ...about,
      slug: true,
    });
  }
  await pages(about, user, slip, found);
  const listed = await user.client.sops.list({ query: { search: word, limit: 200, total: "true" } });
  expect({ ...about, ids: listed.data.map(({ id }) => id).toSorted() }).toEqual({ ...about, ids: expected.toSorted() });
  expect(listed.total).toBe(expected.length);
}

type Found = Awaited<ReturnType<TestUser["client"]["search"]["find"]>>;

/** The same search, one hit per page: the pages have the same hits and correction as the whole. */
async function pages(about: object, user: TestUser, q: string, whole: Found): Promise<void> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 3; page++) {
    const part = await user.client.search.find({ query: { q, limit: 1, ...(cursor === undefined ? {} : { cursor }) } });
    expect({ ...about, page, shown: part.showingFor }).toEqual({ ...about, page, shown: whole.showingFor });
    expect(part.data.map(({ missing }) => missing)).toEqual(
      whole.data.slice(page, page + 1).map(({ missing }) => missing),
    );
    ids.push(...part.data.map(({ sop }) => sop.id));
    cursor = part.nextCursor;
    if (cursor === undefined) break;
  }
  expect({ ...about, ids }).toEqual({ ...about, ids: whole.data.slice(0, ids.length).map(({ sop }) => sop.id) });
  expect(ids).toHaveLength(Math.min(3, whole.data.length));
}

/** Two words, one of them only in a text that the user can't read: no answer shows that it exists. */
async function twoWords(server: TestServer, random: Random, { people, words }: World): Promise<void> {
  const user = random.pick(people);
  const word = random.pick([...words.values()]);
  const seen = await seenBy(server, user, words);
  if ([...seen.values()].includes(word)) return;
  const slip = random.below(2) === 0 ? `${word.slice(0, 4)}${word.slice(5)}` : word;
  const about = { seed, role: user.role, word, slip };
  for (let cursor: string | undefined, page = 0; page < 2; page++) {
    const query = { q: `pump ${slip}`, limit: 1, ...(cursor === undefined ? {} : { cursor }) };
    const found = await user.client.search.find({ query });
    expect({ ...about, page, told: found.showingFor?.includes(word) ?? false }).toEqual({
      ...about,
      page,
      told: false,
    });
    for (const { missing } of found.data) expect({ ...about, missing }).toEqual({ ...about, missing: [slip] });
    cursor = found.nextCursor;
    if (cursor === undefined) break;
  }
}

describeServer("search shows each user what they can see, and nothing else", (server, engine) => {
  test(`in ${operations} random operations of two companies`, { timeout: 3_600_000 }, async () => {
    const random = randomOf(seed);
    const people = await peopleOfTwoCompanies(server(), roles);
    const world: World = { people, sops: [], words: new Map() };
    for (let n = 0; n < operations; n++) {
      server().clock.advance(1_000);
      if (random.below(5) < 2) await write(random, world);
      else if (world.words.size > 0 && random.below(5) === 0) await twoWords(server(), random, world);
      else await question(server(), random, world);
    }
    expect(world.sops.length).toBeGreaterThanOrEqual(3);
    recordFigure({
      name: `search: leaks in ${operations} operations, ${engine}`,
      value: 0,
      unit: "leaks",
      goal: "= 0",
    });
  });
});
