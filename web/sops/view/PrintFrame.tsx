import "./view.css";
import { useEffect } from "react";
import { addressForOthers } from "#core/export/other-devices.ts";
import { createQrCode } from "#core/export/qr-code.ts";
import type { Sop } from "#core/sops/schema.ts";
import { shownStatus } from "#core/sops/statuses.ts";
import { useRead } from "../../api.ts";
import { statusNames } from "../../ui/StatusBadge.tsx";
import { boundaryText, dateTimeText } from "../../ui/time.ts";
import { effectiveDay, publishedOn } from "../history/version-texts.ts";
import { texts } from "./view-texts.ts";

/** Shown only in print: the document's facts and a note that a printed copy is uncontrolled. */
export function PrintFrame({ sop }: { sop: Sop }) {
  const status = statusNames[shownStatus(sop)];
  const [effective, published] = [effectiveDay(sop), publishedOn(sop)];
  const rows = [
    [texts.number, sop.number] as const,
    [texts.version, String(sop.version)] as const,
    [texts.status, status],
    [texts.updated, dateTimeText(sop.updatedAt)],
    ...(effective === null ? [] : [[texts.effective, effective] as const]),
    ...(published === null ? [] : [[texts.publishedOn, published] as const]),
    ...(sop.published && sop.reviewBy ? [[texts.nextReview, boundaryText(sop.reviewBy)] as const] : []),
  ];
  usePageFoot(texts.printFoot({ number: sop.number, version: sop.version, status, uncontrolled: texts.uncontrolled }));
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
      <PrintedSopAddress of={sop} />
    </div>
  );
}

/** A QR code and an address that lead from paper to the current version. */
function PrintedSopAddress({ of: { number } }: { of: Sop }) {
  const { data } = useRead("auth", "check", {});
  const address = addressForOthers(window.location, number, data?.address);
  if (address === null) return null;
  const { size, path } = createQrCode(address);
  return (
    <div className="print-address">
      <svg viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
        <path d={path} />
      </svg>
      <span>
        {texts.currentVersion}: <strong>{address}</strong>
      </span>
    </div>
  );
}

/**
 * Puts a line at the foot of every printed page. CSS for page margins can't read the document, so a style sheet of its
 * own holds the line.
 */
function usePageFoot(line: string): void {
  useEffect(() => {
    if (!("adoptedStyleSheets" in document)) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@page { @bottom-left { content: ${JSON.stringify(line)}; font-size: 9pt; } }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [line]);
}
