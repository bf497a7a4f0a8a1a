import { ApiError, errorCodes, type ErrorReason, type ImportResult } from '@tenantry/client'

const reasonOf = (code: number): ErrorReason =>
  (Object.entries(errorCodes).find(([, known]) => known === code)?.[0] as ErrorReason | undefined) ??
  'unknown'

/** The refusal of one of many, as the error of a call. */
export const errorOfRow = (error: ImportResult['error'] | undefined): ApiError | undefined => {
  if (!error) return undefined
  const { code, message, field } = error
  return new ApiError({
    status: Math.floor(code / 100),
    code,
    reason: reasonOf(code),
    message,
    fields: field === '' ? [] : [{ field, message }],
  })
}
