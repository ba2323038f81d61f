/** Proves a document that contains the file of its version and that version's commit, such as a PDF from the server. */
import { parseCommit, type Hashes } from "./cloned-facts.ts";
import { CannotProve, decodeUtf8Strictly, Difference } from "./difference.ts";
import { readVersionFacts } from "./file-facts.ts";
import { committer, objectId } from "./objects.ts";
import type { ProvenApproval } from "./prove.ts";

/** A file that is attached to the document. */
export interface AttachedFile {
  name: string;
  content: Uint8Array;
}

/** A version's file and its commit, byte for byte as in the company's repository. */
export interface VersionProof {
  commit: string;
  files: [version: AttachedFile, commit: AttachedFile];
}

export interface FileProof extends ProvenApproval {
  title: string;
  commit: string;
  sha256: string;
}

const commitFile = /^commit-([0-9a-f]{40})\.txt$/;

/** @returns null for a commit that doesn't name exactly one SOP, because readers of one may not have access to others */
export function versionProof(
  version: { tag: string; content: Uint8Array },
  commit: { oid: string; content: Uint8Array },
): VersionProof | null {
  if (parseCommit(commit.oid, commit.content).items.size !== 1) return null;
  const [file, made] = [`${version.tag.replaceAll("/", "-")}.md`, `commit-${commit.oid}.txt`];
  return {
    commit: commit.oid,
    files: [
      { name: file, content: version.content },
      { name: made, content: commit.content },
    ],
  };
}

/**
 * Proves that the version and the commit in a document belong together, by computing their hashes.
 * @param expected the id of a commit or its first digits, noted before: the document must have that commit
 * @throws Difference at the first difference
 * @throws CannotProve for a document without a proof
 */
export function proveFile(files: readonly AttachedFile[], { sha1, sha256 }: Hashes, expected?: string): FileProof {
  const [made, version] = [
    files.find(({ name }) => commitFile.test(name)),
    files.find(({ name }) => name.endsWith(".md")),
  ];
  if (made === undefined && version === undefined) {
    throw new CannotProve("it carries no version and no commit: export it as PDF from the server, not as PDF/A");
  }
  if (made === undefined || version === undefined || files.length !== 2) {
    throw new Difference("it carries other files than a version and its commit");
  }
  const facts = readVersionFacts(decodeUtf8Strictly(version.name, version.content));
  if (facts === null) throw new Difference(`${version.name} has no id, number or version`);
  const about = `${facts.number} v${facts.version}`;
  const differenceError = (what: string) => new Difference(`${about}: ${what}`);
  const stated = commitFile.exec(made.name)?.[1] ?? "";
  const oid = objectId("commit", made.content, sha1);
  if (oid !== stated) throw differenceError(`the commit is ${oid}, stated as ${stated}`);
  const commit = parseCommit(oid, made.content);
  if (commit.committer !== committer) throw differenceError(`${commit.committer} made the commit, not the server`);
  const item = commit.items.get(facts.id);
  if (item?.version !== facts.version) throw differenceError(`the commit ${oid} is about another document or version`);
  const hash = sha256(version.content);
  if (item.sha256 !== hash) throw differenceError(`the text has SHA-256 ${hash}, stated as ${item.sha256}`);
  if (expected !== undefined && !oid.startsWith(expected))
    throw differenceError(`its commit is ${oid}, not ${expected}`);
  const { number, version: count, title } = facts;
  return { number, version: count, title, commit: oid, sha256: hash, by: commit.approvals };
}
