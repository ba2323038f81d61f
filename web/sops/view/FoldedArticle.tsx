import { useMemo } from "react";
import { notOfTextAttribute } from "../../comments/not-of-text.ts";
import { Article, type ArticleProps } from "./Article.tsx";
import { withFoldedStart } from "./text-steps.ts";

/** Shows the text on a phone. The part before the steps is collapsed, unless the reader needs the whole text. */
export function FoldedArticle({
  html,
  description,
  isWhole = false,
  ...props
}: ArticleProps & { description: string }) {
  const folded = useMemo(
    () => withFoldedStart(html, { description, notOfTextAttribute, isWhole }),
    [html, description, isWhole],
  );
  return <Article html={folded} isWhole={isWhole} {...props} />;
}
