/** Teams and people to choose from, searched by name. */
import { Search } from "lucide-react";
import { useId, useState } from "react";
import { createSearchMatcher } from "#core/search-keys.ts";
import { SearchInput } from "../ui/Input.tsx";
import { readingRequestTexts as texts } from "./texts.ts";

/** A team or a person that can be asked to read. */
export interface AudienceChoice {
  /** `team:<id>` or `user:<id>` */
  key: string;
  name: string;
}

interface AudiencePickerProps {
  teams: readonly AudienceChoice[];
  people: readonly AudienceChoice[];
  chosen: ReadonlySet<string>;
  onChoose(chosen: ReadonlySet<string>): void;
}

/** The maximum number of teams, and of people, that are shown. A search by name finds the others. */
const maxShownPerGroup = 200;

export function AudiencePicker({ teams, people, chosen, onChoose }: AudiencePickerProps) {
  const hint = useId();
  const [search, setSearch] = useState("");
  const isFound = createSearchMatcher(search);
  const foundChoices = (choices: readonly AudienceChoice[]) => choices.filter(({ name }) => isFound(name));
  const [shownTeams, shownPeople] = [foundChoices(teams), foundChoices(people)];
  const toggleChoice = (key: string): void => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChoose(next);
  };
  return (
    <fieldset aria-describedby={hint} className="grid min-w-0 gap-2">
      <legend className="sr-only">{texts.chosen}</legend>
      <p id={hint} className="text-xs text-muted" aria-live="polite">
        {texts.selected({ size: chosen.size })}
      </p>
      <SearchInput
        label={texts.search}
        placeholder={texts.search}
        icon={<Search />}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {shownTeams.length + shownPeople.length === 0 ? (
        <p className="text-muted">{texts.nobodyFound}</p>
      ) : (
        <div className="max-h-64 overflow-y-auto rounded-md border border-line">
          <AudienceGroup title={texts.teams} choices={shownTeams} chosen={chosen} onToggle={toggleChoice} />
          <AudienceGroup title={texts.people} choices={shownPeople} chosen={chosen} onToggle={toggleChoice} />
        </div>
      )}
    </fieldset>
  );
}

interface AudienceGroupProps {
  title: string;
  choices: readonly AudienceChoice[];
  chosen: ReadonlySet<string>;
  onToggle(key: string): void;
}

function AudienceGroup({ title, choices, chosen, onToggle }: AudienceGroupProps) {
  if (choices.length === 0) return null;
  return (
    <fieldset>
      <legend className="w-full bg-sunken px-3 py-1 text-xs font-semibold text-muted">{title}</legend>
      <ul className="divide-y divide-line">
        {choices.slice(0, maxShownPerGroup).map(({ key, name }) => (
          <li key={key}>
            <label className="flex min-h-10 items-center gap-3 px-3 py-1.5 pointer-coarse:min-h-11">
              <input
                type="checkbox"
                checked={chosen.has(key)}
                onChange={() => onToggle(key)}
                className="size-4 shrink-0 accent-primary"
              />
              <span className="min-w-0 wrap-anywhere">{name}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
