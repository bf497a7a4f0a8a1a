/** The linear value of an sRGB channel (WCAG 2.2, relative luminance). */
const linear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4

/** The relative luminance of `#rrggbb`, from 0 for black to 1 for white. */
export const luminanceOf = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From this luminance on, black letters have more contrast than white ones. */
export const middle = Math.sqrt(1.05 * 0.05) - 0.05

/** Mixes a part of white or black into a colour. */
export const mix = (color: string, ink: 'white' | 'black', part: number): string => {
  const to = ink === 'white' ? 255 : 0
  const channels = [1, 3, 5].map((at) => {
    const from = Number.parseInt(color.slice(at, at + 2), 16)
    return Math.round(from + (to - from) * part)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${channels.join('')}`
}

/** The least mixture whose luminance is at most, or at least, the bound. */
export const until = (color: string, ink: 'white' | 'black', bound: number): string => {
  const parts = Array.from({ length: 51 }, (_, at) => at / 50)
  const isEnough = (one: string): boolean =>
    ink === 'black' ? luminanceOf(one) <= bound : luminanceOf(one) >= bound
  return (
    parts.map((part) => mix(color, ink, part)).find(isEnough) ?? (ink === 'black' ? '#000000' : '#ffffff')
  )
}

/** On white, its contrast is 6. */
export const onLight = (color: string): string => until(color, 'black', 0.125)

/** On the dark page, its contrast is 6. */
export const onDark = (color: string): string => until(color, 'white', 0.36)

/** The CSS colours of buttons, links and focus for a tenant's colour, with readable letters. */
export const accentOf = (color: string): Record<string, string> =>
  /^#[0-9a-f]{6}$/i.test(color)
    ? {
        '--accent': color,
        '--on-accent': luminanceOf(color) > middle ? '#000' : '#fff',
        '--link': `light-dark(${onLight(color)}, ${onDark(color)})`,
      }
    : {}
