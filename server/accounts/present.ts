import type { z } from "zod";
import type { Me } from "#core/accounts/schema.ts";
import { AppError } from "#core/errors.ts";
import type { UserDocument } from "../database/documents.ts";
import { actorOf } from "../http/identify.ts";
import type { Services } from "../http/services.ts";

export async function presentMe(
  { db, companies, clock }: Pick<Services, "db" | "companies" | "clock">,
  user: UserDocument,
): Promise<z.input<typeof Me>> {
  const company = await companies.get(user.companyId);
  if (!company) throw new AppError("unauthenticated");
  const counters = await db.collection("counters").findOne({ _id: user.companyId }, { projection: { eventSeq: 1 } });
  const { allow, deny } = actorOf(user, company, clock.now());
  return {
    ...user,
    id: user._id,
    allow: [...allow],
    deny: [...deny],
    eventSeq: counters?.eventSeq ?? 0,
    company: {
      id: company._id,
      name: company.name,
      slug: company.slug,
      documentControl: company.settings.documentControl,
    },
  };
}
