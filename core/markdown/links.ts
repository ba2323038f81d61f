/** The link schemes that an SOP may use (`docs/spec/markdown.md`). */
export const linkSchemes = ["http", "https", "ftp", "ftps", "mailto", "tel", "callto", "sms", "cid", "xmpp"] as const;

/**
 * Returns a link target unchanged if it is safe to render: with one of the allowed schemes, or without a scheme on this
 * host. Undefined for other targets. The check ignores control characters and white space, as browsers do.
 */
export function hrefIfSafe(url: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- what browsers strip before they read a scheme
  const stripped = url.replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff]+/g, "");
  if (/^[/\\]{2}/.test(stripped)) return undefined;
  const scheme = /^([^/?#:]*):/.exec(stripped)?.[1]?.toLowerCase();
  if (scheme === undefined) return url;
  return linkSchemes.some((allowed) => allowed === scheme) ? url : undefined;
}

/** Matches addresses that also work in a PDF or Word file. */
export const paperLink = /^(?:https?|ftps?|mailto|tel|callto|sms|xmpp):/i;

/** Matches `/api/assets/<sha256>[.<ext>]`, the addresses of stored images and files (`docs/spec/markdown.md`). */
export const assetUrl = /^\/api\/assets\/([0-9a-f]{64})(?:\.([a-z0-9]{1,5}))?$/;
