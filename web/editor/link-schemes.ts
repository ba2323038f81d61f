/** Which addresses a link may carry (seed §2, SOP edit). */
const allowed = new Set(["http", "https", "ftp", "ftps", "mailto", "tel", "callto", "sms", "cid", "xmpp"]);

/** Characters browsers skip while they read a scheme: `java\tscript:` still runs. */
const skipped = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200d\u2028\u2029\ufeff]/g;

function schemeOf(address: string): string | null {
  return /^([a-z][a-z0-9+.-]*):/i.exec(address.replace(skipped, ""))?.[1]?.toLowerCase() ?? null;
}

/** The address if it may become a real `href`, else null: an unknown scheme stays in the text and does nothing. */
export function safeHref(address: string): string | null {
  const scheme = schemeOf(address);
  return scheme === null || allowed.has(scheme) ? address.trim() : null;
}

/**
 * What somebody typed as a link → the address to store: `www.example.org` gets the default protocol http (seed §2),
 * `ann@example.org` becomes mailto; anchors and paths stay. Null when its scheme is not allowed or nothing was typed.
 */
export function completeAddress(typed: string): string | null {
  const address = typed.trim();
  if (address === "") return null;
  if (/^[#/?.]/.test(address)) return address;
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(address)) return `mailto:${address}`;
  // "localhost:3000/x" and "intranet:8080" are a host and a port, not a scheme
  if (/^[a-z0-9.-]+:\d+(?:[/?#]|$)/i.test(address) && !/^(?:tel|sms|callto):/i.test(address))
    return `http://${address}`;
  return schemeOf(address) === null ? `http://${address}` : safeHref(address);
}
