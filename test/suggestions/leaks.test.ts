/**
 * Random writes, searches and suggestions by people of two companies. Every version has its own words in its title,
 * references, roles and equipment. No answer has one that its user can't read at that moment.
 */
import { expect, test } from "vitest";
import { mayReadVersion, canSeeUnrestrictedLatestVersions, visibleVersion } from "#core/permissions/can.ts";
import { count, recordFigure } from "../proof.ts";
import { currentActor, changeOne, createOne, newWord, peopleOfTwoCompanies, randomOf, seed } from "../random-writes.ts";
import type { Random, Written } from "../random-writes.ts";
import { describeServer, type TestServer, type TestUser } from "../server.ts";

const operations = count({ usual: 40, proof: 5_000 });
const roles = ["company_admin", "manager", "editor", "reviewer", "contributor", "contributor", "viewer"] as const;
const sopsAtMost = 24;

interface World {
  people: TestUser[];
  sops: Written[];
  /** `<sop> <version>` → its words. */
  words: Map<string, readonly string[]>;
  /** Words for roles and equipment that several texts share. */
  shared: readonly string[];
  searched: string[];
  told: number;
}

/** Refusals are expected: some people can't write. */
async function write(random: Random, { people, sops, words, shared }: World): Promise<void> {
  const by = random.pick(people);
  const own = sops.filter(({ companyId }) => companyId === by.companyId);
  const [title, reference, role, thing] = [newWord(random), newWord(random), random.pick(shared), random.pick(shared)];
  const markdown = `## Tools\n\n- ${thing} gauge\n\n## Procedure\n\n1. **${role} warden:** Open it.\n\nSOP _Handle ${reference}_\n`;
  const body = { title: `Check ${title}`, description: `For ${title}`, markdown };
  const all = [title, reference, role, thing];
  if (own.length < 6 || (own.length < sopsAtMost && random.below(5) === 0)) {
    const made = await createOne(random, by, sops, body);
    if (made) words.set(`${made.id} ${made.version}`, all);
    return;
  }
  const { id } = random.pick(own);
  await changeOne(random, by, id, body, people, (version) => words.set(`${id} ${version}`, all));
}

/** Searches without hits: after three people, the words become a suggestion. */
async function search(random: Random, { people, searched }: World): Promise<void> {
  const known = searched.length > 0 && random.below(4) > 0;
  const q = known ? random.pick(searched) : `xy${newWord(random)}`;
  if (!known) searched.push(q);
  await random.pick(people).client.search.find({ query: { q } });
}

async function settle(random: Random, user: TestUser, { sops, words }: World): Promise<void> {
  const list = await user.client.suggestions.list({ query: { status: "all" } });
  if (list.length === 0) return;
  const one = random.pick(list);
  const status = random.pick(["dismissed", "pending", "accepted"] as const);
  const own = sops.filter(({ companyId }) => companyId === user.companyId).length;
  if (status === "accepted" && own >= sopsAtMost) return;
  const answer = await user.client.suggestions
    .setStatus({ params: { id: one.id }, body: { status } })
    .catch(() => null);
  if (answer?.status !== "accepted" || answer.sopId === null || words.has(`${answer.sopId} 1`)) return;
  sops.push({ id: answer.sopId, companyId: user.companyId });
  const said = `${one.title} ${one.description}`.toLowerCase();
  words.set(
    `${answer.sopId} 1`,
    [...new Set([...words.values()].flat())].filter((word) => said.includes(word)),
  );
}

/** The words that this user can now read, and the ids of SOPs that exist for them. */
async function readableBy(server: TestServer, user: TestUser, { words, searched }: World) {
  const actor = await currentActor(server, user);
  const sops = await server.db.forCompany(user.companyId).collection("sops").find({});
  const seen = new Map(sops.filter((sop) => visibleVersion(actor, sop) !== "nothing").map((sop) => [sop._id, sop]));
  const readable = new Set<string>();
  for (const [key, own] of words) {
    const [id = "", version] = key.split(" ");
    const sop = seen.get(id);
    if (sop?.live && mayReadVersion(actor, sop, Number(version))) for (const word of own) readable.add(word);
  }
  if (canSeeUnrestrictedLatestVersions(actor)) for (const word of searched) readable.add(word);
  return { readable, ids: new Set(seen.keys()) };
}

async function question(server: TestServer, random: Random, world: World): Promise<void> {
  const user = random.pick(world.people);
  if (user.role !== "viewer" && user.role !== "reviewer") {
    if (random.below(4) === 0) await settle(random, user, world);
    if (random.below(3) > 0) await user.client.assistant.suggest();
  }
  const list = await user.client.suggestions.list({ query: { status: "all" } });
  const { aiSuggestions } = await user.client.stats.get();
  const about = { seed, role: user.role };
  expect({ ...about, aiSuggestions }).toEqual({
    ...about,
    aiSuggestions: list.filter(({ status }) => status === "pending").length,
  });
  const { readable, ids } = await readableBy(server, user, world);
  const text = JSON.stringify(list).toLowerCase();
  const secret = [...[...world.words.values()].flat(), ...world.searched].filter((word) => !readable.has(word));
  expect({ ...about, leaked: secret.filter((word) => text.includes(word)) }).toEqual({ ...about, leaked: [] });
  const named = list.flatMap(({ evidence, similarTo, sopId }) => [
    ...evidence.map((one) => one.sopId),
    ...similarTo.map((one) => one.sopId),
    sopId,
  ]);
  const foreign = named.filter((id) => id !== null && !ids.has(id));
  expect({ ...about, foreign }).toEqual({ ...about, foreign: [] });
  world.told += list.length;
}

describeServer("suggestions rest on what their asker may see, and on nothing else", (server, engine) => {
  test(`in ${operations} random operations of two companies`, { timeout: 7_200_000 }, async () => {
    const random = randomOf(seed);
    const people = await peopleOfTwoCompanies(server(), roles);
    const shared = Array.from({ length: 4 }, () => newWord(random));
    const world: World = { people, sops: [], words: new Map(), shared, searched: [], told: 0 };
    for (let n = 0; n < operations; n++) {
      server().clock.advance(1_000);
      const kind = random.below(10);
      if (kind < 4) await write(random, world);
      else if (kind < 5) await search(random, world);
      else await question(server(), random, world);
    }
    expect(world.told).toBeGreaterThan(operations / 10);
    const name = `suggestions: leaks in ${operations} operations, ${engine}`;
    recordFigure({ name, value: 0, unit: "leaks", goal: "= 0" });
  });
});
