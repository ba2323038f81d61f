import { useState, type ReactNode } from "react";
import { Link, useParams } from "react-router-dom";
import { ApiError } from "#core/api/client.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../../api.ts";
import { useMay } from "../../session.tsx";
import { PageHeading } from "../../shell/PageHeading.tsx";
import { Button } from "../../ui/Button.tsx";
import { ErrorState } from "../../ui/EmptyState.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { PageSpinner } from "../../ui/Spinner.tsx";
import { texts } from "./edit-texts.ts";
import { SopNotFound } from "../view/SopNotFound.tsx";
import { RecoverDraft } from "./RecoverDraft.tsx";

const EditForm = lazyPart(
  () => import("./EditForm.tsx").then((module) => module.EditForm),
  () => <PageSpinner label={texts.loading} />,
);
// The form's code loads at the same time as the SOP.
void EditForm.preload();

/** /sop/new and /sop/:id/edit; the id 'new' creates. */
export function SopEditPage() {
  const { id = "new" } = useParams();
  return id === "new" ? <NewSopEditor /> : <ExistingSop key={id} id={id} />;
}

function NewSopEditor() {
  const may = useMay();
  return may("sop.create") ? (
    <EditForm initial={null} latest={null} closed={null} />
  ) : (
    <EditDenied to="/" label={texts.back} />
  );
}

function ExistingSop({ id }: { id: string }) {
  const may = useMay();
  const sop = useRead("sops", "get", { params: { id } });
  const [wasOpened, setOpened] = useState(false);
  const isGone = sop.error instanceof ApiError && sop.error.status === 404;
  const isDenied = sop.data !== undefined && !may("sop.edit", sop.data);
  const closed = isGone ? <SopNotFound /> : isDenied ? <EditDenied to={`/sop/${id}`} label={texts.toSop} /> : null;
  if (sop.data && !closed && !wasOpened) setOpened(true);
  if (sop.data && wasOpened) return <OpenedSopEditor sop={sop.data} closed={closed} />;
  if (closed) {
    return (
      <div className="mx-auto grid w-full max-w-[42.5rem] gap-5 px-4 pt-10">
        <RecoverDraft sopId={id} />
        {closed}
      </div>
    );
  }
  if (sop.isError) return <ErrorState title={texts.loadFailed} onRetry={() => void sop.refetch()} />;
  return <PageSpinner label={texts.loading} />;
}

/**
 * Announces what others save and never replaces typed text. Typed text stays even if the SOP is deleted or can't be
 * edited anymore.
 */
function OpenedSopEditor({ sop, closed }: { sop: Sop; closed: ReactNode }) {
  const [initial] = useState(sop);
  return <EditForm initial={initial} latest={sop} closed={closed} />;
}

function EditDenied({ to, label }: { to: string; label: string }) {
  return (
    <div className="mx-auto grid w-full max-w-[42.5rem] justify-items-start gap-5 px-4 pt-10">
      <PageHeading title={texts.deniedTitle} subtitle={texts.denied} />
      <Button asChild>
        <Link to={to}>{label}</Link>
      </Button>
    </div>
  );
}
