/** The theme of a product, fetched for those who see one. */
import { loadPart } from './load-part.ts'
import type { themeOf } from './product-theme.ts'
import { createStore } from './store.ts'

const fetchTheme = loadPart(() => import('./product-theme.ts'))

const { set, useValue } = createStore<{ themeOf: typeof themeOf } | undefined>(undefined)

/** Undefined until it is fetched. */
export const useProductTheme = useValue

/** Without the theme, pages keep the colour of Tenantry. */
export const loadProductTheme = (): Promise<void> => fetchTheme().then(set, () => undefined)
