import { FileText, User } from "lucide-react";
import type { EditorView } from "@milkdown/kit/prose/view";
import { activateMention, chooseMention, mentionId, mentionListId, type MentionMenuState } from "./mention-menu.ts";
import { texts } from "./texts.ts";
import { TypedList } from "./TypedList.tsx";

/** The menu of suggestions for `[[` and `@`. */
export function MentionMenu({ menu, view }: { menu: MentionMenuState; view: EditorView }) {
  const { found, active, from } = menu;
  const options = found.map((one, index) => ({
    id: mentionId(index),
    icon: one.kind === "sop" ? FileText : User,
    label: one.kind === "sop" ? one.title : one.name,
    extra: one.kind === "sop" && <span className="shrink-0 font-mono text-xs text-muted">{one.number}</span>,
  }));
  return (
    <TypedList
      {...{ view, from, options, active }}
      id={mentionListId}
      label={texts.mentions}
      status={texts.mentionsFound({ count: found.length })}
      onActivate={(index) => activateMention(view, index)}
      onChoose={(index) => chooseMention(view, index)}
    />
  );
}
