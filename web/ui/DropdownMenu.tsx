import { clsx } from "clsx";
import { Check, ChevronRight } from "lucide-react";
import * as Radix from "radix-ui/dropdown-menu";
import type { ReactNode } from "react";
import { usePortalContainer } from "./portal-container.ts";

interface DropdownMenuProps {
  /** The button that opens the menu. It must accept a ref and props. */
  trigger: ReactNode;
  align?: "start" | "center" | "end";
  /** True if the menu is open. Given with `onOpenChange` if something other than the trigger can open it. */
  open?: boolean;
  /** True if the menu scrolls in a low window. */
  isTall?: boolean;
  onOpenChange?(open: boolean): void;
  /** Called when the menu has closed. `preventDefault` keeps the focus from returning to the trigger. */
  onCloseAutoFocus?: (event: Event) => void;
  children: ReactNode;
}

// On a phone, styles.css makes the menu a sheet at the bottom.
const menuStyle = "z-50 min-w-44 animate-appear rounded-lg border border-line bg-surface p-1 text-sm shadow-float";

export function DropdownMenu({
  trigger,
  align = "end",
  open,
  isTall = false,
  onOpenChange,
  onCloseAutoFocus,
  children,
}: DropdownMenuProps) {
  const place = usePortalContainer();
  return (
    // The menu isn't modal, because modal menus write a `<style>` element, which the content security policy forbids.
    <Radix.Root modal={false} {...(open !== undefined && { open })} {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={place}>
        <Radix.Content
          align={align}
          {...(onCloseAutoFocus && { onCloseAutoFocus })}
          sideOffset={4}
          collisionPadding={8}
          // A scrollable element must be focusable (axe).
          {...(isTall && { tabIndex: 0 })}
          className={clsx(
            menuStyle,
            isTall && "max-h-(--radix-dropdown-menu-content-available-height) overflow-y-auto",
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface SubmenuProps {
  icon?: ReactNode;
  label: string;
  children: ReactNode;
}

/**
 * A submenu. It opens beside its item after 100 ms and waits 300 ms for a pointer that moves to it
 * (`docs/spec/screens.md`).
 */
export function Submenu({ icon, label, children }: SubmenuProps) {
  const place = usePortalContainer();
  return (
    <Radix.Sub>
      <Radix.SubTrigger className={clsx(itemStyle, "data-[state=open]:bg-sunken")}>
        {icon}
        <span className="flex-1">{label}</span>
        <ChevronRight aria-hidden />
      </Radix.SubTrigger>
      <Radix.Portal container={place}>
        <Radix.SubContent sideOffset={4} collisionPadding={8} className={menuStyle}>
          {children}
        </Radix.SubContent>
      </Radix.Portal>
    </Radix.Sub>
  );
}

const itemStyle =
  "flex min-h-8 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1.5 outline-none select-none data-disabled:cursor-not-allowed data-disabled:opacity-55 data-highlighted:bg-sunken pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0";

interface MenuItemProps {
  icon?: ReactNode;
  destructive?: boolean;
  disabled?: boolean;
  /** Looks disabled but can be focused, so that screen readers read the reason in its text. */
  refused?: boolean;
  onSelect?(): void;
  /** True if the item's only child, such as a link, becomes the item. */
  asChild?: boolean;
  children: ReactNode;
}

export function MenuItem({
  icon,
  destructive = false,
  disabled = false,
  refused = false,
  onSelect,
  asChild,
  children,
}: MenuItemProps) {
  const preventDefault = (event: Event) => event.preventDefault();
  return (
    <Radix.Item
      disabled={disabled}
      {...(refused ? { "aria-disabled": true, onSelect: preventDefault } : onSelect && { onSelect })}
      asChild={asChild ?? false}
      className={clsx(itemStyle, destructive && "text-destructive", refused && "cursor-not-allowed")}
    >
      {asChild ? (
        children
      ) : (
        <>
          {icon}
          {children}
        </>
      )}
    </Radix.Item>
  );
}

interface MenuChoiceProps {
  value: string;
  onValueChange(value: string): void;
  options: readonly { value: string; label: string; icon?: ReactNode }[];
}

/** A group of options of which one is chosen and has a check mark. */
export function MenuChoice({ value, onValueChange, options }: MenuChoiceProps) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onValueChange}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={itemStyle}>
          {option.icon}
          <span className="flex-1">{option.label}</span>
          <Radix.ItemIndicator>
            <Check aria-hidden />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 py-1.5 text-xs text-muted">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
