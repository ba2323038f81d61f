import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Hashes } from "./cloned-facts.ts";
import { CannotProve, Difference } from "./difference.ts";
import { commitBytes, objectId } from "./objects.ts";
import { proveFile, versionProof } from "./prove-file.ts";

const hashes: Hashes = {
  sha1: (...parts) => createHash("sha1").update(Buffer.concat(parts)).digest("hex"),
  sha256: (content) => createHash("sha256").update(content).digest("hex"),
};
const bytes = (text: string) => new TextEncoder().encode(text);
const file = bytes('---\nsop: "SOP-0042"\nid: "a"\nversion: 3\ntitle: "Rinse"\n---\n\nRinse it.\n');
const trailers = (id: string, version: number) =>
  `Sop-Id: ${id}\nSop-Version: ${version}\nContent-SHA256: ${hashes.sha256(file)}\n`;
const approved = "Approved-by: Grace <u@users.invalid>\nApproved-at: 2026-11-20T16:02:11Z\n";
const commitOf = (message: string) => {
  const parts = { tree: "1".repeat(40), parent: null, author: "Grace <u@users.invalid>", seconds: 1 };
  const content = commitBytes({ ...parts, message: `publish\n\nEvent: publish\nEvent-Seq: 4\n${message}` });
  return { oid: objectId("commit", content, hashes.sha1), content };
};
const tag = "sop-0042/v3";
const filesOf = (message: string, content = file) => versionProof({ tag, content }, commitOf(message))?.files ?? [];

test("a version is proved by its commit, which names who approved it", () => {
  const { oid } = commitOf(trailers("a", 3) + approved);
  const proof = proveFile(filesOf(trailers("a", 3) + approved), hashes, oid.slice(0, 8));
  expect(proof).toEqual({
    number: "SOP-0042",
    version: 3,
    title: "Rinse",
    commit: oid,
    sha256: hashes.sha256(file),
    by: [{ name: "Grace <u@users.invalid>", at: "2026-11-20T16:02:11Z" }],
  });
});

test("a commit that names other documents travels in no file", () => {
  expect(filesOf(trailers("a", 3) + trailers("b", 1))).toEqual([]);
});

test.each([
  [
    "another text",
    filesOf(trailers("a", 3), bytes(`${new TextDecoder().decode(file)}Twice.\n`)),
    "SOP-0042 v3: the text has",
  ],
  ["another version", filesOf(trailers("a", 2)), "is about another document or version"],
  ["another document", filesOf(trailers("b", 3)), "is about another document or version"],
  ["no commit", filesOf(trailers("a", 3)).slice(0, 1), "it carries other files than a version and its commit"],
])("%s is a difference", (_, files, message) => {
  expect(() => proveFile(files, hashes)).toThrow(new RegExp(message));
  expect(() => proveFile(files, hashes)).toThrow(Difference);
});

test("a document without a proof can't be proved", () => {
  expect(() => proveFile([], hashes)).toThrow(CannotProve);
});
