/**
 * Matches `@username` in a comment's text: usernames contain lower-case letters, digits, dots, hyphens and underscores.
 */
const pattern = /(?<![\p{L}\p{N}_@./-])@([a-z0-9._-]{3,60})/giu;

/** The usernames that a mention can mean. At the end of a sentence, the full stop may or may not belong to the name. */
export interface MentionNames {
  /** The offset of the `@`. */
  at: number;
  /** The possible usernames, the longest first: `anna.`, `anna`. */
  usernames: string[];
}

export function mentionsIn(body: string): MentionNames[] {
  return [...body.matchAll(pattern)].map((match) => {
    const usernames = [(match[1] ?? "").toLowerCase()];
    for (let name = usernames[0] ?? ""; /[._-]$/.test(name) && name.length > 3;) {
      name = name.slice(0, -1);
      usernames.push(name);
    }
    return { at: match.index, usernames };
  });
}
