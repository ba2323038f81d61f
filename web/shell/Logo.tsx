import { texts } from "./texts.ts";

export function Logo() {
  return (
    <span className="flex items-center gap-2.5">
      <img src="/icon.svg" alt="" width={32} height={32} />
      <span className="grid leading-tight">
        <span className="text-base font-semibold tracking-tight">{texts.product}</span>
        <span className="text-xs text-muted">{texts.tagline}</span>
      </span>
    </span>
  );
}
