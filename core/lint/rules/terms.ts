import { replacesWords } from "../declared-changes.ts";
import type { Prose } from "../prose.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.style/terms", {
  why: "Two words for one thing are two things to a reader, and search finds half of them.",
  other: 'Write "{term}", not "{found}"',
});

/** Finds terms that the company bans, and offers the preferred ones. */
export const terms: Rule = {
  id: "style/terms",
  severity: "warning",
  fixable: "safe",
  declares: replacesWords,
  source: "ISO 24495-1; ASD-STE100",
  why: texts.why(),
  create: ({ text, settings, report }) => {
    const pattern = termPatternOf(settings.terms);
    if (pattern === undefined) return {};
    const preferred = new Map(Object.entries(settings.terms).map(([banned, better]) => [foldedTerm(banned), better]));
    return {
      prose: (prose: Prose) => {
        for (const match of prose.text.matchAll(pattern)) {
          const found = match[0];
          const better = preferred.get(foldedTerm(found));
          if (better === undefined || better === found) continue;
          const place = prose.offsetsInFile(match.index, match.index + found.length);
          const put = withSameCase(found, better);
          const isPlain = text.slice(place.start, place.end) === found;
          report(
            texts.other({ term: put, found }),
            place,
            isPlain ? { safe: true, edits: [{ ...place, text: put }] } : undefined,
          );
        }
      },
    };
  },
  setting: { settings: { terms: { "work order": "job ticket", abort: "stop", whitelist: "allow list" } } },
  good: ["Open a job ticket. Read `abort` in the log. Workorders and aborted jobs are other words.\n"],
  bad: [
    {
      text: "## Abort\n\nOpen a work\norder. Whitelist the host.\n",
      lines: [1, 3, 4],
      fixed: "## Stop\n\nOpen a job ticket. Allow list the host.\n",
    },
  ],
};

const compiled = new WeakMap<object, RegExp>();

function termPatternOf(terms: Readonly<Record<string, string>>): RegExp | undefined {
  const names = Object.keys(terms);
  if (names.length === 0) return undefined;
  let pattern = compiled.get(terms);
  if (pattern === undefined) {
    const longestFirst = names.toSorted((a, b) => b.length - a.length);
    const sources = longestFirst.map((name) =>
      name
        .trim()
        .replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")
        .replace(/\s+/g, "\\s+"),
    );
    pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join("|")})(?![\\p{L}\\p{N}])`, "giu");
    compiled.set(terms, pattern);
  }
  return pattern;
}

function foldedTerm(term: string): string {
  return term.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Keeps the case of the replaced word: "Abort" → "Stop", "abort" → "stop". */
function withSameCase(found: string, better: string): string {
  const first = found.charAt(0);
  return first !== first.toLowerCase() ? better.charAt(0).toUpperCase() + better.slice(1) : better;
}
