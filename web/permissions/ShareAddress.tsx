import { Printer } from "lucide-react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { addressForOthers } from "#core/export/other-devices.ts";
import { createQrSvg } from "#core/export/qr-code.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { Button } from "../ui/Button.tsx";
import { shareTexts as texts } from "./texts.ts";

/** The address of an SOP as a code for a phone's camera. It is white in both themes, because cameras expect that. */
export function ShareAddress({ sop }: { sop: Pick<Sop, "number" | "title"> }) {
  const { data } = useRead("auth", "check", {});
  const [isPrinting, setPrinting] = useState(false);
  const address = addressForOthers(window.location, sop.number, data?.address);
  if (!data) return null;
  if (address === null) return <p className="text-t2 text-muted max-sm:hidden">{texts.noCode}</p>;
  const code = `data:image/svg+xml,${encodeURIComponent(createQrSvg(address))}`;
  return (
    <figure className="flex items-center gap-4 max-sm:hidden">
      <img
        alt={texts.qrCode({ address })}
        src={code}
        className="size-28 shrink-0 rounded-md border border-line bg-[white]"
      />
      <figcaption className="grid justify-items-start gap-2 text-sm">
        <span className="font-medium">{texts.onPhone}</span>
        <Button onClick={() => setPrinting(true)}>
          <Printer aria-hidden />
          {texts.printSign}
        </Button>
      </figcaption>
      {isPrinting && <WallSign {...sop} code={code} address={address} onPrinted={() => setPrinting(false)} />}
    </figure>
  );
}

interface SignProps extends Pick<Sop, "number" | "title"> {
  code: string;
  address: string;
  onPrinted(): void;
}

/** A sign for the wall beside a machine, alone on its page. It shows no version, so it never goes out of date. */
function WallSign({ number, title, code, address, onPrinted }: SignProps) {
  useEffect(() => {
    window.addEventListener("afterprint", onPrinted, { once: true });
    // Removes the line at the foot of printed pages, which names a version. The sheet comes last to override it.
    const plain = new CSSStyleSheet();
    plain.replaceSync("@page { @bottom-left { content: none } @bottom-right { content: none } }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, plain];
    window.print();
    return () => {
      window.removeEventListener("afterprint", onPrinted);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== plain);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- printed once
  }, []);
  return createPortal(
    <div className="print-sign" aria-hidden>
      <h1>{title}</h1>
      <img alt="" src={code} />
      <p>{`${number} · ${address}`}</p>
    </div>,
    document.body,
  );
}
