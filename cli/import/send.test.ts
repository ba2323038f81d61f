import { describe, expect, it } from "vitest";
import { ApiError } from "#core/contract/client.ts";
import type { ImportAnswer, ImportRequest } from "#core/sops/import-schema.ts";
import { CliError, exit } from "../exit.ts";
import type { Candidate } from "./examine.ts";
import { exitOf, totalsOf } from "./plan.ts";
import { sendImport, type SendContext } from "./send.ts";

const candidates: Candidate[] = Array.from({ length: 120 }, (_, index) => {
  const [path, sha256] = [`${index}.md`, index.toString(16).padStart(64, "0")];
  const load = async () => ({ path, sha256, text: `# ${index}\n`, links: [], files: [], notes: [] });
  return { path, sha256, leadsTo: [], hasId: false, placement: {}, load };
});

type Import = (body: ImportRequest, key: string | undefined, call: number) => ImportAnswer;

const outcomes = (body: ImportRequest, free = 1_000): ImportAnswer => ({
  results: body.documents.map(({ path, text }) => ({
    path,
    outcome: text === undefined ? "unknown" : "create",
    notes: [],
  })),
  quota: { free, needed: 0 },
});

interface Given {
  from?: readonly Candidate[];
  dryRun?: boolean;
  /** Names of uploaded files. */
  stored?: string[];
}

async function send(answer: Import, { from = candidates, dryRun = false, stored = [] }: Given = {}) {
  const calls: { body: ImportRequest; key: string | undefined }[] = [];
  const call = async ({ body, idempotencyKey: key }: { body: ImportRequest; idempotencyKey?: string }) => {
    calls.push({ body, key });
    return answer(body, key, calls.length);
  };
  const client = { sops: { import: call } } as unknown as SendContext["client"];
  const signal = new AbortController().signal;
  const sent = await sendImport(
    from,
    { dryRun, createCategories: false, onConflict: "skip" },
    { client, signal, upload: async ({ name }) => void stored.push(name), progress: () => {}, waits: [0, 0] },
  );
  const totals = totalsOf(sent.rows);
  return {
    calls,
    sent,
    totals,
    code: exitOf(totals, { dryRun: false, detailed: false, stopped: sent.stopped?.exit ?? null }),
  };
}

const gone = () => new CliError(exit.network, { code: "unreachable", message: "gone" });
const refused = (code: string, status: number) => new ApiError(status, JSON.stringify({ code, message: code }), "");

describe("sendImport", () => {
  it("tries a bounded number of times, with one key, and says what was done", async () => {
    const { calls, totals, code, sent } = await send((body, _key, call) => {
      if (call >= 5) throw gone();
      return outcomes(body);
    });
    expect(calls).toHaveLength(7);
    expect(new Set(calls.slice(4).map(({ key }) => key)).size).toBe(1);
    expect(totals).toEqual({ create: 50, unknown: 70 });
    expect(sent.stopped?.exit).toBe(exit.network);
    expect(code).toBe(exit.partly);
  });

  it("says at once that there is no server", async () => {
    const { calls, code } = await send(() => {
      throw gone();
    });
    expect(calls).toHaveLength(1);
    expect(code).toBe(exit.network);
  });

  it("a conflict that stays is the documents' conflict, and the others go on", async () => {
    const { totals, code } = await send((body, _key, call) => {
      if (call > 3 && body.documents.some(({ path }) => path === "7.md")) throw refused("conflict", 409);
      return outcomes(body);
    });
    expect(totals).toEqual({ conflict: 50, create: 70 });
    expect(code).toBe(exit.partly);
    const all = await send((body, _key, call) => {
      if (call > 3) throw refused("conflict", 409);
      return outcomes(body);
    });
    expect(all.code).toBe(exit.conflict);
  });

  it("a quota used up since the plan refuses what no longer fits", async () => {
    const { totals, code, sent } = await send((body, _key, call) => {
      if (call > 5) throw refused("limit_reached", 409);
      return outcomes(body);
    });
    expect(totals).toEqual({ create: 100, refused: 20 });
    expect(sent.rows.find(({ outcome }) => outcome === "refused")).toMatchObject({ code: "limit_reached" });
    expect(code).toBe(exit.partly);
  });

  it("writes nothing when the plan does not fit", async () => {
    const { calls, totals, code } = await send((body) => outcomes(body, 119));
    expect(calls.every(({ body }) => body.dryRun)).toBe(true);
    expect(totals).toEqual({ unknown: 120 });
    expect(code).toBe(exit.invalid);
  });

  it("stores and writes nothing when the images don't fit", async () => {
    const stored: string[] = [];
    const image = { sha256: "a".repeat(64), ext: "png" as const, size: 3 * 2 ** 20, name: "a.png" };
    const withImage = candidates.map((candidate) => ({
      ...candidate,
      load: async () => ({
        path: candidate.path,
        sha256: candidate.sha256,
        text: "# A\n",
        links: [],
        files: [{ ...image, read: async () => new Uint8Array() }],
        notes: [],
      }),
    }));
    const answer: Import = (body) => ({
      ...outcomes(body),
      quota: {
        free: 1_000,
        needed: 0,
        bytes: {
          used: 2 ** 20,
          needed: (body.files ?? []).reduce((sum, { size }) => sum + size, 0),
          limit: 3 * 2 ** 20,
        },
      },
    });
    for (const dryRun of [true, false]) {
      const { calls, sent } = await send(answer, { from: withImage, dryRun, stored });
      expect(calls.every(({ body }) => body.dryRun)).toBe(true);
      // an image shown by 120 documents is looked up once
      expect(calls.flatMap(({ body }) => body.files ?? [])).toEqual([{ sha256: image.sha256, size: image.size }]);
      expect(sent.stopped?.problem).toMatchObject({
        code: "limit_reached",
        message: "the images and PDFs need 3.0 MiB and the company stores 1.0 MiB of 3.0 MiB: nothing was written",
      });
    }
    expect(stored).toEqual([]);
  });

  it("a defect of ours is not taken for trouble with the server", async () => {
    await expect(
      send(() => {
        throw new TypeError("oops");
      }),
    ).rejects.toThrow("oops");
  });
});
