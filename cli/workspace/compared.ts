/** Loads two texts of one document, each from a file, git or the server. */
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { changedFrontMatterFields } from "#core/diff/facts.ts";
import type { DiffFact } from "#core/diff/schema.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { isId } from "#core/ids.ts";
import { isBareNumber, readNumber } from "#core/numbers/numbers.ts";
import { printedName } from "#core/users/printed-name.ts";
import { invalidInputError, type CliError } from "../exit.ts";
import { findSops } from "../export/read.ts";
import { connectSignedIn, type SignedInClient } from "../server.ts";
import { decodeSource } from "../read-source.ts";
import type { CommandContext } from "../context.ts";
import { documentIdentityOf } from "./documents.ts";
import { findWorkspaceAbove } from "./find.ts";
import { runWorkspaceGit, isInWorkTree } from "./git.ts";
import { connectWorkspace, fetchSopText } from "./remote.ts";
import { loadState, readBaseText } from "./state.ts";

export interface ComparedDocument {
  name: string;
  /** The name of `before` in headings: `version 3`, `as pulled` or a git revision. `to` is the name of `after`. */
  from: string;
  to: string;
  facts: DiffFact[];
  /** The text before, without front matter. `after` has none either. */
  before: string;
  after: string;
}

/**
 * Says whether a reference means an SOP of the server: `SOP-0042` or an id, or another spelling of a number if no file
 * has that name. Anything else is a file.
 */
export function isSopReference(reference: string, cwd: string): boolean {
  if (isId(reference) || /^sop-\d+$/i.test(reference) || readNumber(reference) === reference) return true;
  return (readNumber(reference) !== null || isBareNumber(reference)) && !existsSync(resolve(cwd, reference));
}

/** Reads a version such as `3` or `v3`; null for anything else. */
function parseVersionNumber(text: string): number | null {
  const digits = /^v?(\d{1,9})$/i.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

export async function findSop(context: CommandContext, reference: string) {
  const signedIn = await connectSignedIn(context);
  const { progress } = context.out;
  const [sop] = (await findSops({ ...signedIn, progress }, [reference], {})).rows;
  progress(null);
  if (sop === undefined) throw invalidInputError("not_found", `SOP ${reference} not found, or you can't see it`);
  return { ...signedIn, sop };
}

export async function compareOnServer(
  context: CommandContext,
  reference: string,
  a?: string,
  b?: string,
): Promise<ComparedDocument> {
  const { client, sop } = await findSop(context, reference);
  const known = await client.sops.versions({ params: { id: sop.id } });
  const numberOf = (text: string | undefined) => {
    if (text === undefined) return undefined;
    const version = parseVersionNumber(text);
    if (version === null || !known.some((row) => row.version === version)) {
      throw unknownVersionError(`${sop.number} has no version ${text}, or you can't see it`, known.map(versionLine));
    }
    return version;
  };
  const [from, to] = [numberOf(a), numberOf(b)];
  const query = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const diff = await client.sops.diff({ params: { id: sop.id }, query });
  const textWithout = (kind: "added" | "removed") =>
    diff.markdown
      .filter((part) => part.kind !== kind)
      .map(({ text }) => text)
      .join("");
  return {
    name: sop.number,
    from: `version ${diff.from}`,
    to: `version ${diff.to}`,
    facts: diff.facts,
    before: textWithout("added"),
    after: textWithout("removed"),
  };
}

type ServerVersion = Awaited<ReturnType<SignedInClient["client"]["sops"]["versions"]>>[number];

function versionLine({ version, createdAt, changedBy, changeNote }: ServerVersion): string {
  return [`v${version}`, createdAt.slice(0, 10), printedName(changedBy), changeNote]
    .filter(Boolean)
    .join(" ")
    .replaceAll(/\s+/g, " ");
}

/** Returns an error that names the last five versions, in case of a typo. */
function unknownVersionError(message: string, lines: readonly string[]): CliError {
  const last = lines.slice(0, 5).join("; ");
  return invalidInputError("version", message, last === "" ? {} : { hint: `the last ones: ${last}` });
}

export async function compareFile(
  context: CommandContext,
  reference: string,
  a?: string,
  b?: string,
): Promise<ComparedDocument> {
  const file = resolve(context.cwd, reference);
  if (!existsSync(file)) {
    throw invalidInputError("no_match", `${reference}: file not found`, {
      path: reference,
      hint: "or name an SOP: sop diff SOP-0042",
    });
  }
  if (!(await stat(file)).isFile())
    throw invalidInputError("no_match", `${reference} is a folder: name one document`, { path: reference });
  const { text } = decodeSource(await readFile(file), reference);
  const source: FileSource = { context, file, wanted: reference, text };
  const from = await loadRevision(source, a ?? (await chooseDefaultRevision(source)));
  const to = b === undefined ? { label: "as it is here", text } : await loadRevision(source, b);
  const [before, after] = [readMarkdownOrFail(from.text, reference), readMarkdownOrFail(to.text, reference)];
  return {
    name: reference,
    from: from.label,
    to: to.label,
    facts: changedFrontMatterFields(before.frontMatter, after.frontMatter),
    before: before.body,
    after: after.body,
  };
}

interface FileSource {
  context: CommandContext;
  file: string;
  wanted: string;
  text: string;
}

/**
 * Chooses the revision to compare with by default: `base`, the last pulled text, or else `HEAD`, git's last commit.
 * @throws exit 2 if the file has neither
 */
async function chooseDefaultRevision(source: FileSource): Promise<string> {
  if ((await readBaseTextOfFile(source)) !== null) return "base";
  if (await isInWorkTree(dirname(source.file)).catch(() => false)) return "HEAD";
  throw invalidInputError("no_base", `${source.wanted}: nothing to compare with, neither pulled nor in git`, {
    path: source.wanted,
    hint: "run `sop pull`, or commit the file",
  });
}

async function readBaseTextOfFile({ file, text, wanted: reference }: FileSource): Promise<string | null> {
  const root = findWorkspaceAbove(dirname(file));
  const { id } = documentIdentityOf(text, reference);
  return root === null || id === null ? null : await readBaseText(root, id);
}

async function loadRevision(source: FileSource, revision: string): Promise<{ label: string; text: string }> {
  if (revision === "base") {
    const text = await readBaseTextOfFile(source);
    if (text === null) throw invalidInputError("no_base", `${source.wanted} was not pulled`, { path: source.wanted });
    const { version } = documentIdentityOf(text, source.wanted);
    return { label: `as pulled${version === null ? "" : `, version ${version}`}`, text };
  }
  const version = parseVersionNumber(revision);
  const { id } = documentIdentityOf(source.text, source.wanted);
  if (version !== null && id !== null) return await fetchServerRevision(source, id, version);
  return await readGitRevision(source, revision);
}

async function fetchServerRevision({ context, file, wanted: reference }: FileSource, id: string, version: number) {
  const root = findWorkspaceAbove(dirname(file));
  const remote = await connectWorkspace(context, root === null ? null : await loadState(root));
  const text = await fetchSopText(remote, id, version);
  if (text === null) {
    const known = await remote.client.sops.versions({ params: { id } });
    throw unknownVersionError(`${reference} has no version ${version}, or you can't see it`, known.map(versionLine));
  }
  return { label: `version ${version}`, text };
}

async function readGitRevision(
  { file, wanted: reference }: FileSource,
  revision: string,
): Promise<{ label: string; text: string }> {
  const folder = dirname(file);
  const commit = await runWorkspaceGit(folder, [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${revision}^{commit}`,
  ]);
  const name = `./${basename(file)}`;
  const shown = commit.code === 0 ? await runWorkspaceGit(folder, ["show", `${commit.stdout.trim()}:${name}`]) : commit;
  if (shown.code === 0) return { label: revision, text: shown.stdout };
  const log = await runWorkspaceGit(folder, ["log", "-5", "--format=%h %as %s", "--follow", "--", name]);
  throw unknownVersionError(`${reference} is not in git at ${revision}`, log.stdout.trim().split("\n").filter(Boolean));
}

function readMarkdownOrFail(text: string, path: string) {
  try {
    return readMarkdownFile(text);
  } catch {
    throw invalidInputError("front_matter", `${path}: its front matter can't be read`, {
      path,
      hint: "`sop lint` says where",
    });
  }
}
