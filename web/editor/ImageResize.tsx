/**
 * A handle that resizes the selected image. For the keyboard, the bar has Smaller and Larger, and a dialog takes the
 * width as a number.
 */
import type { EditorView } from "@milkdown/kit/prose/view";
import type { Command } from "@milkdown/kit/prose/state";
import { useLayoutEffect, useRef, type PointerEvent } from "react";
import { imageWidths } from "#core/markdown/image-alt.ts";
import { imageElementAt, setImageWidth } from "./image-properties.ts";

interface ImageResizeProps {
  view: EditorView;
  /** The position of the image. */
  at: number;
  runCommand(command: Command): void;
}

export function ImageResize({ view, at, runCommand }: ImageResizeProps) {
  const frame = useRef<HTMLDivElement>(null);
  const start = useRef<{ x: number; width: number } | null>(null);
  useLayoutEffect(() => {
    const image = imageElementAt(view, at);
    if (!image) return undefined;
    const placeFrame = (): void => {
      const own = frame.current;
      const outer = own?.offsetParent?.getBoundingClientRect();
      if (!own || !outer) return;
      const { left, top, width, height } = image.getBoundingClientRect();
      own.style.left = `${left - outer.left}px`;
      own.style.top = `${top - outer.top}px`;
      own.style.width = `${width}px`;
      own.style.height = `${height}px`;
    };
    placeFrame();
    const sizes = new ResizeObserver(placeFrame);
    sizes.observe(image);
    sizes.observe(view.dom);
    return () => sizes.disconnect();
  });
  const widthAt = ({ clientX }: PointerEvent): number => {
    const { x, width } = start.current ?? { x: clientX, width: 0 };
    return Math.max(imageWidths.least, Math.min(view.dom.clientWidth, width + clientX - x));
  };
  return (
    <div ref={frame} className="editor-resize">
      <div
        aria-hidden
        className="editor-resize-grip"
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          start.current = { x: event.clientX, width: frame.current?.offsetWidth ?? 0 };
        }}
        onPointerMove={(event) => {
          if (start.current && frame.current) frame.current.style.width = `${widthAt(event)}px`;
        }}
        onPointerUp={(event) => {
          if (start.current && event.clientX !== start.current.x) runCommand(setImageWidth(widthAt(event)));
          start.current = null;
        }}
        onPointerCancel={() => {
          start.current = null;
        }}
      />
    </div>
  );
}
