import { useCallback } from 'react'
import { useTranslation } from './translation.ts'

interface RoleText {
  name: string
  description?: string
}

/** The texts of a system role, whose name no other role can have, in the language of the page. */
export const useSystemRoles = (): ((name: string) => RoleText | undefined) => {
  const { textsOf } = useTranslation()
  return useCallback(
    (name) => {
      const texts: Record<string, RoleText> = textsOf('systemRoles')
      return Object.hasOwn(texts, name) ? texts[name] : undefined
    },
    [textsOf],
  )
}

export const useRoleName = (): ((name: string) => string) => {
  const textOf = useSystemRoles()
  return useCallback((name) => textOf(name)?.name ?? name, [textOf])
}
