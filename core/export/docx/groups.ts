/**
 * Puts bookmarks around the blocks of a list item, box or quote. Word keeps bookmarks, so an import of the file can
 * restore the blocks.
 */
import { BookmarkEnd, BookmarkStart, Paragraph, type Run, type Table } from "docx";

/** The kind of blocks inside a bookmark: `in` is the content of a list item after its first line. */
export type BlockGroup = "in" | "quote" | "details" | "summary" | `alert_${string}` | `code_${string}`;

/** The maximum length of a bookmark's name in Word. */
const longestName = 40;
/** The first bookmark id. The docx package numbers heading bookmarks from 1, so these ids begin far above. */
const firstId = 1_000_000;
/** Word hides bookmarks whose names begin with an underscore. */
const prefix = "_sop";
const ownName = /^_sop\d+_([a-z]+(?:_\w*)?)$/;

export interface BookmarkGroups {
  /** Puts a bookmark of this kind around the blocks. */
  mark(group: BlockGroup, flow: (Paragraph | Table)[]): (Paragraph | Table)[];
  /** Creates the start and end of a bookmark with this name. */
  pair(name: string): [BookmarkStart, BookmarkEnd];
}

export function createBookmarkGroups(): BookmarkGroups {
  let count = 0;
  const bookmarkPair = (name: string): [BookmarkStart, BookmarkEnd] => {
    count += 1;
    const id = firstId + count;
    return [new BookmarkStart(name, id), new BookmarkEnd(id)];
  };
  return {
    pair: bookmarkPair,
    mark(group, flow) {
      const [first, last] = [flow[0], flow.at(-1)];
      if (!(last instanceof Paragraph)) return flow;
      const name = `${prefix}${count + 1}_${group}`;
      const [start, end] = bookmarkPair(name.length > longestName ? `${prefix}${count + 1}_code_` : name);
      last.addChildElement(end);
      if (!(first instanceof Paragraph)) return [start as unknown as Paragraph, ...flow];
      first.addRunToFront(start as unknown as Run);
      return flow;
    },
  };
}

/** Returns the kind of blocks in a bookmark; undefined for a bookmark of another program. */
export function bookmarkGroupOf(name: string): string | undefined {
  return ownName.exec(name)?.[1];
}

/** Writes the language of a code block with the letters that a bookmark's name can have: `c++` is `c_2b__2b_`. */
export function bookmarkCodeName(lang: string): string {
  return [...lang].map((one) => (/[A-Za-z0-9]/.test(one) ? one : `_${one.codePointAt(0)?.toString(16)}_`)).join("");
}

/** Returns the language from a name that `bookmarkCodeName` wrote. */
export function languageOfBookmarkCode(name: string): string {
  return name.replace(/_([0-9a-f]{2,6})_/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}
