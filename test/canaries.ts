/** Secrets that a test knows, and a search for the places that have them. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { declarations, type Collections } from "../server/database/documents.ts";
import type { Database } from "../server/database/port.ts";
import type { Received } from "./http.ts";

/** A text and the name of its place. */
export interface Place {
  name: string;
  text: string;
}

export interface Canary {
  name: string;
  value: string;
  /** The names of the places that must have it. */
  belongs: readonly string[];
}

/** The value itself, and its spellings in links, JSON, headers and dumps. */
function spellings(value: string): string[] {
  const bytes = Buffer.from(value);
  const json = JSON.stringify(value).slice(1, -1);
  // inside a longer base64 text, only the middle is the same, at one of three offsets
  const within = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .slice(4, -4),
  );
  return [...new Set([value, encodeURIComponent(value), json, bytes.toString("hex"), ...within])];
}

/** `name of the canary in name of the place`, for every place that must not have it. */
export function leakedCanaries(canaries: readonly Canary[], places: readonly Place[]): string[] {
  return canaries.flatMap(({ name, value, belongs }) => {
    const shapes = spellings(value);
    return places
      .filter((place) => !belongs.includes(place.name) && shapes.some((shape) => place.text.includes(shape)))
      .map((place) => `${name} in ${place.name}`);
  });
}

/** Canaries missing from the places that must have them. If there are some, the search itself doesn't work. */
export function missingCanaries(canaries: readonly Canary[], places: readonly Place[]): string[] {
  return canaries.flatMap(({ name, value, belongs }) =>
    belongs
      .filter((where) => !places.some((place) => place.name === where && place.text.includes(value)))
      .map((where) => `${name} not in ${where}`),
  );
}

const toldHeaders = [
  "set-cookie",
  "location",
  "link",
  "etag",
  "content-disposition",
  "www-authenticate",
  "x-request-id",
];

export function answerText({ status, headers, body }: Received): string {
  return [status, ...toldHeaders.flatMap((name) => headers.all(name)), body].join("\n");
}

/** Every document of the database, as JSON. */
export async function databasePlaces(db: Database<Collections>): Promise<Place[]> {
  const names = Object.keys(declarations) as (keyof Collections & string)[];
  const read = async (name: keyof Collections & string) => ({
    name: `database ${name}`,
    text: JSON.stringify(await db.collection(name).find({})),
  });
  return Promise.all(names.map(read));
}

/** The files of the data folder as stored, with the database's freed pages. Emails and repositories are read separately. */
export function filePlaces(dataDir: string): Place[] {
  return filesIn(dataDir)
    .filter((name) => !name.startsWith("mail"))
    .map((name) => ({ name: `file ${name}`, text: readFileSync(path.join(dataDir, name), "latin1") }));
}

/** The emails as text, from their files. */
export function mailPlaces(dataDir: string): Place[] {
  const dir = path.join(dataDir, "mail");
  if (!existsSync(dir)) return [];
  const written = filesIn(dir).filter((name) => name.endsWith(".eml"));
  return written.map((name) => ({
    name: `mail ${name}`,
    text: readFileSync(path.join(dir, name), "utf8"),
  }));
}

/** All objects of every repository, inflated. */
export function repositoryPlaces(dataDir: string): Place[] {
  const dir = path.join(dataDir, "repositories");
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => name.endsWith(".git"))
    .map((name) => {
      const args = ["-C", path.join(dir, name), "cat-file", "--batch", "--batch-all-objects"];
      return {
        name: `repository ${name}`,
        text: execFileSync("git", args, { encoding: "latin1", maxBuffer: 1 << 28 }),
      };
    });
}

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(path.join(dir, name), { throwIfNoEntry: false })?.isFile(),
  );
}
