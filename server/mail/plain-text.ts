/**
 * Makes names and titles safe for emails to strangers. They contain nothing that a mail program turns into a link. They
 * change nothing else in the email, and have no second line.
 */
const nameAtMost = 60;
const textAtMost = 160;

/** A name: of a person, a company, a token. 60 characters at most. */
export function plainName(text: string): string {
  return shortened(withoutAddresses(visible(text)), nameAtMost);
}

/** A sentence with names and titles in it. 160 characters at most. */
export function plainText(text: string): string {
  return shortened(withoutAddresses(visible(text)), textAtMost);
}

/** A username is needed to the letter to sign in, so its dots are spelled out rather than removed. */
export function plainUsername(username: string): string {
  return username.replaceAll(".", "(dot)");
}

/** One line of visible text: no control, direction or invisible characters, and one form of each letter. */
function visible(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[\p{Z}\s]+/gu, " ")
    .replaceAll(/[\p{C}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0]/gu, "")
    .trim();
}

/** Removes addresses. In texts that look like a domain, dots become spaces. */
function withoutAddresses(text: string): string {
  return text
    .replaceAll(/\S*(?::\/\/|@)\S*/gu, "…")
    .replaceAll(/(?<![\p{L}\p{N}])(?:mailto|tel|sms|javascript|data|https?|ftp|www)[:.]\S*/giu, "…")
    .replaceAll(/(?<=[\p{L}\p{N}_-])[.\u3002\u2024](?=[\p{L}\p{N}_-])/gu, (dot, at: number, all: string) =>
      isDecimal(all, at) ? dot : " ",
    );
}

/** "2.5" stays; "10.0.0.1" and "v2.example" don't. */
function isDecimal(text: string, dot: number): boolean {
  return (
    /(?:^|[^\p{L}\p{N}.])\p{N}+$/u.test(text.slice(0, dot)) && /^\p{N}+(?!\.?[\p{L}\p{N}])/u.test(text.slice(dot + 1))
  );
}

function shortened(text: string, atMost: number): string {
  const letters = [...text];
  return letters.length <= atMost
    ? text
    : `${letters
        .slice(0, atMost - 1)
        .join("")
        .trimEnd()}…`;
}
