import { useMemo } from "react";
import { notOfText } from "../../comments/not-of-text.ts";
import { Article, type ArticleProps } from "./Article.tsx";
import { withFoldedStart } from "./text-steps.ts";

/** The text on a phone: the part before the steps is collapsed. */
export function FoldedArticle({ html, dir, lang, description, onShown }: ArticleProps & { description: string }) {
  const folded = useMemo(() => withFoldedStart(html, { description, notOfText }), [html, description]);
  return <Article html={folded} dir={dir} lang={lang} onShown={onShown} />;
}
