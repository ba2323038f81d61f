/** `.sop/journal.jsonl` records what the last import did, so that a killed import can resume. */
import { appendFile, mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { projectRootOf } from "../workspace.ts";
import type { PlanRow } from "./plan.ts";

const Start = z.object({
  type: z.literal("start"),
  at: z.string(),
  importId: z.uuid(),
  cwd: z.string(),
  /** The server or folder that the import writes to. */
  target: z.string(),
  sources: z.array(z.string()),
  options: z.record(z.string(), z.unknown()),
});
export type JournalStart = z.output<typeof Start>;

const JournalLine = z.discriminatedUnion("type", [
  Start,
  z.object({ type: z.literal("document"), path: z.string(), outcome: z.string(), id: z.string().optional() }),
  z.object({ type: z.literal("end") }),
]);
type JournalLine = z.output<typeof JournalLine>;

export interface Journal {
  recordRows(rows: readonly PlanRow[]): Promise<void>;
  end(): Promise<void>;
}

export function journalPath(cwd: string): string {
  return join(projectRootOf(join(cwd, "."), cwd), ".sop", "journal.jsonl");
}

/**
 * Returns the start of the unfinished import, and in `done` the number of documents that it recorded; null if there is
 * none. After a killed import, the last line can be incomplete.
 */
export async function findUnfinishedImport(cwd: string): Promise<{ start: JournalStart; done: number } | null> {
  const text = await readFile(journalPath(cwd), "utf8").catch(() => "");
  let start: JournalStart | null = null;
  let done = 0;
  for (const line of text.split("\n").flatMap(parseJournalLine)) {
    if (line.type === "start") [start, done] = [line, 0];
    else if (line.type === "end") start = null;
    else done += 1;
  }
  return start === null ? null : { start, done };
}

function parseJournalLine(text: string): JournalLine[] {
  try {
    const read = JournalLine.safeParse(JSON.parse(text));
    return read.success ? [read.data] : [];
  } catch {
    return [];
  }
}

/** Opens the journal. If it can't be written, the import continues, and a resumed import relies on hashes alone. */
export function openJournal(start: Omit<JournalStart, "type" | "at">, warn: (text: string) => void): Journal {
  const path = journalPath(start.cwd);
  let broken = false;
  let started = false;
  const writeLines = async (lines: readonly JournalLine[]): Promise<void> => {
    if (broken) return;
    if (!started && (await findUnfinishedImport(start.cwd))?.start.importId !== start.importId)
      await rm(path, { force: true }).catch(() => {});
    const first: JournalLine[] = started ? [] : [{ type: "start", at: new Date().toISOString(), ...start }];
    started = true;
    try {
      await mkdir(dirname(path), { recursive: true });
      await appendFile(path, [...first, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
    } catch (error) {
      broken = true;
      warn(`the journal can't be written (${error instanceof Error ? error.message : String(error)})`);
    }
  };
  return {
    recordRows: (rows) =>
      writeLines(
        rows.map(({ path: of, outcome, id }) => ({
          type: "document",
          path: of,
          outcome,
          ...(id !== undefined && { id }),
        })),
      ),
    end: async () => {
      if (started) await writeLines([{ type: "end" }]);
    },
  };
}
