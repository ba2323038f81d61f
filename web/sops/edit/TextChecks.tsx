/** Shows the findings of `sop lint` in the text while the user writes. A click selects the place or applies a fix. */
import { clsx } from "clsx";
import { Info, OctagonAlert, TriangleAlert } from "lucide-react";
import { useLayoutEffect, useRef, useState, type FocusEvent, type RefObject } from "react";
import { errorMessageOf } from "../../api.ts";
import { findingCountText, findingText, fixLabel, texts as said } from "../../editor/finding-texts.ts";
import type { CheckFinding as Found } from "../../editor/findings.ts";
import type { FixResult } from "../../editor/apply-fix.ts";
import { SuggestedChange } from "../../editor/SuggestedChange.tsx";
import { Button } from "../../ui/Button.tsx";
import { checkTexts as texts } from "./edit-texts.ts";
import { formFieldOf, positionOfFinding } from "./finding-field.ts";
import type { SopEditing } from "./use-sop-editing.ts";
import type { TextCheck } from "./use-text-checks.ts";

const looks = {
  error: { Icon: OctagonAlert, style: "text-destructive" },
  warning: { Icon: TriangleAlert, style: "text-warning" },
  info: { Icon: Info, style: "text-primary" },
} as const;

interface TextChecksProps {
  checks: TextCheck;
  editing: Pick<SopEditing, "form" | "editor">;
  /** Called before the place of an issue is shown. */
  onLead?(): void;
}

export function TextChecks({ checks, editing: { form, editor }, onLead }: TextChecksProps) {
  const { findings, left, more, error, isPending, isEmpty } = checks;
  const found = checks.checked?.markdown ?? "";
  const stops = left.filter((one) => one.stops).length;
  // Opens for issues that block publishing, and stays open when one of them is fixed.
  const [isOpen, setIsOpen] = useState(false);
  if (stops > 0 && !isOpen) setIsOpen(true);
  if (isEmpty) return null;
  const showFinding = (one: Found): void => {
    onLead?.();
    const field = formFieldOf(one);
    if (field) form.setFocus(field);
    else editor.current?.show(one.line > 0 ? one : positionOfFinding(one, found), found);
  };
  return (
    <details className="mt-2 border-t border-line" open={isOpen}>
      <summary className="py-2.5 text-t2" onClick={() => editor.current?.showFindings()}>
        <span className="font-medium">{texts.title}</span>{" "}
        <output className="text-muted">
          {isPending
            ? texts.loading
            : !error &&
              [
                left.length < findings.length && said.fixed,
                findingCountText(left, more) || texts.nothing,
                stops > 0 && texts.stops({ count: stops }),
              ]
                .filter(Boolean)
                .join(" · ")}
        </output>
      </summary>
      {error && <p className="border-t border-line py-2.5 text-sm">{errorMessageOf(error, texts.failed)}</p>}
      {findings.length > 0 && (
        <FindingList
          all={findings}
          left={left}
          markdown={found}
          onShow={showFinding}
          onFix={(one) => editor.current?.fix(one, found) ?? "refused"}
        />
      )}
      {more > 0 && <p className="border-t border-line py-2.5 text-sm text-muted">{texts.more({ count: more })}</p>}
    </details>
  );
}

interface FindingsProps {
  all: readonly Found[];
  /** Findings that haven't been fixed since the check. */
  left: readonly Found[];
  /** The text that was checked. */
  markdown: string;
  onShow(found: Found): void;
  onFix(found: Found): FixResult;
}

function FindingList({ all, left, markdown, onShow, onFix }: FindingsProps) {
  const [refused, setRefused] = useState<Found | null>(null);
  const list = useFocusInList();
  // The key of a finding stays the same when its line moves, so that its focused button stays.
  const seen = new Map<string, number>();
  const keys = new Map(
    all.map((found) => {
      const name = `${found.rule} ${found.message}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
      return [found, `${name} ${seen.get(name)}`];
    }),
  );
  const fixFinding = (found: Found): void => {
    const button = document.activeElement;
    const made = onFix(found);
    if (made === "refused") setRefused(found);
    // After a fix the source editor has the focus. It returns to the list, so that the user can continue there.
    if (made === "done" && button instanceof HTMLElement) button.focus({ preventScroll: true });
  };
  return (
    <ul {...list} className="relative max-h-80 divide-y divide-line overflow-auto border-t border-line">
      {left.map((found) => (
        <FindingEntry
          key={keys.get(found)}
          found={found}
          markdown={markdown}
          isRefused={found === refused}
          onShow={() => onShow(found)}
          onFix={() => fixFinding(found)}
        />
      ))}
    </ul>
  );
}

interface FindingProps {
  found: Found;
  markdown: string;
  isRefused: boolean;
  onShow(): void;
  onFix(): void;
}

function FindingEntry({ found, markdown, isRefused, onShow, onFix }: FindingProps) {
  const { severity, line, stops } = found;
  const message = findingText(found);
  const { Icon, style } = looks[severity];
  const section = line > 0 ? sectionHeadingAt(markdown, line) : null;
  const inText = section === null ? texts.line({ line }) : texts.lineOf({ section, line });
  const place = line > 0 ? inText : formFieldOf(found) ? texts.details : texts.whole;
  return (
    <li className="flex items-start gap-2.5 py-2 text-sm">
      <Icon aria-hidden className={clsx("mt-1 size-4 shrink-0", style)} />
      <div className="grid min-w-0 flex-1 justify-items-start gap-1">
        <button type="button" className="min-h-6 text-left break-words hover:underline" onClick={onShow}>
          <span className="sr-only">{`${said.severities[severity]}: `}</span>
          {message}
        </button>
        <p className="text-xs text-muted">
          {place}
          {stops && ` · ${said.stops}`}
        </p>
        <SuggestedChange markdown={markdown} finding={found} />
        {isRefused && <p role="alert">{said.changed}</p>}
      </div>
      {found.fix && (
        <Button size="sm" aria-label={`${fixLabel(found)}: ${message}`} onClick={onFix}>
          {fixLabel(found)}
        </Button>
      )}
    </li>
  );
}

interface FocusInList {
  ref: RefObject<HTMLUListElement | null>;
  onFocus(event: FocusEvent): void;
  onBlur(): void;
}

/**
 * Moves the focus to the next item if the focused item disappears, or else to the last item. When the list is empty,
 * the element above the list takes the focus.
 */
function useFocusInList(): FocusInList {
  const ref = useRef<HTMLUListElement>(null);
  const held = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (held.current === null || document.activeElement !== document.body) return;
    const items = [...(ref.current?.children ?? [])];
    const next = items[Math.min(held.current, items.length - 1)]?.querySelector("button");
    (next ?? ref.current?.closest("details")?.querySelector("summary"))?.focus();
  });
  return {
    ref,
    onFocus({ target }) {
      held.current = [...(ref.current?.children ?? [])].findIndex((item) => item.contains(target));
    },
    // A focused element that is removed gets no blur event, so `held` keeps its index.
    onBlur() {
      held.current = null;
    },
  };
}

/**
 * Returns the heading above a line of Markdown; null above the first heading. Ignores lines in code such as `# note`.
 */
export function sectionHeadingAt(markdown: string, line: number): string | null {
  let [heading, fence]: [string | null, string | null] = [null, null];
  for (const text of markdown.split("\n").slice(0, line)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark && (fence === null || (mark[0] === fence[0] && mark.length >= fence.length))) {
      fence = fence === null ? mark : null;
      continue;
    }
    const words = fence === null ? /^ {0,3}#{1,6}\s+(.+?)\s*#*$/.exec(text)?.[1] : undefined;
    if (words !== undefined) heading = words.replaceAll(/[*_`\\]/gu, "");
  }
  return heading;
}
