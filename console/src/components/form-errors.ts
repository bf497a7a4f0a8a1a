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
 * Says beside a field that the service refused it; what is wrong with it forms know before (field-checks.ts). False when
 * there is something left to be said above the form (`ErrorPanel`). Fields of a form are named as on the wire.
 */
export const showFieldErrors = (
  form: FormLike,
  error: unknown,
  textOf: (error: unknown) => string,
): boolean => {
  if (!(error instanceof ApiError)) return false
  const named = fieldOfReason[error.reason]
  const found = named === undefined ? error.fields.map(({ field }) => field) : [named]
  const shown = found.filter((field) => Object.hasOwn(form.getValues(), field))
  if (shown.length > 0) form.setErrors(Object.fromEntries(shown.map((field) => [field, textOf(error)])))
  return shown.length > 0 && shown.length === found.length
}
