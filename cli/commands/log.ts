import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Approval } from "#core/approvals/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { alignedRows, alignedColumns, withIndentedLines } from "../columns.ts";
import { exit, invalidInputError } from "../exit.ts";
import { printableText } from "../output.ts";
import { findSop, isSopReference } from "../workspace/compared.ts";
import { runWorkspaceGit, isInWorkTree } from "../workspace/git.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface LogOptions {
  number?: number;
  since?: string;
  approvals?: boolean;
}

export async function showLog(context: CommandContext, reference: string, options: LogOptions): Promise<CommandResult> {
  const since = options.since === undefined ? null : parseMoment(options.since);
  const limit = options.number ?? Number.POSITIVE_INFINITY;
  if (!isSopReference(reference, context.cwd))
    return await fileLog(context, reference, { limit, since, approvals: options.approvals === true });
  const { client, sop } = await findSop(context, reference);
  const params = { id: sop.id };
  const versions = (await client.sops.versions({ params }))
    .filter(({ createdAt }) => since === null || createdAt >= since)
    .slice(0, limit);
  const requests = options.approvals ? await client.approvals.list({ query: { sopId: sop.id } }) : [];
  const rows = versions.map((version) => {
    const approvals = requests.filter((request) => request.version === version.version);
    return options.approvals ? { ...version, approvals } : version;
  });
  const lines = versions.map(
    ({ version, createdAt, changedBy, changeClass, isInForce, isCurrent, restores, changeNote }) => [
      `v${version}`,
      createdAt.slice(0, 16).replace("T", " "),
      printedName(changedBy),
      changeClass,
      isInForce ? "published" : isCurrent ? "latest" : "",
      [restores === null ? "" : `restores v${restores}`, changeNote ?? ""].filter(Boolean).join("; "),
    ],
  );
  const text = alignedRows(lines).map((row, index) => {
    const about = requests.filter((request) => request.version === versions[index]?.version);
    return `${row}${about
      .flatMap(approvalLines)
      .map((told) => `      ${withIndentedLines(printableText(told), 10)}\n`)
      .join("")}`;
  });
  return { exit: exit.done, data: { id: sop.id, number: sop.number, versions: rows }, text: text.join("") };
}

/** Parses a date with a time, or a day, which begins at midnight UTC. @throws exit 2 for any other text */
function parseMoment(text: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const at = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)
    ? new Date(isDay ? `${text}T00:00:00Z` : text)
    : null;
  if (at === null || Number.isNaN(at.valueOf())) {
    throw invalidInputError("usage", `--since ${text} is not a day`, { hint: "write it as 2026-11-30" });
  }
  return at.toISOString();
}

function approvalLines({ requestedBy, createdAt, outcome, status, approvers, requestNote }: Approval): string[] {
  const note = requestNote ? ` "${requestNote}"` : "";
  return [
    `${createdAt.slice(0, 16).replace("T", " ")} ${printedName(requestedBy)} submitted for approval${note}: ${outcome ?? status}`,
    ...approvers.map(({ user, status: approverStatus, respondedAt, replacedAt, comment }) => {
      const when = respondedAt === null ? "" : ` ${respondedAt.slice(0, 16).replace("T", " ")}`;
      const word = replacedAt === null ? approverStatus : "replaced";
      return `  ${printedName(user)}: ${word}${when}${comment ? ` "${comment}"` : ""}`;
    }),
  ];
}

interface FileLogOptions {
  limit: number;
  since: string | null;
  approvals: boolean;
}

async function fileLog(
  { cwd }: CommandContext,
  reference: string,
  { limit, since, approvals }: FileLogOptions,
): Promise<CommandResult> {
  const file = resolve(cwd, reference);
  const hint = "or name an SOP: sop log SOP-0042";
  if (!existsSync(file)) throw invalidInputError("no_match", `${reference}: file not found`, { path: reference, hint });
  if (approvals) throw invalidInputError("usage", "--approvals are the server's: name the SOP by its number", { hint });
  if (!(await isInWorkTree(dirname(file))))
    throw invalidInputError("no_git", `${reference} is not in a git repository`, { path: reference, hint });
  const answer = await runWorkspaceGit(dirname(file), [
    "log",
    "--follow",
    "--format=%h%x1f%aI%x1f%an%x1f%s",
    ...(Number.isFinite(limit) ? [`-${limit}`] : []),
    ...(since === null ? [] : [`--since=${since}`]),
    "--",
    `./${basename(file)}`,
  ]);
  // In a repository without a commit, git log fails. The document then has no history.
  const lines = answer.code === 0 ? answer.stdout.split("\n").filter(Boolean) : [];
  const commits = lines.map((line) => {
    const [commit = "", date = "", author = "", subject = ""] = line.split("\x1f");
    return { commit, date, author, subject };
  });
  const text = alignedColumns(
    commits.map(({ commit, date, author, subject }) => [commit, date.slice(0, 16).replace("T", " "), author, subject]),
  );
  return { exit: exit.done, data: { path: reference, commits }, text };
}
