import {
  convertToKind,
  frontMatterKinds,
  isKnownKey,
  expectedKindText,
  type FrontMatter,
} from "#core/markdown/front-matter.ts";
import { plainText } from "#core/markdown/plain-text.ts";
import { baseName } from "../../links/paths.ts";
import type { Rule, RuleContext } from "../rule.ts";
import type { Fix } from "../finding.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.meta/required", {
  why: "People with a copy must know what it is, what it is for and whom to ask.",
  noFrontMatter: "Front matter is missing. Begin the file with ---, title, description and owner, ---",
  missing: "{key} is missing",
  wrongKind: "{key} must be {wanted}",
});

/**
 * The front matter has title, description and owner (`regulated`: the dates too), and each known key has a value of its
 * type.
 */
export const required: Rule = {
  id: "meta/required",
  severity: "error",
  fixable: "unsafe",
  source: "EPA QA/G-6; ISO 9001 §7.5",
  why: texts.why(),
  create: (context) => ({
    done() {
      const { values, required: wanted, placeOf, report } = context;
      if (values === null) {
        report(
          texts.noFrontMatter(),
          { start: 0, end: firstLineLength(context.text) },
          missingKeysFix(context, wanted),
        );
        return;
      }
      for (const key of wanted) {
        if (!isEmptyValue(values[key])) continue;
        const fix = Object.hasOwn(values, key) ? undefined : missingKeysFix(context, [key]);
        report(texts.missing({ key }), placeOf(key), fix);
      }
      for (const [key, value] of Object.entries(values)) {
        if (!isKnownKey(key) || value === null || value === "") continue;
        const kind = frontMatterKinds[key];
        if (convertToKind(kind, value) === undefined)
          report(texts.wrongKind({ key, wanted: expectedKindText(kind, value) }), placeOf(key));
      }
    },
  }),
  good: ['---\ntitle: "Reset a password"\ndescription: "How."\nowner: "ann"\n---\n\nText\n'],
  bad: [
    { text: "Text\n", lines: [1] },
    { text: '---\ntitle: "Reset"\nowner: ""\n---\n\n## A\n', lines: [1, 3] },
    { text: "---\ntitle: T\ndescription: D\nowner: ann\nversion: two\n---\n", lines: [5] },
    { text: '---\ntitle: T\ndescription: D\nowner: ann\nversion: "2"\n---\n', lines: [5] },
    {
      text: '---\nowner: "ann"\n---\n\n# Reset a password\n\nHow the desk does it.\n',
      lines: [1, 1],
      fixed:
        '---\ndescription: "How the desk does it."\ntitle: "Reset a password"\nowner: "ann"\n---\n\n# Reset a password\n\nHow the desk does it.\n',
    },
  ],
};

function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || String(value).trim() === "";
}

function firstLineLength(text: string): number {
  const end = text.search(/\r?\n/);
  return end === -1 ? text.length : end;
}

/** Adds missing keys with facts from the text itself: the first heading or the file's name, and the first paragraph. */
function missingKeysFix(context: RuleContext, keys: readonly (keyof FrontMatter)[]): Fix | undefined {
  const lines = keys.flatMap((key) => {
    const value = guessFrontMatterValue(context, key);
    return value === undefined ? [] : [`${key}: ${JSON.stringify(value)}\n`];
  });
  if (lines.length === 0) return undefined;
  if (context.values === null) return insertTextFix(0, `---\n${lines.join("")}---\n\n`);
  return insertTextFix(context.text.indexOf("\n") + 1, lines.join(""));
}

function insertTextFix(at: number, text: string): Fix {
  return { safe: false, edits: [{ start: at, end: at, text }] };
}

const longestDescription = 200;

function guessFrontMatterValue({ tree, outline, path }: RuleContext, key: keyof FrontMatter): string | undefined {
  if (key === "title") {
    const heading = outline.sections.find(({ heading: { depth } }) => depth === 1)?.title;
    const name = baseName(path)
      .replace(/\.\w+$/, "")
      .replace(/^[a-z0-9]+(?:[.-][a-z0-9]+)*?[.-]\d{2,}-/, "")
      .replace(/[-_]+/g, " ");
    return heading || name.charAt(0).toUpperCase() + name.slice(1) || undefined;
  }
  if (key !== "description") return undefined;
  const paragraph = tree.children.find(({ type }) => type === "paragraph");
  const text = paragraph === undefined ? "" : plainText(paragraph);
  return text === "" ? undefined : text.slice(0, longestDescription);
}
