/**
 * Offers the text that no step shows, such as the scope. Shows the beginning of each section, and the text on request.
 */
import type { TextAttributes } from "../direction.ts";
import { RenderedText } from "../view/RenderedText.tsx";
import { texts } from "./steps-texts.ts";
import type { StepsRun } from "./use-run.ts";

export function LeftOutText({ run, text }: { run: StepsRun; text: TextAttributes }) {
  const { html, sections } = run.leftOut;
  if (html === "") return null;
  return (
    <details
      {...text}
      className="reading before-steps"
      onToggle={(event) => {
        if (event.currentTarget.open) run.openLeftOut();
      }}
    >
      <summary>
        <span>{texts.leftOut({ count: sections.length })}</span>
        {sections.map(({ title, beginning }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a section is its place
          <span key={at} className="fold-beginning">
            <b>{title}</b> {beginning}
          </span>
        ))}
      </summary>
      <RenderedText html={html} {...text} className="reading run-rest" />
    </details>
  );
}
