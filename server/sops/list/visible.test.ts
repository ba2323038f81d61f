/** A draft never leaks: every role, every state of an SOP, every way to read, with a word that only the draft has. */
import { beforeAll, expect, test } from "vitest";
import { roles, type Role } from "#core/permissions/roles.ts";
import { visibleVersion, type VisibleVersionKind } from "#core/permissions/can.ts";
import { atPath } from "../../database/port.ts";
import { describeServer, json, type TestServer, type TestUser } from "../../../test/server.ts";
import { pngOf } from "../../../test/images.ts";

const states = [
  "draft",
  "published",
  "draft in work",
  "under review",
  "archived",
  "deleted",
  "restricted draft in work",
] as const;
type State = (typeof states)[number];

const secret = "zanzibar";
const open = "madagascar";

/** What a role sees of another user's SOP, and of its own (`docs/spec/permissions.md`). */
const foreign: Record<State, (role: Role) => VisibleVersionKind> = {
  draft: (role) => (writers.includes(role) ? "latest" : "nothing"),
  published: (role) => (writers.includes(role) ? "latest" : "published"),
  "draft in work": (role) => (writers.includes(role) ? "latest" : "published"),
  "under review": (role) => (writers.includes(role) || role === "reviewer" ? "latest" : "nothing"),
  archived: (role) => (writers.includes(role) ? "latest" : "nothing"),
  deleted: () => "nothing",
  "restricted draft in work": (role) => (administrators.includes(role) ? "latest" : "nothing"),
};
const writers: readonly Role[] = ["system_admin", "company_admin", "admin", "manager", "editor"];
const administrators: readonly Role[] = ["system_admin", "company_admin"];

interface Sample {
  state: State;
  id: string;
  /** The picture that only the draft shows. */
  secretAsset: string;
  openAsset: string;
}

const pixel = (value: number) => pngOf(String(value));

async function makeSamples(server: TestServer, author: TestUser, boss: TestUser, seed: number): Promise<Sample[]> {
  const upload = async (value: number) => {
    const answer = await boss.send({
      method: "POST",
      path: "/api/assets",
      headers: { "content-type": "image/png" },
      body: pixel(value),
    });
    return (answer.json() as { sha256: string }).sha256;
  };
  const [category] = await boss.client.categories.list();
  const samples: Sample[] = [];
  for (const [index, state] of states.entries()) {
    const [openAsset, secretAsset] = [await upload(seed + 2 * index), await upload(seed + 2 * index + 1)];
    const text = (word: string, asset: string) => ({
      title: `About ${word}`,
      description: `Tells of ${word}`,
      markdown: `## ${word}\n\n![${word}](/api/assets/${asset}.png)\n`,
      tags: [word],
    });
    const hasPublished = state.includes("published") || state.includes("work");
    const first = hasPublished ? text(open, openAsset) : text(secret, secretAsset);
    const { id } = await boss.client.sops.create({ body: { ...first, categoryId: category?.id, ownerId: author.id } });
    if (hasPublished) await boss.client.sops.publish({ params: { id }, body: {} });
    if (state.includes("work"))
      await boss.client.sops.update({ params: { id }, body: { ...text(secret, secretAsset), changeNote: secret } });
    if (state === "archived") await boss.client.sops.archive({ params: { id }, body: {} });
    if (state === "deleted") await boss.client.sops.remove({ params: { id } });
    const counters = server.db.forCompany(boss.companyId).collection("counters");
    // approvals and restrictions are other stories; what they leave behind is set as they will, counters included
    if (state === "under review") {
      await server.db.collection("sops").updateOne({ _id: id }, { $set: { status: "under_review" } });
      await counters.updateOne({ _id: boss.companyId }, { $inc: { "byStatus.draft": -1, "byStatus.under_review": 1 } });
    }
    if (state.startsWith("restricted")) {
      await server.db.collection("sops").updateOne({ _id: id }, { $set: { restricted: true } });
      const at = `categories.${category?.id}` as const;
      await counters.updateOne(
        { _id: boss.companyId },
        {
          $inc: { "byStatus.draft": -1, published: -1, ...atPath(`${at}.live`, -1), ...atPath(`${at}.published`, -1) },
        },
      );
    }
    samples.push({ state, id, openAsset, secretAsset });
  }
  return samples;
}

/** Everything a user can read of an SOP, as one text. */
async function readings(
  user: TestUser,
  { id, secretAsset, openAsset }: Sample,
): Promise<Record<string, { status: number; body: string }>> {
  const paths = {
    view: `/api/sops/${id}`,
    versions: `/api/sops/${id}/versions`,
    "version 1": `/api/sops/${id}/versions/1`,
    "version 2": `/api/sops/${id}/versions/2`,
    export: `/api/sops/${id}/export`,
    "export json": `/api/sops/${id}/export?format=json`,
    "export 2": `/api/sops/${id}/export?version=2`,
    "export json 1": `/api/sops/${id}/export?version=1&format=json`,
    "secret asset": `/api/assets/${secretAsset}`,
    "open asset": `/api/assets/${openAsset}.png`,
  };
  const answers = await Promise.all(
    Object.entries(paths).map(async ([name, path]) => [name, await user.send({ path })] as const),
  );
  return Object.fromEntries(answers.map(([name, { status, body }]) => [name, { status, body }]));
}

const filters = [
  "",
  "status=all",
  "status=draft",
  "status=under_review",
  "status=published",
  "status=archived",
  `search=${secret}`,
  `search=${open}`,
  "search=about",
  "time=7d",
  "template=false",
  "mine=true",
];

async function lists(user: TestUser): Promise<Record<string, { ids: string[]; body: string; total: number }>> {
  const answers = await Promise.all(
    filters.map(async (filter) => {
      const answer = await user.send({ path: `/api/sops?limit=200&total=true&${filter}` });
      const { data, total } = answer.json() as { data: { id: string }[]; total: number };
      return [filter, { ids: data.map(({ id }) => id), body: answer.body, total }] as const;
    }),
  );
  return Object.fromEntries(answers);
}

describeServer("the visibility of SOPs", (server) => {
  let samples: Sample[];
  let users: TestUser[];

  beforeAll(async () => {
    const company = await server().company();
    const [author, boss] = [await company.user("manager"), await company.user("company_admin")];
    samples = await makeSamples(server(), author, boss, 0);
    users = [];
    for (const role of roles) users.push(await company.user(role));
  });

  const seen = (role: Role, state: State) => foreign[state](role);
  const mayKnow = (role: Role) => samples.filter(({ state }) => seen(role, state) !== "nothing");

  test.each(roles)("lets a %s read of each SOP what the matrix says", async (role) => {
    const user = users.find((one) => one.role === role) as TestUser;
    for (const sample of samples) {
      const view = seen(role, sample.state);
      const answers = await readings(user, sample);
      const statuses = Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]));
      const inWork = sample.state.includes("work");
      const hasPublished = sample.state === "published" || inWork;
      const found = (yes: boolean) => (yes ? 200 : 404);
      expect({ state: sample.state, ...statuses }).toEqual({
        state: sample.state,
        view: found(view !== "nothing"),
        versions: found(view !== "nothing"),
        "version 1": found(view !== "nothing"),
        "version 2": found(view === "latest" && inWork),
        export: found(view !== "nothing"),
        "export json": found(view !== "nothing"),
        "export 2": found(view === "latest" && inWork),
        "export json 1": found(view !== "nothing"),
        "secret asset": found(view === "latest" && sample.state !== "published"),
        "open asset": found(view !== "nothing" && hasPublished),
      });
      const leaks = Object.entries(answers).filter(([, { body }]) => body.includes(secret));
      if (view !== "latest") expect([sample.state, leaks.map(([name]) => name)]).toEqual([sample.state, []]);
      else if (sample.state !== "published") expect(leaks.map(([name]) => name)).toContain("view");
    }
  });

  test.each(roles)("lets a %s find in lists what the matrix says", async (role) => {
    const user = users.find((one) => one.role === role) as TestUser;
    const answers = await lists(user);
    const expected = (pick: (sample: Sample, view: VisibleVersionKind) => boolean) =>
      mayKnow(role)
        .filter((sample) => pick(sample, seen(role, sample.state)))
        .map(({ id }) => id)
        .sort();
    const live = (state: State) => state !== "archived";
    const published = (state: State) => state === "published" || state.includes("work");
    const statusOf = (state: State) => (state.includes("work") ? "draft" : state);
    const wanted: Record<string, string[]> = {
      "": expected(({ state }) => live(state)),
      "status=all": expected(({ state }) => live(state)),
      "status=draft": expected(({ state }, view) => view === "latest" && statusOf(state) === "draft"),
      "status=under_review": expected(({ state }, view) => view === "latest" && statusOf(state) === "under review"),
      "status=published": expected(({ state }) => published(state)),
      "status=archived": expected(({ state }, view) => view === "latest" && statusOf(state) === "archived"),
      [`search=${secret}`]: expected(({ state }, view) => view === "latest" && live(state) && state !== "published"),
      [`search=${open}`]: expected(({ state }, view) => (view === "latest" ? state === "published" : published(state))),
      "search=about": expected(({ state }) => live(state)),
      "time=7d": expected(({ state }) => live(state)),
      "template=false": expected(({ state }) => live(state)),
      "mine=true": [],
    };
    for (const filter of filters) {
      const { ids, total, body } = answers[filter] as { ids: string[]; total: number; body: string };
      expect([filter, ids.sort()]).toEqual([filter, wanted[filter]]);
      expect([filter, total]).toEqual([filter, ids.length]);
      if (!samples.some(({ state }) => seen(role, state) === "latest"))
        expect([filter, body.includes(secret)]).toEqual([filter, false]);
    }
  });

  test.each(roles)("gives a %s the counts of the SOPs they see", async (role) => {
    const user = users.find((one) => one.role === role) as TestUser;
    const live = mayKnow(role).filter(({ state }) => state !== "archived");
    const [stats, categories] = [await user.client.stats.get(), await user.client.categories.list()];
    expect(stats).toMatchObject({
      totalSOPs: live.length,
      pendingApproval: live.filter(({ state }) => state === "under review").length,
    });
    expect(categories.map(({ count }) => count)).toEqual([live.length, 0, 0, 0]);
  });

  test.each(roles)("gives a %s the status of the version they see, and its effective date", async (role) => {
    const user = users.find((one) => one.role === role) as TestUser;
    const { byStatus, weeks } = await user.client.stats.overview();
    for (const [status, count] of Object.entries(byStatus)) {
      const listed = await user.client.sops.list({ query: { status: status as keyof typeof byStatus, total: "true" } });
      expect([status, count]).toEqual([status, listed.total]);
    }
    const everInForce = samples.filter(({ state }) => state === "published" || state.includes("work"));
    const unseen = everInForce.filter(({ state }) => state.startsWith("restricted") && seen(role, state) === "nothing");
    expect(weeks).toHaveLength(12);
    expect(weeks.map(({ inForce }) => inForce)).toEqual([...Array(11).fill(0), everInForce.length - unseen.length]);
  });

  test("agrees with the rules of core", () => {
    const sop = (state: State) => ({
      companyId: "c",
      authorId: "a",
      ownerId: "a",
      teamId: null,
      status: state.includes("work") ? "draft" : state.replace(" ", "_"),
      restricted: state.startsWith("restricted"),
      deletedAt: state === "deleted" ? "2026-01-01T00:00:00.000Z" : null,
      published: state === "published" || state.includes("work") ? { version: 1 } : null,
      version: 2,
      grants: [],
      approvers: [],
    });
    for (const role of roles) {
      for (const state of states) {
        const actor = { userId: "u", companyId: "c", role, teamIds: [], allow: [], deny: [] };
        expect([role, state, visibleVersion(actor, sop(state))]).toEqual([role, state, seen(role, state)]);
        expect(visibleVersion({ ...actor, companyId: "other" }, sop(state))).toBe("nothing");
      }
    }
  });

  test("includes the latest version for its owner, its authors and its team", async () => {
    const company = await server().company();
    const boss = await company.user("manager");
    const contributor = await company.user("contributor", { teamIds: ["team-a"] });
    const viewer = await company.user("viewer", { teamIds: ["team-a"] });
    const reviewer = await company.user("reviewer", { teamIds: ["team-a"] });
    await server().db.forCompany(company.id).collection("teams").insertOne({
      _id: "team-a",
      companyId: company.id,
      name: "A",
      slug: "a",
      description: null,
      ownerId: boss.id,
      createdAt: server().clock.now(),
      updatedAt: server().clock.now(),
    });
    const body = { title: "T", description: "D", markdown: secret };
    const own = await contributor.client.sops.create({ body });
    const team = await boss.client.sops.create({ body: { ...body, teamId: "team-a" } });
    const given = await boss.client.sops.create({ body: { ...body, ownerId: viewer.id } });
    const other = await boss.client.sops.create({ body });
    const names = new Map([
      [own.id, "own"],
      [team.id, "team"],
      [given.id, "given"],
      [other.id, "other"],
    ]);
    const sees = async (user: TestUser) => {
      const { data, total } = await user.client.sops.list({ query: { total: "true" } });
      const single = await Promise.all(
        [...names].map(async ([id, name]) =>
          (await user.send({ path: `/api/sops/${id}` })).status === 200 ? [name] : [],
        ),
      );
      const listed = data.map(({ id }) => names.get(id) ?? id).sort();
      expect(single.flat().sort()).toEqual(listed);
      expect(total).toBe(listed.length);
      expect((await user.client.stats.get()).totalSOPs).toBe(listed.length);
      return listed;
    };
    expect(await sees(boss)).toEqual(["given", "other", "own", "team"]);
    expect(await sees(contributor)).toEqual(["own", "team"]);
    expect(await sees(reviewer)).toEqual(["team"]);
    expect(await sees(viewer)).toEqual(["given"]);
  });

  test("refuses a save from a user who sees only the published version, without a word about the draft", async () => {
    const sample = samples.find(({ state }) => state === "draft in work") as Sample;
    const viewer = users.find(({ role }) => role === "viewer") as TestUser;
    const answer = await viewer.send({
      method: "PUT",
      path: `/api/sops/${sample.id}`,
      headers: { ...json, "if-match": '"v1"' },
      body: JSON.stringify({ title: "x" }),
    });
    expect(answer.status).toBe(403);
    expect(answer.body).not.toContain(secret);
    expect((await viewer.send({ path: `/api/sops/${sample.id}` })).headers.get("etag")).toBe('"v1"');
  });
});
