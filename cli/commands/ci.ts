/** `sop ci`: reviews a pull request for people who decide about it. */
import { baseRevisionOf, reviewChanges } from "../ci/review.ts";
import { postReview } from "../ci/post.ts";
import { reviewHeadline, reviewSummaryMarkdown } from "../ci/summary.ts";
import type { CommandContext, CommandResult } from "../context.ts";
import { exit } from "../exit.ts";

export interface CiOptions {
  base?: string;
  output?: string;
}

export async function reviewInCi(
  context: CommandContext,
  paths: string[],
  { base, output }: CiOptions,
): Promise<CommandResult> {
  const review = await reviewChanges(context, paths.length === 0 ? ["."] : paths, base ?? baseRevisionOf(context.env));
  const text = await reviewSummaryMarkdown(review);
  const places = await postReview(context, text, output);
  const hasError = review.files.some(({ findings }) => findings.some(({ severity }) => severity === "error"));
  const planned = review.plan?.exit ?? exit.done;
  // Changes that a merge would import are normal for a pull request, so they don't fail the check.
  const code = hasError ? exit.findings : planned === exit.pending ? exit.done : planned;
  const written = places.length > 0 ? `${reviewHeadline(review)}: see ${places.join(", ")}\n` : text;
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
