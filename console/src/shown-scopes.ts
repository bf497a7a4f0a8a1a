import { useTranslation } from './translation.ts'

const readsAll = 'mcp:read'

/** The scopes of a consent. One to read everything also has each permission that it stands for. */
const shownScopes = (scopes: string[]): string[] =>
  scopes.includes(readsAll)
    ? scopes.filter((scope) => scope === readsAll || !scope.endsWith(':read'))
    : scopes

type Texts = Partial<Record<string, { name: string; description: string }>>

/** The texts of a scope in the language of the page. Undefined for a scope of the product. */
export const useScopeTexts = () => {
  const { textsOf } = useTranslation()
  const permissions: Texts = textsOf('permissionTexts')
  const own: Partial<Record<string, string>> = textsOf('scopeTexts')
  return (code: string): { name: string; description?: string } | undefined => {
    const name = own[code]
    return name === undefined ? permissions[code] : { name }
  }
}

/** The names of the scopes of a consent. A scope without a name keeps its code. */
export const useScopeNames = () => {
  const textsOf = useScopeTexts()
  return (scopes: string[]): string =>
    shownScopes(scopes)
      .map((code) => textsOf(code)?.name ?? code)
      .join(', ')
}
