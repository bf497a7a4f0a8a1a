import { ApiError, type ErrorReason } from '@tenantry/client'

/** As much of a Mantine form as is needed here. */
interface FormLike {
  getValues: () => object
  setErrors: (errors: Record<string, string>) => void
}

/** Conflicts that are about one field, which the service names by their code alone. */
const fieldOfReason: Partial<Record<ErrorReason, string>> = {
  emailTaken: 'email',
  usernameTaken: 'username',
  slugTaken: 'slug',
  roleNameTaken: 'name',
  oldPasswordWrong: 'old_password',
}

/**
 * Puts what the service said about a field beside that field. False when there is something left to be said above the
 * form (`ErrorPanel`). Fields of a form are named as on the wire.
 */
export const showFieldErrors = (
  form: FormLike,
  error: unknown,
  textOf: (error: unknown) => string,
): boolean => {
  if (!(error instanceof ApiError)) return false
  const named = fieldOfReason[error.reason]
  const found = named === undefined ? error.fields : [{ field: named, message: textOf(error) }]
  const shown = found.filter(({ field }) => Object.hasOwn(form.getValues(), field))
  const messages = shown.map(({ field, message }) => [field, message] as const)
  if (shown.length > 0) form.setErrors(Object.fromEntries(messages))
  return shown.length > 0 && shown.length === found.length
}
