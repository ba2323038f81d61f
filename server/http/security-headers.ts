import type { Context, Next } from "koa";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
/**
 * The content security policy of the frame that draws a diagram. Mermaid needs inline styles. The frame has no network
 * access and can't reach the page.
 */
const diagramPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  "sandbox allow-scripts",
].join("; ");
const diagramPage = "/diagram.html";
/**
 * Matches the scripts of the diagram frame. The sandboxed frame has an opaque origin, so the header `same-origin` would
 * block them.
 */
const diagramScripts = /^\/(?:diagram|assets\/mermaid\.tiny-[\w-]+)\.js$/;

const notPages = /^\/(api\/|healthz$|readyz$)/;
/** Pages whose addresses contain credentials. They send no Referer. */
const pagesOfLinks: ReadonlySet<string> = new Set(["/reset-password", "/register", "/setup"]);

/**
 * Creates the middleware that sets the security headers of answers. Pages can have no inline script, no inline style,
 * no framing and no other origin (`docs/security.md`). Headers of API answers keep a browser from showing them as
 * pages.
 */
export function createSecurityHeadersMiddleware(secure: boolean) {
  const everywhere = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(secure ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" } : {}),
  };
  const api = Object.entries({
    ...everywhere,
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
  });
  const page = Object.entries({
    ...everywhere,
    "Content-Security-Policy": policy,
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
  });
  return (ctx: Context, next: Next) => {
    const { path } = ctx;
    for (const [name, value] of notPages.test(path) ? api : page) ctx.res.setHeader(name, value);
    if (path === diagramPage) {
      ctx.res.setHeader("Content-Security-Policy", diagramPolicy);
      ctx.res.setHeader("X-Frame-Options", "SAMEORIGIN");
    }
    if (diagramScripts.test(path)) ctx.res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    if (pagesOfLinks.has(path)) ctx.res.setHeader("Referrer-Policy", "no-referrer");
    return next();
  };
}
