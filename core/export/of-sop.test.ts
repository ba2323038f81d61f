import { expect, it } from "vitest";
import { sopFileName } from "#core/repository/names.ts";
import { slugify } from "#core/repository/slugs.ts";
import { versionMarks, type VersionState } from "./document.ts";
import { markdownFileEnding } from "./of-sop.ts";

const states = Object.keys(versionMarks) as VersionState[];
const endings = states.map(markdownFileEnding).filter((ending) => ending !== ".md");

it.each(["draft", "(draft)", ".draft", "not yet effective", "not-yet-effective", "Superseded.", "archived", "草稿"])(
  "a title that ends in %s makes no name with a mark",
  (end) => {
    for (const label of ["SOP-0042", "QM.01"]) {
      for (const title of [`Reset ${end}`, `Reset.${end}`, end]) {
        const name = sopFileName({ label, slug: slugify(title) }).replace(/\.md$/, markdownFileEnding("published"));
        expect(endings.filter((ending) => name.endsWith(ending))).toEqual([]);
      }
    }
  },
);
