/**
 * Makes names and titles safe for emails to strangers. They can't become links in a mail program, change nothing else
 * in the email, and have no second line.
 */
const nameAtMost = 60;
const textAtMost = 160;

/** Makes the name of a person, a company or a token safe, with at most 60 characters. */
export function safeNameForEmail(text: string): string {
  return truncateText(withoutAddresses(visibleCharacters(text)), nameAtMost);
}

/** Makes a sentence with names and titles safe, with at most 160 characters. */
export function safeTextForEmail(text: string): string {
  return truncateText(withoutAddresses(visibleCharacters(text)), textAtMost);
}

/** Makes a username safe. Users need its exact letters to sign in, so its dots are spelled out rather than removed. */
export function safeUsernameForEmail(username: string): string {
  return username.replaceAll(".", "(dot)");
}

/**
 * Makes text a single visible line: without control, direction or invisible characters, and with one form of each
 * letter.
 */
function visibleCharacters(text: string): string {
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

/** Says whether the dot is in a decimal number: true for "2.5", but false for "10.0.0.1" and "v2.example". */
function isDecimal(text: string, dot: number): boolean {
  return (
    /(?:^|[^\p{L}\p{N}.])\p{N}+$/u.test(text.slice(0, dot)) && /^\p{N}+(?!\.?[\p{L}\p{N}])/u.test(text.slice(dot + 1))
  );
}

function truncateText(text: string, atMost: number): string {
  const letters = [...text];
  return letters.length <= atMost
    ? text
    : `${letters
        .slice(0, atMost - 1)
        .join("")
        .trimEnd()}…`;
}
