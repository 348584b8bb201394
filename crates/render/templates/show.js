"use strict";
// Goes through the moments of a run: by links, by the slider, and by keys. Without it the links do the work.
(() => {
  const moments = [...document.querySelectorAll(".moment")];
  const steps = [...document.querySelectorAll("a.step")];
  if (!moments.length) return;
  const slider = document.getElementById("slider");
  const at = document.getElementById("at");
  const word = /[A-Za-z_][A-Za-z_0-9]*/g;
  const panes = window.matchMedia("(min-width: 80.01rem) and (min-height: 34rem)");
  let began = location.hash !== "";
  let here = -1;
  let step = -1;
  document.body.classList.add("scripted");

  // The values of the variables that stand in a line, below it.
  const values = (row, moment) => {
    const names = new Set(row.querySelector("code").textContent.match(word) ?? []);
    const known = [...moment.querySelectorAll(".values tr")].filter((one) => names.has(one.cells[0].textContent));
    if (!known.length) return;
    const text = known.slice(0, 6).map((one) => {
      const value = one.querySelector("code").textContent;
      return `${one.cells[0].textContent} = ${value.length > 40 ? `${value.slice(0, 40)}…` : value}`;
    });
    const inline = document.createElement("tr");
    inline.className = "inline";
    inline.append(document.createElement("td"), document.createElement("td"), document.createElement("td"));
    const shown = document.createElement("span");
    shown.textContent = text.join("   ");
    inline.lastChild.append(shown);
    row.after(inline);
  };

  const show = (index) => {
    const moment = moments[index];
    if (!moment || index === here) return;
    document.querySelectorAll(".moment.now, tr.here").forEach((one) => one.classList.remove("now", "here"));
    document.querySelectorAll(".inline").forEach((one) => one.remove());
    document.querySelectorAll("a.to[aria-current], a.step[aria-current]").forEach((one) => one.removeAttribute("aria-current"));
    here = index;
    moment.classList.add("now");
    document.querySelectorAll(`a.to[href="#m${index}"], a.step[href="#m${index}"]`)
      .forEach((one) => one.setAttribute("aria-current", "true"));
    slider.value = index;
    at.textContent = `moment ${index + 1} of ${moments.length}`;
    slider.setAttribute("aria-valuetext", `${at.textContent}, ${moment.querySelector("h3").textContent}`);
    const row = moment.dataset.line && document.getElementById(moment.dataset.line);
    if (!row) return;
    row.classList.add("here");
    values(row, moment);
    // Where all of the page scrolls it stays at its beginning until one goes somewhere.
    if (began || panes.matches) row.scrollIntoView({ block: "center" });
  };

  const of = (hash) => (/^#m\d+$/.test(hash) ? Number(hash.slice(2)) : -1);
  const go = (index) => {
    const to = Math.min(Math.max(index, 0), moments.length - 1);
    history.replaceState(null, "", `#m${to}`);
    show(to);
  };
  // Along the way back: to the next step that has a moment.
  const along = (by) => {
    for (let next = step + by; next >= 0 && next < steps.length; next += by) {
      const index = of(steps[next].hash);
      if (index < 0) continue;
      step = next;
      steps[next].scrollIntoView({ block: "nearest" });
      steps[next].focus({ preventScroll: true });
      go(index);
      return;
    }
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#m']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (steps.includes(link)) step = steps.indexOf(link);
    history.pushState(null, "", link.hash);
    show(of(link.hash));
  });
  slider.addEventListener("input", () => go(Number(slider.value)));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const does = { j: () => go(here + 1), k: () => go(here - 1), n: () => along(1), p: () => along(-1) }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  });
  const follow = () => show(of(location.hash));
  window.addEventListener("popstate", follow);
  window.addEventListener("hashchange", follow);
  follow();
  if (here < 0) show(moments.findIndex((moment) => moment.classList.contains("first")));
  began = true;
})();
