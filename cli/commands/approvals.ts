/** `sop submit`, `sop approve`, `sop reject`: approval from the terminal. */
import { ineligibleTexts } from "#core/approvals/rules.ts";
import type { Approval, ApproverCandidate } from "#core/approvals/schema.ts";
import { isId } from "#core/ids.ts";
import { fold } from "#core/text/fold.ts";
import { printedName } from "#core/users/printed-name.ts";
import { namedBy, numberKey, readSpelling, unclearNumber } from "#core/numbers/numbers.ts";
import { exit, invalid } from "../exit.ts";
import { chooseSops } from "../export/read.ts";
import { printable } from "../output.ts";
import { connect, type SopClient } from "../server.ts";
import { nameTarget } from "../write-target.ts";
import type { Context, Result } from "../context.ts";

export interface SubmitOptions {
  approver: string[];
  note?: string;
}

export interface DecisionOptions {
  comment?: string;
  ifMatch?: number;
}

/** @param isTargetNamed whether the caller has already printed which server and company it writes to */
export async function submit(
  context: Context,
  reference: string,
  { approver, note }: SubmitOptions,
  isTargetNamed = false,
): Promise<Result> {
  const { client, connection } = await connect(context);
  if (!isTargetNamed) await nameTarget(context, { client, connection });
  const [sop] = await chooseSops({ client, progress: context.out.progress }, [reference], {});
  context.out.progress(null);
  if (!sop) throw invalid("not_found", `SOP ${reference} not found, or you can't see it`);
  const params = { id: sop.id };
  const { people } = await client.approvals.candidates({ params });
  const approverIds = approver.map((name) => idOf(people, name, sop.number));
  const request = await client.sops.requestApproval({
    params,
    body: { approverIds, ...(note === undefined ? {} : { requestNote: note }) },
  });
  const names = request.approvers.map(({ user }) => printedName(user)).join(", ");
  return { exit: exit.done, data: request, text: line(`${about(request)} waits for ${names}: ${needed(request)}.`) };
}

/** Finds a person by id, by username, or by name without regard to case and accents. */
function idOf(people: readonly ApproverCandidate[], reference: string, number: string): string {
  const byUsername = people.filter(({ username }) => username === reference.toLowerCase());
  const named =
    byUsername.length > 0
      ? byUsername
      : people.filter(({ id, name }) => id === reference || folded(name) === folded(reference));
  const [person] = named;
  if (!person) {
    const able = people.filter(({ eligible }) => eligible).map(printedName);
    const hint = able.length > 0 ? `${number} can be approved by: ${able.join(", ")}` : `no one can approve ${number}`;
    throw invalid("no_approver", `no active user is named ${reference}`, { hint });
  }
  if (named.length > 1) {
    const usernames = named.map(({ username }) => username).join(", ");
    const hint = `name one by username: ${usernames}`;
    throw invalid("ambiguous", `${named.length} people are named ${reference}`, { hint });
  }
  if (person.reason) throw invalid("ineligible", `${printedName(person)}: ${ineligibleTexts[person.reason]}`);
  return person.id;
}

const folded = (text: string) => fold(text).trim();

export const approve = deciding("approve");
export const reject = deciding("reject");

function deciding(verb: "approve" | "reject") {
  return async (context: Context, reference: string, { comment, ifMatch }: DecisionOptions): Promise<Result> => {
    const { client, connection } = await connect(context);
    await nameTarget(context, { client, connection });
    const request = await client.approvals[verb]({
      params: { id: await requestFor(client, reference) },
      body: comment === undefined ? {} : { comment },
      ...(ifMatch === undefined ? {} : { ifMatch }),
    });
    return { exit: exit.done, data: request, text: line(`${about(request)}: ${result(request, !comment?.trim())}.`) };
  };
}

/** Finds the pending request about an SOP by the SOP's number or id, or a request by its own id. */
async function requestFor(client: SopClient, reference: string): Promise<string> {
  const pending = await client.approvals.list({ query: { status: "pending" } });
  const known = pending.find(({ id, sopId }) => id === reference || sopId === reference);
  if (known) return known.id;
  const keyed = pending.map(({ id, sop: { number: label } }) => ({ id, label, labelKey: numberKey(label) }));
  const [found, ...others] = namedBy(readSpelling(reference), keyed);
  if (found && others.length > 0) throw invalid("unclear_number", unclearNumber(reference, [found, ...others]));
  if (found) return found.id;
  if (isId(reference)) return reference;
  throw invalid("not_found", `no pending approval request for ${reference}, or you can't see it`, {
    hint: "sop api approvals.list --query status=pending",
  });
}

function about({ sop, version }: Approval): string {
  return `${sop.number} version ${version} (${sop.title})`;
}

function needed({ needed: count, approvers }: Approval): string {
  return count === approvers.length ? "all of them must approve" : `${count} of them must approve`;
}

function result(request: Approval, isMute: boolean): string {
  const { outcome, approvers, needed: count, publishedVersion, version } = request;
  if (outcome === "rejected") return `rejected${isMute ? " without a reason" : ""}; it's a draft again`;
  if (outcome === "approved") {
    return publishedVersion === version ? "approved and published" : "approved, takes effect on its effective date";
  }
  const approved = approvers.filter(({ status, replacedAt }) => status === "approved" && replacedAt === null).length;
  return `approved by you, ${approved} of ${count} approvals`;
}

const line = (text: string) => `${printable(text)}\n`;
