/** `sop ci`: reviews a pull request for people who decide about it. */
import { baseIn, reviewChanges } from "../ci/review.ts";
import { postReview } from "../ci/post.ts";
import { headline, summaryOf } from "../ci/summary.ts";
import type { Context, Result } from "../context.ts";
import { exit } from "../exit.ts";

export interface CiOptions {
  base?: string;
  output?: string;
}

export async function ci(context: Context, paths: string[], { base, output }: CiOptions): Promise<Result> {
  const review = await reviewChanges(context, paths.length === 0 ? ["."] : paths, base ?? baseIn(context.env));
  const text = await summaryOf(review);
  const places = await postReview(context, text, output);
  const hasError = review.files.some(({ findings }) => findings.some(({ severity }) => severity === "error"));
  const planned = review.plan?.exit ?? exit.done;
  // Changes that a merge would import are normal for a pull request, so they don't fail the check.
  const code = hasError ? exit.findings : planned === exit.pending ? exit.done : planned;
  const written = places.length > 0 ? `${headline(review)}: see ${places.join(", ")}\n` : text;
  return {
    exit: code,
    data: {
      base: review.base,
      files: review.files.map(({ path, findings, compared, isNew }) => ({
        path,
        isNew,
        findings,
        facts: compared?.facts ?? null,
      })),
      plan: review.plan?.data ?? null,
    },
    text: written,
    ...(review.plan?.errors && { errors: review.plan.errors }),
  };
}
