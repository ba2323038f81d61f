import { describe, expect, it } from "vitest";
import { repositoryPlaceOf, type SopPlaceFacts } from "./place.ts";

const base: SopPlaceFacts = {
  label: "SOP-0042",
  slug: "reset",
  categorySlug: "it",
  isTemplate: false,
  status: "draft",
  version: 3,
  published: null,
  lastPublished: null,
  deletedAt: null,
};
const file = "it/sop-0042-reset.md";
const published = (version: number) => ({ version, isTemplate: false, categorySlug: "it" });

describe("placeOf", () => {
  it.each<[string, Partial<SopPlaceFacts>, [string | null, string | null, number | null]]>([
    ["a draft is on history alone", {}, [`sops/${file}`, null, null]],
    ["under review too", { status: "under_review" }, [`sops/${file}`, null, null]],
    ["a status we don't know is a draft", { status: "odd" }, [`sops/${file}`, null, null]],
    ["published", { status: "published", published: published(3) }, [`sops/${file}`, `sops/${file}`, 3]],
    ["a draft in work leaves main alone", { published: published(2) }, [`sops/${file}`, `sops/${file}`, 2]],
    [
      "archived after being published",
      { status: "archived", lastPublished: 2 },
      [`archive/${file}`, `archive/${file}`, 2],
    ],
    ["archived, never published", { status: "archived" }, [`archive/${file}`, null, null]],
    [
      "archived leaves nothing published",
      { status: "archived", published: published(2) },
      [`archive/${file}`, null, null],
    ],
    ["unarchived", { status: "draft", lastPublished: 2 }, [`sops/${file}`, null, null]],
    [
      "deleted leaves both",
      { status: "published", published: published(3), deletedAt: "2026-01-01" },
      [null, null, null],
    ],
    [
      "a template",
      { isTemplate: true, published: { ...published(3), isTemplate: true } },
      [`templates/${file}`, `templates/${file}`, 3],
    ],
    [
      "turned into a template by the draft in work",
      { isTemplate: true, published: { ...published(2), isTemplate: false } },
      [`templates/${file}`, `sops/${file}`, 2],
    ],
    ["without category", { categorySlug: null }, ["sops/uncategorized/sop-0042-reset.md", null, null]],
  ])("%s", (_name, sop, [path, mainPath, mainVersion]) => {
    expect(repositoryPlaceOf({ ...base, ...sop })).toEqual({ path, version: 3, mainPath, mainVersion });
  });
});
