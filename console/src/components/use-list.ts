import { useTranslation } from '../translation.ts'

/** Joins names, such as "A, B, C". In Chinese, a list of the type `unit` has nothing between its parts. */
export const useList = (): ((names: string[]) => string) => {
  const { language } = useTranslation()
  const list = new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' })
  return (names) => list.format(names)
}
