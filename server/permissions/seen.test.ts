/** Lists, counts and single reads say the same as `visibleVersion`, over random SOPs, grants, denials and given rights. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sopActions } from "#core/permissions/actions.ts";
import { grantLevels, type Grant } from "#core/permissions/actor.ts";
import { visibleVersion } from "#core/permissions/can.ts";
import { roles } from "#core/permissions/roles.ts";
import { shownStatus, shownStatuses } from "#core/sops/statuses.ts";
import { newId } from "#core/ids.ts";
import { defaultNumberLabel } from "#core/repository/names.ts";
import { numberKey } from "#core/numbers/numbers.ts";
import { describeServer, type TestServer } from "../../test/server.ts";
import type { SopDocument } from "../database/documents.ts";
import { addCounts, countDelta } from "../sops/edit/counts.ts";
import { actorOf } from "../http/identify.ts";
import { withGrantsReplaced } from "#core/permissions/grantees.ts";

const teams = ["team-a", "team-b"];
const later = "2099-01-01T00:00:00.000Z";
const statuses = ["draft", "under_review", "published", "archived"] as const;

const aGrant = fc.record({
  who: fc.constantFrom("me", "other", ...teams),
  permission: fc.constantFrom(...grantLevels),
});
const aSop = fc.record({
  author: fc.constantFrom("me", "other"),
  owner: fc.constantFrom("me", "other", null),
  team: fc.constantFrom(...teams, null),
  status: fc.constantFrom(...statuses),
  forced: fc.boolean(),
  waits: fc.boolean(),
  restricted: fc.boolean(),
  deleted: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  category: fc.constantFrom(0, 1, null),
  approver: fc.constantFrom("me", "other", null),
  grants: fc.uniqueArray(aGrant, { selector: ({ who }) => who, maxLength: 2 }),
});
const aPermission = fc.record({
  permission: fc.constantFrom("sop.read_head" as const, "sop.read_head" as const, ...sopActions),
  granted: fc.boolean(),
  expired: fc.boolean(),
});
const aStory = fc.record({
  role: fc.constantFrom(...roles),
  teamIds: fc.subarray(teams),
  permissions: fc.uniqueArray(aPermission, { selector: ({ permission }) => permission, maxLength: 2 }),
  sops: fc.array(aSop, { minLength: 1, maxLength: 25 }),
});

describeServer("shared, allowed and denied SOPs", (server, engine) => {
  test("are in lists and counts as visibleVersion decides", async () => {
    await fc.assert(
      fc.asyncProperty(aStory, (story) => tell(server(), story)),
      { numRuns: engine === "sqlite" ? 60 : 15 },
    );
  });
});

async function tell(server: TestServer, story: typeof aStory extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  const { db, clock } = server;
  const company = await server.company();
  const [me, other] = [await company.user(story.role, { teamIds: story.teamIds }), await company.user("manager")];
  const id = (who: string | null) => (who === "me" ? me.id : who === "other" ? other.id : who);
  const permissions = story.permissions.map(({ permission, granted, expired }) => ({
    id: newId(),
    permission,
    granted,
    grantedBy: other.id,
    expiresAt: expired ? clock.now() : null,
    createdAt: clock.now(),
  }));
  await db.collection("users").updateOne({ _id: me.id }, { $set: { permissions } });
  const categories = await other.client.categories.list();
  const { id: modelId } = await other.client.sops.create({
    body: { title: "Model", description: "D", markdown: "M", status: "published" },
  });
  const model = (await db.collection("sops").findOne({ _id: modelId })) as SopDocument;
  const sops = story.sops.map((asked, n): SopDocument => {
    const waits = asked.waits && asked.status === "published";
    const hasVersion = (asked.status === "published" && !waits) || (asked.forced && asked.status !== "archived");
    const at = `2026-05-01T00:00:${String(n).padStart(2, "0")}.000Z`;
    const grants = asked.grants.map(({ who, permission }): Grant => {
      const isTeam = teams.includes(who);
      return {
        id: newId(),
        permission,
        grantedBy: other.id,
        grantedAt: at,
        userId: isTeam ? null : id(who),
        teamId: isTeam ? who : null,
      };
    });
    const categoryId = asked.category === null ? null : (categories[asked.category]?.id ?? null);
    const published = model.published && { ...model.published, categoryId, updatedAt: at };
    return withGrantsReplaced(
      {
        ...model,
        _id: newId(),
        number: n + 2,
        label: defaultNumberLabel(n + 2),
        labelKey: numberKey(defaultNumberLabel(n + 2)),
        authorId: id(asked.author) ?? "",
        ownerId: id(asked.owner),
        teamId: asked.team,
        categoryId,
        status: asked.status,
        restricted: asked.restricted,
        deletedAt: asked.deleted ? at : null,
        version: waits ? 2 : model.version,
        published: hasVersion ? published : null,
        scheduled: waits && published ? { ...published, version: 2, effectiveAt: later, approvals: [] } : null,
        hasPublished: hasVersion && !asked.deleted,
        matchesPublished: (hasVersion || asked.status === "published") && !asked.deleted,
        approvers: asked.status === "under_review" && asked.approver ? [id(asked.approver) ?? ""] : [],
        live: !asked.deleted && asked.status !== "archived",
        updatedAt: at,
      },
      grants,
    );
  });
  await db.collection("sops").insertMany(sops);
  await db.collection("sops").deleteOne({ _id: modelId });
  const moved = countDelta(model, null);
  for (const sop of sops) addCounts(moved, countDelta(null, sop));
  const counters = await db.collection("counters").findOne({ _id: company.id });
  if (!counters) throw new Error("no counters");
  if (Object.keys(moved).length > 0) await db.collection("counters").updateOne({ _id: company.id }, { $inc: moved });

  const [user, stored] = [
    await db.collection("users").findOne({ _id: me.id }),
    await db.collection("companies").findOne({ _id: company.id }),
  ];
  if (!user || !stored) throw new Error("the story's people are gone");
  const actor = actorOf(user, stored, clock.now());
  const seen = sops.map((sop) => ({ sop, view: visibleVersion(actor, sop) })).filter(({ view }) => view !== "nothing");
  const live = seen.filter(({ sop }) => sop.live);
  const ids = (list: typeof seen) => list.map(({ sop }) => sop._id).sort();
  const list = async (query: object) => {
    const { data, total } = await me.client.sops.list({ query: { limit: 200, total: "true", ...query } });
    expect(total).toBe(data.length);
    return data.map((row) => row.id).sort();
  };
  expect(await list({})).toEqual(ids(live));
  for (const status of shownStatuses) {
    const isShown = ({ sop, view }: (typeof seen)[number]) =>
      view === "published"
        ? status === "published"
        : shownStatus(sop) === status || (status === "published" && sop.hasPublished);
    expect([status, await list({ status })]).toEqual([status, ids(seen.filter(isShown))]);
  }
  const mine = ({ sop }: (typeof seen)[number]) => sop.authorId === me.id || sop.ownerId === me.id;
  expect(await list({ mine: "true" })).toEqual(ids(live.filter(mine)));
  const [stats, counted] = [await me.client.stats.get(), await me.client.categories.list()];
  const reviewed = seen.filter(({ sop, view }) => view === "latest" && sop.status === "under_review");
  expect([stats.totalSOPs, stats.pendingApproval]).toEqual([live.length, reviewed.length]);
  for (const category of counted) {
    expect(category.count).toBe(live.filter(({ sop }) => sop.categoryId === category.id).length);
  }
}
