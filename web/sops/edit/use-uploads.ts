/** Pictures on their way to the server: a save that went ahead of them would store the text without them. */
import { useRef, useState } from "react";
import type { UploadAsset } from "../../editor/images.ts";
import { uploadAsset } from "../../editor/upload-asset.ts";

/** @param onBegin a picture was added, and the text will differ */
export function useUploads(onBegin: () => void) {
  const underWay = useRef(new Set<Promise<unknown>>());
  const failures = useRef(0);
  const [isAwaited, setIsAwaited] = useState(false);
  return {
    isAwaited,
    isUnderWay: () => underWay.current.size > 0,
    upload: (file: File): ReturnType<UploadAsset> => {
      const sent = uploadAsset(file);
      const end = (): void => void underWay.current.delete(sent);
      underWay.current.add(sent);
      sent.then(end, end);
      onBegin();
      return sent;
    },
    /** The editor says so: what arrives may find no text any more. */
    failed: () => void (failures.current += 1),
    /** Until each stands in the text: the editor hears of an answer first. @returns whether none was lost */
    arrived: async (): Promise<boolean> => {
      const before = failures.current;
      setIsAwaited(true);
      while (underWay.current.size > 0) await Promise.allSettled(underWay.current);
      setIsAwaited(false);
      return failures.current === before;
    },
  };
}
