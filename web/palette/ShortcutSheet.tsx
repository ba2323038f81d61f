/** The window behind `?`: all shortcuts, grouped by where they work. */
import { commands, shortcutGroupTitles, type KeyboardCommand } from "../shortcuts/registry.ts";
import { useSingleKeys } from "../shortcuts/use-command.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Kbd, shortcutText } from "../ui/Kbd.tsx";
import { Switch } from "../ui/Switch.tsx";
import { texts } from "./texts.ts";

const all = Object.values(commands) as KeyboardCommand[];

export function ShortcutSheet({ onClose }: { onClose(): void }) {
  const [singleKeys, setSingleKeys] = useSingleKeys();
  return (
    <Dialog
      open
      size="wide"
      onOpenChange={(open) => !open && onClose()}
      title={texts.sheetTitle}
      description={texts.sheetText}
    >
      <div className="grid items-start gap-x-8 gap-y-4 sm:grid-cols-2">
        {Object.entries(shortcutGroupTitles).map(([where, title]) => (
          <section key={where} aria-label={title}>
            <h3 className="mb-1 text-xs font-semibold text-muted">{title}</h3>
            <dl>
              {all.map(({ keys, text, where: own }) =>
                own === where && keys !== null ? (
                  <div key={text} className="flex items-center justify-between gap-4 py-1">
                    <dt>{text}</dt>
                    <dd className="shrink-0">
                      <Kbd keys={keys} />
                    </dd>
                  </div>
                ) : null,
              )}
            </dl>
          </section>
        ))}
        <Switch
          label={texts.singleKeys({ mod: shortcutText("Mod") })}
          hint={texts.singleKeysHint}
          checked={singleKeys === "on"}
          onChange={({ target }) => setSingleKeys(target.checked ? "on" : "off")}
        />
      </div>
    </Dialog>
  );
}
