import { Upload } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/Button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("import.import-button", {
  import: "Import",
});

const ImportDialog = lazyPart(() => import("./ImportDialog.tsx").then((module) => module.ImportDialog));

/** Opens the import dialog, whose code loads on the first click. */
export function ImportButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Upload aria-hidden />
        {texts.import}
      </Button>
      {open && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  );
}
