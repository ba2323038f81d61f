import type { Link } from "mdast";

/**
 * Writes a link whose text is its own address: bare if it was bare in the source and parsers would recognize it, or
 * else as `<…>`. Undefined if neither form works.
 * @param plain true to write `<…>`, which doesn't depend on the text around it
 */
export function writeAutolink(
  before: string,
  link: Link,
  after: string,
  { plain, canBeBare }: { plain: boolean; canBeBare: boolean },
): string | undefined {
  const [child, ...others] = link.children;
  if (child?.type !== "text" || others.length > 0 || link.title) return undefined;
  const text = child.value;
  const bare = canBeBare && isBareLink(link);
  if (link.url === `mailto:${text}`) return autolinkAddress(text, before, after, plain || !bare);
  if (link.url === `http://${text}` && /^www\./i.test(text)) {
    // `<…>` can't contain an address without a scheme
    return canBeBare && (bare || link.position === undefined) && bareUrl(text, before, after) ? text : undefined;
  }
  if (link.url !== text) return undefined;
  if (!plain && bare && bareUrl(text, before, after)) return text;
  // eslint-disable-next-line no-control-regex -- what CommonMark 6.5 allows in an autolink
  return /^[A-Za-z][A-Za-z\d+.-]{1,31}:[^\u0000-\u0020<>\u007f]*$/.test(text) ? `<${text}>` : undefined;
}

declare module "mdast" {
  interface LinkData {
    /** True if the address was bare in the source; for a tree without positions. */
    isBare?: boolean;
  }
}

/**
 * Tells whether the source has the address of a link without `<…>` or brackets, so that the text begins where the link
 * begins.
 */
export function isBareLink({ position, data, children: [text] }: Link): boolean {
  if (position === undefined) return data?.isBare === true;
  return text?.position?.start.offset === position.start.offset;
}

function autolinkAddress(text: string, before: string, after: string, plain: boolean): string | undefined {
  const last = before.at(-1) ?? "";
  const isAddress = /^[\w+.-]+@[\w-]+(?:\.[\w-]+)*\.[\w-]*[A-Za-z]$/.test(text);
  if (!plain && isAddress && !/[\w+.\-/@]/.test(last) && !/^[\w@-]/.test(after)) return text;
  return /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z\d-]+(?:\.[A-Za-z\d-]+)*$/.test(text) ? `<${text}>` : undefined;
}

const url = /^(?:https?:\/\/(?=[^\s\p{P}])|www\.)[\p{L}\p{N}_.-]+(?::\d+)?(?:[/?#][^\s<]*)?$/iu;
const trailing = /[!"'),.:;?_~*\]]$/;

function bareUrl(text: string, before: string, after: string): boolean {
  const last = before.at(-1) ?? "";
  const opens = /^www/i.test(text) ? /^[\s(*_~[\]]?$/.test(last) : !/[A-Za-z\d]/.test(last);
  return opens && url.test(text) && isLastCharacterInAddress(text) && canEndBefore(after);
}

/**
 * Tells whether parsers count the last character as part of the address. They count a closing bracket only after an
 * opening one, and never other punctuation.
 */
function isLastCharacterInAddress(text: string): boolean {
  if (!trailing.test(text)) return true;
  return text.endsWith(")") && (text.match(/\(/g)?.length ?? 0) >= (text.match(/\)/g)?.length ?? 0);
}

/**
 * Tells whether a bare address can be followed by this text. If punctuation and more text follow without a space,
 * parsers count both as part of the address.
 */
function canEndBefore(after: string): boolean {
  return /^[!"'),.:;?_~*\]]*(?:[\s<]|$|\][[(])/.test(after);
}
