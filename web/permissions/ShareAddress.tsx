import { paperAddress, qrSvg } from "#core/export/qr-code.ts";
import { shareTexts as texts } from "./texts.ts";

/** The address of an SOP for the camera of a phone. It is white in both themes, as cameras expect. */
export function ShareAddress({ number }: { number: string }) {
  const address = paperAddress(window.location, number);
  if (address === null) return null;
  return (
    <figure className="flex items-center gap-4 max-sm:hidden">
      <img
        alt={`QR code: ${address}`}
        src={`data:image/svg+xml,${encodeURIComponent(qrSvg(address))}`}
        className="size-28 shrink-0 rounded-md border border-line bg-[white]"
      />
      <figcaption className="text-sm font-medium">{texts.onPhone}</figcaption>
    </figure>
  );
}
