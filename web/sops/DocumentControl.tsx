/** What comes after the text was shown, in one chunk: banners, the control block, the frame of a printed page. */
export { ControlBlock } from "./ControlBlock.tsx";
export { PrintFrame } from "./PrintFrame.tsx";
export { ViewBanners } from "./ViewBanners.tsx";
