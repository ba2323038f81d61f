/** A box that shows the findings at a position in the text and offers their fixes. */
import { clsx } from "clsx";
import { TextSelection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { Info, OctagonAlert, TriangleAlert, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from "react";
import { commands } from "../shortcuts/registry.ts";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Kbd } from "../ui/Kbd.tsx";
import type { FindingsToShow, CheckFinding } from "./findings.ts";
import { FloatingBox } from "./FloatingBox.tsx";
import { findingText, fixLabel, texts } from "./finding-texts.ts";
import { SuggestedChange } from "./SuggestedChange.tsx";

interface FindingBoxProps {
  shown: FindingsToShow;
  view: EditorView;
  /** Applies a finding's fix. @returns false if the text changed since the check */
  onFix(finding: CheckFinding): boolean;
  /** Opens the findings at the next (1) or previous (-1) position. */
  onStep(step: 1 | -1): void;
  onClose(): void;
}

const severityLooks = {
  error: { Icon: OctagonAlert, style: "text-destructive" },
  warning: { Icon: TriangleAlert, style: "text-warning" },
  info: { Icon: Info, style: "text-primary" },
} as const;

/** The box isn't modal, so the text stays usable. */
const dialogAttributes = { role: "dialog", "aria-label": texts.found };
/** Milliseconds after the pointer has left until a box opened by hovering closes. */
const closeDelayMs = 300;

export function FindingBox({ shown, view, onFix, onStep, onClose }: FindingBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const [refused, setRefused] = useState<CheckFinding | null>(null);
  const { findings, at, by } = shown;
  useCloseOnPointerLeave(by === "hover" ? box : null, onClose);
  useEffect(() => {
    // After a key the focus moves into the box. After a pointer the cursor stays in the text.
    if (by === "key") box.current?.querySelector("button")?.focus();
  }, [shown, by]);

  const leaveBox = (): void => {
    onClose();
    view.focus();
  };
  const fixFinding = (finding: CheckFinding): void => {
    // The cursor moves to the fixed words, so that the user continues there.
    view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(at))));
    if (onFix(finding)) onClose();
    else setRefused(finding);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") leaveBox();
    else if (event.key === "F8") onStep(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <FloatingBox
      view={view}
      at={at}
      ref={box}
      className="w-80 overflow-y-auto"
      {...dialogAttributes}
      onKeyDown={onKeyDown}
    >
      <ul className="divide-y divide-line">
        {findings.map((finding) => (
          <FindingItem
            key={`${finding.rule} ${finding.line} ${finding.column} ${finding.message}`}
            finding={finding}
            markdown={shown.markdown}
            isRefused={finding === refused}
            onFix={() => fixFinding(finding)}
          />
        ))}
      </ul>
      <div className="flex items-center justify-end gap-1 border-t border-line p-1">
        <Button size="sm" variant="ghost" onClick={() => onStep(1)}>
          {texts.next}
          <span aria-hidden className="max-sm:hidden">
            <Kbd keys={commands.nextFinding.keys} />
          </span>
        </Button>
        <IconButton label={texts.close} size="sm" onClick={leaveBox}>
          <X aria-hidden />
        </IconButton>
      </div>
    </FloatingBox>
  );
}

interface FindingItemProps {
  finding: CheckFinding;
  markdown: string;
  /** True if the fix was refused because the text changed since the check. */
  isRefused: boolean;
  onFix(): void;
}

function FindingItem({ finding, markdown, isRefused, onFix }: FindingItemProps) {
  const { severity, rule, stops, fix } = finding;
  const message = findingText(finding);
  const { Icon, style } = severityLooks[severity];
  return (
    <li className="flex items-start gap-2.5 p-3">
      <Icon aria-hidden className={clsx("mt-0.5 size-4 shrink-0", style)} />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="break-words">
          <span className="sr-only">{`${texts.severities[severity]}: `}</span>
          {message}
        </p>
        <p className="text-xs break-words text-muted">
          <span className="font-mono">{rule}</span>
          {stops && ` · ${texts.stops}`}
        </p>
        <SuggestedChange markdown={markdown} finding={finding} />
        {isRefused && <p role="alert">{texts.changed}</p>}
      </div>
      {fix && !isRefused && (
        <Button size="sm" aria-label={`${fixLabel(finding)}: ${message}`} onClick={onFix}>
          {fixLabel(finding)}
        </Button>
      )}
    </li>
  );
}

/** Closes a box opened by hovering when the pointer leaves both the marked words and the box. */
function useCloseOnPointerLeave(box: { current: HTMLElement | null } | null, onClose: () => void): void {
  const onLeave = useEffectEvent(onClose);
  useEffect(() => {
    if (!box) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onMove = ({ target }: PointerEvent): void => {
      const isNear = target instanceof Element && (target.closest(".finding") || box.current?.contains(target));
      if (isNear) {
        clearTimeout(timer);
        timer = undefined;
      } else timer ??= setTimeout(() => onLeave(), closeDelayMs);
    };
    document.addEventListener("pointermove", onMove);
    return () => {
      document.removeEventListener("pointermove", onMove);
      clearTimeout(timer);
    };
  }, [box]);
}
