/** Axis marks from 0 to beyond `max`: about four steps, round whole numbers. */
export const marksOf = (max: number): number[] => {
  const rough = Math.max(max, 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = [1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10
  const step = Math.max(1, round * power)
  return Array.from({ length: Math.ceil(Math.max(max, 1) / step) + 1 }, (_, nth) => nth * step)
}

/** Slopes per step, zero at peaks, so that the curve never overshoots (Fritsch and Carlson, 1980). */
const slopesOf = (ys: number[]): number[] => {
  const rises = ys.slice(1).map((y, nth) => y - (ys[nth] ?? 0))
  const inner = rises.slice(1).map((after, nth) => {
    const before = rises[nth] ?? 0
    const least = Math.min(Math.abs(before), Math.abs(after), Math.abs(before + after) / 4)
    return (Math.sign(before) + Math.sign(after)) * least
  })
  const end = (rise = 0, next = rise): number => (3 * rise - next) / 2
  return [end(rises[0], inner[0]), ...inner, end(rises.at(-1), inner.at(-1))]
}

/** A smooth path through points at a distance of `step`, for `d` of an SVG path. */
export const curveOf = (ys: number[], left: number, step: number): string => {
  const slopes = slopesOf(ys)
  const parts = ys.slice(1).map((y, nth) => {
    const x = left + nth * step
    const from = (ys[nth] ?? 0) + (slopes[nth] ?? 0) / 3
    const to = y - (slopes[nth + 1] ?? 0) / 3
    return `C${x + step / 3},${from} ${x + (2 * step) / 3},${to} ${x + step},${y}`
  })
  return `M${left},${ys[0] ?? 0}${parts.join('')}`
}
