import { createTheme } from '@mantine/core'

/** Texts on colours are dark or light by their contrast; the rest is in app.css. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  autoContrast: true,
  cursorType: 'pointer',
  headings: { fontWeight: '600' },
})
