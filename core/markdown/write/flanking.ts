const space = /[\s\u00a0]/;
const punctuation = /[\p{P}\p{S}]/u;

/** White space as delimiter runs see it; the edge of the text counts. */
export function isSpace(character: string): boolean {
  return character === "" || space.test(character);
}

export function isPunctuation(character: string): boolean {
  return character !== "" && punctuation.test(character);
}

export function characterBefore(text: string, start: number): string {
  const last = text.charCodeAt(start - 1);
  return start === 0 ? "" : text.slice(last >= 0xdc00 && last <= 0xdfff ? start - 2 : start - 1, start);
}

function characterAfter(text: string, end: number): string {
  const code = text.codePointAt(end);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function leftFlanking(text: string, start: number, end: number): boolean {
  const next = characterAfter(text, end);
  const previous = characterBefore(text, start);
  return !isSpace(next) && (!isPunctuation(next) || isSpace(previous) || isPunctuation(previous));
}

function rightFlanking(text: string, start: number, end: number): boolean {
  const next = characterAfter(text, end);
  const previous = characterBefore(text, start);
  return !isSpace(previous) && (!isPunctuation(previous) || isSpace(next) || isPunctuation(next));
}

/** Whether the delimiter run at start..end can open emphasis (CommonMark 6.2). */
export function canOpen(text: string, start: number, end: number): boolean {
  const left = leftFlanking(text, start, end);
  if (text[start] !== "_") return left;
  return left && (!rightFlanking(text, start, end) || isPunctuation(characterBefore(text, start)));
}

/** Whether the delimiter run at start..end can close emphasis (CommonMark 6.2). */
export function canClose(text: string, start: number, end: number): boolean {
  const right = rightFlanking(text, start, end);
  if (text[start] !== "_") return right;
  return right && (!leftFlanking(text, start, end) || isPunctuation(characterAfter(text, end)));
}
