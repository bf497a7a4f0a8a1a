/** The theme of the console in the colour of a product. Warnings and errors keep their colours. */
import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core'
import { luminanceOf, middle, mix, onDark, onLight, until } from './hosted/accent.ts'
import { theme } from './theme.ts'

/**
 * Mantine's ten shades of a colour. On white, the eighth and ninth have a contrast of 6 and 8 (WCAG 2.2). On the dark
 * body, the third and fourth have one of 6. The seventh is the colour itself.
 */
const shadesOf = (color: string): MantineColorsTuple => {
  const light = onDark(color)
  return [
    mix(color, 'white', 0.94),
    mix(color, 'white', 0.88),
    mix(color, 'white', 0.78),
    light,
    light,
    mix(color, 'white', 0.25),
    mix(color, 'white', 0.12),
    color,
    onLight(color),
    until(color, 'black', 0.081),
  ]
}

/** A little lighter under dark letters, and a little darker under light ones. */
const hoverOf = (color: string): string =>
  luminanceOf(color) > middle ? mix(color, 'white', 0.2) : mix(color, 'black', 0.15)

/** Focus, tabs and switches have a contrast of 3 to the page, whatever the colour (WCAG 2.2, 1.4.11). */
const variablesOf =
  (color: string): CSSVariablesResolver =>
  () => {
    const hover = { '--mantine-color-accent-filled-hover': hoverOf(color) }
    return {
      variables: {},
      light: { ...hover, '--mantine-primary-color-filled': until(color, 'black', 0.3) },
      dark: { ...hover, '--mantine-primary-color-filled': until(color, 'white', 0.16) },
    }
  }

/** The theme in a colour such as `#rrggbb`. */
export const themeOf = (color: string) => ({
  theme: {
    ...theme,
    colors: { accent: shadesOf(color) },
    luminanceThreshold: middle,
    // Letters make a button visible, so it keeps the exact colour.
    components: { ...theme.components, Button: { defaultProps: { color: 'accent' } } },
  },
  cssVariablesResolver: variablesOf(color),
})
