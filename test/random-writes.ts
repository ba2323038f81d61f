/**
 * Random changes by people of several companies. Tests compare every answer with the versions that its reader may see.
 */
import type { Actor } from "#core/permissions/actor.ts";
import type { Role } from "#core/permissions/roles.ts";
import { actorOf } from "../server/http/identify.ts";
import type { TestServer, TestUser } from "./server.ts";

/** The seed of the run. To repeat a failed run, set `SOP_SEED` to the seed that it printed. */
export const seed = Number(process.env["SOP_SEED"] ?? Date.now() % 100_000);

export function randomOf(start: number) {
  let state = start + 1;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor(((state >>> 8) / 0x800000) * limit);
  };
  const pick = <T>(from: readonly T[]): T => {
    const one = from[below(from.length)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  };
  return { below, pick };
}

export type Random = ReturnType<typeof randomOf>;

/** A new word that no text has. */
export const newWord = (random: Random) =>
  Array.from({ length: 5 }, () => random.pick([..."bdfgklmnprtvz"]) + random.pick([..."aiou"])).join("");

export interface Written {
  id: string;
  companyId: string;
}

export interface Text {
  title: string;
  description: string;
  markdown: string;
  tags?: string[];
}

export async function peopleOfTwoCompanies(server: TestServer, roles: readonly Role[]): Promise<TestUser[]> {
  const people: TestUser[] = [];
  for (const company of [await server.company(), await server.company()]) {
    for (const role of roles) people.push(await company.user(role));
  }
  return people;
}

/** @returns the version with the text; null for a refusal, which is expected for some authors */
export async function createOne(
  random: Random,
  by: TestUser,
  sops: Written[],
  body: Text,
): Promise<{ id: string; version: number } | null> {
  const status = random.pick(["draft", "published"] as const);
  const made = await by.client.sops.create({ body: { ...body, status } }).catch(() => null);
  if (made) sops.push({ id: made.id, companyId: by.companyId });
  return made;
}

/** @param saved called with the version that now has the text, if the change wrote one */
export async function changeOne(
  random: Random,
  by: TestUser,
  id: string,
  body: Text,
  people: readonly TestUser[],
  saved: (version: number) => void,
): Promise<void> {
  const params = { id };
  const reader = random.pick(people.filter(({ companyId }) => companyId === by.companyId));
  const publish = () => by.client.sops.publish({ params, body: {} });
  const deeds: (() => Promise<unknown>)[] = [
    async () => saved((await by.client.sops.update({ params, body })).version),
    publish,
    publish,
    () => by.client.sops.unpublish({ params, body: {} }),
    () => by.client.sops.archive({ params, body: {} }),
    () => by.client.sops.unarchive({ params, body: {} }),
    () => by.client.sops.remove({ params }),
    () => by.client.sops.undelete({ params }),
    () => by.client.sops.restrict({ params, body: { restricted: random.below(2) === 0 } }),
    () => by.client.sops.grant({ params, body: { userId: reader.id, permission: "read" } }),
  ];
  await random
    .pick(deeds)()
    .catch(() => undefined);
}

/** The user's permissions as the server sees them at this moment. */
export async function currentActor({ db, clock }: TestServer, { id, companyId }: TestUser): Promise<Actor> {
  const [person, company] = await Promise.all([
    db.collection("users").findOne({ _id: id }),
    db.collection("companies").findOne({ _id: companyId }),
  ]);
  if (!person || !company) throw new Error("both were made");
  return actorOf(person, company, clock.now());
}
