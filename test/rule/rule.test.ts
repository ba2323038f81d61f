/**
 * Random saves, publications, approvals, imports, deletions and policy changes by every role, over API and `sop`
 * command, several at once.
 */
import { expect, test } from "vitest";
import { roles } from "#core/permissions/roles.ts";
import type { ApprovalRequestDocument, SopDocument } from "../../server/database/documents.ts";
import { publishDueVersions } from "../../server/sops/edit/take-effect.ts";
import { staySignedIn } from "../life-cycle/stage.ts";
import { count, recordFigure } from "../proof.ts";
import { describeServer } from "../server.ts";
import { attempt, randomKind, kinds } from "./moves.ts";
import type { Person, Policy, World } from "./world.ts";

/** Its own generator, so that a run can be repeated. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const flexible: Policy = { strict: false, rule: { kind: "all", count: null } };

/** The test's own version of the rules: have enough approvers approved the version? */
function hasMet({ strict, rule }: Policy, version: number, requests: readonly ApprovalRequestDocument[]): boolean {
  if (!strict) return true;
  return requests.some((request) => {
    const named = request.approvers.filter(({ replacedAt }) => replacedAt === null);
    const given = named.filter(({ status, userId }) => status === "approved" && userId !== request.requestedBy);
    const people = new Set(given.map(({ userId }) => userId)).size;
    const needed = { any: 1, all: named.length, n_of_m: rule.count ?? named.length }[rule.kind];
    return request.version === version && request.outcome === "approved" && people >= Math.max(1, needed);
  });
}

describeServer("a category's rule holds against every attempt", (server, engine) => {
  test("never shows readers a version in a category whose rule it has not met", { timeout: 3_600_000 }, async () => {
    const wanted = engine === "sqlite" ? count({ usual: 300, proof: 10_000 }) : count({ usual: 60, proof: 10_000 });
    const seed = Date.now() >>> 0;
    const company = await server().company();
    const people: Person[] = [];
    for (const role of roles) {
      const user = await company.user(role);
      const scopes = ["sops:read", "sops:write", "approvals"] as const;
      const { token } = await user.client.tokens.create({ body: { name: "cli", scopes: [...scopes] } });
      people.push({ ...user, token });
    }
    const admin = await company.user("company_admin");
    const ids: (string | null)[] = [null];
    for (const name of ["Food safety", "Notes", "Allergens"])
      ids.push((await admin.client.categories.create({ body: { name } })).id);
    const first = people[1] ?? admin;
    const sopIds: string[] = [];
    // on a busy machine, the first of them may get a 503
    while (sopIds.length < 8) {
      const made = first.client.sops.create({ body: { title: "T", description: "D", markdown: "M\n" } });
      const { id } = await made.catch(() => ({ id: null }));
      if (id !== null) sopIds.push(id);
    }
    const policies = new Map(ids.map((id) => [id, [flexible]]));
    const world: World = {
      server: server(),
      people,
      admin,
      categoryIds: ids,
      sopIds,
      roll: dice(seed),
      policies,
      company: [flexible],
    };
    const store = server().db.forCompany(company.id);
    const seen = new Map<string, SopDocument>();
    let [tried, published, approved, apart] = [0, 0, 0, 0];
    const broken: string[] = [];

    /** Every policy that applied to an SOP of this category since the last check. */
    const policiesOf = (categoryId: string | null): Policy[] =>
      world.company.flatMap((ofCompany) =>
        (categoryId === null ? [ofCompany] : (policies.get(categoryId) ?? [])).map((own) => ({
          strict: ofCompany.strict || own.strict,
          rule: categoryId === null || own === flexible ? ofCompany.rule : own.rule,
        })),
      );

    async function look(): Promise<void> {
      const sops = await store.collection("sops").find({});
      for (const sop of sops) {
        const old = seen.get(sop._id);
        seen.set(sop._id, sop);
        if (sop.published && sop.published.categoryId !== sop.categoryId) apart += 1;
        const has = sop.published;
        if (!has || (has.version === old?.published?.version && has.categoryId === old.published.categoryId)) continue;
        const requests = await store.collection("approval_requests").find({ sopId: sop._id });
        published += 1;
        if (requests.some((one) => one.version === has.version && one.outcome === "approved")) approved += 1;
        if (policiesOf(has.categoryId).some((policy) => hasMet(policy, has.version, requests))) continue;
        broken.push(`${sop._id} version ${has.version} in ${has.categoryId}, seed ${seed}`);
      }
      // from here on, only the newest policies apply
      world.company = world.company.slice(-1);
      for (const [id, list] of policies) policies.set(id, list.slice(-1));
    }

    /** Tokens expire when the clock advances by days. */
    const stayAuthorized = async () => {
      await staySignedIn(server(), company.id);
      const expiresAt = new Date(server().clock.millis() + 365 * 86_400_000).toISOString();
      await store.collection("tokens").updateMany({}, { $set: { expiresAt } });
    };

    // each kind once, then random kinds
    const begun = [...kinds];
    const tally = new Map(kinds.map((kind) => [kind, { tried: 0, done: 0 }]));
    const tryOne = async (kind: string): Promise<void> => {
      const isDone = await attempt(world, kind);
      const row = tally.get(kind);
      if (!row) return;
      row.tried += 1;
      row.done += isDone ? 1 : 0;
    };

    while (tried < wanted) {
      const atOnce = Math.min(1 + world.roll(5), wanted - tried);
      await Promise.all(Array.from({ length: atOnce }, () => tryOne(begun.pop() ?? randomKind(world))));
      tried += atOnce;
      if (world.roll(10) === 0) {
        server().clock.advance(86_400_000);
        await stayAuthorized();
        await publishDueVersions.run(server().running.services, server().clock.now());
      }
      await look();
      expect(broken).toEqual([]);
    }
    const counts = [...tally].map(([kind, row]) => `  ${kind}: ${row.done} of ${row.tried}`).join("\n");
    process.stdout.write(`attempts carried out (${engine}), seed ${seed}:\n${counts}\n`);
    const done = [...tally.values()].reduce((sum, row) => sum + row.done, 0);
    const of = `of ${tried} attempts by every role, up to 5 at once (${engine})`;
    recordFigure({ name: `rule.broken.${engine}`, value: broken.length, unit: of, goal: "= 0" });
    recordFigure({ name: `rule.carried-out.${engine}`, value: done, unit: of, goal: "> 0" });
    recordFigure({ name: `rule.published.${engine}`, value: published, unit: "versions readers got", goal: "> 0" });
    recordFigure({ name: `rule.approved.${engine}`, value: approved, unit: "of them approved first", goal: "> 0" });
    recordFigure({
      name: `rule.apart.${engine}`,
      value: apart,
      unit: "looks at readers kept in a category",
      goal: "> 0",
    });
    expect([...tally.values()].every((row) => row.tried > 0)).toBe(true);
    expect(done).toBeGreaterThan(0);
    expect(published).toBeGreaterThan(0);
  });
});
