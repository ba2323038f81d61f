/** Creates many SOPs fast, through the normal write path. */
import { newId } from "#core/ids.ts";
import { publishStep } from "#core/life-cycle/publish.ts";
import { createStep } from "#core/life-cycle/save.ts";
import { defaultNumberLabel } from "#core/repository/names.ts";
import { slugify } from "#core/repository/slugs.ts";
import { numberKey } from "#core/numbers/numbers.ts";
import type { Collections } from "../server/database/documents.ts";
import type { Database } from "../server/database/port.ts";
import type { Services } from "../server/http/services.ts";
import { createVersion } from "../server/sops/edit/version-of.ts";
import { writeSops } from "../server/sops/edit/write.ts";

const words =
  "pump valve filter check record supervisor temperature clean start stop report form drawer shelf label tank".split(
    " ",
  );
const word = (n: number) => words[n % words.length] ?? "pump";

function text(n: number): string {
  const steps = Array.from(
    { length: 12 },
    (_, i) => `${i + 1}. Check the ${word(n + i)} and record the ${word(n * 7 + i)} ${n % 97}.`,
  );
  return `## Purpose\n\nKeep the ${word(n)} safe.\n\n## Procedure\n\n${steps.join("\n")}\n`;
}

/** `count` SOPs by this user, of the own company unless another is named, two of three published, spread over its categories. */
export async function seedSops(services: Services, username: string, count: number, other?: string): Promise<void> {
  const { db, companies, clock } = services;
  const found = await db.collection("users").findOne({ username });
  if (!found) throw new Error(`no user ${username}`);
  const user = { ...found, companyId: other ?? found.companyId };
  const { companyId } = user;
  await db.collection("companies").updateOne({ _id: companyId }, { $set: { maxSOPs: Math.max(20_000, count) } });
  const categories = await companies.categories(companyId);
  for (let first = 0; first < count; first += 50) {
    const size = Math.min(50, count - first);
    await db.transaction(async (tx) => {
      const counters = await tx
        .collection("counters")
        .findOneAndUpdate({ _id: companyId }, { $inc: { sopNumber: size } }, { returnDocument: "after" });
      const start = (counters?.sopNumber ?? size) - size + 1;
      const writes = Array.from({ length: size }, (_, i) => {
        const n = first + i;
        const at = new Date(clock.millis() - (count - n) * 60_000).toISOString();
        const title = `Check the ${word(n)} of line ${n}`;
        const frontMatter = {
          title,
          description: `How to check the ${word(n)}`,
          owner: username,
          read_minutes: 3,
          template: false,
          ai_generated: false,
        };
        const identity = {
          id: newId(),
          companyId,
          number: start + i,
          label: defaultNumberLabel(start + i),
          slug: slugify(title),
          categoryId: categories[n % 5]?._id ?? null,
        };
        const made = createVersion(
          { _id: identity.id, companyId, label: identity.label, version: 1 },
          {
            text: { frontMatter, markdown: text(n) },
            links: { assets: [], places: [], sops: [] },
            relations: { ownerId: user._id, teamId: null },
            author: user,
            at,
            note: null,
            changeClass: "major",
          },
        );
        const created = createStep(identity, made);
        const steps =
          n % 3 === 0 ? [created] : [created, publishStep(created.sop, { at, note: null, reviewMonths: 12 })];
        return { before: null, steps };
      });
      await writeSops(tx, { user, origin: null, at: clock.now() }, writes, {
        categories,
        room: { texts: Infinity, limit: Infinity },
      });
    });
  }
}

/** Copies a company's records until there are `count`: enough where a test only needs many rows. */
export async function copySops(db: Database<Collections>, companyId: string, count: number): Promise<void> {
  const found = await db.collection("sops").find({ companyId });
  for (let first = found.length; first < count; first += 500) {
    await db.transaction(async (tx) => {
      const copies = Array.from({ length: Math.min(500, count - first) }, (_, i) => {
        const n = first + i;
        const like = found[n % found.length];
        if (!like) throw new Error("nothing was seeded");
        const title = `Check number ${n}`;
        const label = defaultNumberLabel(n + 1);
        const updatedAt = new Date(Date.UTC(2026, 0) - n * 60_000).toISOString();
        return {
          ...like,
          _id: crypto.randomUUID(),
          number: n + 1,
          label,
          labelKey: numberKey(label),
          slug: `check-number-${n}`,
          title,
          updatedAt,
        };
      });
      await tx.collection("sops").insertMany(copies);
    });
  }
  await db.collection("counters").updateOne({ _id: companyId }, { $set: { sopNumber: count } });
}
