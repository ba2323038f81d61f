/** What people try with SOPs, categories and rules: drawn at random, asked over the API, several at once. */
import type { ApprovalRule } from "#core/companies/settings.ts";
import { ApiError } from "#core/contract/client.ts";
import { newId } from "#core/ids.ts";
import { dayAfter } from "#core/reviews/rules.ts";
import { sha256 } from "../../server/repository/hashing.ts";
import type { TestServer, TestUser } from "../server.ts";

export interface Policy {
  strict: boolean;
  rule: ApprovalRule;
}

export interface World {
  server: TestServer;
  people: readonly TestUser[];
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

const rules: readonly ApprovalRule[] = [
  { kind: "any", count: null },
  { kind: "all", count: null },
  { kind: "n_of_m", count: 2 },
  { kind: "n_of_m", count: 3 },
];

type Attempt = (world: World) => Promise<unknown>;

const pick = <T>({ roll }: World, from: readonly T[]): T => {
  const one = from[roll(from.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
};
const anyone = (world: World) => pick(world, world.people).client;
/** People who can publish or approve: lives get nowhere without them. */
const able = (world: World) => pick(world, world.people.slice(1, 6)).client;
const params = (world: World) => ({ id: pick(world, world.sopIds) });
const text = (world: World) => `Text ${world.roll(1_000_000)}.\n`;
const statuses = ["draft", "published", "published", "archived", "under_review"] as const;

function change(world: World): Record<string, unknown> {
  const { roll, server } = world;
  return {
    ...(roll(2) === 0 ? { markdown: text(world) } : {}),
    ...(roll(2) === 0 ? { categoryId: pick(world, world.categoryIds) } : {}),
    ...(roll(2) === 0 ? { status: pick(world, statuses) } : {}),
    ...(roll(8) === 0 ? { effectiveAt: dayAfter(server.clock.now(), roll(3)) } : {}),
    ...(roll(8) === 0 ? { effectiveAt: null } : {}),
  };
}

/** The request that waits about some SOP, and one of those it waits for. */
async function waiting({ server, roll, people }: World) {
  const requests = await server.db
    .forCompany(people[0]?.companyId ?? "")
    .collection("approval_requests")
    .find({ status: "pending" });
  const request = requests[roll(Math.max(1, requests.length))];
  return request && { request, user: people.find(({ id }) => id === request.waitingFor[0]) };
}

async function importTexts(world: World): Promise<unknown> {
  const { server, people, roll } = world;
  const sop = await server.db.collection("sops").findOne({ _id: pick(world, world.sopIds) });
  const front = roll(2) === 0 && sop ? `id: ${sop._id}\nversion: ${sop.version}\n` : "";
  const folder = pick(world, ["food-safety", "notes", "allergens"]);
  const content = `---\ntitle: Imported\ndescription: D\nstatus: published\n${front}---\n\n${text(world)}`;
  const path = `${folder}/text-${roll(20)}.md`;
  return pick(world, people).client.sops.import({
    body: {
      importId: newId(),
      onConflict: "theirs",
      documents: [{ path, content, sha256: sha256(Buffer.from(content)) }],
    } as never,
  });
}

/** Each as often as its number says. */
const attempts: readonly [number, Attempt][] = [
  [10, async (world) => anyone(world).sops.update({ params: params(world), body: change(world) })],
  [12, async (world) => able(world).sops.update({ params: params(world), body: change(world) })],
  // away to another category, published there, and back: one after the other, whatever others do
  [
    4,
    async (world) => {
      const [who, where] = [able(world), params(world)];
      for (const body of [change(world), { status: "published" as const }, change(world)])
        await who.sops.update({ params: where, body }).catch(onlyRefused);
    },
  ],
  [3, async (world) => able(world).sops.publish({ params: params(world) })],
  [1, async (world) => able(world).sops.unpublish({ params: params(world) })],
  [1, async (world) => able(world).sops.archive({ params: params(world) })],
  [2, async (world) => able(world).sops.unarchive({ params: params(world) })],
  [2, async (world) => able(world).sops.restore({ params: { ...params(world), version: 1 + world.roll(4) } })],
  [
    2,
    async (world) => {
      const { id } = await able(world).sops.create({
        body: { title: "T", description: "D", markdown: text(world), ...change(world) } as never,
      });
      world.sopIds.splice(world.roll(world.sopIds.length), 1, id);
    },
  ],
  [2, importTexts],
  [
    10,
    async (world) => {
      const approverIds = world.people.filter(() => world.roll(2) === 0).map(({ id }) => id);
      // most of them can decide
      const ids = world.roll(4) === 0 ? approverIds : approverIds.filter((id) => isAble(world, id));
      return able(world).sops.requestApproval({ params: params(world), body: { approverIds: ids } });
    },
  ],
  [
    22,
    async (world) => {
      const found = await waiting(world);
      const who = world.roll(8) === 0 ? anyone(world) : found?.user?.client;
      return found && who?.approvals.approve({ params: { id: found.request._id } });
    },
  ],
  [
    1,
    async (world) => {
      const found = await waiting(world);
      return found && found.user?.client.approvals.reject({ params: { id: found.request._id } });
    },
  ],
  [
    2,
    async (world) => {
      const found = await waiting(world);
      const body = { replace: found?.user?.id ?? "", with: pick(world, world.people).id };
      return found && able(world).approvals.replaceApprover({ params: { id: found.request._id }, body });
    },
  ],
  [
    2,
    async (world) => {
      const categoryId = pick(world, world.categoryIds);
      const next: Policy = { strict: world.roll(2) === 0, rule: pick(world, rules) };
      if (categoryId === null) {
        world.company.push(next);
        const settings = { documentControl: next.strict ? "strict" : "flexible", approvalRule: next.rule } as const;
        return world.admin.client.company.update({ body: { settings } });
      }
      world.policies.get(categoryId)?.push(next);
      const body = { requiresApproval: next.strict, approvalRule: next.rule };
      return world.admin.client.categories.update({ params: { id: categoryId }, body });
    },
  ],
  [
    1,
    async (world) => {
      const body = { permission: "sop.decide", granted: world.roll(2) === 0 } as const;
      return world.admin.client.companyPermissions.set({ params: { id: pick(world, world.people).id }, body });
    },
  ],
];

const isAble = ({ people }: World, id: string) => people.findIndex((one) => one.id === id) < 6;

const drawn = attempts.flatMap(([weight, attempt]) => Array.from({ length: weight }, () => attempt));

/** What is refused is refused; anything else is a fault. */
function onlyRefused(error: unknown): "refused" {
  if (error instanceof ApiError && (error.status < 500 || error.code === "busy")) return "refused";
  throw error;
}

/** @returns whether it was carried out */
export async function attempt(world: World): Promise<boolean> {
  const done = await pick(world, drawn)(world).catch(onlyRefused);
  return done !== "refused" && done !== undefined;
}
