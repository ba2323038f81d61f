import { describe, expect, it } from "vitest";
import { ApiError } from "#core/api/client.ts";
import type { ImportAnswer, ImportRequest } from "#core/sops/import-schema.ts";
import { CliError, exit } from "../exit.ts";
import type { ImportCandidate } from "./examine.ts";
import { importExitCode, importTotalsOf } from "./plan.ts";
import { sendImport, type SendContext } from "./send.ts";

const candidates: ImportCandidate[] = Array.from({ length: 120 }, (_, index) => {
  const [path, sha256] = [`${index}.md`, index.toString(16).padStart(64, "0")];
  const load = async () => ({ path, sha256, text: `# ${index}\n`, links: [], files: [], notes: [] });
  return { path, sha256, leadsTo: [], placement: {}, load };
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
  from?: readonly ImportCandidate[];
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
  const totals = importTotalsOf(sent.rows);
  return {
    calls,
    sent,
    totals,
    code: importExitCode(totals, { dryRun: false, detailed: false, stopped: sent.stopped?.exit ?? null }),
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

  describe("with links between documents", () => {
    const linked = candidates.map((candidate, index) => ({ ...candidate, leadsTo: [`${(index + 77) % 120}.md`] }));
    const idOf = (path: string) => `0198aaaa-0000-7000-8000-${path.slice(0, -3).padStart(12, "0")}`;
    const withIds = (body: ImportRequest): ImportAnswer => ({
      ...outcomes(body),
      results: body.documents.map(({ path, text }) => ({
        path,
        outcome: text === undefined ? "unknown" : "create",
        id: idOf(path),
        notes: [],
      })),
    });
    const stored = (calls: readonly { body: ImportRequest }[]) =>
      calls.filter(({ body }) => !body.dryRun && !body.reserveNumbers);

    it("reserves the numbers of all documents, in their order, before it stores one", async () => {
      const { calls, totals } = await send(withIds, { from: linked });
      const reserving = calls.slice(3, 6);
      expect(reserving.flatMap(({ body }) => body.documents.map(({ path }) => path))).toEqual(
        linked.map(({ path }) => path),
      );
      expect(reserving.every(({ body, key }) => body.reserveNumbers && !body.dryRun && key === undefined)).toBe(true);
      expect(stored(calls)).toHaveLength(3);
      expect(calls).toHaveLength(9);
      expect(totals).toEqual({ create: 120 });
    });

    it("stores nothing and says why when the server refuses to reserve", async () => {
      const { calls, totals, sent, code } = await send(
        (body) => {
          if (body.reserveNumbers) throw refused("forbidden", 403);
          return withIds(body);
        },
        { from: linked },
      );
      expect(stored(calls)).toEqual([]);
      expect(sent.stopped?.problem).toMatchObject({ code: "forbidden" });
      expect(totals).toEqual({ unknown: 120 });
      expect(code).toBe(exit.access);
    });

    it("reserves and stores all but the document that is refused", async () => {
      const { calls, totals, sent } = await send(
        (body) => {
          if (!body.dryRun && body.documents.some(({ path }) => path === "60.md")) throw refused("invalid_input", 400);
          return withIds(body);
        },
        { from: linked },
      );
      const reserved = calls.filter(({ body }) => body.reserveNumbers).flatMap(({ body }) => body.documents);
      expect(new Set(reserved.map(({ path }) => path)).size).toBe(120);
      expect(totals).toEqual({ create: 119, refused: 1 });
      expect(sent.rows.find(({ outcome }) => outcome === "refused")).toMatchObject({ path: "60.md" });
    });

    it("sends the same texts in plan and run, with links to a document in conflict as written", async () => {
      const text = "[B](b.md) [C](c.md)\n";
      const links = ["b.md", "c.md"].map((path) => {
        const start = text.indexOf(path);
        return { start, end: start + path.length, path, fragment: "" };
      });
      const from = ["a.md", "b.md", "c.md"].map((path, index): ImportCandidate => {
        const sha256 = index.toString(16).padStart(64, "0");
        const own = path === "a.md" ? { text, links } : { text: `${path}\n`, links: [] };
        const load = async () => ({ path, sha256, files: [], notes: [], ...own });
        return { path, sha256, leadsTo: path === "a.md" ? ["b.md", "c.md"] : [], placement: {}, load };
      });
      const answer = (body: ImportRequest): ImportAnswer => ({
        ...outcomes(body),
        results: body.documents.map((document) => {
          const { path } = document;
          if (document.text === undefined) return { path, outcome: "unknown", id: `planned-${path}`, notes: [] };
          const isOpen = path === "b.md";
          return { path, notes: [], ...(isOpen ? { outcome: "conflict" } : { outcome: "create", id: `id-${path}` }) };
        }),
      });
      for (const dryRun of [true, false]) {
        const { calls } = await send(answer, { from, dryRun });
        const texts = calls.flatMap(({ body }) => body.documents.flatMap((one) => (one.path === "a.md" ? one : [])));
        expect(texts.map((one) => one.text)).toEqual([undefined, text, "[B](b.md) [C](/sop/id-c.md)\n"]);
      }
    });

    it("reserves nothing in a plan, and for a document that comes twice once", async () => {
      const { calls } = await send(withIds, { from: linked, dryRun: true });
      expect(calls.some(({ body }) => body.reserveNumbers)).toBe(false);
      const twice = linked.map((one, index) => (index === 9 ? { ...one, sha256: linked[3]?.sha256 ?? "" } : one));
      const reserved = (await send(withIds, { from: twice })).calls.filter(({ body }) => body.reserveNumbers);
      expect(reserved.flatMap(({ body }) => body.documents.map(({ path }) => path))).not.toContain("9.md");
    });
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

  it("a request that was carried out before the server ended is no conflict", async () => {
    let isStored = false;
    const { totals, code, sent } = await send((body) => {
      const { results, quota } = outcomes(body);
      if (!body.documents.some(({ path }) => path === "7.md")) return { results, quota };
      if (body.dryRun && isStored)
        return { results: results.map((one) => ({ ...one, outcome: "unchanged", id: "x" })), quota };
      isStored ||= !body.dryRun;
      if (isStored) throw refused("conflict", 409);
      return { results, quota };
    });
    expect(totals).toEqual({ create: 70, unchanged: 50 });
    expect(sent.rows.find(({ path }) => path === "7.md")).toMatchObject({ outcome: "unchanged", id: "x" });
    expect(code).toBe(0);
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
