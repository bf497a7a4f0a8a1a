import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

const read = (texts: Record<string, string>, code: string): string =>
  Object.hasOwn(texts, code) ? (texts[code] ?? code) : code

/** Names of actions, resources and fields, and the codes that the service writes. Unknown codes stay. */
export const useAuditTexts = () => {
  const { t } = useTranslation()
  return useMemo(() => {
    const verbs = Object.entries(t('auditActions', { returnObjects: true }))
    const actions: Record<string, string> = Object.fromEntries(
      verbs.flatMap(([resource, texts]) =>
        Object.entries(texts).map(([verb, text]) => [`${resource}.${verb}`, text] as const),
      ),
    )
    const resources: Record<string, string> = t('auditResources', { returnObjects: true })
    const fields: Record<string, string> = t('auditFields', { returnObjects: true })
    return {
      actions: Object.keys(actions),
      resources: Object.keys(resources),
      ofAction: (action: string) => read(actions, action),
      ofResource: (resource: string) => read(resources, resource),
      ofField: (field: string) => read(fields, field),
    }
  }, [t])
}
