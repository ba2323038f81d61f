/** The link schemes an SOP may use (`docs/spec/markdown.md`). */
export const linkSchemes = ["http", "https", "ftp", "ftps", "mailto", "tel", "callto", "sms", "cid", "xmpp"] as const;

/**
 * A link target that is safe to render, or undefined: one of the ten schemes, or an address without one that stays on
 * this host. Drops control characters and white space first, as browsers do.
 */
export function safeHref(url: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- what browsers strip before they read a scheme
  const stripped = url.replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff]+/g, "");
  if (/^[/\\]{2}/.test(stripped)) return undefined;
  const scheme = /^([^/?#:]*):/.exec(stripped)?.[1]?.toLowerCase();
  if (scheme === undefined) return url;
  return linkSchemes.some((allowed) => allowed === scheme) ? url : undefined;
}

/** Addresses that lead somewhere from a PDF or Word file too. */
export const paperLink = /^(?:https?|ftps?|mailto|tel|callto|sms|xmpp):/i;

/** `/api/assets/<sha256>[.<ext>]`: where the server keeps images and files (`docs/spec/markdown.md`). */
export const assetUrl = /^\/api\/assets\/([0-9a-f]{64})(?:\.([a-z0-9]{1,5}))?$/;
