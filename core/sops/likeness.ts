/** Finds the stored text from which a file without id and number was probably made: the most similar one. */
import { commonLineCount, isHalfCommon, isSameTitle, linesWithWords, type TitledText } from "./import-rules.ts";

export interface ComparedFile extends TitledText {
  /** False if the title is only the name of the file. */
  hasOwnTitle: boolean;
}

export interface ComparedText extends TitledText {
  /** True if an earlier file of this text had the name of the file. */
  hasSameName: boolean;
  /** True if the file and the text have a description, and it is the same. */
  hasSameDescription: boolean;
  /** True if the front matter and the text are those of the file. */
  isEqual: boolean;
}

/**
 * The ways in which a file resembles a text, the most similar first. With the last two, the file can be a new document
 * with a common title, or from the same template.
 */
const likenesses = ["equal", "text and title", "text", "title and lines", "lines", "title", "some lines"] as const;
export type Likeness = (typeof likenesses)[number];

/** Tells whether a file with this likeness counts as a copy or an edit of the text. */
export function isSameDocument(likeness: Likeness): boolean {
  return likeness !== "title" && likeness !== "some lines";
}

/**
 * Returns the texts that the file resembles most, by likeness and then by the number of common lines; several if they
 * are equally similar. Null if the file resembles none.
 */
export function nearestTexts<T extends ComparedText>(
  file: ComparedFile,
  texts: readonly T[],
): { likeness: Likeness; nearest: readonly T[] } | null {
  return nearestAmong(file, comparedLines(file, texts));
}

interface ComparedLines<T> {
  now: Lines;
  texts: readonly { text: T; was: Lines }[];
  /** The lines that several of the texts have. */
  usual: Lines;
}

function comparedLines<T extends TitledText>(file: TitledText, texts: readonly T[]): ComparedLines<T> {
  const lined = texts.map((text) => ({ text, was: linesOf(text.markdown) }));
  return { now: linesOf(file.markdown), texts: lined, usual: usualLinesOf(lined.map(({ was }) => was)) };
}

function nearestAmong<T extends ComparedText>(
  file: ComparedFile,
  { now, texts, usual }: ComparedLines<T>,
): { likeness: Likeness; nearest: readonly T[] } | null {
  const rated = texts.flatMap(({ text, was }) => {
    const likeness = likenessOf(file, text, { was, now, usual });
    return likeness === null ? [] : [{ text, rank: likenesses.indexOf(likeness), common: commonLineCount(was, now) }];
  });
  const [best] = rated.toSorted((one, other) => one.rank - other.rank || other.common - one.common);
  const likeness = likenesses[best?.rank ?? -1];
  if (best === undefined || likeness === undefined) return null;
  const nearest = rated.filter(({ rank, common }) => rank === best.rank && common === best.common);
  return { likeness, nearest: nearest.map(({ text }) => text) };
}

/** Returns the text with the fewest lines that differ from the file; of several, one with the title of the file. */
export function closestText<T extends TitledText>(file: TitledText, texts: readonly T[]): T | undefined {
  const now = linesOf(file.markdown);
  const rated = texts.map((text) => {
    const was = linesOf(text.markdown);
    const apart = was.size + now.size - 2 * commonLineCount(was, now);
    return { text, apart, other: Number(!isSameTitle(file.title, text.title)) };
  });
  return rated.sort((a, b) => a.apart - b.apart || a.other - b.other)[0]?.text;
}

/** The relation of a file to the SOP that an earlier import made from its path. */
export type SopAtPathRelation<T> =
  | { is: "its SOP" }
  | { is: "another document" }
  | { is: "another text"; likeness: Likeness; nearest: readonly T[] };

/** A file with the title of a stored text that has fewer distinctive lines than this counts as an edit of it. */
const shortLines = 4;

/**
 * Decides whether a file is an edit of the SOP that an earlier import made from its path, or has the text of another
 * SOP. Headings, lines that several texts have, and a title that is only the file's name don't count.
 *
 * @param own the text of the SOP that an earlier import made from this path
 * @param others the texts of other SOPs that the file can resemble
 */
export function relationToSopAtPath<T extends ComparedText>(
  file: ComparedFile,
  own: T,
  others: readonly T[],
): SopAtPathRelation<T> {
  const ownText = { ...own, hasSameName: true };
  const lines = comparedLines(file, [ownText, ...others]);
  const { now, texts, usual } = lines;
  const untitled = { ...file, title: undefined, hasOwnTitle: false };
  const hasTitleOfSop = file.hasOwnTitle && isSameTitle(file.title, own.title);
  const found = nearestAmong(file.hasOwnTitle ? file : untitled, lines);
  if (found !== null && isSameDocument(found.likeness) && !found.nearest.includes(ownText))
    return { is: "another text", ...found };
  if (bodyOf(file.markdown) === bodyOf(own.markdown)) return { is: "its SOP" };
  const was = linesOf(own.markdown);
  const [ownBefore, ownNow] = [withoutHeadingsAnd(was, usual), withoutHeadingsAnd(now, usual)];
  const taken = textsWithMostLines(ownNow, ownBefore, texts.slice(1));
  if (taken.length > 0) return { is: "another text", likeness: "lines", nearest: taken };
  const common = commonLineCount(ownBefore, ownNow);
  const isEdited = hasTitleOfSop
    ? common > 0 || ownBefore.size < shortLines || isHalfCommon(was, now)
    : common > 0
      ? common * 2 >= Math.min(ownBefore.size, ownNow.size)
      : !file.hasOwnTitle && ownBefore.size < 2;
  return { is: isEdited ? "its SOP" : "another document" };
}

/**
 * Returns the texts that contain at least half of the file's lines, and more of them than the SOP. Lines that the text
 * and the SOP both have are ignored.
 *
 * @param lines the lines of the file
 * @param before the lines of the SOP
 */
function textsWithMostLines<T>(lines: Lines, before: Lines, texts: ComparedLines<T>["texts"]): readonly T[] {
  const rated = texts.map(({ text, was }) => {
    const open = withoutLines(lines, new Set([...before].filter((line) => was.has(line))));
    const taken = commonLineCount(was, open);
    const isMost = taken > commonLineCount(before, open) && taken * 2 >= open.size;
    return { text, taken: isMost ? taken : 0 };
  });
  const most = Math.max(0, ...rated.map(({ taken }) => taken));
  return rated.flatMap(({ text, taken }) => (taken > 0 && taken === most ? [text] : []));
}

/**
 * Finds the stored texts that most of a changed text was taken from: at least half of its lines are from there, and more
 * than from its own text before. Headings and lines that several SOPs have don't count as taken.
 *
 * @param stored the current texts of SOPs
 */
export function createTakenTextFinder<T extends { sopId: string; markdown: string }>(
  stored: readonly T[],
): (before: string, after: string) => readonly T[] {
  const texts = stored.map((text) => ({ text, was: linesOf(text.markdown) }));
  const ofSops = [...Map.groupBy(texts, ({ text }) => text.sopId).values()];
  const usual = usualLinesOf(ofSops.map((ofSop) => new Set(ofSop.flatMap(({ was }) => [...was]))));
  const withLine = new Map<string, typeof texts>();
  for (const one of texts)
    for (const line of withoutHeadingsAnd(one.was, usual)) withLine.set(line, [...(withLine.get(line) ?? []), one]);
  return (before, after) => {
    const now = linesOf(after);
    const open = withoutHeadingsAnd(now, usual);
    const kept = commonLineCount(linesOf(before), open);
    const near = new Set([...open].flatMap((line) => withLine.get(line) ?? []));
    const taken = [...near].filter(
      // one common line, such as "Wear gloves.", is in many short texts
      ({ was }) => commonLineCount(was, now) > 1 && isHalfCommon(was, now) && commonLineCount(was, open) > kept,
    );
    return taken.map(({ text }) => text);
  };
}

/** Returns the lines without headings, which many texts have in common, and without the lines in `left`. */
function withoutHeadingsAnd(lines: Lines, left: Lines): Lines {
  return new Set([...withoutLines(lines, left)].filter((line) => !/^#{1,6}\s/.test(line)));
}

type Lines = ReadonlySet<string>;

function likenessOf(
  file: ComparedFile,
  text: ComparedText,
  { was, now, usual }: { was: Lines; now: Lines; usual: Lines },
): Likeness | null {
  if (text.isEqual) return "equal";
  const isTitled = isSameTitle(file.title, text.title);
  const hasOtherTitle = file.hasOwnTitle && !isTitled;
  const common = commonLineCount(was, now);
  const body = bodyOf(file.markdown);
  if (body !== "" && body === bodyOf(text.markdown)) {
    if (isTitled) return "text and title";
    // many documents have the same text of one line, such as "To be written."
    return now.size > 1 || !hasOtherTitle ? "text" : "some lines";
  }
  if (isTitled) {
    // after an edit of a text with one line, no line is common
    const isEdited = common > 0 || (text.hasSameDescription && was.size < 2);
    return isEdited ? "title and lines" : "title";
  }
  if (common < 2 || !isHalfOfOwn(was, now, usual)) return null;
  return !hasOtherTitle || text.hasSameName || isNearlyWhole(was, now, usual) ? "lines" : "some lines";
}

/**
 * Tells whether half of the distinctive lines are common. Headings and lines that several texts have are not distinctive.
 * If at most a tenth of the stored lines is distinctive, half of all lines is enough, because those few can be edited.
 */
function isHalfOfOwn(was: Lines, now: Lines, usual: Lines): boolean {
  const [ownBefore, ownNow] = [withoutHeadingsAnd(was, usual), withoutHeadingsAnd(now, usual)];
  return isHalfCommon(ownBefore, ownNow) || (ownBefore.size * 10 <= was.size && isHalfCommon(was, now));
}

/** Matches list items and lines with numbers, in which documents from the same template differ. */
const stepOrNumber = /^[-*+]\s|\p{N}/u;

/**
 * Tells whether nine of ten lines are common, including all steps, numbers and some distinctive line. A new document
 * has only the lines of its template in common.
 */
function isNearlyWhole(was: Lines, now: Lines, usual: Lines): boolean {
  const own = withoutLines(was, usual);
  if (own.size > 0 && commonLineCount(own, now) === 0) return false;
  const apart = [...withoutLines(was, now), ...withoutLines(now, was)];
  const isMost = commonLineCount(was, now) * 10 >= Math.max(was.size, now.size) * 9;
  return isMost && !apart.some((line) => stepOrNumber.test(line));
}

function withoutLines(lines: Lines, left: Lines): Lines {
  return new Set([...lines].filter((line) => !left.has(line)));
}

/** A line that at least this many different texts have is not distinctive. */
const usualFrom = 3;

/** Returns the lines that several different texts have, such as the sentences of a template. */
function usualLinesOf(texts: readonly Lines[]): Lines {
  const different = new Map(texts.map((lines) => [[...lines].toSorted().join("\n"), lines]));
  const counts = new Map<string, number>();
  for (const lines of different.values()) for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return new Set([...counts].flatMap(([line, count]) => (count >= usualFrom ? [line] : [])));
}

/** Returns the lines with words or numbers. All list numbers become 1, so that a moved step is the same line. */
function linesOf(markdown: string): Lines {
  const lines = linesWithWords(markdown);
  return new Set(lines.map((line) => line.replace(/^\d{1,9}[.)](?=\s)/, "1.")));
}

function bodyOf(markdown: string): string {
  return markdown
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}
