import { Search } from "lucide-react";
import { useId, useState } from "react";
import { roleLabel } from "#core/access/roles.ts";
import { limits } from "#core/limits.ts";
import type { Output } from "../api.ts";
import { Alert } from "../ui/Alert.tsx";
import { Avatar } from "../ui/Avatar.tsx";
import { Button } from "../ui/Button.tsx";
import { SearchInput } from "../ui/Input.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { reasonTexts, texts } from "./texts.ts";

type Candidate = Output<"approvals", "candidates">[number];

interface ApproverPickerProps {
  people: readonly Candidate[] | undefined;
  failed: (() => void) | null;
  chosen: readonly string[];
  onChoose(ids: readonly string[]): void;
}

/** From here on a list is searched rather than looked through. */
const searchedFrom = 8;

/** Everybody, those who can't decide greyed out with the reason (`design/domain.md`, Approval). */
export function ApproverPicker({ people, failed, chosen, onChoose }: ApproverPickerProps) {
  const hint = useId();
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = (people ?? [])
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => Number(b.eligible) - Number(a.eligible));
  const toggle = (id: string): void =>
    onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <fieldset aria-describedby={hint} className="grid min-w-0 gap-2">
      <legend className="mb-1.5 text-sm font-medium">{texts.approvers}</legend>
      <p id={hint} className="text-xs text-muted">
        {chosen.length === 0 ? texts.approversHint : `${chosen.length} selected`}
      </p>
      {(people?.length ?? 0) > searchedFrom && (
        <SearchInput
          label={texts.searchPeople}
          placeholder={texts.searchPeople}
          icon={<Search />}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {failed && (
        <Alert
          tone="destructive"
          live
          actions={
            <Button size="sm" onClick={failed}>
              Try Again
            </Button>
          }
        >
          {texts.candidatesFailed}
        </Alert>
      )}
      {!people && !failed && <Waiting />}
      {people && !people.some(({ eligible }) => eligible) && <Alert tone="warning">{texts.nobodyEligible}</Alert>}
      {people && shown.length === 0 && <p className="text-muted">{texts.nobodyFound}</p>}
      {shown.length > 0 && (
        <ul className="max-h-64 divide-y divide-line overflow-y-auto rounded-md border border-line">
          {shown.map((person) => (
            <Person
              key={person.id}
              person={person}
              checked={chosen.includes(person.id)}
              full={chosen.length >= limits.approvers}
              onToggle={() => toggle(person.id)}
            />
          ))}
        </ul>
      )}
    </fieldset>
  );
}

interface PersonProps {
  person: Candidate;
  checked: boolean;
  full: boolean;
  onToggle(): void;
}

function Person({ person, checked, full, onToggle }: PersonProps) {
  const reason = useId();
  const { name, initials, role, eligible } = person;
  return (
    <li>
      <label className="flex min-h-11 items-center gap-3 px-3 py-2 has-disabled:cursor-not-allowed">
        <input
          type="checkbox"
          checked={checked}
          disabled={!eligible || (full && !checked)}
          aria-describedby={reason}
          aria-label={name}
          onChange={onToggle}
          className="size-4 shrink-0 accent-primary"
        />
        <Avatar size="sm" initials={initials} />
        <span className="min-w-0 flex-1">
          <span className={eligible ? "block font-medium" : "block text-muted"}>{name}</span>
          <span id={reason} className="block text-xs text-muted">
            {person.reason ? reasonTexts[person.reason] : roleLabel(role)}
          </span>
        </span>
      </label>
    </li>
  );
}

function Waiting() {
  return (
    <output className="grid gap-2">
      <span className="sr-only">{texts.candidatesLoading}</span>
      {[1, 2, 3].map((line) => (
        <Skeleton key={line} className="h-11" />
      ))}
    </output>
  );
}
