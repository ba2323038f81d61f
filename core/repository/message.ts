/**
 * Writes the commit message of an event. Only fixed character ranges are used, because a newer Unicode table must not
 * change old commits.
 */
/* oxlint-disable no-control-regex -- removing control characters is the point */
import { fileOnBranch, isBranchChangedBy } from "./changes.ts";
import type { Branch, RepoEvent, RepoEventItem } from "./event.ts";
import { defaultNumberLabel } from "./names.ts";
import { printedName } from "../users/printed-name.ts";

const subjectLimit = 120;

/**
 * The whole message, ending with one LF. On `main` it names the published version, so a draft's title never appears
 * there.
 */
export function commitMessage(event: RepoEvent, branch: Branch): string {
  const items = branch === "history" ? event.items : event.items.filter((item) => isBranchChangedBy(item, branch));
  const described = items.map((item) => describeEventItem(item, branch));
  const paragraphs = [
    commitSubject(event, described),
    noteLines(event.note ?? "").join("\n"),
    described.length > 1 ? itemListing(described).join("\n") : "",
    commitTrailers(event, described).join("\n"),
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== "").join("\n\n")}\n`;
}

interface DescribedVersion {
  sopId: string;
  label: string;
  title: string;
  version: number;
  /** Null if the branch has no file after the event, or if the file's hash is not in the event. */
  contentHash: string | null;
  movedFrom: string | null;
}

function describeEventItem(item: RepoEventItem, branch: Branch): DescribedVersion {
  const before = fileOnBranch(item.before, branch);
  const after = fileOnBranch(item.after, branch);
  const version = branch === "history" ? item.version : ((after ?? before)?.version ?? item.version);
  const named = version === item.version ? item : item.inForce;
  return {
    sopId: item.sopId,
    label: item.label ?? defaultNumberLabel(item.number),
    title: singleLine(named?.title ?? ""),
    version,
    contentHash: after === null ? null : (named?.contentHash ?? null),
    movedFrom: before !== null && after !== null && before.path !== after.path ? before.path : null,
  };
}

function commitSubject(event: RepoEvent, items: readonly DescribedVersion[]): string {
  const [first] = items;
  const last = items.at(-1);
  if (first === undefined || last === undefined) return shortenedSubject(`${event.type}: `, settingsTitle(event), "");
  if (items.length > 1) return `${event.type}: ${items.length} documents (${first.label} to ${last.label})`;
  const separator = first.title === "" ? "" : " ";
  return shortenedSubject(`${event.type}(${first.label}): `, first.title, `${separator}(v${first.version})`);
}

function settingsTitle(event: RepoEvent): string {
  if (event.type === "unreadable") return `event ${event.seq}`;
  if (event.company !== undefined) return singleLine(event.company.name);
  const count = event.categories?.length ?? 0;
  return count === 1 ? "1 category" : `${count} categories`;
}

function itemListing(items: readonly DescribedVersion[]): string[] {
  return items.map((item) => shortenedSubject(`- ${item.label} `, item.title, ` (v${item.version})`));
}

/** Joins three parts, and shortens the middle one so that the result has at most 120 characters. */
export function shortenedSubject(start: string, middle: string, end: string): string {
  const characters = [...middle];
  const room = subjectLimit - start.length - end.length;
  if (characters.length <= room) return `${start}${middle}${end}`.trimEnd();
  return `${start}${characters
    .slice(0, room - 1)
    .join("")
    .trimEnd()}…${end}`;
}

function commitTrailers(event: RepoEvent, items: readonly DescribedVersion[]): string[] {
  const happened = [`Event: ${event.type}`, `Event-Seq: ${event.seq}`];
  const [only] = items;
  const lines =
    items.length === 1 && only !== undefined
      ? [...identityTrailers(only), ...happened, ...contentTrailers(only)]
      : [...happened, ...items.flatMap((item) => [...identityTrailers(item), ...contentTrailers(item)])];
  if (event.restores !== undefined) lines.push(`Restores: ${event.restores}`);
  if (event.importId !== undefined) lines.push(`Import-Id: ${singleLine(event.importId)}`);
  if (event.aiModel !== undefined) lines.push(`AI-Assisted: ${singleLine(event.aiModel)}`);
  for (const { userId, name, stated } of event.coAuthors ?? [])
    lines.push(`${stated ? "Stated-author" : "Co-authored-by"}: ${commitIdentityOf(userId, name)}`);
  for (const approval of event.approvals ?? []) {
    lines.push(`Approved-by: ${commitIdentityOf(approval.userId, printedName(approval))}`);
    lines.push(`Approved-at: ${new Date(epochSeconds(approval.at) * 1000).toISOString().replace(".000", "")}`);
  }
  if (event.requestId !== undefined) lines.push(`Request-Id: ${singleLine(event.requestId)}`);
  return lines;
}

function identityTrailers(item: DescribedVersion): string[] {
  return [`Sop-Id: ${singleLine(item.sopId)}`, `Sop-Version: ${item.version}`];
}

function contentTrailers(item: DescribedVersion): string[] {
  const lines = item.contentHash === null ? [] : [`Content-SHA256: ${item.contentHash}`];
  return item.movedFrom === null ? lines : [...lines, `Moved-from: ${item.movedFrom}`];
}

/**
 * The identity `Name <id@users.invalid>`: it has no real email address, so no name can impersonate the owner of one.
 */
export function commitIdentityOf(userId: string, name: string): string {
  const id = userId.replace(/[^A-Za-z0-9._-]/g, "-");
  const printed = singleLine(name.replace(/[<>]/g, ""));
  return `${printed === "" ? id : printed} <${id}@users.invalid>`;
}

/** Seconds since the epoch, rounded down, because git stores whole seconds. @throws Error for a text that is no time */
export function epochSeconds(at: string): number {
  const seconds = Math.floor(Date.parse(at) / 1000);
  if (!Number.isSafeInteger(seconds)) throw new Error(`not a time: ${JSON.stringify(at)}`);
  return seconds;
}

/** Puts a text on one line: control characters, line separators and bidirectional overrides become single spaces. */
function singleLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/g, " ")
    .trim();
}

/**
 * Splits a user's note into lines for a commit message. A line that looks like a trailer gets a leading space, so that
 * no note can forge an approval.
 */
export function noteLines(note: string): string[] {
  const text = note
    .toWellFormed()
    .replace(/\r\n|[\r\u000b\u000c\u0085\u2028\u2029]/g, "\n")
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g, "")
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");
  if (text === "") return [];
  return text.split("\n").map((line) => (/^([A-Za-z0-9-]+[ \t]*:|---|\(cherry picked)/.test(line) ? ` ${line}` : line));
}
