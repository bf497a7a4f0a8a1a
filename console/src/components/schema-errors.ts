import { ApiError } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { useErrorText } from './error-text.ts'

/** The messages of a refused value, by path. The service's own words are English. */
export const useSchemaErrors = () => {
  const { language } = useTranslation()
  const textOf = useErrorText()
  return (error: unknown): ReadonlyMap<string, string> =>
    new Map(
      error instanceof ApiError
        ? error.fields.map(({ field, message }) => [field, language === 'en' ? message : textOf(error)])
        : [],
    )
}

/** The messages of refused values of attributes, each beginning with its key. */
export const useAttributeErrors = () => {
  const errorsOf = useSchemaErrors()
  const textOf = useErrorText()
  return (error: unknown, sent: object = {}): ReadonlyMap<string, string> => {
    if (!(error instanceof ApiError) || error.reason !== 'attributeFilled') return errorsOf(error)
    const keys = Object.keys(sent)
    const words = new Set([...error.fields.map(({ field }) => field), ...error.message.split(/\W+/)])
    return new Map(
      keys.filter((key) => keys.length === 1 || words.has(key)).map((key) => [key, textOf(error)]),
    )
  }
}
