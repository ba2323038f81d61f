import { expect, test } from "vitest";
import { defaultNumberLabel } from "#core/repository/names.ts";
import { linkDemoSops } from "./seed.ts";
import { readDemoCompany } from "./company.ts";
import { companyCreatedAt, storyEvents, type StoryEvent } from "./story.ts";

const company = await readDemoCompany();
const now = Date.parse("2026-11-21T00:30:00.000Z");
const story = storyEvents(company, now);

test.each(["2026-11-21T00:30:00.000Z", "2024-02-29T12:00:00.000Z"])(
  "the story up to %s is in order, from the start of the company to that moment",
  (end) => {
    const times = storyEvents(company, Date.parse(end)).map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    expect(times[0]! > companyCreatedAt(company, Date.parse(end))).toBe(true);
    expect(times.at(-1)! <= end).toBe(true);
  },
);

test("links between its files lead to the numbers that its SOPs get", () => {
  const bodies = linkDemoSops(company)
    .sops.map(({ body }) => body)
    .join("\n");
  expect(bodies).not.toMatch(/\]\([^)]*\.md\)/);
  const created = story.filter(({ deed }) => deed.verb === "create");
  const titles = new Map(created.map(({ sop }, at) => [defaultNumberLabel(at + 1), sop.frontMatter.title]));
  const links = [...bodies.matchAll(/\[([^\]]+)\]\(\/sop\/([^)]+)\)/g)];
  expect(links.length).toBeGreaterThan(40);
  for (const [, words, number = ""] of links) expect(titles.get(number)).toBe(words);
});

test.each(company.sops)("$file: versions, publications, readings and archiving match the story", (sop) => {
  const own = story.filter((happening) => happening.sop === sop);
  const text = ["create", "save", "publish", "archive"];
  const verbs = own.map(({ deed }) => deed.verb).filter((verb) => text.includes(verb));
  const byApproval = sop.publishedBy !== undefined && sop.approvers !== undefined;
  const inWork = sop.edits.filter((edit) => edit.afterPublication).length;
  const publications = sop.publishedBy === undefined ? 0 : 1 + sop.edits.length - inWork;
  expect(verbs[0]).toBe("create");
  expect(count(own, "save")).toBe(sop.edits.length);
  expect(count(own, "publish")).toBe(publications - (byApproval ? 1 : 0));
  expect(count(own, "submit")).toBe(sop.approvers ? 1 : 0);
  expect(count(own, "approve") + count(own, "request_changes")).toBe(sop.decisions?.length ?? 0);
  expect(count(own, "confirm")).toBe(sop.acknowledgement?.confirmed.length ?? 0);
  expect(verbs.at(-1) === "archive").toBe(sop.status === "archived");
  if (publications > 0 && inWork === 0 && !byApproval && sop.status !== "archived")
    expect(verbs.at(-1)).toBe("publish");
  const first = own.find(({ deed }) => deed.verb === "confirm" || deed.verb === "ask_readers");
  expect(first === undefined || first.deed.verb === "ask_readers").toBe(true);
  expect(own.slice(0, publications > 0 ? 2 : undefined).some(({ deed }) => ["read", "star"].includes(deed.verb))).toBe(
    false,
  );
  expect(count(own, "read") > 0).toBe(publications > 0);
  expect(count(own, "star")).toBe(publications > 0 ? sop.favoriteOf.length : 0);
});

test("an edit changes the text before it", () => {
  for (const { sop, deed } of story) {
    if (deed.verb !== "save") continue;
    const edit = sop.edits.find(({ note }) => note === deed.note);
    expect(deed.body).toContain(edit?.replace[1]);
    expect(deed.body).not.toBe(sop.body);
  }
});

function count(happenings: readonly StoryEvent[], verb: string): number {
  return happenings.filter(({ deed }) => deed.verb === verb).length;
}
