import type { FileFacts, LinkFact } from "../facts.ts";
import { editDistance } from "../../text/distance.ts";
import {
  foldedKey,
  createPathIndex,
  possibleFilesOfLink,
  comparablePath,
  type PathIndex,
} from "#core/links/link-targets.ts";
import { baseName, isInArchiveFolder, relativePath, resolveLinkPath } from "../../links/paths.ts";
import type { AcrossContext, Rule, LintContext } from "../rule.ts";
import type { Fix } from "../finding.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.ref/internal-link", {
  why: "A dead link, or one to a withdrawn procedure, makes the reader guess in the middle of a step.",
  archived: "{target} is archived",
  missing: "{target} doesn't exist",
  misnamed: "{target} doesn't exist; there is {other}",
  noHeading: "No heading is called #{anchor}",
  otherHeading: "No heading is called #{anchor}; there is #{other}",
});

/** Links between documents lead to an existing file, heading or number, and not to an archived SOP. */
export const internalLink: Rule = {
  id: "ref/internal-link",
  severity: "error",
  fixable: "unsafe",
  source: "ISO 9001 §7.5.3",
  why: texts.why(),
  across: (context) => {
    for (const link of context.file.links) reportLinkProblem(link, context);
    for (const { sop, at } of context.file.mentions) {
      if (sop === context.file.sop) continue;
      const paths = context.named.get(sop) ?? [];
      const gone = paths.length > 0 && paths.every(isInArchiveFolder) && !isInArchiveFolder(context.file.path);
      if (gone) context.report(texts.archived({ target: sop }), at);
      else if (paths.length === 0 && /^SOP-\d{4,}$/.test(sop) && context.surroundings.complete)
        context.report(texts.missing({ target: sop }), at);
    }
  },
  setting: {
    path: "sops/it/sop-0042-reset.md",
    others: {
      "sops/it/sop-0043-lock.md": '---\nsop: "SOP-0043"\n---\n\n## Unlock it\n\nText\n',
      "sops/hr/sop-0007-leave.md": '---\nsop: "SOP-0007"\n---\n\nText\n',
      "archive/it/sop-0001-old.md": '---\nsop: "SOP-0001"\n---\n\nText\n',
    },
  },
  good: [
    "## A b\n\nSee [above](#a-b), [unlock](sop-0043-lock.md#unlock-it), SOP-0007 and [more](https://example.org/x.md).\n",
    "Heat for [240](time_required) minutes. See [the page](sop-0043-lock/).\n",
    "See [it](../sop-0043-lock/) and [the page](sop-0043-lock.html).\n",
    "## A - B\n\nSee [it](#a-b).\n",
    "1. See [this step](#user-content-step.1p07x51p541).\n",
    '(lid)=\n## Lid {#top}\n\n<a id="old"></a>See [the lid](#lid), [top](#top) and [old](#old).\n',
  ],
  bad: [
    {
      text: "See [unlock](sop-0043-lock.md#unlok-it) and [leave](sop-0007-leave.md).\n",
      lines: [1, 1],
      fixed: "See [unlock](sop-0043-lock.md#unlock-it) and [leave](../hr/sop-0007-leave.md).\n",
    },
    { text: "## A\n\nSee [below](#nothing-like-it).\n\n[old]: ../../archive/it/sop-0001-old.md\n", lines: [3, 5] },
    {
      text: "See [unlock](SOP-0043-Lock.md).\n",
      lines: [1],
      fixed: "See [unlock](sop-0043-lock.md).\n",
    },
    { text: "As in SOP-0001.\n", lines: [1] },
  ],
};

function reportLinkProblem(link: LinkFact, { file, files, surroundings, report }: AcrossContext): void {
  const [address = "", anchor] = link.url.split("#");
  const path = percentDecodedIfValid(address.split("?")[0] ?? "");
  // a single word is the name of a field or of a target in another tool, not of a file
  if (path === undefined || /^[\w-]+$/.test(path)) return;
  const target = path === "" ? file.path : resolveLinkPath(file.path, path);
  const there =
    target === undefined
      ? undefined
      : (files.get(target) ?? files.get(pathIndexOf(files).firstExisting([target]) ?? ""));
  // hosts of repositories distinguish upper and lower case
  const isNamed = there === undefined || target === undefined || comparablePath(there.path) === comparablePath(target);
  if (there !== undefined && isNamed) {
    if (isInArchiveFolder(there.path) && !isInArchiveFolder(file.path))
      report(texts.archived({ target: baseName(there.path) }), link.at);
    else reportAnchorProblem(link, anchor, there, report);
    return;
  }
  if (target === undefined || fileExists(target, surroundings) || isPageOnSite(path, file.path, files, surroundings))
    return;
  const named = foldedKey(baseName(path));
  const near = [...files.keys()].filter((other) => foldedKey(baseName(other)) === named && !isInArchiveFolder(other));
  const [only] = near;
  const fix =
    near.length === 1 && only !== undefined ? replaceInLinkFix(link, path, relativePath(file.path, only)) : undefined;
  const says = only === undefined ? texts.missing({ target: path }) : texts.misnamed({ target: path, other: only });
  report(says, link.at, fix);
}

/** Tells whether a file exists. Without a list of files, only missing Markdown files are certain. */
function fileExists(path: string, { exists }: LintContext): boolean {
  if (exists === undefined) return !/\.md$/i.test(path);
  return ["NFC", "NFD"].some((form) => exists(path.normalize(form))) || exists(path);
}

/** Tells whether a link works on a site, where `a/b.md` has the address `a/b/` and links are resolved from there. */
function isPageOnSite(path: string, from: string, files: AcrossContext["files"], { exists }: LintContext): boolean {
  if (/\.(?!html?$)[a-z0-9]{1,5}$/i.test(path)) return false;
  const pages = possibleFilesOfLink(from, path);
  return pathIndexOf(files).firstExisting(pages) !== undefined || pages.some((page) => exists?.(page) === true);
}

/** Caches the index of file names, because all rules of a run use the same files. */
const indexes = new WeakMap<AcrossContext["files"], PathIndex>();

function pathIndexOf(files: AcrossContext["files"]): PathIndex {
  const index = indexes.get(files) ?? createPathIndex(files.keys());
  indexes.set(files, index);
  return index;
}

function reportAnchorProblem(
  link: LinkFact,
  raw: string | undefined,
  there: FileFacts,
  report: AcrossContext["report"],
): void {
  const anchor = raw === undefined || raw === "" ? undefined : percentDecodedIfValid(raw);
  if (anchor === undefined || there.unreadable || there.anchors.includes(anchor)) return;
  // anchors of steps exist only in rendered pages
  if (anchor.startsWith("user-content-step.")) return;
  // some sites merge hyphens that GitHub keeps: the heading "A - B" has the anchor a-b there, and a---b on GitHub
  if (there.anchors.some((one) => one.replace(/-+/g, "-") === anchor)) return;
  const near = nearestName(anchor, there.anchors);
  const says = near === undefined ? texts.noHeading({ anchor }) : texts.otherHeading({ anchor, other: near });
  report(says, link.at, near === undefined ? undefined : replaceInLinkFix(link, `#${raw}`, `#${near}`));
}

function replaceInLinkFix({ url, range }: LinkFact, part: string, by: string): Fix | undefined {
  const at = url.lastIndexOf(part);
  if (range === undefined || at === -1 || /[\s()<>]/.test(by)) return undefined;
  const start = range[0] + at;
  return { safe: false, edits: [{ start, end: start + part.length, text: by }] };
}

function percentDecodedIfValid(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns the only name that differs from `name` by at most a few letters; undefined if several or none do. */
function nearestName(name: string, names: readonly string[]): string | undefined {
  const most = Math.min(3, Math.floor(name.length / 3));
  const near = names
    .map((other) => ({ other, apart: editDistance(name.toLowerCase(), other, most).full }))
    .filter(({ apart }) => apart <= most)
    .sort((a, b) => a.apart - b.apart);
  return near.length > 1 && near[0]?.apart === near[1]?.apart ? undefined : near[0]?.other;
}
