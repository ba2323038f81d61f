import "./view.css";
import type { Sop } from "#core/sops/schema.ts";
import { statuses, statusOf } from "../ui/StatusBadge.tsx";
import { dateTimeText } from "../ui/time.ts";
import { texts } from "./view-texts.ts";

/** Shown on paper only: which document this is, and that paper is never the controlled copy. */
export function PrintFrame({ sop }: { sop: Sop }) {
  const status = statuses[statusOf(sop.status)].label;
  const rows = [
    [texts.number, sop.number],
    [texts.version, String(sop.version)],
    [texts.status, status],
    [texts.updated, dateTimeText(sop.updatedAt)],
  ] as const;
  return (
    <div className="print-frame" aria-hidden>
      <table className="print-head">
        <tbody>
          <tr>
            {rows.map(([name, value]) => (
              <td key={name}>
                {name}: <strong>{value}</strong>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      {/* repeated by the browser on every page */}
      <p className="print-foot">{`${sop.number} · version ${sop.version} · ${status} · ${texts.uncontrolled}`}</p>
    </div>
  );
}
