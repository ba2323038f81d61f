/** Opens images of a text in a large view. It loads only for texts with images. */
import { clsx } from "clsx";
import { ZoomIn, ZoomOut } from "lucide-react";
import { useEffect, useRef, useState, type MouseEvent } from "react";
import { flushSync } from "react-dom";
import { Dialog } from "../../ui/Dialog.tsx";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("sops.view.large-images", {
  enlargeImage: "Enlarge image",
  zoomOut: "Zoom out",
  zoomIn: "Zoom in",
  enlarge: "Enlarge image: {alt}",
  image: "Image",
});

type EnlargedImage = Pick<HTMLImageElement, "src" | "alt">;

/** @param text the element of the text; a changed text has a new element */
export function LargeImages({ text }: { text: HTMLElement }) {
  const [shown, setShown] = useState<EnlargedImage | null>(null);
  useEffect(() => {
    const images = [...text.querySelectorAll("img")].filter(isEnlargeable);
    for (const image of images) {
      image.setAttribute("role", "button");
      image.setAttribute("tabindex", "0");
      image.setAttribute("aria-label", image.alt === "" ? texts.enlargeImage : texts.enlarge({ alt: image.alt }));
    }
    const openImage = (event: Event) => {
      const image = images.find((one) => one === event.target);
      if (!image || (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      setShown({ src: image.src, alt: image.alt });
    };
    text.addEventListener("click", openImage);
    text.addEventListener("keydown", openImage);
    return () => {
      text.removeEventListener("click", openImage);
      text.removeEventListener("keydown", openImage);
    };
  }, [text]);
  return shown && <LargeImage image={shown} onClose={() => setShown(null)} />;
}

/** Says whether an image can open: not a small one within a sentence, and not inside another control. */
const isEnlargeable = (image: HTMLImageElement) =>
  !image.closest("a, summary") &&
  Number(image.getAttribute("width") ?? smallestEnlargeablePixels) >= smallestEnlargeablePixels;
const smallestEnlargeablePixels = 48;

function LargeImage({ image: { src, alt }, onClose }: { image: EnlargedImage; onClose(): void }) {
  const box = useRef<HTMLDivElement>(null);
  const [isZoomed, setZoomed] = useState(false);
  /** Zooms in on the clicked point. */
  const zoomAtPoint = ({ clientX, clientY, currentTarget }: MouseEvent) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    flushSync(() => setZoomed(!isZoomed));
    if (!box.current) return;
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = box.current;
    box.current.scrollLeft = ((clientX - left) / width) * scrollWidth - clientWidth / 2;
    box.current.scrollTop = ((clientY - top) / height) * scrollHeight - clientHeight / 2;
  };
  return (
    <Dialog
      open
      size="full"
      title={<span className="block text-t3">{alt || texts.image}</span>}
      onOpenChange={(open) => !open && onClose()}
    >
      {/* On a phone the image goes from edge to edge, so that it is larger than in the text. */}
      <div className="relative max-sm:-mx-4">
        <div ref={box} className="max-h-[70dvh] overflow-auto p-1">
          <button
            type="button"
            aria-label={isZoomed ? texts.zoomOut : texts.zoomIn}
            onClick={zoomAtPoint}
            className={clsx("block", isZoomed ? "w-[250%] cursor-zoom-out" : "w-full cursor-zoom-in")}
          >
            <img src={src} alt="" className={clsx("w-full rounded-md", !isZoomed && "max-h-[68dvh] object-contain")} />
          </button>
        </div>
        <span aria-hidden className="pointer-events-none absolute right-2 bottom-2 rounded-md bg-surface p-2">
          {isZoomed ? <ZoomOut /> : <ZoomIn />}
        </span>
      </div>
    </Dialog>
  );
}
