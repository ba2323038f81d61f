import { clsx } from "clsx";
import { useState } from "react";

const sizes = { sm: "size-6 text-[0.625rem]", md: "size-8 text-t1", lg: "size-16 text-lg" };

interface AvatarProps {
  initials: string;
  /** The address of an image. Without one, or if it can't be loaded, the initials are shown. */
  image?: string | null;
  size?: keyof typeof sizes;
}

/** An image or initials in a circle. The name is beside it, so screen readers skip the avatar. */
export function Avatar({ initials, image = null, size = "md" }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span
      aria-hidden
      className={clsx(
        "inline-grid shrink-0 place-items-center overflow-hidden rounded-full bg-sunken font-semibold text-muted",
        sizes[size],
      )}
    >
      {image && image !== broken ? (
        <img src={image} alt="" className="size-full object-cover" onError={() => setBroken(image)} />
      ) : (
        initials
      )}
    </span>
  );
}
