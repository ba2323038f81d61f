/**
 * Random writes by people of two companies, each text with links to others. Each version's title has its own word, so the
 * test knows which titles and links a reader may see at that moment.
 */
import { expect, test } from "vitest";
import { visibleVersion } from "#core/permissions/can.ts";
import { count, recordFigure } from "../proof.ts";
import { changeOne, createOne, currentActor, newWord, peopleOfTwoCompanies, randomOf, seed } from "../random-writes.ts";
import type { Random, Written } from "../random-writes.ts";
import { describeServer, type TestServer, type TestUser } from "../server.ts";

const operations = count({ usual: 80, proof: 3_000 });
const roles = ["company_admin", "manager", "editor", "reviewer", "contributor", "viewer"] as const;

interface World {
  people: TestUser[];
  sops: Written[];
  /** `<sop> <version>` → the numbers it links. */
  linked: Map<string, Set<string>>;
  words: string[];
}

const numberOf = (index: number) => `SOP-${String(index).padStart(4, "0")}`;

async function write(random: Random, { people, sops, linked, words }: World): Promise<void> {
  const by = random.pick(people);
  const own = sops.filter(({ companyId }) => companyId === by.companyId);
  const word = newWord(random);
  words.push(word);
  const to = new Set([1, 2, 3].map(() => numberOf(1 + random.below(own.length + 2))));
  const markdown = `1. Check ${[...to].map((number) => `[${number}](/sop/${number})`).join(" and ")}.\n`;
  const body = { title: `Check the pump ${word}`, description: "For the pump", markdown };
  if (own.length < 3 || random.below(4) === 0) {
    const made = await createOne(random, by, sops, body);
    if (made) linked.set(`${made.id} ${made.version}`, to);
    return;
  }
  const { id } = random.pick(own);
  await changeOne(random, by, id, body, people, (version) => linked.set(`${id} ${version}`, to));
}

/** Every SOP of the company as this user sees it. */
async function seenBy(server: TestServer, user: TestUser) {
  const actor = await currentActor(server, user);
  const sops = await server.db.forCompany(user.companyId).collection("sops").find({});
  return sops.flatMap((sop) => {
    const view = visibleVersion(actor, sop);
    if (view === "nothing") return [];
    const shown = view === "published" && sop.published ? sop.published : sop;
    const versions = [shown.version, ...(sop.published ? [sop.published.version] : [])];
    return [{ id: sop._id, number: numberOf(sop.number), title: shown.title, live: sop.live, versions }];
  });
}

async function read(server: TestServer, random: Random, { people, linked, words }: World): Promise<void> {
  const user = random.pick(people);
  const seen = await seenBy(server, user);
  if (seen.length === 0) return;
  const one = random.pick(seen);
  const about = { seed, role: user.role, number: one.number };
  const titles = new Map(seen.map(({ number, title }) => [number, title]));
  const params = { id: one.id };
  const { content } = await user.client.sops.get({ params });
  const shown = [...content.matchAll(/<a href="\/sop\/([^"]+)"[^>]*>([^<]*)<\/a>/g)];
  for (const [, number = "", text] of shown)
    expect({ ...about, to: number, text }).toEqual({ ...about, to: number, text: titles.get(number) ?? number });
  const leads = ({ id, versions }: (typeof seen)[number]) =>
    versions.some((version) => linked.get(`${id} ${version}`)?.has(one.number));
  const expected = seen.filter((other) => other.live && other.id !== one.id && leads(other));
  const { data, total } = await user.client.sops.links({ params });
  expect({ ...about, rows: data.map(({ number, title }) => `${number} ${title}`), total }).toEqual({
    ...about,
    rows: expected.map(({ number, title }) => `${number} ${title}`).toSorted(),
    total: expected.length,
  });
  const { body: file } = await user.send({ path: `/api/sops/${one.id}/export?format=md` });
  const periods = await server.db.forCompany(user.companyId).collection("published_periods").find({});
  const known = [one.title, ...periods.map(({ title }) => title)].join(" ");
  const leaked = words.filter((word) => file.includes(word) && !known.includes(word));
  expect({ ...about, leaked }).toEqual({ ...about, leaked: [] });
}

describeServer("links show each user what they can see, and nothing else", (server, engine) => {
  test(`in ${operations} random operations of two companies`, { timeout: 3_600_000 }, async () => {
    const random = randomOf(seed);
    const people = await peopleOfTwoCompanies(server(), roles);
    // links to hidden SOPs would stop publications
    for (const { role, client } of people)
      if (role === "company_admin") await client.company.update({ body: { settings: { textRules: "off" } } });
    const world: World = { people, sops: [], linked: new Map(), words: [] };
    for (let n = 0; n < operations; n++) {
      server().clock.advance(1_000);
      if (random.below(5) < 2) await write(random, world);
      else await read(server(), random, world);
    }
    expect(world.sops.length).toBeGreaterThanOrEqual(3);
    recordFigure({ name: `links: leaks in ${operations} operations, ${engine}`, value: 0, unit: "leaks", goal: "= 0" });
  });
});
