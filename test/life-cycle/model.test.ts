/**
 * Random lives of SOPs, with people of every role, compared with a simple model. After every move, answer, state, texts
 * and effects are equal.
 */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { publishDueVersions } from "../../server/sops/edit/take-effect.ts";
import { count, isProof, recordFigure } from "../proof.ts";
import { describeServer } from "../server.ts";
import { compareFilters, compareSeen, compareStored, type Stored } from "./compare.ts";
import { newSop, needsApproval, type SopState } from "./life.ts";
import { move, timePasses } from "./model.ts";
import { aLife, ask, chosen, firstText, stepsOfALife } from "./moves.ts";
import { companyRuleSets, setStage, staySignedIn, type Stage } from "./stage.ts";

const everyAnswer = ["conflict", "forbidden", "invalid_input", "not_found", "ok", "unprocessable"];
const everyEffect = [
  "approve",
  "archive",
  "create",
  "delete",
  "grant",
  "lapse",
  "move",
  "publish",
  "reject",
  "replace_approver",
  "request_approval",
  "request_changes",
  "restore",
  "restrict",
  "review",
  "revoke",
  "save",
  "schedule",
  "unarchive",
  "undelete",
  "unpublish",
  "unrestrict",
  "withdraw",
];
const day = 24 * 3_600_000;

describeServer("the life of an SOP", (server, engine) => {
  const stages: Stage[] = [];

  beforeAll(async () => {
    for (const rules of companyRuleSets) stages.push(await setStage(server(), rules));
  });

  /** Time passes, and scheduled versions reach their day. */
  async function wait(stage: Stage, life: SopState, days: number): Promise<void> {
    const { clock, running } = server();
    clock.advance(1_000 + days * day);
    // in all companies: time passes there too, and ends the sessions
    if (days > 0) for (const { house } of stages) await staySignedIn(server(), house.companyId);
    await publishDueVersions.run(running.services, clock.now());
    timePasses(life, stage.house, clock.now());
  }

  /**
   * Independent of the model: no version changes or disappears, and where approval is required, published versions were
   * approved.
   */
  function expectKept(before: Stored, after: Stored, life: SopState): void {
    const hashes = ({ versions }: Stored) => versions.map(({ contentHash }) => contentHash);
    expect(hashes(after).slice(0, before.versions.length)).toEqual(hashes(before));
    const { published } = after.sop;
    const old = before.sop.published;
    if (published === null || (published.version === old?.version && published.categoryId === old.categoryId)) return;
    expect(published.contentHash).toBe(hashes(after)[published.version - 1]);
    if (!needsApproval(life.control, life.publishedIn)) return;
    const approved = after.requests.filter(({ outcome }) => outcome === "approved");
    expect(approved.map(({ contentHash }) => contentHash)).toContain(published.contentHash);
  }

  test("follows the table of states for every user and action", { timeout: 3_600_000 }, async () => {
    const lives = engine === "sqlite" ? count({ usual: 15, proof: 2_000 }) : count({ usual: 3, proof: 200 });
    let moves = 0;
    let done = 0;
    const answers = new Set<string>();
    const effects = new Set<string>();
    await fc.assert(
      fc.asyncProperty(aLife, async (story) => {
        const stage = stages[story.house];
        const author = stage?.people[story.author];
        if (!stage || !author) throw new Error("the stage is set before the tests");
        await stage.reset();
        const { clock } = server();
        const markdown = firstText();
        const { id } = await author.client.sops.create({ body: { title: "T", description: "D", markdown } });
        const life = newSop(author.id, markdown, stage.house.control);
        let stored = await compareStored(server(), stage, id, life);
        for (const step of story.steps) {
          const { person, wanted } = chosen(stage, life, step, clock.now());
          const before = JSON.stringify(life);
          const expected = move(life, person, stage.house, wanted, clock.now());
          const got = await ask(person, stage, { sop: stored.sop, requestId: stored.requests.at(-1)?._id }, wanted);
          expect([person.role, wanted, got, before]).toEqual([person.role, wanted, expected, before]);
          moves += 1;
          if (got === "ok") done += 1;
          answers.add(got);
          await wait(stage, life, step.days);
          const after = await compareStored(server(), stage, id, life);
          expectKept(stored, after, life);
          stored = after;
          for (const reader of stage.people.filter(({ role }) => role === "editor" || role === "viewer"))
            await compareSeen(reader, stage, id, life);
        }
        for (const person of stage.people) {
          await compareSeen(person, stage, id, life);
          await compareFilters(person, stage, id, life);
        }
        for (const effect of life.effects) effects.add(effect);
      }),
      { numRuns: lives, endOnFailure: true },
    );
    recordFigure({
      name: `life-cycle.sequences.${engine}`,
      value: lives,
      unit: `of ${stepsOfALife} moves, all as the model after each`,
      goal: engine === "sqlite" ? ">= 2000" : ">= 200",
    });
    // enough moves succeeded, and with many moves, every kind did
    expect(done).toBeGreaterThan(moves / 10);
    if (!isProof || engine !== "sqlite") return;
    expect([...answers].sort()).toEqual(everyAnswer);
    expect([...effects].sort()).toEqual(everyEffect);
  });
});
