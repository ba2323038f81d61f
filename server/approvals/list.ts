/** Lists requests about SOPs whose latest version the actor can see. Readers see no requests. */
import type { Actor } from "#core/permissions/actor.ts";
import { canReadEveryVersion, visibleVersion } from "#core/permissions/can.ts";
import { approvalStatuses, mayDecide } from "#core/approvals/rules.ts";
import type { ApprovalQuery } from "#core/approvals/schema.ts";
import type { ApprovalRequestDocument, SopDocument } from "../database/documents.ts";
import type { Filter } from "../database/port.ts";
import type { Services } from "../http/services.ts";
import { loadVisibleSop } from "../sops/view/load.ts";
import type { RequestOfSop } from "./present.ts";

type ApprovalDatabase = Pick<Services, "db">;

/**
 * The maximum number of requests in a company's list, besides those that wait for the actor. Users find older requests
 * in the list of an SOP.
 */
const listedAtMost = 200;
/** The maximum number of requests read for a company's list. Users who can see few requests get a shorter list. */
const readAtMost = 2_000;

/**
 * Lists the requests that the actor can see, first those that wait for the actor.
 * @throws AppError not_found for an SOP that the actor can't see
 */
export async function listRequests(
  services: ApprovalDatabase,
  actor: Actor,
  query: ApprovalQuery,
): Promise<RequestOfSop[]> {
  const found =
    query.sopId === undefined
      ? await listRequestsOfCompany(services, actor, query)
      : await listRequestsOfSop(services, actor, query);
  const mayDecideRequest = ({ request, sop }: RequestOfSop) => mayDecide(actor, request, sop);
  const mine = found.filter(mayDecideRequest);
  return query.mine ? mine : [...mine, ...found.filter((one) => !mayDecideRequest(one))];
}

async function listRequestsOfSop(
  services: ApprovalDatabase,
  actor: Actor,
  { sopId = "", status }: ApprovalQuery,
): Promise<RequestOfSop[]> {
  const { sop, view } = await loadVisibleSop(services, actor, sopId);
  if (view !== "latest") return [];
  const requests = await services.db
    .forCompany(actor.companyId)
    .collection("approval_requests")
    .find({ sopId, ...(status === undefined ? {} : { status }) }, { sort: { createdAt: -1, _id: -1 } });
  return requests.filter((request) => mayReadRequest(actor, sop, request)).map((request) => ({ request, sop }));
}

async function listRequestsOfCompany(
  services: ApprovalDatabase,
  actor: Actor,
  { status, mine }: ApprovalQuery,
): Promise<RequestOfSop[]> {
  if (mine) return (await loadRequestsWaitingForActor(services, actor)).filter(createStatusFilter(status));
  const named = status === undefined || status === "pending" ? await loadRequestsWaitingForActor(services, actor) : [];
  const waiting = named.filter(({ request, sop }) => mayDecide(actor, request, sop));
  const statuses = status === undefined ? approvalStatuses : [status];
  const lists = await Promise.all(statuses.map((one) => readVisibleRequests(services, actor, { status: one })));
  const newest = sortNewestFirst(lists.flat()).slice(0, listedAtMost);
  const listed = new Set(waiting.map(({ request }) => request._id));
  return [...waiting, ...newest.filter(({ request }) => !listed.has(request._id))];
}

/** Lists requests that wait for the actor, however old. */
const loadRequestsWaitingForActor = (services: ApprovalDatabase, actor: Actor) =>
  readVisibleRequests(services, actor, { waitingFor: actor.userId });

const createStatusFilter =
  (status: ApprovalQuery["status"]) =>
  ({ request }: RequestOfSop) =>
    status === undefined || request.status === status;

function sortNewestFirst(found: RequestOfSop[]): RequestOfSop[] {
  const sortKeyOf = ({ request }: RequestOfSop) => `${request.createdAt} ${request._id}`;
  return found.sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? 1 : -1));
}

/** Reads requests page by page, until `listedAtMost` of them are visible to the actor or `readAtMost` are read. */
async function readVisibleRequests(
  services: ApprovalDatabase,
  actor: Actor,
  filter: Filter<ApprovalRequestDocument>,
): Promise<RequestOfSop[]> {
  const requests = services.db.forCompany(actor.companyId).collection("approval_requests");
  const visible: RequestOfSop[] = [];
  let before: ApprovalRequestDocument | undefined;
  for (let read = 0; read < readAtMost && visible.length < listedAtMost; read += listedAtMost) {
    const page = await requests.find(
      { ...filter, ...(before ? filterForOlderRequests(before) : {}) },
      { sort: { createdAt: -1, _id: -1 }, limit: listedAtMost },
    );
    visible.push(...(await attachVisibleSops(services, actor, page)));
    before = page.at(-1);
    if (page.length < listedAtMost) break;
  }
  return visible;
}

function filterForOlderRequests({ createdAt, _id }: ApprovalRequestDocument): Filter<ApprovalRequestDocument> {
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }] };
}

/** Adds the SOP to each request. Leaves out requests that the actor can't see. */
async function attachVisibleSops(
  { db }: ApprovalDatabase,
  actor: Actor,
  requests: readonly ApprovalRequestDocument[],
): Promise<RequestOfSop[]> {
  if (requests.length === 0) return [];
  const ids = [...new Set(requests.map(({ sopId }) => sopId))];
  const sops = await db
    .forCompany(actor.companyId)
    .collection("sops")
    .find({ _id: { $in: ids } });
  const seen = new Map(sops.filter((sop) => visibleVersion(actor, sop) === "latest").map((sop) => [sop._id, sop]));
  return requests.flatMap((request) => {
    const sop = seen.get(request.sopId);
    return sop && mayReadRequest(actor, sop, request) ? [{ request, sop }] : [];
  });
}

/**
 * Says whether the actor can read a request. Requests other than the present one are about earlier drafts, so reading
 * them needs the permission to read every version.
 */
function mayReadRequest(actor: Actor, sop: SopDocument, { _id }: ApprovalRequestDocument): boolean {
  return _id === sop.requestId || canReadEveryVersion(actor, sop);
}
