/**
 * Dims the page behind a dialog, and the dialog behind a question: as high as they, the later one wins. Not Radix' own: that one writes a `<style>` element to stop the page from scrolling, which
 * the content security policy forbids; `styles.css` does it by `:has([data-overlay])`.
 */
export function Overlay() {
  return <div data-overlay className="fixed inset-0 z-50 animate-appear bg-overlay" />;
}
