/** Random lives of SOPs, by everybody, beside a plain model: the same answers, states, texts and effects. */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { visibleVersion } from "#core/access/can.ts";
import { roles } from "#core/access/roles.ts";
import { defaultSettings } from "#core/companies/settings.ts";
import { ApiError } from "#core/contract/client.ts";
import { count, leaveFigure } from "../proof.ts";
import { describeServer, type TestUser } from "../server.ts";
import { born, factsOf, move, type Answer, type House, type Life, type Move, type Person } from "./model.ts";

const houses: readonly House[] = [
  { control: "flexible", rule: { kind: "all", count: null }, allowSelfApproval: false },
  { control: "strict", rule: { kind: "any", count: null }, allowSelfApproval: false },
  { control: "strict", rule: { kind: "n_of_m", count: 2 }, allowSelfApproval: false },
  { control: "flexible", rule: { kind: "all", count: null }, allowSelfApproval: true },
];

/** Each as often as its number says. */
const weights = {
  save: 3,
  "save as published": 1,
  publish: 2,
  unpublish: 1,
  archive: 1,
  unarchive: 1,
  delete: 1,
  undelete: 1,
  restore: 1,
  request: 4,
  approve: 5,
  reject: 1,
  "request changes": 1,
  withdraw: 1,
} as const satisfies Record<Move["verb"], number>;
const aVerb = fc.oneof(
  ...Object.entries(weights).map(([verb, weight]) => ({ weight, arbitrary: fc.constant(verb as Move["verb"]) })),
);

const steps = 30;
/** Who moves: those who can do more come up more often, so that lives get somewhere. */
const casting = [0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 7];
const aMove = fc.record({
  who: fc.constantFrom(...casting),
  /** Whoever is asked to decide decides more often than chance would have it. */
  isAsked: fc.boolean(),
  verb: aVerb,
  text: fc.nat({ max: 3 }),
  version: fc.nat({ max: 50 }),
  approvers: fc.uniqueArray(fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7), { minLength: 1, maxLength: 3 }),
});
const aLife = fc.record({
  house: fc.nat({ max: houses.length - 1 }),
  author: fc.constantFrom(0, 1, 2, 3, 4, 6),
  moves: fc.array(aMove, { minLength: steps, maxLength: steps }),
});

interface Stage {
  house: House;
  companyId: string;
  people: (TestUser & Person)[];
}

describeServer("the life of an SOP", (server, engine) => {
  const stages: Stage[] = [];

  beforeAll(async () => {
    for (const house of houses) {
      const company = await server().company();
      const { control, rule, allowSelfApproval } = house;
      await company.set({
        settings: { ...defaultSettings, documentControl: control, approvalRule: rule, allowSelfApproval },
      });
      const people: Stage["people"] = [];
      for (const role of roles) {
        const user = await company.user(role);
        const actor = { userId: user.id, companyId: company.id, role, teamIds: [], allow: [], deny: [] };
        people.push({ ...user, actor });
      }
      stages.push({ house, companyId: company.id, people });
    }
  });

  const textOf = (n: number) => `Text number ${n}.\n`;

  async function ask(user: TestUser, id: string, life: Life, requestId: string | null, asked: Move): Promise<Answer> {
    const { sops, approvals } = user.client;
    const params = { id };
    const request = { params: { id: requestId ?? "01a1feff-1847-701e-88df-7b4afd63ec8e" }, body: {} };
    try {
      switch (asked.verb) {
        case "save":
          await sops.update({ params, body: { markdown: asked.text } });
          break;
        case "save as published":
          await sops.update({ params, body: { markdown: asked.text, status: "published" } });
          break;
        case "restore":
          await sops.restore({ params: { id, version: asked.version }, body: {} });
          break;
        case "request":
          await sops.requestApproval({ params, body: { approverIds: asked.approvers } });
          break;
        case "delete":
          await sops.remove({ params });
          break;
        case "undelete":
          await sops.undelete({ params });
          break;
        case "approve":
          await approvals.approve(request);
          break;
        case "reject":
          await approvals.reject(request);
          break;
        case "request changes":
          await approvals.requestChanges(request);
          break;
        case "withdraw":
          await approvals.withdraw(request);
          break;
        default:
          await sops[asked.verb]({ params, body: {} });
      }
      return "ok";
    } catch (error) {
      if (error instanceof ApiError) return error.code as Answer;
      throw error;
    }
  }

  /** The stored state, every version's text, every request, the log of effects, and what each person reads. */
  async function compare(stage: Stage, id: string, life: Life): Promise<void> {
    const company = server().db.forCompany(stage.companyId);
    const sop = await company.collection("sops").findOne({ _id: id });
    expect({
      status: sop?.status,
      version: sop?.version,
      inForce: sop?.publishedVersion,
      isDeleted: sop?.deletedAt !== null,
    }).toEqual({
      status: life.status,
      version: life.versions.length,
      inForce: life.inForce,
      isDeleted: life.isDeleted,
    });
    const versions = await company.collection("sop_versions").find({ sopId: id }, { sort: { version: 1 } });
    expect(versions.map(({ version, markdown, changedBy }) => [version, markdown, changedBy])).toEqual(
      life.versions.map(({ text, by }, index) => [index + 1, text, by]),
    );
    const requests = await company
      .collection("approval_requests")
      .find({ sopId: id }, { sort: { createdAt: 1, _id: 1 } });
    expect(requests.map(({ version, status, outcome }) => ({ version, status, outcome }))).toEqual(
      life.requests.map(({ version, status, outcome }) => ({ version, status, outcome })),
    );
    for (const [index, { asked }] of life.requests.entries())
      expect(requests[index]?.approvers.map(({ userId, status }) => [userId, status])).toEqual(
        asked.map(({ who, status }) => [who, status]),
      );
    const log = await company.collection("audit_logs").find({ entityId: id }, { sort: { _id: 1 } });
    const effects = log.filter(({ action }) => action !== "access.denied");
    expect(effects.map(({ action }) => action.replace("sop.", ""))).toEqual(life.effects);
    const periods = await company.collection("force_periods").find({ sopId: id }, { sort: { _id: 1 } });
    expect(new Set(periods.map(({ version }) => version))).toEqual(new Set(life.published));
    expect(periods.filter(({ until }) => until === null).map(({ version }) => version)).toEqual(
      life.inForce === null || life.isDeleted ? [] : [life.inForce],
    );
    if (stage.house.control === "strict") {
      const approved = new Set(requests.filter(({ outcome }) => outcome === "approved").map((one) => one.contentHash));
      expect(periods.filter(({ contentHash }) => !approved.has(contentHash))).toEqual([]);
    }
    for (const person of stage.people) {
      const seen = visibleVersion(person.actor, factsOf(life, stage.companyId));
      const version = seen === "head" ? life.versions.length : life.inForce;
      const expected = seen === "nothing" || version === null ? "not_found" : life.versions[version - 1]?.text;
      const read = await person.client.sops.get({ params: { id } }).then(
        ({ markdown }) => markdown,
        (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
      );
      expect([person.role, read]).toEqual([person.role, expected]);
    }
  }

  test("goes as the table of states says, whoever does what", { timeout: 3_600_000 }, async () => {
    const lives = engine === "sqlite" ? count({ usual: 25, proof: 2_000 }) : count({ usual: 6, proof: 200 });
    let moves = 0;
    const answers: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(aLife, async (story) => {
        const stage = stages[story.house];
        const author = stage?.people[story.author];
        if (!stage || !author) throw new Error("the stage is set before the tests");
        const markdown = textOf(9);
        const { id } = await author.client.sops.create({ body: { title: "T", description: "D", markdown } });
        const life = born(author.id, markdown);
        for (const step of story.moves) {
          const open = life.requests.at(-1);
          const decides = ["approve", "reject", "request changes"].includes(step.verb) && !life.isDeleted;
          const asked = stage.people.find((one) =>
            open?.asked.some(({ who, status }) => who === one.id && status === "pending"),
          );
          const person = (decides && step.isAsked && asked) || stage.people[step.who];
          if (!person) throw new Error("nobody");
          const approvers = step.approvers.flatMap((n) => stage.people[n]?.id ?? []);
          const version = (step.version % life.versions.length) + 1;
          // lives that end early prove little: what was deleted or archived comes back more often than by chance
          const comesBack = life.isDeleted ? "undelete" : life.status === "archived" ? "unarchive" : null;
          const verb = comesBack !== null && step.isAsked ? comesBack : step.verb;
          const wanted = { verb, text: textOf(step.text), version, approvers } as Move;
          const before = JSON.stringify(life);
          const expected = move(life, person, stage.house, wanted);
          const last = (
            await server()
              .db.forCompany(stage.companyId)
              .collection("approval_requests")
              .find({ sopId: id }, { sort: { createdAt: -1, _id: -1 }, limit: 1 })
          )[0];
          const got = await ask(person, id, life, last?._id ?? null, wanted);
          expect([person.role, wanted, got, before]).toEqual([person.role, wanted, expected, before]);
          server().clock.advance(1_000);
          moves += 1;
          answers[got] = (answers[got] ?? 0) + 1;
        }
        await compare(stage, id, life);
      }),
      { numRuns: lives, endOnFailure: true },
    );
    leaveFigure({
      name: `life-cycle.sequences.${engine}`,
      value: lives,
      unit: `of ${steps} moves, all as the model`,
      goal: engine === "sqlite" ? ">= 2000" : ">= 200",
    });
    // the moves got somewhere, and every kind of answer was given
    expect(answers["ok"] ?? 0).toBeGreaterThan(moves / 5);
    expect(Object.keys(answers).sort()).toEqual(["conflict", "forbidden", "invalid_input", "not_found", "ok"]);
  });
});
