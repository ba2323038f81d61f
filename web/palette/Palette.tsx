/** The palette (Ctrl+K or ⌘K): one field to find pages, commands, categories and SOPs. */
import { clsx } from "clsx";
import { useMemo, useRef, useState, type ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { hitAddressOf } from "../search/hit-address.ts";
import { HitText } from "../search/HitText.tsx";
import { CorrectedQuery } from "../search/CorrectedQuery.tsx";
import { texts as searchTexts } from "../search/texts.ts";
import { useSearch } from "../search/use-search.ts";
import { CommandWindow } from "../ui/CommandWindow.tsx";
import { Kbd } from "../ui/Kbd.tsx";
import { useCombobox } from "../ui/use-combobox.ts";
import { matchesQuery, type PaletteEntry } from "./entries.ts";
import { texts } from "./texts.ts";
import { usePaletteEntries } from "./use-entries.tsx";

const hitsAtMost = 8;
const commandsAtMost = 6;

interface PaletteChoice extends PaletteEntry {
  shown: ReactNode;
}

interface PaletteProps {
  /** Returns what the user typed before the field had the focus, and stops collecting keys. */
  takeTyped(): string;
  onClose(): void;
}

export function Palette({ takeTyped, onClose }: PaletteProps) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const moves = useRef(false);
  const query = text.trim();
  const entries = usePaletteEntries();
  const search = useSearch(text, hitsAtMost);
  const choices = useMemo((): PaletteChoice[] => {
    const choiceOf = (entry: PaletteEntry): PaletteChoice => ({ ...entry, shown: <EntryText {...entry} /> });
    if (query === "") return entries.filter(({ section }) => section !== texts.categories).map(choiceOf);
    const found = entries.filter((entry) => entry.section !== texts.recent && matchesQuery(entry, query));
    return [
      ...found.slice(0, commandsAtMost).map(choiceOf),
      ...search.hits.map((hit): PaletteChoice => {
        const { sop } = hit;
        return { id: sop.id, section: texts.sops, text: sop.title, to: hitAddressOf(hit), shown: <HitText {...hit} /> };
      }),
    ];
  }, [query, entries, search.hits]);

  const pickChoice = ({ to, run }: PaletteChoice, apart: boolean) => {
    if (to !== undefined && apart) {
      window.open(to, "_blank", "noopener");
      return;
    }
    // A new screen takes the focus itself, so the palette doesn't return it.
    moves.current = to !== undefined;
    onClose();
    if (to !== undefined) void navigate(to);
    // The command runs after the focus is back, so that a dialog it opens can return the focus to the same place.
    else setTimeout(() => setTimeout(() => run?.()));
  };
  const combobox = useCombobox({
    open: choices.length > 0,
    count: choices.length,
    of: query,
    firstChosen: true,
    onPick: (at, apart) => {
      const choice = choices[at];
      if (choice) pickChoice(choice, apart);
    },
  });
  const isNothing = query !== "" && choices.length === 0 && !search.isError;
  return (
    <CommandWindow title={texts.title} onClose={onClose} keepsFocus={() => moves.current}>
      <input
        {...combobox.field}
        aria-label={texts.field}
        placeholder={texts.field}
        value={text}
        maxLength={200}
        onFocus={() => setText(text + takeTyped())}
        onChange={({ target }) => setText(target.value)}
        className="h-14 w-full shrink-0 rounded-t-lg border-b border-line bg-transparent px-4 text-base -outline-offset-2"
      />
      <output className="block text-muted">
        {isNothing && (
          <span className="block px-4 py-3">{search.isStale ? texts.searching : texts.none({ query })}</span>
        )}
        {query !== "" && !search.isStale && search.showingFor !== undefined && (
          <span className="block px-4 pt-3">
            <CorrectedQuery words={search.showingFor} />
          </span>
        )}
        {query !== "" && !search.isStale && choices.length > 0 && (
          <span className="sr-only">{searchTexts.count({ count: choices.length })}</span>
        )}
      </output>
      {query !== "" && search.isError && (
        <p role="alert" className="px-4 pt-3">
          {searchTexts.failed}
        </p>
      )}
      {choices.length > 0 && <PaletteChoices choices={choices} combobox={combobox} />}
    </CommandWindow>
  );
}

function PaletteChoices({
  choices,
  combobox,
}: {
  choices: readonly PaletteChoice[];
  combobox: ReturnType<typeof useCombobox>;
}) {
  const sections = [...new Set(choices.map(({ section }) => section))];
  return (
    <div
      id={combobox.listId}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select holds no marked text
      role="listbox"
      aria-label={texts.title}
      className="min-h-0 flex-1 overflow-y-auto p-1"
    >
      {sections.map((section) => (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an optgroup holds no marked text
        <div key={section} role="group" aria-label={section}>
          <p aria-hidden className="mb-1 px-3 pt-3 text-xs font-semibold text-muted">
            {section}
          </p>
          {choices.map((choice, at) =>
            choice.section === section ? (
              <div
                key={choice.id}
                {...combobox.option(at)}
                className={clsx(
                  "grid cursor-pointer grid-cols-[minmax(0,1fr)] gap-0.5 rounded-md px-3 py-2",
                  at === combobox.active && "bg-sunken",
                )}
              >
                {choice.shown}
              </div>
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}

function EntryText({ text, keys, icon }: PaletteEntry) {
  return (
    <span className="flex items-center gap-2">
      {icon}
      <span dir="auto" className="min-w-0 flex-1 truncate text-left">
        {text}
      </span>
      {keys && <Kbd keys={keys} />}
    </span>
  );
}
