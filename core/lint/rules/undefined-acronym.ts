import type { Prose } from "../prose.ts";
import { canBeVerb } from "../english/verbs.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const acronym =
  /(?<![\p{L}\p{N}&/.'’#-]|\p{Lu}{4} )[A-Z][A-Z0-9]{1,5}(?:s(?![\p{L}]))?(?![\p{L}\p{N}&]|-\d|\.\w|\/[A-Z])/gu;
const roman = /^[IVXLC]+$/;
const everyday = new Set(
  `AM PM OK ID IDS URL URLS PDF CSV XML HTML JSON HTTP HTTPS FTP SSH USB CPU RAM TV DVD CD GPS FAQ SMS PIN QR LED AC DC UV IR
   DNA RNA PH EU UK US USA UN UTC GMT SOP SOPS ISO IEC EN DIN ANSI ASTM OSHA CFR NIST EPA FDA GMP IT HR QA QC PPE SI IP TCP VPN
   TLS SSL SQL API APIS APP OS PC PCS WIFI EMAIL EUR USD GBP CHF CEO CFO CTO NATO WHO AND OR NOT NO YES ALL ANY ONLY MUST SHALL WILL NEVER ALWAYS
   IF THEN ELSE WHEN DO THE FOR WITH FROM THIS THAT BEFORE AFTER NOTE TIP WARNING CAUTION DANGER NOTICE HAZARD ON OFF IN OUT UP DOWN TO OF
   TODO TBD FIXME XXX PASS FAIL TRUE FALSE NULL NONE NEW OLD HIGH LOW LEFT RIGHT FIRST LAST PDCA TM RSVP RE FW CC`
    .trim()
    .split(/\s+/),
);

const texts = sentences("core.lint.term/undefined-acronym", {
  why: "The new colleague, who needs the procedure most, is the one who doesn't know the letters.",
  unexplained: "{name} is not explained: write it out once, or define it",
});

/** An acronym is spelled out at its first use, or under Definitions. */
export const undefinedAcronym: Rule = {
  id: "term/undefined-acronym",
  severity: "warning",
  fixable: "no",
  english: true,
  source: "EPA QA/G-6 (definitions); plainlanguage.gov",
  why: texts.why(),
  create: ({ text, outline, settings, report }) => {
    const known = new Set(settings.acronyms.map((one) => one.toUpperCase()));
    const used = new Map<string, { prose: Prose; start: number; end: number }>();
    const defined = new Set<string>();
    const definitions = outline.sections.filter(({ within }) => within === "definitions");
    const references = outline.sections.filter(({ within }) => within === "references");
    return {
      prose: (prose) => {
        if (!/[A-Z][A-Z0-9]/.test(prose.text)) return;
        const offset = prose.node.position?.start.offset ?? 0;
        const isOffsetInRange = ({ start, end }: { start: number; end: number }): boolean =>
          offset >= start && offset < end;
        if (references.some(isOffsetInRange) || isMostlyCapitals(prose.text)) return;
        const defines = definitions.some(isOffsetInRange);
        for (const match of prose.text.matchAll(acronym)) {
          const name = match[0].replace(/s$/, "");
          const end = match.index + match[0].length;
          if (defines || isSpelledOut(prose.text, match.index, end)) defined.add(name);
          else if (!used.has(name) && isUnexplainedAcronym(name, known, prose.text.slice(end)))
            used.set(name, { prose, start: match.index, end });
        }
      },
      done() {
        for (const [name, { prose, start, end }] of used) {
          if (defined.has(name)) continue;
          const place = prose.offsetsInFile(start, end);
          if (text.slice(place.start, place.end).startsWith(name)) report(texts.unexplained({ name }), place);
        }
      },
    };
  },
  setting: { settings: { acronyms: ["CAPA"] } },
  good: [
    "## Purpose\n\nThe key performance indicator (KPI) and the MTBF (mean time between failures) are shown as PDF. Each KPI and CAPA counts. See ISO 9001, #OCR2, S4P5 and SINGLE TRIP.\n\n## Definitions\n\n- **RPO:** most data that may be lost\n\n## Procedure\n\n1. Check the RPO.\n",
  ],
  bad: [{ text: "Reduce the KPI.\n\nThe KPI and its MTTR matter.\n", lines: [1, 3] }],
};

function isUnexplainedAcronym(name: string, known: ReadonlySet<string>, after: string): boolean {
  if (known.has(name) || everyday.has(name) || roman.test(name) || canBeVerb(name.toLowerCase())) return false;
  // A name with a number ("CAT 5", "ASD 100") is a label, not an acronym to explain.
  return (
    !/^[ \u00a0-](?:\d|[IVX]+\b)/.test(after) &&
    !/^(?:\p{Lu}\d+)+$|^\p{Lu}{2}\d$/u.test(name) &&
    !/^ \p{Lu}{4}/u.test(after)
  );
}

const closing = /["”]?(?:s|[,;][^()]*)?[)\]]/y;
const explanation = /\s*[([]\s*["“]?\p{L}+[ -]\p{L}+/uy;

/** Tells whether an acronym's meaning is beside it: "mean time (MTBF)", "MTBF (mean time …)". */
function isSpelledOut(text: string, start: number, end: number): boolean {
  const before = /["“]/.test(text.charAt(start - 1)) ? start - 2 : start - 1;
  const opens =
    "([".includes(text.charAt(before) || " ") && /\p{Ll}/u.test(text.slice(Math.max(0, before - 100), before));
  closing.lastIndex = end;
  explanation.lastIndex = end;
  return (opens && closing.test(text)) || explanation.test(text);
}

/** Tells whether most words of a text are in capitals for emphasis, so that they are no acronyms. */
function isMostlyCapitals(text: string): boolean {
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  return words.length > 2 && words.filter((word) => word === word.toUpperCase()).length * 2 > words.length;
}
