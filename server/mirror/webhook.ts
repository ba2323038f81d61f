/**
 * Handles a call of the remote after a push there: `POST /git/<company>.git/webhook`, signed with the company's secret.
 * The call only makes this server read the remote; its content is not used.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Context, Next } from "koa";
import { AppError } from "#core/errors.ts";
import { withCaller } from "../capacity/caller.ts";
import { networkPrefix } from "../http/network.ts";
import { pacedChunks } from "../http/paced.ts";
import type { Services } from "../http/services.ts";
import { pathOfSealedField } from "../keys/sealed-values.ts";

const address = /^\/git\/([a-z0-9-]{1,80})\.git\/webhook$/;
/** The largest body in bytes. GitHub sends at most this much. */
const most = 25 * 1024 * 1024;

export function createMirrorWebhook({ db, keys, shares }: Services) {
  // with this dummy secret, the check takes equally long for a company without a secret
  const dummy = keys.seal(randomBytes(32).toString("base64url"), pathOfSealedField("mirrors", "none", "secret"));
  return async (ctx: Context, next: Next) => {
    const [, slug] = address.exec(ctx.path) ?? [];
    if (slug === undefined || ctx.method !== "POST") return next();
    const company = await db.collection("companies").findOne({ slug, status: "active" }, { projection: { _id: 1 } });
    const companyId = company?._id ?? "";
    const mirror = await db.collection("mirrors").findOne({ _id: companyId });
    const sealed = (mirror?.incoming && mirror.secret) || dummy;
    const opened = keys.open(sealed, pathOfSealedField("mirrors", companyId, "secret"));
    if (!hasWebhookSignature(ctx)) throw new AppError("not_found");
    // the body is read for every company, so that neither the answer nor its time shows whether a mirror exists
    const caller = `address ${networkPrefix(ctx.ip)}`;
    const secret = opened.ok ? opened.text : randomBytes(32).toString("base64url");
    const signed = await withCaller({ companyId: caller, userId: caller }, () =>
      shares.bodies.run(() => hasSecretOrSignature(ctx, secret)),
    );
    if (!signed || !opened.ok || !mirror) throw new AppError("not_found");
    await db
      .forCompany(companyId)
      .collection("mirrors")
      .updateOne({ _id: companyId, round: mirror.round }, { $set: { isCalled: true } });
    ctx.status = 202;
    ctx.body = "";
  };
}

const signatures = ["x-hub-signature-256", "x-gitea-signature", "x-forgejo-signature", "x-gogs-signature"] as const;

function hasWebhookSignature(ctx: Context): boolean {
  return ctx.get("x-gitlab-token") !== "" || signatures.some((name) => ctx.get(name) !== "");
}

/**
 * Says whether a call comes from a host that has the secret. GitLab sends the secret itself; the other hosts sign the
 * body with it.
 */
async function hasSecretOrSignature(ctx: Context, secret: string): Promise<boolean> {
  const hmac = createHmac("sha256", secret);
  let size = 0;
  for await (const chunk of pacedChunks(ctx.req as AsyncIterable<Buffer>)) {
    size += chunk.length;
    if (size > most) throw new AppError("too_large");
    hmac.update(chunk);
  }
  const token = ctx.get("x-gitlab-token");
  if (token !== "") return isEqual(token, secret);
  const signed = hmac.digest("hex");
  return signatures.some((name) => isEqual(ctx.get(name).replace(/^sha256=/, ""), signed));
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
