import { clsx } from "clsx";
import { Search, X } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { roleLabel } from "#core/permissions/roles.ts";
import { approverShortage, type ApproverShortage } from "#core/approvals/rules.ts";
import { limits } from "#core/limits.ts";
import { createSearchMatcher } from "#core/search-keys.ts";
import { printedName } from "#core/users/printed-name.ts";
import { useRead } from "../api.ts";
import { useMay } from "../session.tsx";
import { Alert, RetryAlert } from "../ui/Alert.tsx";
import { Avatar } from "../ui/Avatar.tsx";
import { Button } from "../ui/Button.tsx";
import { SearchInput } from "../ui/Input.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import {
  offeredApproversByGroup,
  isUsualApprover,
  type OfferedApprover,
  type OfferedApprovers,
} from "./approver-groups.ts";
import { approverGroupTexts, ineligibleReasonTexts, approvalRuleTextBeforeChoice, texts } from "./texts.ts";
import { spokenText } from "#core/language/catalog.ts";

interface ApproverPickerProps {
  /** The people to choose from; undefined while they load. */
  choice: OfferedApprovers | undefined;
  /** Loads the people again after a failure; null if nothing failed. */
  failed: (() => void) | null;
  chosen: readonly string[];
  /** True if the list shows the approvers of the last request, because the user hasn't chosen any yet. */
  asLastTime: boolean;
  onChoose(ids: readonly string[]): void;
  /** A button to invite people; empty for users who can't. */
  invite: ReactNode;
}

/** If there are more people than this, the list has a search field. */
const maxPeopleWithoutSearch = 8;

/** The approval rule, then the people who can approve. Authors of the draft are grayed out with the reason. */
export function ApproverPicker({ choice, failed, chosen, asLastTime, onChoose, invite }: ApproverPickerProps) {
  const people = choice?.people;
  const hint = useId();
  const [search, setSearch] = useState("");
  const all = offeredApproversByGroup(people ?? []).flatMap(({ members }) => members);
  const isSearched = all.length > maxPeopleWithoutSearch;
  const isFound = createSearchMatcher(search);
  const groups = offeredApproversByGroup(all.filter((person) => isFound(printedName(person))));
  const able = all.filter(({ eligible }) => eligible).length;
  const shortage = choice ? approverShortage(choice, chosen.length, able) : null;
  const toggleApprover = (id: string): void =>
    onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <fieldset aria-describedby={hint} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <legend className="mb-1.5 text-sm font-medium">{texts.approvers}</legend>
      <div id={hint} className="grid gap-1 text-xs text-muted">
        {choice && <p className="text-sm text-text">{approvalRuleTextBeforeChoice(choice)}</p>}
        <p>{texts.approversRead}</p>
        <p aria-live="polite">
          {chosen.length === 0
            ? texts.approversHint
            : `${texts.selected({ count: chosen.length })}${asLastTime ? texts.asLastTime : ""}`}
          {chosen.length > 0 && shortage?.advice === null && `. ${spokenText(shortage.problem)}`}
        </p>
      </div>
      <ChosenApproverChips people={(people ?? []).filter(({ id }) => chosen.includes(id))} onRemove={toggleApprover} />
      {isSearched && (
        <SearchInput
          label={texts.searchPeople}
          placeholder={texts.searchPeople}
          icon={<Search />}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {failed && <RetryAlert text={texts.candidatesFailed} retry={texts.tryAgain} onRetry={failed} />}
      {!people && !failed && <ApproversLoading />}
      {choice && shortage?.advice && (
        <ApproverShortageNote {...shortage} isOfCompany={choice.category === null || able === 0} invite={invite} />
      )}
      {all.length > 0 && (
        // a fixed height: the dialog must not jump while the user types
        <div className={clsx("overflow-y-auto rounded-md border border-line", isSearched ? "h-64" : "max-h-64")}>
          {groups.length === 0 && <p className="p-3 text-muted">{texts.nobodyFound}</p>}
          {groups.map(({ group, members }) => (
            <fieldset key={group}>
              <legend className="w-full bg-sunken px-3 py-1 text-xs font-semibold text-muted">
                {approverGroupTexts[group]}
              </legend>
              <ul className="divide-y divide-line">
                {members.map((person) => (
                  <ApproverPerson
                    key={person.id}
                    person={person}
                    checked={chosen.includes(person.id)}
                    full={chosen.length >= limits.approvers}
                    onToggle={() => toggleApprover(person.id)}
                  />
                ))}
              </ul>
            </fieldset>
          ))}
        </div>
      )}
    </fieldset>
  );
}

interface ApproverShortageNoteProps extends ApproverShortage {
  /** True if the rule comes from the company's settings; otherwise from the category. */
  isOfCompany: boolean;
  invite: ReactNode;
}

/** Explains that too few people can approve: invitations that are pending, and what the user or others can do. */
function ApproverShortageNote({ problem, advice, isOfCompany, invite }: ApproverShortageNoteProps) {
  const may = useMay();
  const isMine = isOfCompany && may("company.settings");
  const invitations = useRead("invitations", "list", { query: {} }, { enabled: may("user.manage") }).data?.data ?? [];
  const waiting = invitations.filter(({ state, role }) => state === "pending" && isUsualApprover(role));
  const email = waiting.find((one) => one.email !== null)?.email ?? null;
  const actions = (
    <>
      {invite}
      {isMine && (
        <Button asChild>
          <Link to="/admin/company/publishing">{texts.settings}</Link>
        </Button>
      )}
    </>
  );
  if (waiting.length > 0) {
    return (
      <Alert live title={invitedText(email, waiting.length)} actions={actions}>
        {texts.invitedThen}
      </Alert>
    );
  }
  return (
    <Alert tone="warning" actions={(invite || isMine) && actions}>
      {[spokenText(problem), !isMine && advice && spokenText(advice), !invite && texts.whoInvites]
        .filter(Boolean)
        .join(" ")}
    </Alert>
  );
}

/** Shows the chosen people above the list, because a search can hide them in the list. */
function ChosenApproverChips({ people, onRemove }: { people: readonly OfferedApprover[]; onRemove(id: string): void }) {
  if (people.length === 0) return null;
  return (
    <ul aria-label={texts.chosen} className="flex flex-wrap gap-1.5">
      {people.map(({ id, name }) => (
        <li key={id} className="max-w-full">
          <button
            type="button"
            aria-label={`${texts.remove} ${name}`}
            onClick={() => onRemove(id)}
            className="inline-flex min-h-7 max-w-full items-center gap-1 rounded-full bg-primary-soft py-0.5 pr-1.5 pl-2.5 text-xs font-medium text-primary hover:bg-sunken pointer-coarse:min-h-11"
          >
            <span className="min-w-0 truncate">{name}</span>
            <X aria-hidden className="size-3.5 shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface ApproverPersonProps {
  person: OfferedApprover;
  checked: boolean;
  /** True if as many approvers are chosen as a request can have. */
  full: boolean;
  onToggle(): void;
}

function ApproverPerson({ person, checked, full, onToggle }: ApproverPersonProps) {
  const about = useId();
  const { name, username, initials, role, eligible } = person;
  return (
    <li>
      <label className="flex min-h-11 items-center gap-3 px-3 py-2 has-disabled:cursor-not-allowed">
        <input
          type="checkbox"
          checked={checked}
          disabled={!eligible || (full && !checked)}
          aria-describedby={about}
          aria-label={name}
          onChange={onToggle}
          className="size-4 shrink-0 accent-primary"
        />
        <Avatar size="sm" initials={initials} />
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3">
          <span className={clsx("min-w-0 wrap-anywhere", eligible ? "font-medium" : "text-muted")}>{name}</span>
          <span id={about} className="text-xs text-muted">
            <span>{`${username} · `}</span>
            {person.reason ? ineligibleReasonTexts[person.reason] : roleLabel(role)}
          </span>
        </span>
      </label>
    </li>
  );
}

function ApproversLoading() {
  return (
    <output className="grid gap-2">
      <span className="sr-only">{texts.candidatesLoading}</span>
      {[1, 2, 3].map((line) => (
        <Skeleton key={line} className="h-11" />
      ))}
    </output>
  );
}

/** Says who was invited. @param email the address of one invitation; null if no invitation has an address */
function invitedText(email: string | null, count: number): string {
  if (email === null) return texts.invitedOthers({ others: count });
  return count === 1 ? texts.invited({ email }) : texts.invitedMore({ email, others: count - 1 });
}
