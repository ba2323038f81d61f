import { Download, RotateCw, ScrollText } from "lucide-react";
import { useState } from "react";
import { auditReadScope } from "#core/audit/reach.ts";
import { actorOfUser, useMay, useMe } from "../session.tsx";
import { AccessDenied } from "../shell/AccessDenied.tsx";
import { PageHeading } from "../shell/PageHeading.tsx";
import { Button } from "../ui/Button.tsx";
import { DataTable, type Column } from "../ui/DataTable.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { dateTimeText } from "../ui/time.ts";
import { AuditFilterBar } from "./AuditFilterBar.tsx";
import { auditSubjectName, actorName, type AuditRow } from "./audit-row.ts";
import { AuditChainStatus } from "./AuditChainStatus.tsx";
import { AuditSubject } from "./AuditSubject.tsx";
import { actionText, entityText, texts } from "./texts.ts";
import { useAuditLog, useNameLookup } from "./use-audit-log.ts";

const AuditEntryDialog = lazyPart(() => import("./AuditEntryDialog.tsx").then((module) => module.AuditEntryDialog));

/** /admin/audit: administrators see all entries, managers those about their teams' SOPs. */
export function AuditPage() {
  const reach = auditReadScope(actorOfUser(useMe()));
  return reach === "none" ? <AccessDenied text={texts.denied} /> : <AuditLog ofTeams={reach === "teams"} />;
}

function AuditLog({ ofTeams }: { ofTeams: boolean }) {
  const may = useMay();
  const log = useAuditLog();
  const nameOf = useNameLookup();
  const [openId, setOpenId] = useState<string | null>(null);
  const open = log.pages.rows.find(({ id }) => id === openId);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeading
        title={texts.title}
        subtitle={ofTeams ? texts.subtitleTeams : texts.subtitle}
        actions={
          <>
            <IconButton label={texts.refresh} onClick={log.refresh}>
              <RotateCw aria-hidden />
            </IconButton>
            {may("audit.export") && <AuditExportLinks given={log.given} />}
          </>
        }
      />
      {may("audit.read") && <AuditChainStatus />}
      <DataTable
        list={log.pages}
        filters={<AuditFilterBar {...log} />}
        columns={auditColumns(nameOf, setOpenId)}
        texts={{
          label: texts.list,
          loading: texts.loading,
          failed: texts.failed,
          count: (rows, hasMore) => (hasMore ? texts.countMore({ rows }) : texts.count({ rows })),
        }}
        empty={
          log.pages.more?.hasMore ? (
            <EmptyState icon={<ScrollText />} title={texts.emptySoFar} hint={texts.emptySoFarHint} />
          ) : (
            <EmptyState icon={<ScrollText />} title={texts.empty} hint={texts.emptyHint} />
          )
        }
      />
      {open && (
        <AuditEntryDialog
          row={open}
          nameOf={nameOf}
          onClose={() => setOpenId(null)}
          onFilterByRecord={(entityType, entityId) => {
            setOpenId(null);
            log.set({ entityType, entityId });
          }}
        />
      )}
    </div>
  );
}

/** Links to files with all entries that match the filters of the list. */
function AuditExportLinks({ given }: { given: Record<string, string> }) {
  const exportAddress = (format: string) =>
    `/api/company/audit/export?${new URLSearchParams({ format, ...given }).toString()}`;
  return (
    <>
      <Button asChild>
        <a href={exportAddress("csv")} download>
          <Download aria-hidden />
          {texts.csv}
        </a>
      </Button>
      <Button asChild>
        <a href={exportAddress("ndjson")} download title={texts.ndjsonHint}>
          <Download aria-hidden />
          {texts.ndjson}
        </a>
      </Button>
    </>
  );
}

function auditColumns(nameOf: (id: string) => string | undefined, open: (id: string) => void): Column<AuditRow>[] {
  const { columns } = texts;
  return [
    {
      header: columns.action,
      isName: true,
      cell: ({ id, action, createdAt }) => (
        <button
          type="button"
          aria-label={`${texts.open}: ${actionText(action)}, ${dateTimeText(createdAt)}`}
          className="text-left font-medium after:absolute after:inset-0 hover:underline"
          onClick={() => open(id)}
        >
          {actionText(action)}
        </button>
      ),
    },
    { header: columns.who, cell: actorName },
    {
      header: columns.about,
      cell: (row) => (
        <>
          {entityText(row.entityType)}
          {auditSubjectName(row, nameOf) && " · "}
          <AuditSubject row={row} name={auditSubjectName(row, nameOf)} />
        </>
      ),
    },
    {
      header: columns.when,
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} className="@3xl:whitespace-nowrap">
          {dateTimeText(createdAt)}
        </time>
      ),
    },
  ];
}
