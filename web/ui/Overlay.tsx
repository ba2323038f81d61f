/**
 * Dims the page behind a dialog, and a dialog behind a question (as high as they: what comes later lies above). Not Radix'
 * own: that one writes a `<style>` element to stop the page from scrolling, which the content security policy forbids;
 * `styles.css` does it by `:has([data-overlay])`.
 */
export function Overlay() {
  return <div data-overlay className="fixed inset-0 z-50 animate-appear bg-overlay" />;
}
