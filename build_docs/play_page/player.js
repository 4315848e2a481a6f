// Plays the demos in Pyodide: player.py makes the steps, and the strokes that it returns are drawn here.
import { loadPyodide } from "./pyodide.mjs";

const $ = (id) => document.getElementById(id);
const canvas = $("canvas"), context = canvas.getContext("2d"), say = (text) => ($("status").textContent = text);
const held = new Set();
let mouse = [null, null], player = null, running = true;

function trace(points) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
}

function fillAndEdge(fill, edge) {
  context.fillStyle = fill;
  context.fill();
  if (!edge) return;
  context.strokeStyle = edge;
  context.lineWidth = 1;
  context.stroke();
}

const strokes = {
  polygon(points, fill, edge) {
    trace(points);
    context.closePath();
    fillAndEdge(fill, edge);
  },
  polyline(points, colour, width) {
    trace(points);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  },
  disc(x, y, radius, fill, edge) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    fillAndEdge(fill, edge);
  },
  text(x, y, text, colour, halo, centered) {
    context.font = "12px sans-serif";
    context.textAlign = centered ? "center" : "left";
    context.textBaseline = centered ? "middle" : "top";
    context.strokeStyle = halo;
    context.lineWidth = 3;
    context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillText(text, x, y);
  },
};

function show(steps) {
  const walk = held.has("right") - held.has("left");
  const [size, background, list] = JSON.parse(player.frame(steps, walk, held.has("jump"), ...mouse));
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  context.fillStyle = background;
  context.fillRect(0, 0, ...size);
  context.lineJoin = context.lineCap = "round";
  for (const [name, ...rest] of list) strokes[name](...rest);
}

const names = { ArrowLeft: "left", KeyA: "left", ArrowRight: "right", KeyD: "right" };
Object.assign(names, { Space: "jump", ArrowUp: "jump", KeyW: "jump" });
canvas.tabIndex = 0; // keys go to the canvas, so that the page can be scrolled
canvas.addEventListener("keydown", (event) => {
  if (!(event.code in names)) return;
  held.add(names[event.code]);
  event.preventDefault();
});
canvas.addEventListener("keyup", (event) => held.delete(names[event.code]));
canvas.addEventListener("blur", () => held.clear());
canvas.addEventListener("pointermove", (event) => {
  const scale = canvas.width / canvas.clientWidth;
  mouse = [event.offsetX * scale, event.offsetY * scale];
});
canvas.addEventListener("pointerleave", () => (mouse = [null, null]));
$("pause").addEventListener("click", () => {
  running = !running;
  $("pause").textContent = running ? "Pause" : "Go on";
});

async function start() {
  say("Python is loading…");
  const python = await loadPyodide();
  await python.loadPackage(JSON.parse($("packages").textContent), { messageCallback: () => {} });
  python.runPython(await (await fetch("player.py")).text());
  const Player = python.globals.get("Player");
  function choose() {
    player?.end();
    player?.destroy();
    $("demo").value = ($(location.hash.slice(1)) ?? $("demo").selectedOptions[0]).value;
    player = Player($("demo").value);
    say(player.keys_help && `${player.keys_help}. Click the picture first.`);
    show(0);
    canvas.focus();
  }
  $("demo").addEventListener("change", () => (location.hash = $("demo").value));
  $("again").addEventListener("click", choose);
  addEventListener("hashchange", choose);
  choose();
  let last = performance.now(), due = 0;
  requestAnimationFrame(function next(now) {
    due = Math.min(due + ((now - last) * 60) / 1000, 4); // a slow machine plays slowly
    last = now;
    const steps = running ? Math.floor(due) : 0;
    due -= running ? steps : due;
    if (steps) show(steps);
    requestAnimationFrame(next);
  });
}

const stop = (error) => say(`The demo cannot be played: ${error.message}`);
addEventListener("error", (event) => stop(event.error));
start().catch(stop);
