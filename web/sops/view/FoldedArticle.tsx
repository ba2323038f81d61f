import { useMemo } from "react";
import { notOfText } from "../../comments/not-of-text.ts";
import { Article } from "./Article.tsx";
import { withFoldedStart } from "./text-steps.ts";
import { texts } from "./view-texts.ts";

/** The text on a phone: its steps come first. */
export function FoldedArticle({ html }: { html: string }) {
  return <Article html={useMemo(() => withFoldedStart(html, texts.beforeSteps, notOfText), [html])} />;
}
