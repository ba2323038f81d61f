import type { z } from "zod";
import type { Me } from "#core/sign-in/schema.ts";
import { AppError } from "#core/errors.ts";
import type { UserDocument } from "../database/documents.ts";
import { createEventPositions } from "../events/positions.ts";
import { actorOf } from "../http/identify.ts";
import type { Services } from "../http/services.ts";
import { numberSchemeOf } from "../sops/edit/numbers.ts";

export async function presentMe(
  services: Pick<Services, "db" | "companies" | "clock" | "keys" | "damage">,
  user: UserDocument,
): Promise<z.input<typeof Me>> {
  const { companies, clock } = services;
  const company = await companies.get(user.companyId);
  if (!company) throw new AppError("unauthenticated");
  const { allow, deny } = actorOf(user, company, clock.now());
  return {
    ...user,
    id: user._id,
    allow: [...allow],
    deny: [...deny],
    eventSeq: await readNewestEventNumber(services, user.companyId),
    company: {
      id: company._id,
      name: company.name,
      slug: company.slug,
      documentControl: company.settings.documentControl,
      numberScheme: numberSchemeOf(company.settings),
      readingDays: company.settings.readingDays,
    },
  };
}

/** Reads the position of the newest event. Read it before an answer, because the answer may miss later events. */
export async function readNewestEventNumber(
  services: Pick<Services, "db" | "clock" | "keys" | "damage">,
  companyId: string,
): Promise<string> {
  const { db, damage } = services;
  const readEventCounter = () => db.collection("counters").findOne({ _id: companyId }, { projection: { eventSeq: 1 } });
  const counters = await readEventCounter();
  if (counters === null)
    damage.note(`company ${companyId}: its counters are missing`, async () => (await readEventCounter()) === null);
  return createEventPositions(services).write(companyId, counters?.eventSeq ?? 0);
}
