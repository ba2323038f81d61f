/** Notes on keyed files that have the text of another SOP, exactly or edited. */
import { createHash, randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeServer, type TestUser } from "../../../test/server.ts";

const step = (mark: string, at: number) => `Turn valve ${mark}${at} until gauge ${mark}${at * 7} reads ${at + 3} bar.`;
const stepsOf = (mark: string, count: number) => Array.from({ length: count }, (_, at) => step(mark, at));
const bodyOf = (lines: readonly string[]) => `## Steps\n\n${lines.map((line, at) => `${at + 1}. ${line}\n`).join("")}`;

const plant = fc.record({
  /** Lines that all texts have. */
  template: fc.nat(4),
  own: fc.array(fc.integer({ min: 6, max: 14 }), { minLength: 3, maxLength: 5 }),
  /** Decides which lines are edited, and how many. */
  order: fc.infiniteStream(fc.nat(1e6)),
});

/** Replaces up to this part of the lines with new ones. */
function edited(lines: readonly string[], part: number, next: () => number): string[] {
  const count = next() % (Math.floor(lines.length * part) + 1);
  const picked = new Set(
    lines
      .map((_, at) => ({ at, rank: next() }))
      .sort((a, b) => a.rank - b.rank)
      .slice(0, count)
      .map(({ at }) => at),
  );
  return lines.map((line, at) =>
    picked.has(at) ? `Ask the shift lead about item ${next()} of list ${next()}.` : line,
  );
}

describeServer("keyed files", (server) => {
  const send = async (user: TestUser, files: readonly { id: string; lines: readonly string[] }[], dryRun: boolean) => {
    const documents = files.map(({ id, lines }, at) => {
      const text = `---\nid: ${id}\nversion: 1\ntitle: T${at}\n---\n\n${bodyOf(lines)}`;
      return { path: `${at}.md`, text, sha256: createHash("sha256").update(text).digest("hex") };
    });
    const { results } = await user.client.sops.import({ body: { importId: randomUUID(), documents, dryRun } });
    return results.map(({ outcome, notes }) => [
      outcome,
      notes.filter(({ code }) => code === "same-text").map(({ message }) => message),
    ]);
  };

  test("with most of the text of another SOP get a note, and edited ones don't", async () => {
    const property = fc.asyncProperty(plant, async ({ template, own, order }) => {
      const next = () => Number(order.next().value);
      const user = await (await server().company()).user("manager");
      const usual = stepsOf("T", template);
      const all = own.map((count, at) => [...usual, ...stepsOf("ABCDE"[at] ?? "", count)]);
      const sops: { id: string; number: string }[] = [];
      for (const [at, lines] of all.entries())
        sops.push(
          await user.client.sops.create({ body: { title: `T${at}`, description: "D", markdown: bodyOf(lines) } }),
        );
      const filesOf = (texts: readonly (readonly string[])[]) =>
        texts.map((lines, at) => ({ id: sops[at]?.id ?? "", lines }));
      const textAt = (at: number) => all[at % all.length] ?? [];
      const numberAt = (at: number) => sops[at % sops.length]?.number;

      const rotated = await send(user, filesOf(all.map((_, at) => textAt(at + 1))), true);
      expect(rotated).toEqual(all.map((_, at) => ["update", [`It has the text of ${numberAt(at + 1)}`]]));
      const changed = all.map((_, at) => edited(textAt(at + 1), 1 / 3, next));
      expect(await send(user, filesOf(changed), true)).toEqual(
        changed.map((lines, at) => {
          const isEqual = lines.join() === textAt(at + 1).join();
          return ["update", [`It has ${isEqual ? "" : "most of "}the text of ${numberAt(at + 1)}`]];
        }),
      );
      // the other one isn't part of the request
      const swapped = edited(textAt(1), 0.2, next).concat("Sign the sheet.");
      expect(await send(user, filesOf([swapped]), true)).toEqual([
        ["update", [`It has most of the text of ${numberAt(1)}`]],
      ]);

      const half = all.map((lines) => edited(lines, 1 / 2, next).concat("Sign the sheet."));
      expect(await send(user, filesOf(half), true)).toEqual(all.map(() => ["update", []]));
      const renewed = all.map((lines) => [...stepsOf("N", 5), ...lines.slice(template)]);
      expect(await send(user, filesOf(renewed), true)).toEqual(all.map(() => ["update", []]));
      for (const [at, lines] of renewed.entries())
        expect(await send(user, filesOf(renewed).slice(at, at + 1), false), lines.join()).toEqual([["update", []]]);
    });
    await fc.assert(property, { numRuns: 8 });
  });
});
