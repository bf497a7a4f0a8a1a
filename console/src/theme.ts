import { createTheme, DEFAULT_THEME } from '@mantine/core'

/** The list itself scrolls (app.css): a scroll area around it would be out of reach of the keyboard. */
const list = { withScrollArea: false }

/** Texts on colours are dark or light, depending on the contrast. app.css has the other styles. */
export const theme = createTheme({
  // `accent` is the colour of the product, and `indigo` that of pieces of information.
  primaryColor: 'accent',
  colors: { accent: DEFAULT_THEME.colors.indigo },
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  autoContrast: true,
  cursorType: 'pointer',
  headings: { fontWeight: '600' },
  // A menu contains only items, so its first item gets the focus (WAI-ARIA).
  components: {
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // Enter takes the first match of a search.
    Select: { defaultProps: { selectFirstOptionOnChange: true, ...list } },
    MultiSelect: { defaultProps: list },
    TagsInput: { defaultProps: list },
    Autocomplete: { defaultProps: list },
  },
})
