/** Marks findings in the text. The marks move with the text until the next check. */
import { Plugin, PluginKey, TextSelection, type EditorState } from "@milkdown/kit/prose/state";
import { Decoration, DecorationSet, type EditorView } from "@milkdown/kit/prose/view";
import type { CheckedText } from "#core/sops/schema.ts";
import type { EditorRange } from "./finding-places.ts";

export type CheckFinding = CheckedText["findings"][number];

/** A text and the findings in exactly this text. */
export interface CheckedMarkdown {
  markdown: string;
  findings: readonly CheckFinding[];
}

/** Findings that the user opened. */
export interface FindingsToShow extends CheckedMarkdown {
  /** The position in the document. */
  at: number;
  by: "key" | "click" | "hover";
}

const key = new PluginKey<DecorationSet>("findings");
const hoverDelayMs = 350;

export function findingsPlugin(onFinding: (found: FindingsToShow | null) => void): Plugin<DecorationSet> {
  let hovering: ReturnType<typeof setTimeout> | undefined;
  let under: Element | null = null;
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (tr, set) => (tr.getMeta(key) as DecorationSet | undefined) ?? set.map(tr.mapping, tr.doc),
    },
    props: {
      decorations: (state) => key.getState(state),
      handleClick(view, pos) {
        onFinding(findingsToShowAt(view.state, pos, "click"));
        return false;
      },
      handleKeyDown(view, event) {
        if (event.key !== "F8" || event.ctrlKey || event.metaKey || event.altKey) return false;
        // Elsewhere on the page F8 moves the focus to the toasts.
        event.stopPropagation();
        onFinding(moveToNextFinding(view, event.shiftKey ? -1 : 1));
        return true;
      },
      handleDOMEvents: {
        // mouseover would also fire when the text moves under a resting pointer.
        pointermove(view, { target }) {
          const marked = target instanceof HTMLElement ? target.closest(".finding") : null;
          if (marked === under) return false;
          clearTimeout(hovering);
          under = marked;
          if (marked === null) return false;
          hovering = setTimeout(() => {
            if (!view.isDestroyed && view.dom.contains(marked)) {
              onFinding(findingsToShowAt(view.state, view.posAtDOM(marked, 0), "hover"));
            }
          }, hoverDelayMs);
          return false;
        },
        mouseleave() {
          clearTimeout(hovering);
          under = null;
          return false;
        },
      },
    },
    view: () => ({
      update: (view, before) => {
        if (view.state.doc.eq(before.doc)) return;
        clearTimeout(hovering);
        onFinding(null);
      },
      destroy: () => clearTimeout(hovering),
    }),
  });
}

/** Marks findings that have a range in the document, and removes earlier marks. */
export function markFindings(
  view: EditorView,
  checked: CheckedMarkdown,
  places: readonly (EditorRange | null)[],
): void {
  const marks = checked.findings.flatMap((finding, index) => {
    const place = places[index];
    if (!place) return [];
    const make = place.isNode ? Decoration.node : Decoration.inline;
    const looks = `finding finding-${finding.severity}${place.isNode ? " finding-node" : ""}`;
    return [
      make(place.from, place.to, { class: looks }, { finding, markdown: checked.markdown, isNode: place.isNode }),
    ];
  });
  view.dispatch(view.state.tr.setMeta(key, DecorationSet.create(view.state.doc, marks)).setMeta("addToHistory", false));
}

const hasFinding = (finding: unknown) => (spec: Record<string, unknown>) => spec["finding"] === finding;

/** Returns the current range of a finding's mark; null if the finding isn't marked. */
export function findingMarkRange(state: EditorState, finding: unknown): EditorRange | null {
  const [mark] = key.getState(state)?.find(undefined, undefined, hasFinding(finding)) ?? [];
  return mark ? { from: mark.from, to: mark.to, isNode: mark.spec["isNode"] === true } : null;
}

/** Removes the mark of a fixed finding. */
export function removeFindingMark(view: EditorView, finding: CheckFinding): void {
  const marks = key.getState(view.state);
  const marksToRemove = marks?.find(undefined, undefined, hasFinding(finding)) ?? [];
  view.dispatch(view.state.tr.setMeta(key, marks?.remove(marksToRemove)));
}

/**
 * Moves the cursor to the next or previous finding, and from the last to the first.
 * @returns the findings at the cursor; null if the text has none
 */
export function moveToNextFinding(view: EditorView, step: 1 | -1): FindingsToShow | null {
  const { state } = view;
  const all = (key.getState(state)?.find() ?? []).toSorted((one, other) => one.from - other.from);
  const { from } = state.selection;
  // The current finding's first word or block is at the cursor, so it doesn't count as before it.
  const isBefore = (one: Decoration) => one.from < from && !(one.spec["isNode"] === true && one.to > from);
  const next = step === 1 ? (all.find((one) => one.from > from) ?? all[0]) : (all.findLast(isBefore) ?? all.at(-1));
  if (!next) return null;
  const place = TextSelection.near(state.doc.resolve(next.from));
  view.dispatch(state.tr.setSelection(place).scrollIntoView());
  return findingsToShowAt(view.state, next.from, "key");
}

/**
 * Returns the findings at the position of the open box after a new check, in a form that doesn't move the focus; null
 * if there are none anymore.
 */
export function openFindingsAfterCheck({ state }: EditorView, { at, by }: FindingsToShow): FindingsToShow | null {
  return findingsToShowAt(state, at, by === "key" ? "click" : by);
}

function findingsToShowAt(state: EditorState, at: number, by: FindingsToShow["by"]): FindingsToShow | null {
  const found = (key.getState(state)?.find(at, at) ?? []).toSorted(
    (one, other) => one.to - one.from - (other.to - other.from),
  );
  const [first] = found;
  if (!first) return null;
  return {
    markdown: String(first.spec["markdown"]),
    findings: found.map(({ spec }) => spec["finding"] as CheckFinding),
    at: first.from,
    by,
  };
}
