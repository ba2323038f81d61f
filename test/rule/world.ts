/** The records and the people of the random attempts. */
import type { ApprovalRule } from "#core/companies/settings.ts";
import type { TestServer, TestUser } from "../server.ts";

export interface Policy {
  strict: boolean;
  rule: ApprovalRule;
}

/** A user with an access token for the `sop` command. */
export type Person = TestUser & { token: string };

export interface World {
  server: TestServer;
  /** A person of each role, from most to least permissions. */
  people: readonly Person[];
  admin: TestUser;
  /** The categories. Null: SOPs without a category, for which only the company's policy counts. */
  categoryIds: readonly (string | null)[];
  sopIds: string[];
  /** A random integer below `below`. */
  roll(below: number): number;
  /** The policies of each category since the last check. Those of the company are under null. */
  policies: Map<string | null, Policy[]>;
  company: Policy[];
}

export type Attempt = (world: World) => Promise<unknown>;

export function pick<T>({ roll }: Pick<World, "roll">, from: readonly T[]): T {
  const one = from[roll(from.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
}

/** A person who can publish or approve by default. Without them, lives make no progress. */
export const pickMember = (world: World): Person => pick(world, world.people.slice(1, 6));
export const changedText = ({ roll }: World): string => `Text ${roll(1_000_000)}.\n`;

/** A pending request, and a person for whom it waits. */
export async function waiting({ server, roll, people }: World) {
  const requests = await server.db
    .forCompany(people[0]?.companyId ?? "")
    .collection("approval_requests")
    .find({ status: "pending" });
  const request = requests[roll(Math.max(1, requests.length))];
  return request && { request, user: people.find(({ id }) => id === request.waitingFor[0]) };
}

/** Chooses approvers: usually people who can decide about this SOP, otherwise any people. @returns their ids */
export async function someApprovers(world: World, { client }: Person, sopId: string): Promise<string[]> {
  const { people } = world.roll(4) === 0 ? world : await client.approvals.candidates({ params: { id: sopId } });
  const chosen = people.filter((one) => (!("eligible" in one) || one.eligible) && world.roll(3) > 0);
  return chosen.map(({ id }) => id);
}
