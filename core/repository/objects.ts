/** Git's object bytes: the contract every writer keeps. Hashing is handed in. */

export type ObjectType = "blob" | "tree" | "commit";

/** SHA-1 (hex) of the parts one after the other. */
export type Sha1 = (...parts: Uint8Array[]) => string;

export interface TreeEntry {
  name: string;
  oid: string;
  directory: boolean;
}

export interface CommitParts {
  tree: string;
  parent: string | null;
  /** `Name <address>` */
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

/**
 * A tree's content, in git's order: byte order, folders compared as if their name ended in `/`.
 * @throws Error for a name that git could not check out
 */
export function treeBytes(entries: readonly TreeEntry[]): Uint8Array {
  const sorted = entries
    .map((entry) => ({ ...entry, sortName: entry.directory ? `${entry.name}/` : entry.name }))
    .sort((a, b) => (a.sortName < b.sortName ? -1 : 1));
  const heads = sorted.map((entry) => `${entry.directory ? "40000" : "100644"} ${checked(entry.name)}\0`);
  const bytes = new Uint8Array(heads.reduce((size, head) => size + head.length + 20, 0));
  let at = 0;
  for (const [index, entry] of sorted.entries()) {
    const head = heads[index] ?? "";
    for (let character = 0; character < head.length; character += 1) bytes[at++] = head.charCodeAt(character);
    for (let digit = 0; digit < 40; digit += 2) {
      bytes[at++] = hexDigit(entry.oid.charCodeAt(digit)) * 16 + hexDigit(entry.oid.charCodeAt(digit + 1));
    }
  }
  return bytes;
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

// Paths are ASCII by construction, so JavaScript's string order is byte order; anything else means a damaged ledger.
function checked(name: string): string {
  if (!/^[A-Za-z0-9._-]+$/.test(name) || name === "." || name === ".." || name.toLowerCase() === ".git") {
    throw new Error(`not a file name for the repository: ${JSON.stringify(name)}`);
  }
  return name;
}
