import { AppError } from "#core/errors.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { mayReadAsset } from "./readable.ts";
import { storeAsset } from "./store.ts";
import { isWhole } from "./whole.ts";

/** Its address names its bytes: they never change. */
const kept = "private, max-age=31536000, immutable";

export function assetHandlers(services: Services): Handlers<"assets"> {
  const { db, log } = services;
  return {
    async upload({ body, ctx, identity, origin }) {
      if (!ctx.is("image/*", "application/pdf")) {
        throw new AppError("unsupported_type", "Send the file's bytes with its own type: image/… or application/pdf");
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
      if (ctx.fresh) {
        ctx.set("Cache-Control", kept);
        ctx.status = 304;
        return;
      }
      const withBytes = await assets.findOne({ sha256 }, { projection: { bytes: 1 } });
      if (!withBytes?.bytes) throw new AppError("not_found");
      if (!isWhole(sha256, withBytes.bytes)) {
        log.error({ companyId: identity.actor.companyId, sha256 }, "a stored file is damaged");
        throw new AppError("damaged", "This file is damaged. Upload it again to repair it.");
      }
      ctx.set("Cache-Control", kept);
      ctx.type = asset.type;
      if (asset.ext === "pdf") ctx.attachment(`${sha256.slice(0, 12)}.pdf`);
      ctx.body = Buffer.from(withBytes.bytes);
    },
  };
}
