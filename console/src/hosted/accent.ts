/** The linear value of an sRGB channel (WCAG 2.2, relative luminance). */
const linear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4

const luminanceOf = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From this luminance on, black letters have more contrast than white ones. */
const middle = Math.sqrt(1.05 * 0.05) - 0.05

/** The CSS colours of the main button for a tenant's colour, with readable letters on it. */
export const accentOf = (color: string): Record<string, string> =>
  /^#[0-9a-f]{6}$/i.test(color)
    ? { '--accent': color, '--on-accent': luminanceOf(color) > middle ? '#000' : '#fff' }
    : {}
