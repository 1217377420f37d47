/* SPDX-License-Identifier: MIT */
/* Zoom, search and keys for a flame graph that is whole and readable without them. */
(function () {
  "use strict";
  var script = document.currentScript;
  var svg = script ? script.closest("svg") : document.documentElement;
  var margin = 16, lone = svg === document.documentElement;
  var width = svg.width.baseVal.value;
  var page = svg.querySelector(".page"), info = svg.querySelector(".info"), nothing = info.textContent;
  var glyph, shown, pattern = null;

  var frames = Array.from(svg.querySelectorAll(".f"), function (g, index) {
    var title = g.querySelector("title").textContent;
    return { g: g, index: index, rect: g.querySelector("rect"), text: g.querySelector("text"),
             x: +g.dataset.x, w: +g.dataset.w, depth: +g.dataset.d,
             given: g.classList.contains("hit"), title: title, name: title.slice(0, title.indexOf("\n")) };
  });
  var root = frames[0], given = svg.classList.contains("searched");

  /* Whether a frame lies at or below another one. */
  function within(frame, other) {
    return frame.depth >= other.depth && frame.x >= other.x && frame.x + frame.w <= other.x + other.w &&
           (frame.depth > other.depth || frame === other);
  }

  function label(name, pixels) {
    var room = Math.floor((pixels - 8) / glyph), letters;
    if (room < 3)
      return "";
    letters = Array.from(name);
    return letters.length <= room ? name : letters.slice(0, room - 1).join("") + "…";
  }

  function place(frame) {
    var scale = (width - 2 * margin) / shown.w;
    var above = frame !== shown && within(shown, frame);
    var x = above ? 0 : (frame.x - shown.x) * scale, w = above ? shown.w * scale : frame.w * scale;
    frame.visible = above || (within(frame, shown) && (w >= 0.2 || frame === shown));
    frame.g.style.display = frame.visible ? "" : "none";
    if (!frame.visible)
      return;
    frame.g.classList.toggle("above", above);
    frame.rect.setAttribute("x", margin + x);
    frame.rect.setAttribute("width", Math.max(w, 0.2));
    if (!frame.text && label(frame.name, w)) {
      frame.text = document.createElementNS(svg.namespaceURI, "text");
      frame.text.setAttribute("y", +frame.rect.getAttribute("y") + 14);
      frame.g.appendChild(frame.text);
    }
    if (frame.text) {
      frame.text.setAttribute("x", margin + x + 4);
      frame.text.textContent = label(frame.name, w);
    }
  }

  function draw() {
    frames.forEach(place);
    reset.disabled = shown === root;
    count();
  }

  function zoom(frame) {
    shown = frame;
    draw();
  }

  function tell(frame) {
    info.textContent = frame ? frame.title.split("\n").join(" · ") : nothing;
  }

  function focus(frame) {
    if (frame) {
      frame.g.focus();
      tell(frame);
    }
  }

  /* The share of what is shown that is spent in matches: one inside another one counts once. */
  function count() {
    var hits = 0, time = 0, end = -1;
    svg.classList.toggle("searched", pattern !== null || given);
    frames.forEach(function (frame) {
      var hit = pattern !== null ? frame !== root && pattern.test(frame.name) : frame.given;
      frame.g.classList.toggle("hit", hit);
      if (!hit || !within(frame, shown))
        return;
      hits++;
      if (frame.x >= end) { /* frames come with callers first, and from left to right */
        time += frame.w;
        end = frame.x + frame.w;
      }
    });
    share.textContent = pattern === null ? "" : hits + (hits === 1 ? " match, " : " matches, ") + (shown.w ? 100 * time / shown.w : 0).toFixed(1) + " %";
  }

  function search() {
    pattern = null;
    input.setCustomValidity("");
    if (input.value)
      try {
        pattern = new RegExp(input.value, "iu");
      } catch (error) {
        input.setCustomValidity(error.message);
      }
    count();
  }

  function neighbour(frame, key) {
    var list = frames.filter(function (other) { return other.visible; });
    var at = list.indexOf(frame), i;
    if (svg.dataset.up)
      key = { ArrowUp: "ArrowDown", ArrowDown: "ArrowUp" }[key] || key;
    if (key === "ArrowUp")
      for (i = at; i >= 0; i--)
        if (list[i].depth === frame.depth - 1)
          return list[i];
    if (key === "ArrowDown")
      return list[at + 1] && list[at + 1].depth === frame.depth + 1 ? list[at + 1] : null;
    for (i = at + (key === "ArrowRight" ? 1 : -1); i >= 0 && i < list.length && list[i].depth >= frame.depth; i += key === "ArrowRight" ? 1 : -1)
      if (list[i].depth === frame.depth)
        return list[i];
    return null;
  }

  function html(name, into) {
    return into.appendChild(document.createElementNS("http://www.w3.org/1999/xhtml", name));
  }

  var corner = svg.appendChild(document.createElementNS(svg.namespaceURI, "foreignObject"));
  var tools = html("div", corner), share = html("span", tools), input = html("input", tools), reset = html("button", tools);
  tools.className = "tools";
  share.setAttribute("aria-live", "polite");
  input.type = "search";
  input.placeholder = "Search (/)";
  input.title = "A regular expression";
  input.setAttribute("aria-label", "Search functions");
  input.addEventListener("input", search);
  reset.textContent = "Reset Zoom";
  reset.addEventListener("click", function () { zoom(root); });
  corner.setAttribute("y", 12);
  corner.setAttribute("height", 40);
  corner.setAttribute("width", 460);

  frames.forEach(function (frame) {
    frame.g.setAttribute("tabindex", frame === root ? "0" : "-1");
    frame.g.setAttribute("role", "img");
    frame.g.setAttribute("aria-label", frame.title);
    frame.g.addEventListener("click", function () { zoom(frame); });
    frame.g.addEventListener("pointerenter", function () { tell(frame); });
    frame.g.addEventListener("pointerleave", function () { tell(null); });
    frame.g.addEventListener("keydown", function (event) {
      if (event.key === "Enter" || event.key === " ")
        zoom(frame);
      else if (event.key.startsWith("Arrow"))
        focus(neighbour(frame, event.key));
      else
        return;
      event.preventDefault();
    });
  });
  document.addEventListener("keydown", function (event) {
    var typing = event.target === input;
    if (event.key === "Escape" && typing && input.value) {
      input.value = "";
      search();
    } else if (event.key === "Escape") {
      zoom(frames.filter(function (f) { return f.depth === shown.depth - 1 && within(shown, f); })[0] || root);
    } else if (!typing && (event.key === "/" || (event.key === "f" && (event.ctrlKey || event.metaKey)))) {
      input.focus();
      input.select();
    } else {
      return;
    }
    event.preventDefault();
  });

  function fit() {
    if (lone) {
      width = Math.max(600, document.documentElement.clientWidth || window.innerWidth);
      svg.setAttribute("width", width);
      page.setAttribute("width", width);
    }
    corner.setAttribute("x", width - margin - 460);
    draw();
  }

  var sample = svg.appendChild(document.createElementNS(svg.namespaceURI, "text"));
  sample.textContent = "mmmmmmmmmm";
  glyph = sample.getComputedTextLength() / 10 || 7.3;
  sample.remove();
  shown = root;
  window.addEventListener("resize", fit);
  fit();
})();
