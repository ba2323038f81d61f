import type { Context } from "koa";
import { AppError } from "#core/errors.ts";
import { largeAnswer } from "../capacity/resources.ts";
import type { AssetDocument } from "../database/documents.ts";
import { holdSlotUntilSent } from "../http/answers.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { readVerifiedBytes } from "../integrity/whole.ts";
import { mayReadAsset } from "./readable.ts";
import { storeAsset } from "./store.ts";
import { refusals } from "./refusals.ts";

/** The caching of an asset's answer. The address contains the hash of the bytes, so the answer never changes. */
const kept = "private, max-age=31536000, immutable";

export function assetHandlers(services: Services): Handlers<"assets"> {
  const { db, shares } = services;

  async function readAssetBytes(ctx: Context, asset: AssetDocument): Promise<Buffer> {
    if (asset.size > largeAnswer) await holdSlotUntilSent(ctx, shares.files);
    const bytes = await readVerifiedBytes(services, asset);
    if (bytes === null) throw new AppError("damaged", refusals.damagedFile());
    const { buffer, byteOffset, byteLength } = bytes;
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  return {
    async upload({ body, ctx, identity, origin }) {
      if (!ctx.is("image/*", "application/pdf")) {
        throw new AppError("unsupported_type", refusals.typeNeeded());
      }
      return await storeAsset(services, { identity, origin }, body);
    },

    async get({ params, ctx, identity }) {
      const [sha256 = ""] = params.sha256.split(".");
      const assets = db.forCompany(identity.actor.companyId).collection("assets");
      const asset = await assets.findOne({ sha256 });
      if (!asset || !(await mayReadAsset(services, identity.actor, asset))) throw new AppError("not_found");
      ctx.set("ETag", `"${sha256}"`);
      ctx.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox");
      ctx.status = 200;
      const bytes = ctx.fresh || ctx.method === "HEAD" ? null : await readAssetBytes(ctx, asset);
      ctx.set("Cache-Control", kept);
      if (ctx.fresh) {
        ctx.status = 304;
        return;
      }
      ctx.type = asset.type;
      if (asset.ext === "pdf") ctx.attachment(`${sha256.slice(0, 12)}.pdf`);
      if (bytes === null) ctx.length = asset.size;
      else ctx.body = bytes;
    },
  };
}
