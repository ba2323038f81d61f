/**
 * Writes the bytes of git objects, by the rules that every writer of the repository follows. Callers pass in the hash
 * function.
 */

export type ObjectType = "blob" | "tree" | "commit";

/** The SHA-1 (hexadecimal) of the parts, one after the other. */
export type Sha1 = (...parts: Uint8Array[]) => string;

/** One entry of a tree, in git's bytes. */
export interface GitTreeLine {
  sortName: string;
  bytes: Uint8Array;
}

export interface CommitParts {
  tree: string;
  parent: string | null;
  /** The author as `Name <address>`. */
  author: string;
  /** Seconds since the epoch. */
  seconds: number;
  message: string;
}

/** The committer is always the server. The author is the user who made the change. */
export const committer = "SOP Server <server@sop.invalid>";
const encoder = new TextEncoder();

export function blobBytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The header that git hashes and stores before an object's content. */
export function objectHeader(type: ObjectType, size: number): Uint8Array {
  return encoder.encode(`${type} ${size}\0`);
}

export function objectId(type: ObjectType, content: Uint8Array, sha1: Sha1): string {
  return sha1(objectHeader(type, content.length), content);
}

/** @throws Error for a name that git could not check out */
export function createTreeLine(name: string, oid: string, directory: boolean): GitTreeLine {
  const head = encoder.encode(`${directory ? "40000" : "100644"} ${checkedEntryName(name)}\0`);
  const bytes = new Uint8Array(head.length + 20);
  bytes.set(head);
  for (let at = 0; at < 20; at += 1) {
    bytes[head.length + at] = hexDigit(oid.charCodeAt(at * 2)) * 16 + hexDigit(oid.charCodeAt(at * 2 + 1));
  }
  return { sortName: directory ? `${name}/` : name, bytes };
}

/**
 * The content of a tree. @param entries in git's order: byte order, with folders compared as if their name ended in `/`
 */
export function treeContentBytes(entries: readonly GitTreeLine[]): Uint8Array {
  let size = 0;
  for (const { bytes } of entries) size += bytes.length;
  const content = new Uint8Array(size);
  let at = 0;
  for (const { bytes } of entries) {
    content.set(bytes, at);
    at += bytes.length;
  }
  return content;
}

export function commitBytes(commit: CommitParts): Uint8Array {
  const parent = commit.parent === null ? "" : `parent ${commit.parent}\n`;
  const date = `${commit.seconds} +0000`;
  return encoder.encode(
    `tree ${commit.tree}\n${parent}author ${commit.author} ${date}\ncommitter ${committer} ${date}\n\n${commit.message}`,
  );
}

function hexDigit(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}

// Paths are always ASCII, so JavaScript's string order is byte order. Anything else means a damaged ledger.
function checkedEntryName(name: string): string {
  if (!/^[A-Za-z0-9._-]+$/.test(name) || name === "." || name === ".." || name.toLowerCase() === ".git") {
    throw new Error(`not a file name for the repository: ${JSON.stringify(name)}`);
  }
  return name;
}
