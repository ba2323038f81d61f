import { clsx } from "clsx";
import { Check } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { Link } from "react-router-dom";
import { printedName } from "#core/users/printed-name.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { boundaryText } from "../ui/time.ts";
import { overviewTexts as texts } from "./texts.ts";
import type { OverviewPerson, OverviewSop, PersonReading } from "./use-confirmations-overview.ts";

interface ConfirmationsTableProps {
  people: readonly OverviewPerson[];
  sops: readonly OverviewSop[];
  onOpen(userId: string, sopId: string): void;
}

const confirmationCellId = (row: number, column: number) => `reading-${row}-${column}`;

/** The table of confirmations, which is one stop for the Tab key. Arrow keys move between cells, Enter opens a cell. */
export function ConfirmationsTable({ people, sops, onOpen }: ConfirmationsTableProps) {
  const [stop, setStop] = useState({ row: 0, column: 0 });
  const moveFocus = (event: KeyboardEvent): void => {
    const next = cellAfterKey(event.key, stop, people.length, sops.length);
    if (!next || !(event.target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    setStop(next);
    document.getElementById(confirmationCellId(next.row, next.column))?.focus();
  };
  const [row, column] = [Math.min(stop.row, people.length - 1), Math.min(stop.column, sops.length - 1)];
  return (
    // The relative position keeps visually hidden texts inside, so that they don't widen the page.
    <div className="relative -mx-1 overflow-x-auto px-1 pb-2 max-sm:hidden">
      <table aria-label={texts.table} className="min-w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr className="align-bottom">
            <th scope="col" className={clsx(firstColumnStyle, "pb-2 text-left font-medium")}>
              {texts.person}
            </th>
            <th scope="col" className="w-24 min-w-24 pr-2 pb-2 text-left font-medium">
              {texts.open}
            </th>
            {sops.map(({ id, number, title }) => (
              <th key={id} scope="col" className="w-26 min-w-26 pr-2 pb-2 text-left font-medium">
                <Link
                  to={`/sop/${id}`}
                  dir="auto"
                  title={`${number} ${title}`}
                  className="line-clamp-3 pt-1 wrap-break-word hover:underline"
                >
                  {title}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        {peopleByTeam(people).map(({ name, members }) => (
          <tbody key={name}>
            <tr>
              <th
                scope="rowgroup"
                colSpan={2 + sops.length}
                className="border-b border-line pt-3 pb-1 text-left text-sm font-medium text-muted"
              >
                <span className="sticky left-0">{name}</span>
              </th>
            </tr>
            {members.map(({ person, index }) => (
              <tr key={person.user.id} className="group">
                <th scope="row" className={clsx(firstColumnStyle, rowStyle, "text-left font-normal")}>
                  <span className="flex min-w-0 items-center gap-2">
                    <Avatar initials={person.user.initials} size="sm" />
                    <span className="truncate" title={printedName(person.user)}>
                      {printedName(person.user)}
                    </span>
                  </span>
                </th>
                <td className={clsx(rowStyle, "pr-2 whitespace-nowrap text-muted")}>
                  <OpenConfirmationCount person={person} />
                </td>
                {sops.map((sop, at) => (
                  <td key={sop.id} className={clsx(rowStyle, "p-0")}>
                    <button
                      type="button"
                      id={confirmationCellId(index, at)}
                      tabIndex={index === row && at === column ? 0 : -1}
                      aria-haspopup="dialog"
                      onKeyDown={moveFocus}
                      onFocus={() => setStop({ row: index, column: at })}
                      onClick={() => onOpen(person.user.id, sop.id)}
                      className="flex h-9 w-full items-center rounded-sm -outline-offset-2 hover:bg-sunken pointer-coarse:h-13"
                    >
                      <ConfirmationMark reading={person.readings.find(({ sopId }) => sopId === sop.id)} />
                      <span className="sr-only">{`, ${printedName(person.user)}, ${sop.title}`}</span>
                    </button>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

const firstColumnStyle = "sticky left-0 z-[1] w-48 min-w-48 max-w-48 bg-bg pr-3";
const rowStyle = "h-9 border-b border-line group-hover:bg-sunken pointer-coarse:h-13";

/** Shows how many confirmations are overdue; if none is, how many are due; if none is, that the person has read all. */
function OpenConfirmationCount({ person: { late, due } }: { person: OverviewPerson }) {
  if (late > 0) return <span className="text-destructive">{texts.lateCount({ count: late })}</span>;
  return due > 0 ? texts.dueCount({ count: due }) : texts.allRead;
}

function ConfirmationMark({ reading }: { reading: PersonReading | undefined }) {
  if (!reading || reading.state === "past") return <span className="sr-only">{texts.notAsked}</span>;
  if (reading.state === "confirmed") {
    return (
      <>
        <Check aria-hidden className="ml-2 size-4 text-success" />
        <span className="sr-only">{texts.read}</span>
      </>
    );
  }
  const isLate = reading.state === "overdue";
  return (
    <span
      className={clsx(
        "rounded-full px-2 py-px font-medium",
        isLate ? "bg-destructive-soft text-destructive" : "bg-warning-soft text-warning",
      )}
    >
      {isLate ? texts.late : reading.dueBy === null ? texts.due : boundaryText(reading.dueBy, "month")}
    </span>
  );
}

/** Groups people by team. Each person keeps the row number in the whole table. */
function peopleByTeam(people: readonly OverviewPerson[]) {
  const groups = Map.groupBy(
    people.map((person, index) => ({ person, index })),
    ({ person }) => person.team?.name ?? texts.noTeam,
  );
  return [...groups].map(([name, members]) => ({ name, members }));
}

interface CellPosition {
  row: number;
  column: number;
}

/** Returns the cell that a key moves to; null if the key moves nowhere or out of the table. */
function cellAfterKey(key: string, { row, column }: CellPosition, rows: number, columns: number): CellPosition | null {
  const moves: Record<string, CellPosition> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    Home: { row, column: 0 },
    End: { row, column: columns - 1 },
  };
  const next = moves[key];
  if (!next || next.row < 0 || next.row >= rows || next.column < 0 || next.column >= columns) return null;
  return next;
}
