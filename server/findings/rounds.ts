/** Stores the progress and the findings of each check of stored data, so that both survive a restart. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "#core/clock.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";

/** The progress of one round of a check. A round checks all data once. */
export interface Round {
  /** The position after which the check continues; empty at the start of a round. */
  after: string;
  /** The time when this round began. */
  since: string;
  found: string[];
  /** The findings of the previous round, which count until this round is done. */
  before: string[];
}

export interface Rounds {
  read(name: string): Promise<Round | null>;
  write(name: string, round: Round): Promise<void>;
  /** Loads the findings of the present and the previous round of all checks. */
  known(): Promise<string[]>;
}

const prefix = "integrity:";
const findingsOfRounds = (rounds: readonly Round[]) =>
  rounds.flatMap(({ found, before }) => [...new Set([...before, ...found])]);

/** Stores rounds of checks of data that all servers share. */
export function createDatabaseRounds(db: Pick<Database<Collections>, "collection">, clock: Clock): Rounds {
  const system = db.collection("system");
  return {
    async read(name) {
      const stored = await system.findOne({ _id: `${prefix}${name}` });
      return stored ? (JSON.parse(stored.value) as Round) : null;
    },
    async write(name, round) {
      const $set = { value: JSON.stringify(round), at: clock.now() };
      await system.updateOne({ _id: `${prefix}${name}` }, { $set }, { upsert: true });
    },
    async known() {
      const stored = await system.find({ _id: { $gte: prefix, $lt: "integrity;" } });
      return findingsOfRounds(stored.map(({ value }) => JSON.parse(value) as Round));
    },
  };
}

/**
 * Stores rounds of checks of data on this server's disk in a file. If the file is lost or damaged, a new round begins.
 */
export function createFileRounds(file: string): Rounds {
  const readAll = () => readRounds(file);
  return {
    read: async (name) => (await readAll())[name] ?? null,
    async write(name, round) {
      const rounds = { ...(await readAll()), [name]: round };
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(`${file}.tmp`, JSON.stringify(rounds), { mode: 0o600 });
      await rename(`${file}.tmp`, file);
    },
    known: async () => findingsOfRounds(Object.values(await readAll())),
  };
}

async function readRounds(file: string): Promise<Record<string, Round>> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Record<string, Round>;
  } catch {
    return {};
  }
}
