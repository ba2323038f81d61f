/** Small pushes that make git do much work. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { deflateSync } from "node:zlib";
import { git } from "./git.ts";

async function treeOf(at: string, entries: string): Promise<string> {
  writeFileSync(path.join(at, ".git/entries"), entries);
  return (await git(at, "-c", "alias.t=!git mktree < .git/entries", "t")).trim();
}

async function blobOf(at: string, text: string): Promise<string> {
  writeFileSync(path.join(at, ".git/blob"), text);
  return (await git(at, "hash-object", "-w", ".git/blob")).trim();
}

/**
 * A commit with one more document on top of another commit. Made without an index, because no index could list the
 * folders beside the document.
 */
export async function withDocument(at: string, commit: string, name: string, text: string): Promise<string> {
  const folder = await treeOf(at, `100644 blob ${await blobOf(at, text)}\t${name}\n`);
  const sops = await treeOf(at, `040000 tree ${folder}\tuncategorized\n`);
  const tree = await treeOf(at, `${await git(at, "ls-tree", commit)}040000 tree ${sops}\tsops\n`);
  return (await git(at, "commit-tree", tree, "-p", commit, "-m", "Add a document")).trim();
}

/** A commit on HEAD whose folders contain each other: 4^levels paths in as many trees as levels. */
export async function nestedCommit(at: string, levels: number, leaf: "file" | "empty folder"): Promise<string> {
  const names = ["a", "b", "c", "d"];
  let tree = await treeOf(at, leaf === "file" ? `100644 blob ${await blobOf(at, "leaf")}\tleaf.md\n` : "");
  for (let level = 0; level < levels; level++)
    tree = await treeOf(at, names.map((name) => `040000 tree ${tree}\t${name}\n`).join(""));
  return (await git(at, "commit-tree", tree, "-p", "HEAD", "-m", "Nested")).trim();
}

/** A pack of deltas. Each repeats its base until it has `megabytes`. */
export function packOfDeltas(count: number, megabytes: number): Buffer {
  const base = Buffer.alloc(65_536);
  const name = createHash("sha1").update(`blob ${base.length}\0`).update(base).digest();
  const objects = [Buffer.concat([header(3, base.length), deflateSync(base)])];
  // "copy 64 KiB from the start" is one byte
  const copies = Buffer.alloc(megabytes * 16, 0x80);
  for (let at = 0; at < count; at++) {
    const own = String(at).padStart(8, "0");
    const sizes = [varint(base.length), varint(megabytes * 2 ** 20 + own.length)];
    const delta = Buffer.concat([...sizes, copies, Buffer.from([own.length]), Buffer.from(own)]);
    objects.push(Buffer.concat([header(7, delta.length), name, deflateSync(delta, { level: 9 })]));
  }
  const head = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  head.writeUInt32BE(objects.length, 8);
  const whole = Buffer.concat([head, ...objects]);
  return Buffer.concat([whole, createHash("sha1").update(whole).digest()]);
}

function header(type: number, size: number): Buffer {
  const rest = Math.floor(size / 16);
  const first = (type << 4) | (size % 16);
  return rest === 0 ? Buffer.from([first]) : Buffer.concat([Buffer.from([first | 0x80]), varint(rest)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}

/** The body of a push in git's form. */
export function pushBody(pack: Buffer): Buffer {
  const command = `${"0".repeat(40)} ${"1".repeat(40)} refs/for/main\0report-status side-band-64k`;
  const line = `${(command.length + 4).toString(16).padStart(4, "0")}${command}0000`;
  return Buffer.concat([Buffer.from(line), pack]);
}
