/** What the random attempts act on, and who acts. */
import type { ApprovalRule } from "#core/companies/settings.ts";
import type { TestServer, TestUser } from "../server.ts";

export interface Policy {
  strict: boolean;
  rule: ApprovalRule;
}

/** `token`: for the `sop` command. */
export type Person = TestUser & { token: string };

export interface World {
  server: TestServer;
  /** One of each role, from most to least. */
  people: readonly Person[];
  admin: TestUser;
  /** null: SOPs without a category, which obey the company alone. */
  categoryIds: readonly (string | null)[];
  sopIds: string[];
  /** A number below `below`. */
  roll(below: number): number;
  /** The policies a category can have had since the last look, the company's under null. */
  policies: Map<string | null, Policy[]>;
  company: Policy[];
}

export type Attempt = (world: World) => Promise<unknown>;

export function pick<T>({ roll }: Pick<World, "roll">, from: readonly T[]): T {
  const one = from[roll(from.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
}

/** People who can publish or approve by default: lives get nowhere without them. */
export const pickMember = (world: World): Person => pick(world, world.people.slice(1, 6));
export const changedText = ({ roll }: World): string => `Text ${roll(1_000_000)}.\n`;

/** A request that is pending, and one of the people it waits for. */
export async function waiting({ server, roll, people }: World) {
  const requests = await server.db
    .forCompany(people[0]?.companyId ?? "")
    .collection("approval_requests")
    .find({ status: "pending" });
  const request = requests[roll(Math.max(1, requests.length))];
  return request && { request, user: people.find(({ id }) => id === request.waitingFor[0]) };
}

/** Most of the time people who can decide about this SOP; else anyone. @returns their ids */
export async function someApprovers(world: World, { client }: Person, sopId: string): Promise<string[]> {
  const { people } = world.roll(4) === 0 ? world : await client.approvals.candidates({ params: { id: sopId } });
  const chosen = people.filter((one) => (!("eligible" in one) || one.eligible) && world.roll(3) > 0);
  return chosen.map(({ id }) => id);
}
