// What changed on disk is shown without a reload, so that the place one reads at stays.
const bar = document.querySelector(".bar");
const live = bar.querySelector(".live");

async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.querySelector("main").replaceWith(page.querySelector("main"));
  document.title = page.title;
}

const events = new EventSource("/events");
events.addEventListener("change", () => void refresh().catch(() => {}));
events.addEventListener("open", () => {
  if (bar.classList.contains("stopped")) void refresh().catch(() => {});
  bar.classList.remove("stopped");
  live.textContent = "live";
});
events.addEventListener("error", () => {
  bar.classList.add("stopped");
  live.textContent = "stopped";
});
