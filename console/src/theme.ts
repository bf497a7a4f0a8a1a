import { createTheme } from '@mantine/core'

/** Texts on colours are dark or light by their contrast. app.css holds the rest. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  autoContrast: true,
  cursorType: 'pointer',
  headings: { fontWeight: '600' },
  // A menu contains only items, so its first item takes the focus (WAI-ARIA).
  components: { Menu: { defaultProps: { withInitialFocusPlaceholder: false } } },
})
