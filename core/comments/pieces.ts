/** Cuts a comment's plain text into text, links and names of users. */
import { hrefIfSafe } from "../markdown/links.ts";
import { mentionsIn } from "./mentions.ts";

export type CommentPiece =
  | { kind: "text"; text: string }
  | { kind: "link"; text: string; href: string }
  | { kind: "mention"; text: string; name: string };

/** Matches a web address up to a space, quote or bracket. */
const address = /\bhttps?:\/\/[^\s<>"'`{}|\\^]+/giu;
const trailing = /[.,;:!?…*_~)\]]/;

/** Cuts a comment into pieces. @param mentions the users that the server found for mentioned usernames */
export function commentPiecesOf(body: string, mentions: readonly { username: string; name: string }[]): CommentPiece[] {
  const marked = [...addressPiecesIn(body), ...mentionPiecesIn(body, mentions)].toSorted((a, b) => a.at - b.at);
  const pieces: CommentPiece[] = [];
  let done = 0;
  for (const { at, piece } of marked) {
    if (at < done) continue;
    if (at > done) pieces.push({ kind: "text", text: body.slice(done, at) });
    pieces.push(piece);
    done = at + piece.text.length;
  }
  if (done < body.length) pieces.push({ kind: "text", text: body.slice(done) });
  return pieces;
}

interface PieceAt {
  at: number;
  piece: CommentPiece;
}

function addressPiecesIn(body: string): PieceAt[] {
  return [...body.matchAll(address)].flatMap((match) => {
    const text = withoutTrailingMarks(match[0]);
    const href = hrefIfSafe(text);
    return href === undefined || !/^https?:\/\/[^/?#]/i.test(text)
      ? []
      : [{ at: match.index, piece: { kind: "link", text, href } }];
  });
}

/**
 * Removes punctuation from the end of an address. A closing bracket stays if the address also contains the opening one.
 */
function withoutTrailingMarks(text: string): string {
  let unopened = text.split(")").length - text.split("(").length;
  let end = text.length;
  while (end > 0 && trailing.test(text.charAt(end - 1))) {
    if (text.charAt(end - 1) === ")" && unopened-- <= 0) break;
    end--;
  }
  return text.slice(0, end);
}

function mentionPiecesIn(body: string, mentions: readonly { username: string; name: string }[]): PieceAt[] {
  const known = new Map(mentions.map(({ username, name }) => [username, name]));
  return mentionsIn(body).flatMap(({ at, usernames }) => {
    const username = usernames.find((one) => known.has(one));
    const name = username === undefined ? undefined : known.get(username);
    if (username === undefined || name === undefined) return [];
    return [{ at, piece: { kind: "mention", text: body.slice(at, at + username.length + 1), name } }];
  });
}
