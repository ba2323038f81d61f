/** The texts that we ship: SOP templates, and the demo company's SOPs with their histories. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { can } from "#core/permissions/can.ts";
import { roles } from "#core/permissions/roles.ts";
import { startingCategories } from "#core/categories/starting.ts";
import { categoryColors } from "#core/categories/schema.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { fileTextOf } from "#core/markdown/front-matter.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { readingMinutesOf } from "#core/markdown/read-time.ts";
import { sopFormValuesOf } from "#core/sops/form-values.ts";
import { SopForm } from "#core/sops/schema.ts";
import { templatesByTrade, trades } from "#core/templates/trades.ts";
import { sopStatuses } from "#core/sops/statuses.ts";

const root = join(import.meta.dirname, "../templates");

interface Text {
  name: string;
  text: string;
}

function textsIn(folder: string): Text[] {
  return readdirSync(join(root, folder))
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(root, folder, name), "utf8") }));
}

const templates = textsIn("sops");
const demoSops = textsIn("demo/sops");
const everyText = [...templates, ...demoSops];

test("each trade's templates are in the library", () => {
  const names = templates.map(({ name }) => name.replace(/\.md$/, ""));
  for (const trade of trades) expect(names).toEqual(expect.arrayContaining([...templatesByTrade[trade]]));
});

function headings(body: string): string[] {
  return [...body.matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? "");
}

function titleOf(text: string): string {
  return readMarkdownFile(text).frontMatter.title ?? "";
}

function isCanonical(text: string): boolean {
  const { frontMatter, body } = readMarkdownFile(text);
  return fileTextOf(frontMatter, formatMarkdown(body)) === text;
}

const order = [
  "Purpose",
  "Scope",
  "Responsibilities",
  "Definitions",
  "Safety",
  "Equipment",
  "Prerequisites",
  "Procedure",
  "Records",
  "References",
];

describe.each(everyText)("$name", ({ text }) => {
  const { frontMatter, body } = readMarkdownFile(text);

  test("is canonical, byte for byte", () => {
    expect(fileTextOf(frontMatter, formatMarkdown(body))).toBe(text);
  });

  test("carries what a new SOP needs, and nothing that the server gives", () => {
    const { title, description, owner, tags, lang, sop, id, version } = frontMatter;
    const { read_minutes: readTime, template: isTemplate = false } = frontMatter;
    const text = { title, description, markdown: body, categoryId: "any", readTime };
    const form = { ...sopFormValuesOf(null), ...text, isTemplate, tags: tags?.join(", "), lang };
    expect(SopForm.safeParse(form).error).toBeUndefined();
    expect(owner).toMatch(/^[a-z.]+$/);
    expect(tags?.length).toBeGreaterThan(0);
    expect(lang).toBe("en");
    expect([sop, id, version]).toEqual([undefined, undefined, undefined]);
    expect(readTime).toBe(readingMinutesOf(body));
  });

  test("has the sections of an SOP in their order, and steps", () => {
    const found = headings(body);
    expect(found).toEqual(order.filter((name) => found.includes(name)));
    expect(found).toEqual(
      expect.arrayContaining(["Purpose", "Scope", "Responsibilities", "Procedure", "Records", "References"]),
    );
    expect(body).not.toMatch(/^# /m);
    expect(body.slice(body.indexOf("## Procedure"), body.indexOf("## Records"))).toMatch(/^1\. /m);
  });

  test("is finished: no placeholder is left in it", () => {
    expect(text).not.toMatch(/\b(?:TODO|TBD|FIXME|XXX)\b|lorem ipsum|\[insert|\[your|<insert/i);
  });

  test("has no step sentence of more than 20 words", () => {
    const long = [...body.matchAll(/^ *\d+\. (?:\*\*[^*]+:\*\* )?(.+)$/gm)]
      .flatMap((match) => (match[1] ?? "").replace(/\]\([^)]*\)/g, "]").split(/(?<=[.;:])\s/))
      .filter((sentence) => sentence.split(/\s+/).length > 20);
    expect(long).toEqual([]);
  });
});

describe("templates", () => {
  test("are at least twelve, each marked as a template, with safety before the procedure", () => {
    expect(templates.length).toBeGreaterThanOrEqual(12);
    for (const { name, text } of templates) {
      const { frontMatter, body } = readMarkdownFile(text);
      expect(frontMatter.template, name).toBe(true);
      const safety = body.slice(body.indexOf("## Safety"), body.indexOf("## Procedure"));
      expect(safety, name).toMatch(/^> \[!(?:DANGER|WARNING|CAUTION|NOTICE)\]$/m);
    }
  });

  test("name only templates that exist", () => {
    const titles = templates.map(({ text }) => titleOf(text));
    const named = templates.flatMap(({ text }) =>
      [...text.matchAll(/SOP template _([^_]+)_/g)].map((match) => match[1]),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(titles).toEqual(expect.arrayContaining(named));
  });
});

const Username = z.string().regex(/^[a-z.]{3,}$/);
const Person = z.strictObject({
  username: Username,
  name: z.string().min(2),
  role: z.enum(roles),
  title: z.string().min(2),
  department: z.string().min(2),
  team: z.string().optional(),
});
const Edit = z.strictObject({
  author: Username,
  daysAgo: z.int().min(0),
  note: z.string().min(1),
  afterPublication: z.literal(true).optional(),
  replace: z.tuple([z.string().min(1), z.string().min(1)]),
});
const Dated = { by: Username, daysAgo: z.int().min(0) };
const Remark = z.strictObject({ ...Dated, body: z.string().min(1) });
const Company = z.strictObject({
  name: z.string().min(2),
  slug: z.string().regex(/^[a-z0-9-]+$/),
  description: z.string(),
  industry: z.string(),
  size: z.enum(["small", "medium", "large", "enterprise"]),
  subscription: z.enum(["free", "starter", "professional", "enterprise"]),
  maxUsers: z.int().min(1),
  maxSOPs: z.int().min(1),
  system: Person,
  users: z.array(Person),
  teams: z.array(
    z.strictObject({ name: z.string(), slug: z.string(), owner: Username, members: z.array(Username).min(1) }),
  ),
  categories: z.array(z.strictObject({ name: z.string(), color: z.enum(categoryColors), team: z.string() })),
  searches: z.array(z.strictObject({ words: z.string(), by: z.array(Username).min(1) })),
  sops: z.array(
    z.strictObject({
      file: z.string(),
      category: z.string(),
      author: Username,
      status: z.enum(sopStatuses),
      publishedBy: Username.optional(),
      daysAgo: z.int().min(0),
      isTemplate: z.boolean().optional(),
      isAiGenerated: z.boolean().optional(),
      favoriteOf: z.array(Username),
      reviewInDays: z.int().optional(),
      approvers: z.array(Username).min(1).optional(),
      requestNote: z.string().optional(),
      decisions: z
        .array(
          z.strictObject({ ...Dated, verb: z.enum(["approve", "request_changes"]), comment: z.string().optional() }),
        )
        .optional(),
      comments: z
        .array(
          Remark.extend({
            quote: z.string().optional(),
            replies: z.array(Remark).optional(),
            resolved: z.strictObject(Dated).optional(),
          }),
        )
        .optional(),
      acknowledgement: z
        .strictObject({
          ...Dated,
          everyone: z.literal(true).optional(),
          users: z.array(Username).optional(),
          teams: z.array(z.string()).optional(),
          dueDays: z.int().min(1),
          confirmed: z.array(z.strictObject(Dated)),
        })
        .optional(),
      edits: z.array(Edit),
    }),
  ),
});

const company = Company.parse(JSON.parse(readFileSync(join(root, "demo/company.json"), "utf8")));
const textOf = new Map(demoSops.map(({ name, text }) => [name, text]));

function person(username: string): z.output<typeof Person> {
  const found = company.users.find((user) => user.username === username);
  if (!found) throw new Error(`company.json has no user named ${username}`);
  return found;
}

function mayOn(
  username: string,
  action: "sop.edit" | "sop.publish",
  sop: { author: string; team: string | null },
): boolean {
  const user = person(username);
  const actor = {
    userId: username,
    companyId: "c",
    role: user.role,
    teamIds: user.team ? [user.team] : [],
    allow: [],
    deny: [],
  };
  return can(actor, action, {
    companyId: "c",
    authorId: sop.author,
    ownerId: sop.author,
    teamId: sop.team,
    status: "draft",
    restricted: false,
    grants: [],
    approvers: [],
    deletedAt: null,
    published: null,
    version: 1,
  });
}

describe("demo company", () => {
  test("has all eight roles, each person once, teams and categories that agree", () => {
    const everyone = [company.system, ...company.users];
    expect(new Set(everyone.map(({ role }) => role))).toEqual(new Set(roles));
    expect(new Set(everyone.map(({ username }) => username)).size).toBe(everyone.length);
    expect(everyone.length).toBeLessThanOrEqual(company.maxUsers);
    for (const team of company.teams) {
      expect(team.members, team.slug).toContain(team.owner);
      for (const member of team.members) person(member);
    }
    for (const { username, team } of company.users) {
      if (team) expect(company.teams.find(({ slug }) => slug === team)?.members, username).toContain(username);
    }
    const slugs = company.teams.map(({ slug }) => slug);
    for (const { name, team } of company.categories) expect(slugs, name).toContain(team);
    for (const { name, color } of startingCategories) {
      expect(company.categories).toContainEqual(expect.objectContaining({ name, color }));
    }
  });

  test("uses every text once, in every status, with at least three drafts in work over a published version", () => {
    expect(company.sops.map(({ file }) => file).toSorted()).toEqual(demoSops.map(({ name }) => name));
    expect(new Set(company.sops.map(({ status }) => status))).toEqual(new Set(sopStatuses));
    const inWork = company.sops.filter(({ edits }) => edits.some((edit) => edit.afterPublication));
    expect(inWork.length).toBeGreaterThanOrEqual(3);
    expect(inWork.every(({ status }) => status === "published")).toBe(true);
    expect(company.sops.filter(({ isTemplate }) => isTemplate).length).toBeGreaterThan(0);
    expect(company.sops.filter((sop) => sop.isAiGenerated && sop.status === "draft").length).toBeGreaterThan(0);
  });

  test("shows comments open and resolved, with a mention, and confirmations given, open and overdue", () => {
    const threads = company.sops.flatMap(({ comments = [] }) => comments);
    expect(threads.some(({ resolved }) => resolved) && threads.some(({ resolved }) => !resolved)).toBe(true);
    expect(threads.some(({ body }) => company.users.some(({ username }) => body.includes(`@${username}`)))).toBe(true);
    expect(threads.some(({ quote }) => quote === undefined) && threads.some(({ quote }) => quote)).toBe(true);
    const asked = company.sops.flatMap(({ acknowledgement }) => acknowledgement ?? []);
    expect(asked.every(({ confirmed }) => confirmed.length > 0)).toBe(true);
    expect(asked.some(({ daysAgo, dueDays }) => daysAgo > dueDays + 1)).toBe(true);
    expect(asked.some(({ daysAgo, dueDays }) => daysAgo < dueDays)).toBe(true);
    expect(company.sops.some(({ status, approvers }) => status === "draft" && approvers)).toBe(true);
  });

  test("names only SOPs that exist", () => {
    const titles = new Map(demoSops.map(({ name, text }) => [name, titleOf(text)]));
    const linked = demoSops.flatMap(({ text }) => [...text.matchAll(/\[([^\]]+)\]\(([^):]+\.md)\)/g)]);
    expect(linked.length).toBeGreaterThan(40);
    for (const [, words, file = ""] of linked) expect(titles.get(file), file).toBe(words);
    // the assistant must find this one missing
    const named = demoSops.flatMap(({ text }) => [...text.matchAll(/SOP _([^_]+)_/g)].map((match) => match[1]));
    expect(named).toEqual(["Dispose of chemical waste"]);
  });

  test.each(company.sops)("$file: file, people, rights and history agree", (sop) => {
    const text = textOf.get(sop.file) ?? "";
    const { frontMatter } = readMarkdownFile(text);
    expect(frontMatter.owner).toBe(sop.author);
    expect(frontMatter.template ?? false).toBe(sop.isTemplate ?? false);
    expect(frontMatter.ai_generated ?? false).toBe(sop.isAiGenerated ?? false);
    expect(company.teams.map(({ slug }) => slug)).toContain(frontMatter.team);
    expect(company.categories.map(({ name }) => name)).toContain(sop.category);
    expect(["reviewer", "viewer"]).not.toContain(person(sop.author).role);
    for (const username of [...sop.favoriteOf, ...(sop.approvers ?? [])]) person(username);

    const facts = { author: sop.author, team: frontMatter.team ?? null };
    const wasInForce = sop.status === "published" || sop.status === "archived";
    expect(sop.publishedBy !== undefined).toBe(wasInForce);
    if (sop.publishedBy) expect(mayOn(sop.publishedBy, "sop.publish", facts)).toBe(true);

    const writers = [sop.author, ...sop.edits.map(({ author }) => author)];
    if (sop.status === "under_review") expect(sop.approvers).toBeDefined();
    // for a published version, only the author of the latest text can't approve
    const last = wasInForce ? writers.slice(-1) : writers;
    for (const approver of sop.approvers ?? []) expect(last).not.toContain(approver);
    for (const { by } of sop.decisions ?? []) expect(sop.approvers).toContain(by);
    const ends = (sop.decisions ?? []).map(({ verb }) => verb);
    if (wasInForce && sop.approvers) expect(ends).toEqual(sop.approvers.map(() => "approve"));
    if (sop.status === "under_review") expect(ends.length).toBeLessThan(sop.approvers?.length ?? 0);
    if (sop.status === "draft" && sop.approvers) expect(ends.at(-1)).toBe("request_changes");
    for (const writer of writers) expect(mayOn(writer, "sop.edit", facts), writer).toBe(true);
  });

  test.each(company.sops)("$file: each edit finds its words once, in order, and leaves a canonical file", (sop) => {
    let text = textOf.get(sop.file) ?? "";
    let before = sop.daysAgo;
    let afterPublication = false;
    for (const edit of sop.edits) {
      const [from, to] = edit.replace;
      const { body } = readMarkdownFile(text);
      expect(body.split(from).length - 1, from).toBe(1);
      text = text.replace(body, () => body.replace(from, () => to));
      expect(isCanonical(text), to).toBe(true);
      expect(edit.daysAgo).toBeLessThan(before);
      before = edit.daysAgo;
      // Once there is a draft, the published version no longer changes.
      if (afterPublication) expect(edit.afterPublication).toBe(true);
      afterPublication = edit.afterPublication === true;
    }
  });
});
