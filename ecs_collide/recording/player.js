// The player of a recording. The page calls it with
//   $       the element of a name
//   data    the stream, as ecs_collide/recording/encoding.py writes it; the header has been read
//   number  the next integer of the stream
//   head    the header

const numbers = count => Array.from({ length: count }, number)
const summed = list => { let sum = 0; return list.map(step => sum += step) }
const paths = (lengths, order, unit) => {
  const firsts = summed(numbers(lengths.length))
  return lengths.map((length, k) => {
    const path = new Float64Array(length)
    let value = firsts[k], speed = 0
    for (let i = 0; i < length; i++) {
      const step = number()
      value += order == 2 ? speed += step : step
      path[i] = value * unit
    }
    return path
  })
}
const [times] = head.frames ? paths([head.frames], 2, 1e-6) : [[]]
const last = Math.max(0, head.frames - 1)
const lengths = head.tracks.map(track => track[2])
const poses = [head.grid, head.grid, head.angle].map(unit => paths(lengths, 2, unit))
const flips = new Set(summed(numbers(number())))
let count = 0, asleep = false
const bodies = head.tracks.map(([entity, first, length], k) => ({
  ...head.bodies[k], shape: head.shapes[head.bodies[k].shape], entity, first, length, poses: poses.map(axis => axis[k]),
  asleep: Uint8Array.from({ length }, () => asleep = flips.has(count++) ? !asleep : asleep),
}))
const tracksOf = new Map()
for (const body of bodies) tracksOf.set(body.entity, [...tracksOf.get(body.entity) ?? [], body])
const bodyAt = (entity, frame) => tracksOf.get(entity)?.find(body => frame >= body.first && frame < body.first + body.length)
const poseOf = (entity, frame) => {
  const body = bodyAt(entity, frame)
  return body ? body.poses.map(axis => axis[frame - body.first]) : [0, 0, 0]
}
const outward = ([x, y, angle], u, v) => [x + Math.cos(angle) * u - Math.sin(angle) * v, y + Math.sin(angle) * u + Math.cos(angle) * v]
const contacts = Array.from({ length: head.frames }, () => [])
const runs = number(), starts = summed(numbers(runs)), stays = numbers(runs), as = summed(numbers(runs)), bs = summed(numbers(runs))
const points = [8 * head.grid, 8 * head.grid, Math.PI / 32].map(unit => paths(stays, 1, unit))
for (let k = 0; k < runs; k++)
  for (let i = 0; i < stays[k]; i++) {
    const frame = starts[k] + i
    contacts[frame].push([as[k], bs[k], ...outward(poseOf(bs[k], frame), points[0][k][i], points[1][k][i]), points[2][k][i]])
  }
const heard = number(), columns = [0, 0, 0].map(() => summed(numbers(heard))), names = numbers(heard)
const events = names.map((name, k) => {
  const [a, b] = [columns[0][k], columns[1][k]]
  return { frame: columns[2][k], text: `${head.names[name]} ${a == b ? a : a + " " + b}`, a, b }
}).concat(head.marks.map(([frame, text]) => ({ frame, text, marked: true }))).sort((one, other) => one.frame - other.frame)

// Drawing.
const lines = lists => {
  const path = new Path2D
  for (const list of lists) list.forEach((value, i) => i % 2 || path[i ? "lineTo" : "moveTo"](value, list[i + 1]))
  return path
}
for (const shape of head.shapes)
  if (!shape.radius) [shape.area, shape.edge, shape.line] = [shape.areas, shape.edges, shape.lines].map(lines)
const order = [...bodies].sort((one, other) => one.layer - other.layer)
const canvas = $("view"), pen = canvas.getContext("2d"), up = head.up ? -1 : 1
const dark = matchMedia("(prefers-color-scheme: dark)")
let width, height, scale, cx, cy, fitted, now = 0, playing = true, chosen = null, drawn = ""
const resize = () => {
  const ratio = devicePixelRatio || 1
  width = canvas.clientWidth; height = canvas.clientHeight
  canvas.width = width * ratio; canvas.height = height * ratio
  drawn = ""
}
const fit = () => {
  const [left, low, right, high] = head.view
  fitted = true
  cx = (left + right) / 2; cy = (low + high) / 2
  scale = Math.min(width / (right - left), height / (high - low))
}
const toWorld = (x, y) => [cx + (x - width / 2) / scale, cy + (y - height / 2) / scale * up]
const toScreen = ([x, y]) => [width / 2 + (x - cx) * scale, height / 2 + (y - cy) * scale * up]
const segment = (from, to, colour, thick = 1.5) => {
  pen.strokeStyle = colour; pen.lineWidth = thick; pen.beginPath(); pen.moveTo(...from); pen.lineTo(...to); pen.stroke()
}
const dot = (place, colour, radius = 2.5) => { pen.fillStyle = colour; pen.beginPath(); pen.arc(...place, radius, 0, 7); pen.fill() }
const poseBetween = (body, frame, share) => {
  const i = frame - body.first, j = Math.min(i + 1, body.length - 1), [x, y, angle] = body.poses
  const jumps = Math.hypot(x[j] - x[i], y[j] - y[i]) > head.jump
  return [x, y, angle].map(axis => jumps ? axis[i] : axis[i] + share * (axis[j] - axis[i]))
}
function draw() {
  const frame = Math.min(last, Math.floor(now)), share = now - frame, ratio = devicePixelRatio || 1
  const state = [now, scale, cx, cy, chosen?.entity, dark.matches, $("contacts").checked, $("ids").checked, $("list").checked].join()
  if (state == drawn) return
  drawn = state
  const colours = head.colours[dark.matches ? 0 : 1]
  const plain = () => pen.setTransform(ratio, 0, 0, ratio, 0, 0)
  plain(); pen.fillStyle = colours.background; pen.fillRect(0, 0, width, height)
  const places = new Map
  for (const body of order) {
    if (frame < body.first || frame >= body.first + body.length) continue
    const [x, y, angle] = poseBetween(body, frame, share), { shape } = body
    places.set(body.entity, [x, y, angle])
    pen.setTransform(ratio * scale, 0, 0, ratio * scale * up, ratio * (width / 2 - cx * scale), ratio * (height / 2 - cy * scale * up))
    pen.translate(x, y); pen.rotate(angle)
    const colour = colours[body.asleep[frame - body.first] && body.state == "dynamic" ? "sleeping" : body.state]
    const isChosen = body.entity == chosen?.entity
    pen.fillStyle = pen.strokeStyle = colour
    pen.globalAlpha = body.state == "sensor" ? .3 : 1
    if (shape.radius) {
      const [u, v] = shape.center
      pen.beginPath(); pen.arc(u, v, shape.radius, 0, 7); pen.fill()
      pen.globalAlpha = 1; pen.strokeStyle = isChosen ? colours.text : body.state == "sensor" ? colour : "#0007"; pen.lineWidth = (isChosen ? 2 : 1) / scale
      pen.moveTo(u, v); pen.lineTo(u + shape.radius, v); pen.stroke()
    } else {
      pen.fill(shape.area); pen.globalAlpha = 1; pen.lineWidth = 2 / scale; pen.stroke(shape.line)
      pen.strokeStyle = isChosen ? colours.text : body.state == "sensor" ? colour : "#0007"; pen.lineWidth = (isChosen ? 2 : 1) / scale
      pen.stroke(shape.edge)
    }
  }
  plain()
  const end = (entity, anchor) => toScreen(entity == null ? anchor : outward(places.get(entity) ?? [0, 0, 0], ...anchor))
  for (const [a, b, u, v, first, stop] of head.joints) {
    if (frame < first || frame >= stop) continue
    const from = end(a, u), to = end(b, v)
    segment(from, to, colours.joint); dot(from, colours.joint); dot(to, colours.joint)
  }
  if ($("contacts").checked && head.frames)
    for (const [a, b, x, y, turn] of contacts[frame]) {
      const [u, v] = toScreen([x, y])
      segment([u, v], [u + 14 * Math.cos(turn), v + 14 * up * Math.sin(turn)], colours.normal); dot([u, v], colours.contact)
    }
  pen.font = "12px sans-serif"; pen.textAlign = "center"; pen.lineWidth = 3; pen.strokeStyle = colours.background; pen.fillStyle = colours.text
  for (const body of order) {
    const place = places.get(body.entity), text = body.label || ($("ids").checked ? body.entity : "")
    if (!place || text === "" || bodyAt(body.entity, frame) != body) continue
    const [u, v] = toScreen(place)
    pen.strokeText(text, u, v + 4); pen.fillText(text, u, v + 4)
  }
  const mark = events.findLast(event => event.marked && event.frame <= frame)
  $("time").value = frame
  $("clock").textContent = `${(times[frame] ?? 0).toFixed(2)} s  frame ${frame}${mark ? "  " + mark.text : ""}`
  $("info").textContent = chosen ? numbersOf(chosen.entity, frame) : ""
  $("events").style.display = $("list").checked ? "" : "none"
  if ($("list").checked) listEvents(frame)
}
function numbersOf(entity, frame) {
  const body = bodyAt(entity, frame), title = `entity ${entity}${chosen.label ? " " + chosen.label : ""}`
  if (!body) return title + "\nnot there"
  const i = frame - body.first, from = Math.max(0, i - 2), to = Math.min(body.length - 1, i + 2)
  const span = times[body.first + to] - times[body.first + from] || 1
  const speed = body.poses.map(axis => (axis[to] - axis[from]) / span), pose = body.poses.map(axis => axis[i])
  const show = (values, places = 3) => values.map(value => value.toFixed(places)).join("  ")
  const touched = new Set(contacts[frame].filter(([a, b]) => a == entity || b == entity).map(([a, b]) => a == entity ? b : a))
  return [title, `${body.state}${body.asleep[i] ? ", asleep" : ""}`, body.shape.text,
    ...body.mass ? [`mass      ${body.mass.toPrecision(4)}`] : [],
    `position  ${show(pose.slice(0, 2))}`, `angle     ${show([pose[2]])}`,
    `velocity  ${show(speed.slice(0, 2), 2)}`, `turning   ${show([speed[2]], 2)}`,
    `touches   ${[...touched].join(" ") || "nothing"}`].join("\n")
}
let shown = []
function listEvents(frame) {
  const its = events.filter(event => !chosen || event.a == chosen.entity || event.b == chosen.entity || event.marked)
  let next = its.findIndex(event => event.frame > frame)
  if (next < 0) next = its.length
  shown = its.slice(Math.max(0, next - 12), next + 6)
  $("events").textContent = shown.map(event => `${event.frame <= frame ? " " : "·"}${String(event.frame).padStart(6)}  ${event.text}`).join("\n") || "no events"
}

// Controls.
const jump = to => { playing = false; now = Math.max(0, Math.min(last, to)) }
const pick = (x, y) => {
  const frame = Math.min(last, Math.floor(now)), [u, v] = toWorld(x, y)
  pen.setTransform(1, 0, 0, 1, 0, 0)
  chosen = [...order].reverse().find(body => {
    const pose = bodyAt(body.entity, frame) == body && poseOf(body.entity, frame)
    if (!pose) return false
    const [c, s] = [Math.cos(pose[2]), Math.sin(pose[2])], dx = u - pose[0], dy = v - pose[1], px = c * dx + s * dy, py = c * dy - s * dx
    if (body.shape.radius) return Math.hypot(px - body.shape.center[0], py - body.shape.center[1]) <= body.shape.radius
    pen.lineWidth = 8 / scale
    return pen.isPointInPath(body.shape.area, px, py) || pen.isPointInStroke(body.shape.line, px, py)
  }) ?? null
}
$("play").onclick = () => { if (!playing && now >= last) now = 0; playing = !playing }
$("back").onclick = () => jump(Math.ceil(now) - 1)
$("next").onclick = () => jump(Math.floor(now) + 1)
$("time").max = last
$("time").oninput = event => jump(+event.target.value)
$("fit").onclick = fit
$("events").onclick = event => { const row = shown[Math.floor((event.offsetY + $("events").scrollTop - 6) / 18)]; if (row) jump(row.frame) }
onkeydown = event => {
  if (event.target.tagName == "INPUT" && event.key != " ") return
  if (event.key == " ") { $("play").click(); event.preventDefault() }
  if (event.key == "ArrowLeft") $("back").click()
  if (event.key == "ArrowRight") $("next").click()
}
canvas.onwheel = event => {
  event.preventDefault()
  const before = toWorld(event.offsetX, event.offsetY)
  fitted = false
  scale *= Math.exp(-event.deltaY * .0015)
  const after = toWorld(event.offsetX, event.offsetY)
  cx += before[0] - after[0]; cy += before[1] - after[1]
}
let moved = 0
canvas.onpointerdown = event => { moved = 0; canvas.setPointerCapture(event.pointerId) }
canvas.onpointermove = event => {
  if (!event.buttons) return
  moved += Math.abs(event.movementX) + Math.abs(event.movementY)
  if (moved > 3) { fitted = false; cx -= event.movementX / scale; cy -= event.movementY / scale * up }
}
canvas.onpointerup = event => { if (moved <= 3) pick(event.offsetX, event.offsetY) }
onresize = () => { resize(); if (fitted) fit(); ticks() }
function ticks() {
  const strip = $("ticks"), brush = strip.getContext("2d")
  strip.width = strip.clientWidth; strip.height = 5
  for (const event of events) {
    brush.fillStyle = event.marked ? "#e8b030" : "#7a8ab0"
    brush.fillRect(8 + event.frame / Math.max(1, last) * (strip.width - 16), 0, event.marked ? 3 : 1, 5)
  }
}
let before = null
const loop = moment => {
  if (playing && before != null && last) {
    const time = (times[Math.floor(now)] ?? 0) + (now % 1) * head.dt + (moment - before) / 1e3 * $("speed").value
    let frame = Math.floor(now)
    while (frame < last && times[frame + 1] <= time) frame++
    now = frame >= last ? last : frame + Math.min(.999, (time - times[frame]) / Math.max(1e-9, times[frame + 1] - times[frame]))
    if (now >= last) playing = false
  }
  before = moment
  $("play").textContent = playing ? "Pause" : "Play"
  draw()
  requestAnimationFrame(loop)
}
$("note").textContent = head.note
const asked = new URLSearchParams(location.hash.slice(1))
if (asked.has("frame")) jump(+asked.get("frame"))
resize(); fit(); ticks()
window.player = { head, bodies, contacts, events, poseOf, toScreen, jump, get frame() { return Math.floor(now) }, get scale() { return scale }, get chosen() { return chosen?.entity ?? null }, get playing() { return playing } }
requestAnimationFrame(loop)
