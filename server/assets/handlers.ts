import { createHash } from "node:crypto";
import { assetTypes, sniffAsset } from "#core/assets/rules.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { recordAudit } from "../audit/record.ts";
import { DuplicateKeyError } from "../database/port.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { mayReadAsset } from "./readable.ts";

export function assetHandlers(services: Services): Handlers<"assets"> {
  const { db, clock } = services;
  return {
    async upload({ body, ctx, identity, origin }) {
      if (!ctx.is("image/*", "application/pdf")) {
        throw new AppError("unsupported_type", "Send the file's bytes with its own type: image/… or application/pdf");
      }
      const ext = sniffAsset(body);
      if (!ext) throw new AppError("unsupported_type", "Only PNG, JPEG, GIF, WebP and PDF files can be stored");
      const sha256 = createHash("sha256").update(body).digest("hex");
      const stored = { sha256, url: `/api/assets/${sha256}.${ext}`, type: assetTypes[ext], size: body.length };
      const { user } = identity;
      try {
        await db.transaction(async (tx) => {
          const at = clock.now();
          await tx
            .forCompany(user.companyId)
            .collection("assets")
            .insertOne({
              _id: newId(),
              companyId: user.companyId,
              sha256,
              ext,
              type: stored.type,
              size: stored.size,
              uploadedBy: user._id,
              uploaders: [user._id],
              createdAt: at,
              bytes: body,
            });
          await recordAudit(tx, {
            companyId: user.companyId,
            userId: user._id,
            userName: user.name,
            action: "asset.upload",
            entityType: "asset",
            entityId: sha256,
            changes: { type: stored.type, size: stored.size },
            at,
            origin,
          });
        });
      } catch (error) {
        // the same bytes are there already
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
      await db
        .forCompany(user.companyId)
        .collection("assets")
        .updateOne({ sha256 }, { $addToSet: { uploaders: user._id } });
      return stored;
    },

    async get({ params, ctx, identity }) {
      const [sha256 = ""] = params.sha256.split(".");
      const assets = db.forCompany(identity.actor.companyId).collection("assets");
      const asset = await assets.findOne({ sha256 });
      if (!asset || !(await mayReadAsset(services, identity.actor, asset))) throw new AppError("not_found");
      ctx.set("Cache-Control", "private, max-age=31536000, immutable");
      ctx.set("ETag", `"${sha256}"`);
      ctx.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox");
      ctx.status = 200;
      if (ctx.fresh) {
        ctx.status = 304;
        return;
      }
      const withBytes = await assets.findOne({ sha256 }, { projection: { bytes: 1 } });
      if (!withBytes?.bytes) throw new AppError("not_found");
      ctx.type = asset.type;
      if (asset.ext === "pdf") ctx.attachment(`${sha256.slice(0, 12)}.pdf`);
      ctx.body = Buffer.from(withBytes.bytes);
    },
  };
}
