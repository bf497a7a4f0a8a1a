/** Mantine's light colours in both schemes, from blue to violet, in its order. */
const colors = [
  ['#d0ebff', '#0c3256'],
  ['#c5f6fa', '#063943'],
  ['#f3d9fa', '#43174e'],
  ['#d3f9d8', '#16451f'],
  ['#dbe4ff', '#1b2864'],
  ['#e9fac8', '#2e4a07'],
  ['#ffe8cc', '#6d2408'],
  ['#ffdeeb', '#530f27'],
  ['#ffe3e3', '#651515'],
  ['#c3fae8', '#04402e'],
  ['#e5dbff', '#301f62'],
]

/** The colour behind the initials, the same as Mantine gives the name in the console. */
export const initialsColor = (name: string): string => {
  let hash = 0
  // By code units, as Mantine counts.
  for (let at = 0; at < name.length; at += 1) hash = (hash * 31 + name.charCodeAt(at)) | 0
  return `light-dark(${colors[Math.abs(hash) % colors.length]?.join(', ')})`
}
