/** What one works with: readers see favorites and recent SOPs, writers their drafts. */
import { useRead, type Input } from "../api.ts";
import { Section } from "../ui/Section.tsx";
import { Row, Rows } from "./Rows.tsx";
import { ageText } from "./ages.ts";
import { shelfTexts as texts } from "./texts.ts";

const shownAtOnce = 5;
const favorites = { favorite: "true", limit: shownAtOnce } as const;
const recent = { recent: "month", limit: shownAtOnce } as const;

export function Drafts() {
  const drafts = useRead("stats", "needs", {}).data?.drafts ?? [];
  if (drafts.length === 0) return null;
  return (
    <Section title={texts.drafts} count={drafts.length}>
      <Rows>
        {drafts.slice(0, shownAtOnce).map(({ sop, updatedAt }) => (
          <Row key={sop.id} title={sop.title} to={`/sop/${sop.id}/edit`} when={ageText(updatedAt)} />
        ))}
      </Rows>
    </Section>
  );
}

export function Shelves() {
  return (
    <div className="grid gap-x-12 gap-y-8 empty:hidden lg:grid-cols-2">
      <Shelf title={texts.favorites} query={favorites} />
      <Shelf title={texts.recent} query={recent} />
    </div>
  );
}

/** Whether both are answered, or can't be. */
export function useShelvesKnown(isShown: boolean): boolean {
  const reads = [
    useRead("sops", "list", { query: favorites }, { enabled: isShown }),
    useRead("sops", "list", { query: recent }, { enabled: isShown }),
  ];
  return !isShown || reads.every(({ isPending }) => !isPending);
}

function Shelf({ title, query }: { title: string; query: NonNullable<NonNullable<Input<"sops", "list">>["query"]> }) {
  const sops = useRead("sops", "list", { query }).data?.data ?? [];
  if (sops.length === 0) return null;
  return (
    <Section title={title}>
      <Rows>
        {sops.map(({ id, title: name, category }) => (
          <Row key={id} title={name} to={`/sop/${id}`} {...(category && { when: category.name })} />
        ))}
      </Rows>
    </Section>
  );
}
