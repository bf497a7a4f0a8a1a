import { ApiError } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import type { en } from '../locales/en.ts'

type Explained = keyof (typeof en)['errors']

/** What went wrong, in the language of the page; what is not in its table, as the service said it. */
export const useErrorText = () => {
  const { t, i18n } = useTranslation()
  return (error: unknown): string => {
    if (!(error instanceof ApiError)) return t('errors.unexpected')
    const key = `errors.${error.reason}`
    return i18n.exists(key) ? t(key as `errors.${Explained}`) : error.message
  }
}
