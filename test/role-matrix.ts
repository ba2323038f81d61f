/** Compares the server with core over HTTP, for every row about an SOP or a role. */
import {
  roleActions,
  sopActions,
  type PermittedAction,
  type RoleAction,
  type SopAction,
} from "#core/permissions/actions.ts";
import type { Grant, SopFacts } from "#core/permissions/actor.ts";
import { can, visibleVersion } from "#core/permissions/can.ts";
import { roles, type Role } from "#core/permissions/roles.ts";
import {
  actorFor,
  factsOf,
  ownPermissions,
  permissionsOfKind,
  relations,
  sopStateNames,
  type CaseIds,
  type OwnPermissionKind,
  type Relation,
  type SopStateName,
} from "#core/permissions/testing/truth-table.ts";
import { newId } from "#core/ids.ts";
import { defaultNumberLabel } from "#core/repository/names.ts";
import { numberKey } from "#core/numbers/numbers.ts";
import { mayRecordReview } from "#core/periodic-review/rules.ts";
import type { SopDocument } from "../server/database/documents.ts";
import { withGrantsReplaced } from "#core/permissions/grantees.ts";
import { isWrite, pathOf, rowNamed, rows, unknownId } from "./contract-rows.ts";
import { json, type TestServer, type TestUser } from "./server.ts";

/** The action of each row; `null` if it shows only visible items. */
const sopRows: Record<string, SopAction | null> = {
  "sops.get": null,
  "sops.versions": null,
  "comments.list": null,
  "comments.create": "sop.comment",
  "comments.people": "sop.comment",
  "sops.diff": null,
  "sops.links": null,
  "sops.publishedPeriods": null,
  "sops.export": null,
  "sops.update": "sop.edit",
  "sops.restore": "sop.restore",
  "sops.publish": "sop.publish",
  "sops.unpublish": "sop.publish",
  "sops.archive": "sop.archive",
  "sops.unarchive": "sop.archive",
  "sops.remove": "sop.delete",
  "sops.undelete": "sop.delete",
  "sops.permissions": "sop.share",
  "sops.grant": "sop.share",
  "sops.revoke": "sop.share",
  "sops.restrict": "sop.restrict",
  // the owner can do it too, with the permission to edit
  "sops.review": "sop.publish",
  "sops.reviews": null,
  "acknowledgements.get": null,
  "presence.list": null,
  "presence.announce": "sop.edit",
  "sops.requestApproval": "sop.request_approval",
  "sops.favorite": null,
  "sops.unfavorite": null,
};
const bodies: Record<string, object> = {
  "presence.announce": { tab: unknownId, state: "gone" },
  "comments.create": { content: "Why?" },
  "sops.update": { title: "Another" },
  "sops.grant": { userId: unknownId, permission: "read" },
  "sops.restrict": { restricted: true },
  "sops.review": { verdict: "keep" },
  "sops.requestApproval": { approverIds: [unknownId] },
};

interface Case {
  role: Role;
  kind: OwnPermissionKind;
  /** The action that the user's own permission is about. */
  about: PermittedAction;
  row: string;
  sop: { state: SopStateName; relation: Relation } | null;
}

/** All cases: about 100,000. */
export function allCases(): Case[] {
  const found: Case[] = [];
  for (const role of roles) {
    for (const kind of ownPermissions) {
      for (const [row, action] of Object.entries(sopRows)) {
        for (const about of new Set<PermittedAction>([action ?? "sop.read_head", "sop.read_head"])) {
          for (const state of sopStateNames)
            for (const relation of relations) found.push({ role, kind, about, row, sop: { state, relation } });
        }
      }
      for (const { name, route } of rows) {
        if (isRoleAction(route.access)) found.push({ role, kind, about: route.access, row: name, sop: null });
      }
    }
  }
  return found;
}

/** Chooses `count` cases, evenly spread, in an order that rarely changes a user's own permissions. */
export function sampleCases(cases: readonly Case[], count: number): Case[] {
  const step = Math.max(1, cases.length / count);
  const chosen = Array.from({ length: Math.min(count, cases.length) }, (_, i) => cases[Math.floor(i * step)] as Case);
  const key = ({ role, about, kind }: Case) => `${role} ${about} ${kind}`;
  return chosen.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function isRoleAction(access: string): access is RoleAction {
  return (roleActions as readonly string[]).includes(access);
}

/** The expected status. A stale If-Match stops allowed writes, so that no case changes the next. */
function expected({ role, kind, about, row, sop }: Case, cast: CaseIds): number {
  const actor = actorFor(role, kind, about, cast);
  if (!sop) {
    const { access, body } = rowNamed(row).route;
    const refused = body === "raw-asset" ? 415 : 400;
    return can(actor, access as PermittedAction) ? refused : 403;
  }
  const facts = factsOf(sop.state, sop.relation, cast);
  const action = sopRows[row] ?? null;
  if (row === "sops.undelete") return facts.deletedAt !== null && can(actor, "sop.delete", facts) ? 412 : 404;
  if (visibleVersion(actor, facts) === "nothing") return 404;
  if (action === null) return 200;
  if (!(row === "sops.review" ? mayRecordReview(actor, facts) : can(actor, action, facts))) return 403;
  // closing a screen that was never opened has no effect
  if (row === "presence.announce") return 200;
  return isWrite(rowNamed(row)) ? 412 : 200;
}

export interface Disagreement {
  testCase: Case;
  expected: number;
  answered: number;
}

/** @returns the cases in which the server and core disagree */
export async function checkAll(server: TestServer, cases: readonly Case[]): Promise<Disagreement[]> {
  const stage = await setStage(server);
  const wrong: Disagreement[] = [];
  let applied = "";
  for (const testCase of cases) {
    const { user, cast, sops } = stage.get(testCase.role) as Actress;
    const wanted = `${testCase.role} ${testCase.about} ${testCase.kind}`;
    if (wanted !== applied) {
      const at = { past: moment(server, -1), ahead: moment(server, 1) };
      const permissions = permissionsOfKind(testCase.kind, testCase.about, at);
      await server.db.collection("users").updateOne({ _id: user.id }, { $set: { permissions } });
      applied = wanted;
    }
    const id = testCase.sop ? sops.get(`${testCase.sop.state} ${testCase.sop.relation}`) : undefined;
    const answered = await ask(user, testCase.row, id);
    const status = expected(testCase, cast);
    if (answered !== status) wrong.push({ testCase, expected: status, answered });
  }
  return wrong;
}

async function ask(user: TestUser, name: string, id: string | undefined): Promise<number> {
  const row = rowNamed(name);
  if (id === undefined) {
    // the server checks permissions before it refuses an unknown field
    const path = pathOf(row);
    const answer = isWrite(row)
      ? await user.send({ method: row.route.method, path, headers: json, body: JSON.stringify({ nonsense: 1 }) })
      : await user.send({ path: `${path}?nonsense=1` });
    return answer.status;
  }
  const path = pathOf(row, { id });
  if (!isWrite(row)) return (await user.send({ path })).status;
  const headers = { ...json, "if-match": '"v999"' };
  const body = JSON.stringify(bodies[name] ?? {});
  return (await user.send({ method: row.route.method, path, headers, body })).status;
}

interface Actress {
  user: TestUser;
  cast: CaseIds;
  /** `<state> <relation>` → id */
  sops: ReadonlyMap<string, string>;
}

function moment(server: TestServer, days: number): string {
  return new Date(server.clock.millis() + days * 86_400_000).toISOString();
}

/** Creates a user of each role, and for each user an SOP in every state and relation. */
async function setStage(server: TestServer): Promise<ReadonlyMap<Role, Actress>> {
  const { db } = server;
  const company = await server.company();
  const other = await company.user("manager");
  const team = async (name: string) => (await other.client.teams.create({ body: { name } })).id;
  const [myTeam, otherTeam] = [await team("Mine"), await team("Theirs")];
  const text = { title: "Model", description: "D", markdown: "M" };
  const { id: modelId } = await other.client.sops.create({ body: { ...text, status: "published" } });
  await other.client.sops.update({ params: { id: modelId }, body: { title: "Model, next" } });
  const model = await db.collection("sops").findOne({ _id: modelId });
  const versions = await db.collection("sop_versions").find({ companyId: company.id, sopId: modelId });
  if (!model) throw new Error("the model is gone");
  const stage = new Map<Role, Actress>();
  let number = model.number;
  for (const role of roles) {
    const user = await company.user(role, { teamIds: [myTeam] });
    const cast = { companyId: company.id, me: user.id, other: other.id, myTeam, otherTeam };
    const sops = new Map<string, string>();
    const documents: SopDocument[] = [];
    for (const state of sopStateNames) {
      for (const relation of relations) {
        const document = documentOf(model, factsOf(state, relation, cast), ++number);
        documents.push(document);
        sops.set(`${state} ${relation}`, document._id);
      }
    }
    await db.collection("sops").insertMany(documents);
    await db
      .collection("sop_versions")
      .insertMany(documents.flatMap(({ _id: sopId }) => versions.map((one) => ({ ...one, _id: newId(), sopId }))));
    stage.set(role, { user, cast, sops });
  }
  return stage;
}

function documentOf(model: SopDocument, facts: SopFacts, number: number): SopDocument {
  const { grants, approvers, ...rest } = facts;
  const hasVersion = facts.published !== null;
  const stored = grants.map((grant): Grant => ({ ...grant, id: newId(), grantedBy: "x", grantedAt: model.createdAt }));
  return withGrantsReplaced(
    {
      ...model,
      ...rest,
      _id: newId(),
      number,
      label: defaultNumberLabel(number),
      labelKey: numberKey(defaultNumberLabel(number)),
      status: facts.status as SopDocument["status"],
      published: hasVersion ? model.published : null,
      approvers: [...approvers],
      hasPublished: hasVersion && facts.deletedAt === null,
      matchesPublished: (hasVersion || facts.status === "published") && facts.deletedAt === null,
      live: facts.status !== "archived" && facts.deletedAt === null,
    },
    stored,
  );
}

/** SOP actions without a row here, except actions tested in other parts of the product. */
export function actionsWithoutRow(): SopAction[] {
  const covered = new Set(Object.values(sopRows));
  return sopActions.filter((action) => !covered.has(action));
}

/** Rows about an SOP that this table leaves out. */
export function rowsNotCovered(): string[] {
  return rows
    .filter(({ name, route }) => name.startsWith("sops.") && route.path.includes(":id") && !(name in sopRows))
    .map(({ name }) => name);
}
