import { ApiError } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { isPartMissing } from '../load-part.ts'

/** What went wrong, in the language of the page. */
export const useErrorText = () => {
  const { t } = useTranslation()
  return (error: unknown): string => {
    if (isPartMissing(error)) return t('errors.partMissing')
    return t(`errors.${error instanceof ApiError ? error.reason : 'unexpected'}`)
  }
}

const reasonsWithoutAnswer = ['network', 'timeout', 'unknown']

/** Whether the service has not answered itself: then what was asked of it may be done all the same. */
export const isUnsure = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 0 && reasonsWithoutAnswer.includes(error.reason)
