import { useMatches } from '@tanstack/react-router'
import { useTranslation } from '../translation.ts'

export const usePageData = () => useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} })

export const usePageTitle = (): string | undefined => {
  const { t } = useTranslation()
  const { title } = usePageData()
  return title && t(title)
}
