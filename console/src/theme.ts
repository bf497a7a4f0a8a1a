import { createTheme } from '@mantine/core'

/** Texts on colours are dark or light by their contrast; the rest is in app.css. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  autoContrast: true,
  cursorType: 'pointer',
  headings: { fontWeight: '600' },
  // What takes the focus first in a menu is one of its items: a menu holds nothing else (WAI-ARIA).
  components: { Menu: { defaultProps: { withInitialFocusPlaceholder: false } } },
})
