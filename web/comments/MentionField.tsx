/** A text field for comments that completes names after an @. */
import { clsx } from "clsx";
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import type { CommentPerson } from "#core/comments/schema.ts";
import { limits } from "#core/limits.ts";
import { foldWord } from "#core/text/fold.ts";
import { useRead } from "../api.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import { texts } from "./texts.ts";

interface MentionFieldProps {
  sopId: string;
  label: string;
  placeholder?: string;
  value: string;
  describedBy?: string | undefined;
  /** True if the field takes the focus when it appears. */
  focused?: boolean;
  onChange(value: string): void;
  onSubmit(): void;
  onCancel?: (() => void) | undefined;
}

const maxPeopleShown = 6;

export function MentionField({ sopId, label, placeholder, value, ...props }: MentionFieldProps) {
  const { describedBy, focused = false, onChange, onSubmit, onCancel } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const [caret, setCaret] = useState(0);
  const [marked, setMarked] = useState(0);
  const [dismissed, setDismissed] = useState(-1);
  const next = useRef<number | null>(null);
  const mention = typedMentionAt(value, caret);
  const people = useRead("comments", "people", { params: { id: sopId } }, { enabled: mention !== null });
  const found = mention && mention.at !== dismissed ? matchingPeople(people.data ?? [], mention.name) : [];
  const isOpen = found.length > 0;
  const chosen = Math.min(marked, found.length - 1);

  useLayoutEffect(() => {
    if (focused) field.current?.focus();
  }, [focused]);
  useLayoutEffect(() => {
    if (next.current === null) return;
    field.current?.setSelectionRange(next.current, next.current);
    setCaret(next.current);
    next.current = null;
  }, [value]);

  const insertMention = ({ username }: CommentPerson) => {
    if (!mention) return;
    const before = `${value.slice(0, mention.at)}@${username} `;
    next.current = before.length;
    onChange(before + value.slice(caret).replace(/^ /, ""));
    setMarked(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const person = found[chosen];
    const consumeEvent = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (isOpen && person && mention) {
      if (key === "ArrowDown" || key === "ArrowUp") {
        setMarked((chosen + (key === "ArrowDown" ? 1 : found.length - 1)) % found.length);
        return consumeEvent();
      }
      if (key === "Enter" || key === "Tab") {
        insertMention(person);
        return consumeEvent();
      }
      if (key === "Escape") {
        setDismissed(mention.at);
        return consumeEvent();
      }
    }
    if (key === "Enter" && (event.ctrlKey || event.metaKey)) {
      onSubmit();
      consumeEvent();
    } else if (key === "Escape" && onCancel && value.trim() === "") {
      onCancel();
      consumeEvent();
    }
  };

  return (
    <div className="relative">
      <Textarea
        ref={field}
        aria-label={label}
        aria-describedby={describedBy}
        aria-autocomplete="list"
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen ? `${list}-${chosen}` : undefined}
        placeholder={placeholder}
        maxLength={limits.commentCharacters}
        rows={3}
        className="field-sizing-content max-h-80 min-h-20"
        value={value}
        onChange={(event) => {
          setCaret(event.target.selectionStart);
          setMarked(0);
          onChange(event.target.value);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onBlur={() => setDismissed(mention?.at ?? -1)}
        onFocus={() => setDismissed(-1)}
      />
      <span aria-live="polite" className="sr-only">
        {isOpen && texts.peopleFound({ count: found.length })}
      </span>
      {isOpen && (
        <div
          id={list}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- belongs to a field that keeps the focus; datalist and select can't
          role="listbox"
          aria-label={texts.people}
          className="absolute inset-x-0 top-full z-20 mt-1 overflow-hidden rounded-md border border-line bg-surface py-1 shadow-float"
        >
          {found.map((person, index) => (
            <MentionOption
              key={person.id}
              id={`${list}-${index}`}
              person={person}
              marked={index === chosen}
              onTake={insertMention}
            />
          ))}
        </div>
      )}
    </div>
  );
}

interface MentionOptionProps {
  id: string;
  person: CommentPerson;
  marked: boolean;
  onTake(person: CommentPerson): void;
}

function MentionOption({ id, person, marked, onTake }: MentionOptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field keeps the focus and takes the keys
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option element holds text alone
      role="option"
      aria-selected={marked}
      tabIndex={-1}
      className={clsx(
        "flex min-h-9 cursor-pointer items-center gap-2 px-2.5 py-1 pointer-coarse:min-h-11",
        marked && "bg-sunken",
      )}
      // Pressing the option would take the focus from the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onTake(person)}
    >
      <Avatar size="sm" initials={person.initials} />
      <span className="min-w-0 truncate font-medium">{person.name}</span>
      <span className="min-w-0 truncate text-xs text-muted">@{person.username}</span>
    </div>
  );
}

/** Finds the name that is being typed after an @ before the caret, folded for comparison; null if there is none. */
function typedMentionAt(value: string, caret: number): { at: number; name: string } | null {
  const match = /(?<![\p{L}\p{N}_@./-])@([\p{L}\p{N}._-]{0,60})$/u.exec(value.slice(0, caret));
  return match ? { at: match.index, name: foldWord(match[1] ?? "") } : null;
}

/** Returns the first people whose user name or a word of whose name begins with the folded name. */
function matchingPeople(people: readonly CommentPerson[], name: string): CommentPerson[] {
  return people
    .filter(({ username, name: printed }) =>
      [username, ...foldWord(printed).split(/\s+/)].some((word) => word.startsWith(name)),
    )
    .slice(0, maxPeopleShown);
}
