import { Briefcase, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { errorMessageOf } from "../../api.ts";
import { uploadAsset } from "../../editor/upload-asset.ts";
import { Button } from "../../ui/Button.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { texts } from "./texts.ts";

interface LogoFieldProps {
  /** The logo's address; empty for none. */
  value: string;
  error: string | undefined;
  disabled: boolean;
  onChange(address: string): void;
}

/** Uploads the chosen file at once. The company uses the logo after the profile is saved. */
export function LogoField({ value, error, disabled, onChange }: LogoFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string>();
  const [broken, setBroken] = useState<string>();
  const uploadLogo = async (file: File): Promise<void> => {
    setBusy(true);
    setFailed(undefined);
    try {
      onChange((await uploadAsset(file)).url);
    } catch (cause) {
      setFailed(errorMessageOf(cause, texts.logoFailed));
    }
    setBusy(false);
  };
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">
        {texts.logo}
        <span className="ml-1.5 font-normal text-muted">{texts.optional}</span>
      </legend>
      <div className="flex flex-wrap items-center gap-3">
        <span className="grid size-16 shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-sunken text-muted">
          {value && value !== broken ? (
            <img
              src={value}
              alt={texts.logoAlt}
              className="size-full object-contain"
              onError={() => setBroken(value)}
            />
          ) : (
            <Briefcase aria-hidden className="size-6 stroke-[1.5]" />
          )}
        </span>
        {!disabled && (
          <>
            <input
              ref={input}
              type="file"
              accept="image/png,image/jpeg,image/gif,image/webp"
              aria-label={texts.logo}
              tabIndex={-1}
              className="sr-only"
              onChange={(event) => {
                const [file] = event.target.files ?? [];
                event.target.value = "";
                if (file) void uploadLogo(file);
              }}
            />
            <Button busy={busy} onClick={() => input.current?.click()}>
              {!busy && <Upload aria-hidden />}
              {value ? texts.logoReplace : texts.logoUpload}
            </Button>
            {value && (
              <Button variant="ghost" onClick={() => onChange("")}>
                {texts.logoRemove}
              </Button>
            )}
          </>
        )}
      </div>
      {!disabled && <p className="text-xs text-muted">{texts.logoHint}</p>}
      <FieldError message={failed ?? error} />
    </fieldset>
  );
}
