/** Random attempts of people with SOPs, categories and rules, sent over the API, several at once. */
import { roles } from "#core/permissions/roles.ts";
import type { ApprovalRule } from "#core/companies/settings.ts";
import { ApiError } from "#core/api/client.ts";
import { newId } from "#core/ids.ts";
import { dayAfterDays } from "#core/periodic-review/rules.ts";
import { sha256 } from "../../server/hashing.ts";
import { commandAttempts } from "./by-command.ts";
import {
  pickMember as ableOne,
  changedText,
  pick,
  someApprovers,
  waiting,
  type Attempt,
  type Policy,
  type World,
} from "./world.ts";

const rules: readonly ApprovalRule[] = [
  { kind: "any", count: null },
  { kind: "all", count: null },
  { kind: "n_of_m", count: 2 },
  { kind: "n_of_m", count: 3 },
];

const anyone = (world: World) => pick(world, world.people).client;
const able = (world: World) => ableOne(world).client;
const params = (world: World) => ({ id: pick(world, world.sopIds) });
const statuses = ["draft", "published", "published", "archived", "under_review"] as const;

function change(world: World): Record<string, unknown> {
  const { roll, server } = world;
  return {
    ...(roll(2) === 0 ? { markdown: changedText(world) } : {}),
    ...(roll(2) === 0 ? { categoryId: pick(world, world.categoryIds) } : {}),
    ...(roll(2) === 0 ? { status: pick(world, statuses) } : {}),
    ...(roll(8) === 0 ? { effectiveAt: dayAfterDays(server.clock.now(), roll(3)) } : {}),
    ...(roll(8) === 0 ? { effectiveAt: null } : {}),
  };
}

async function importTexts(world: World): Promise<unknown> {
  const { server, people, roll } = world;
  const sop = await server.db.collection("sops").findOne({ _id: pick(world, world.sopIds) });
  const front = roll(2) === 0 && sop ? `id: ${sop._id}\nversion: ${sop.version}\n` : "";
  const folder = pick(world, ["food-safety", "notes", "allergens"]);
  const text = `---\ntitle: Imported\ndescription: D\nstatus: published\n${front}---\n\n${changedText(world)}`;
  const path = `${folder}/text-${roll(20)}.md`;
  return pick(world, people).client.sops.import({
    body: {
      importId: newId(),
      onConflict: "theirs",
      documents: [{ path, text, sha256: sha256(Buffer.from(text)) }],
    },
  });
}

/** A deleted SOP. */
async function deleted({ server, roll, sopIds }: World) {
  const found = await server.db.collection("sops").find({ _id: { $in: [...sopIds] }, deletedAt: { $ne: null } });
  return found[roll(Math.max(1, found.length))];
}

const changedPermissions = ["sop.decide", "sop.decide", "sop.publish", "sop.edit", "category.write"] as const;

/** The attempts with their relative frequency. */
const attempts: Readonly<Record<string, [number, Attempt]>> = {
  "save, by any role": [10, async (world) => anyone(world).sops.update({ params: params(world), body: change(world) })],
  save: [12, async (world) => able(world).sops.update({ params: params(world), body: change(world) })],
  // moves the SOP to another category, publishes it there, and moves it back, in this order, while others act
  "publish by way of another category": [
    4,
    async (world) => {
      const [who, where] = [able(world), params(world)];
      let isDone: true | undefined;
      for (const body of [change(world), { status: "published" as const }, change(world)])
        if ((await who.sops.update({ params: where, body }).catch(onlyRefused)) !== "refused") isDone = true;
      return isDone;
    },
  ],
  publish: [3, async (world) => able(world).sops.publish({ params: params(world) })],
  unpublish: [1, async (world) => able(world).sops.unpublish({ params: params(world) })],
  archive: [1, async (world) => able(world).sops.archive({ params: params(world) })],
  unarchive: [4, async (world) => able(world).sops.unarchive({ params: params(world) })],
  restore: [2, async (world) => able(world).sops.restore({ params: { ...params(world), version: 1 + world.roll(4) } })],
  delete: [2, async (world) => able(world).sops.remove({ params: params(world) })],
  undelete: [
    3,
    async (world) => {
      const sop = await deleted(world);
      return sop && able(world).sops.undelete({ params: { id: sop._id } });
    },
  ],
  review: [
    1,
    async (world) => {
      const verdict = pick(world, ["keep", "revise", "archive"] as const);
      return able(world).sops.review({ params: params(world), body: { verdict } });
    },
  ],
  create: [
    2,
    async (world) => {
      const { id } = await able(world).sops.create({
        body: { title: "T", description: "D", markdown: changedText(world), ...change(world) } as never,
      });
      world.sopIds.splice(world.roll(world.sopIds.length), 1, id);
      return true;
    },
  ],
  import: [2, importTexts],
  "ask for approval": [
    12,
    async (world) => {
      const [one, where] = [ableOne(world), params(world)];
      const approverIds = await someApprovers(world, one, where.id);
      return one.client.sops.requestApproval({ params: where, body: { approverIds } });
    },
  ],
  approve: [
    18,
    async (world) => {
      const found = await waiting(world);
      const who = world.roll(8) === 0 ? anyone(world) : found?.user?.client;
      return found && who?.approvals.approve({ params: { id: found.request._id } });
    },
  ],
  reject: [
    1,
    async (world) => {
      const found = await waiting(world);
      return found && found.user?.client.approvals.reject({ params: { id: found.request._id } });
    },
  ],
  "request changes": [
    2,
    async (world) => {
      const found = await waiting(world);
      const body = { comment: "Name the limit." };
      return found && found.user?.client.approvals.requestChanges({ params: { id: found.request._id }, body });
    },
  ],
  withdraw: [
    1,
    async (world) => {
      const found = await waiting(world);
      return found && able(world).approvals.withdraw({ params: { id: found.request._id } });
    },
  ],
  "replace an approver": [
    2,
    async (world) => {
      const found = await waiting(world);
      if (!found?.user) return undefined;
      const one = ableOne(world);
      const [other] = await someApprovers(world, one, found.request.sopId);
      const body = { replace: found.user.id, with: other ?? pick(world, world.people).id };
      return one.client.approvals.replaceApprover({ params: { id: found.request._id }, body });
    },
  ],
  "change a policy": [
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
  "permission of a user": [
    1,
    async (world) => {
      const body = { permission: "sop.decide", granted: world.roll(4) > 0 } as const;
      return world.admin.client.companyPermissions.set({ params: { id: pick(world, world.people).id }, body });
    },
  ],
  "permission of a role": [
    2,
    async (world) => {
      // most permissions return to the default, so that requests can be approved
      const granted = pick(world, [null, null, null, true, false]);
      const role = pick(world, roles.slice(2));
      return world.admin.client.roles.set({ body: { role, permission: pick(world, changedPermissions), granted } });
    },
  ],
  "share with the right to approve": [
    1,
    async (world) => {
      const body = { userId: pick(world, world.people).id, permission: "approve" } as const;
      return able(world).sops.grant({ params: params(world), body });
    },
  ],
  ...commandAttempts,
};

export const kinds = Object.keys(attempts);
const drawn = Object.entries(attempts).flatMap(([kind, [weight]]) => Array.from({ length: weight }, () => kind));

export const randomKind = (world: World): string => pick(world, drawn);

/** Accepts refusals. Any other error is a fault. */
function onlyRefused(error: unknown): "refused" {
  if (error instanceof ApiError && (error.status < 500 || error.code === "busy")) return "refused";
  throw error;
}

/** @returns whether it succeeded */
export async function attempt(world: World, kind: string): Promise<boolean> {
  const done = await attempts[kind]?.[1](world).catch(onlyRefused);
  return Boolean(done) && done !== "refused";
}
